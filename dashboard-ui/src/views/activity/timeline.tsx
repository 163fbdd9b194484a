import { computed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CallSummary } from '../../../../src/dashboard/channel.ts';
import { clockTime } from '../../parts/format.ts';
import { filter, narrow, onTimeline } from './calls.ts';

const bars = 160;
const height = 34;

interface Strip {
  from: number;
  to: number;
  counts: { ok: number; bad: number }[];
  most: number;
}

const strip = computed(() => stripOf(onTimeline.value));

/** How many calls there were when, errors in their colour. Dragging over it chooses a time for everything below. */
export function Timeline() {
  const element = useRef<SVGSVGElement>(null);
  const drag = useSignal<{ start: number; end: number } | undefined>(undefined);
  const shown = strip.value;
  if (shown === undefined) return null;
  const { from, to, counts, most } = shown;
  const share = (event: PointerEvent) => {
    const box = element.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  };
  const timeAt = (part: number) => from + part * (to - from);
  const finish = () => {
    const { start, end } = drag.value ?? { start: 0, end: 0 };
    drag.value = undefined;
    const [first, last] = start < end ? [start, end] : [end, start];
    narrow({ range: last - first < 0.005 ? undefined : { from: timeAt(first), to: timeAt(last) } });
  };
  const chosen = drag.value ?? sharesOf(filter.value.range, shown);
  return (
    <div class="timeline">
      <svg
        ref={element}
        role="img"
        aria-label={`Calls from ${clockTime(new Date(from).toISOString())} to ${clockTime(new Date(to).toISOString())}; the choice of a time below narrows them`}
        viewBox={`0 0 ${bars} ${height}`}
        preserveAspectRatio="none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.value = { start: share(event), end: share(event) };
        }}
        onPointerMove={(event) => {
          if (drag.value !== undefined) drag.value = { ...drag.value, end: share(event) };
        }}
        onPointerUp={finish}
      >
        {counts.map(({ ok, bad }, index) => {
          const good = (ok / most) * (height - 2);
          const wrong = bad === 0 ? 0 : Math.max((bad / most) * (height - 2), 2);
          return (
            <>
              {ok > 0 && (
                <rect
                  class="ok"
                  x={index + 0.1}
                  width={0.8}
                  y={height - Math.max(good, 1)}
                  height={Math.max(good, 1)}
                />
              )}
              {bad > 0 && <rect class="bad" x={index + 0.1} width={0.8} y={height - good - wrong} height={wrong} />}
            </>
          );
        })}
        {chosen !== undefined && (
          <rect
            class="range"
            x={Math.min(chosen.start, chosen.end) * bars}
            width={Math.abs(chosen.end - chosen.start) * bars}
            y={0}
            height={height}
          />
        )}
      </svg>
      <div class="timelineEnds muted" aria-hidden="true">
        <span>{clockTime(new Date(from).toISOString())}</span>
        <span>drag to choose a time</span>
        <span>{clockTime(new Date(to).toISOString())}</span>
      </div>
    </div>
  );
}

function sharesOf(range: { from: number; to: number } | undefined, { from, to }: Strip) {
  if (range === undefined) return undefined;
  const share = (time: number) => Math.min(Math.max((time - from) / (to - from), 0), 1);
  return { start: share(range.from), end: share(range.to) };
}

function stripOf(calls: readonly CallSummary[]): Strip | undefined {
  const first = calls[0];
  const last = calls.at(-1);
  if (first === undefined || last === undefined || calls.length < 2) return undefined;
  const from = Date.parse(first.time);
  const to = Math.max(Date.parse(last.time), from + 1000);
  const counts = Array.from({ length: bars }, () => ({ ok: 0, bad: 0 }));
  for (const { time, status } of calls) {
    const place = Math.min(Math.floor(((Date.parse(time) - from) / (to - from)) * bars), bars - 1);
    const count = counts[Math.max(place, 0)];
    if (count === undefined) continue;
    if (status === 'error') count.bad++;
    else count.ok++;
  }
  return { from, to, counts, most: Math.max(...counts.map(({ ok, bad }) => ok + bad), 1) };
}
