import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { baseName, clockTime, visible } from '../../parts/format.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { viewPath } from '../../views.ts';
import { past, sessionId, view } from './sessionState.ts';

/** One card per stop; the arrow keys go back and forth in time. */
export function Filmstrip() {
  const { route } = useLocation();
  const stops = view.value?.stops ?? [];
  const list = useRef<HTMLOListElement>(null);
  const shown = past.value?.number;
  const isPaused = view.value?.state === 'paused';
  const go = (number: number | undefined) =>
    route(viewPath('debug', `${sessionId.value ?? ''}${number === undefined ? '' : `/${number}`}`), true);
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, stops.length]);
  if (stops.length === 0) return null;
  const latest = stops.at(-1)?.number;
  const step = (by: number) => {
    const at = shown === undefined ? stops.length - 1 : stops.findIndex(({ number }) => number === shown);
    const next = stops[Math.min(Math.max(at + by, 0), stops.length - 1)];
    go(next?.number === latest && isPaused ? undefined : next?.number);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    step(by);
  };
  return (
    <section class="filmstrip" aria-label="Stops">
      <ol ref={list} role="listbox" aria-label="Stops so far" tabIndex={0} onKeyDown={onKeyDown}>
        {stops.map((stop) => {
          const isNow = stop.number === latest && isPaused;
          const isShown = shown === undefined ? isNow : stop.number === shown;
          return (
            <li
              key={stop.number}
              role="option"
              aria-selected={isShown}
              class={`stopCard ${stop.reason === 'exception' ? 'failure' : ''}`}
              onClick={() => go(isNow ? undefined : stop.number)}
            >
              <span class="stopPlace">
                <b>{stop.number}</b> {stop.file === undefined ? visible(stop.name) : visible(baseName(stop.file))}
                {stop.line === undefined ? '' : `:${stop.line}`}
              </span>
              <code>{visible(stop.code)}</code>
              <span class="stopChanged mono">
                {stop.changed.length === 0
                  ? stop.reason
                  : stop.changed.map(({ name, value }) => `${visible(name)} = ${visible(value)}`).join(', ')}
              </span>
            </li>
          );
        })}
      </ol>
      {past.value !== undefined && (
        <div class="pastNote" role="status">
          <span>
            As it was at stop {past.value.number}, {clockTime(past.value.time)}
          </span>
          <CopyButton text={location.href} label="Copy a link to this stop" />
          <button type="button" onClick={() => go(undefined)}>
            Back to now
          </button>
        </div>
      )}
    </section>
  );
}

export function stepInTime(by: number): void {
  const list = document.querySelector<HTMLElement>('.filmstrip ol');
  list?.focus();
  list?.dispatchEvent(new KeyboardEvent('keydown', { key: by < 0 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
}
