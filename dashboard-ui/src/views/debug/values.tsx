import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ValueView } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { ErrorState } from '../../parts/errorState.tsx';
import { visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast } from '../../parts/toasts.tsx';
import { act, frame, past, view } from './sessionState.ts';

/** The variables of the frame that is looked at, nearest first. */
export function Values() {
  const session = view.value;
  const shown = frame.value;
  const then = past.value;
  const stopNumber = session?.stops.at(-1)?.number;
  const isLive = then === undefined && session?.state === 'paused' && shown !== undefined;
  const loaded = useLoaded(
    async () => (isLive ? call('debug.variables', { id: session.id, frame: shown.index }) : undefined),
    [session?.id, shown?.index, shown?.line, stopNumber, isLive, session],
  );
  if (then !== undefined) {
    const values = then.frames.find(({ index }) => index === shown?.index)?.values;
    if (values === undefined) return <p class="muted paneNote">The variables of this frame were not looked at then.</p>;
    return <ValueList values={values} frameIndex={undefined} />;
  }
  if (!isLive) return <p class="muted paneNote">There are none while the program runs.</p>;
  if (loaded.error !== undefined && loaded.value === undefined)
    return <ErrorState error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <p class="muted paneNote">Loading…</p>;
  const { values, total } = loaded.value;
  const scopes = [...new Set(values.map(({ scope }) => scope ?? ''))];
  if (values.length === 0) return <p class="muted paneNote">This frame has no variables.</p>;
  return (
    <>
      {scopes.map((scope) => (
        <div key={scope}>
          {scope !== '' && <h4 class="scopeName">{scope}</h4>}
          <ValueList values={values.filter((each) => (each.scope ?? '') === scope)} frameIndex={shown.index} />
        </div>
      ))}
      {total > values.length && <p class="muted paneNote">{total - values.length} more are not shown.</p>}
    </>
  );
}

function ValueList({ values, frameIndex }: { values: readonly ValueView[]; frameIndex: number | undefined }) {
  return (
    <ul class="values">
      {values.map((value) => (
        <Value key={value.name} value={value} frameIndex={frameIndex} />
      ))}
    </ul>
  );
}

/** `frameIndex`: of a program that stands still now, where values can be opened and set. */
function Value({ value, frameIndex }: { value: ValueView; frameIndex: number | undefined }) {
  const isOpen = useSignal(false);
  const isEdited = useSignal(false);
  const canOpen = value.children !== undefined || (frameIndex !== undefined && value.reference !== undefined);
  const path = value.path ?? (/^[\w$]+$/.test(value.name) ? value.name : undefined);
  const canSet = frameIndex !== undefined && path !== undefined;
  return (
    <li class={value.changed === true ? 'changed' : ''}>
      <div class="valueRow">
        {canOpen ? (
          <button
            type="button"
            class="quiet iconOnly twist"
            aria-expanded={isOpen.value}
            aria-label={`${isOpen.value ? 'Close' : 'Open'} ${visible(value.name)}`}
            onClick={() => (isOpen.value = !isOpen.value)}
          >
            <Icon name={isOpen.value ? 'down' : 'right'} />
          </button>
        ) : (
          <span class="twist" />
        )}
        <span class="valueName">{visible(value.name)}</span>
        {isEdited.value && path !== undefined ? (
          <ValueInput
            path={path}
            value={value.value}
            frameIndex={frameIndex}
            onClose={() => (isEdited.value = false)}
          />
        ) : (
          <span
            class="valueText"
            title={value.previous === undefined ? value.type : `${value.type}; it was ${value.previous}`}
            onDblClick={() => (isEdited.value = canSet)}
          >
            {visible(value.value)}
          </span>
        )}
        {value.changed === true && value.previous !== undefined && (
          <span class="previous" title="before">
            {visible(value.previous)}
          </span>
        )}
        {canSet && !isEdited.value && (
          <button
            type="button"
            class="quiet iconOnly rowAction"
            aria-label={`Set ${visible(value.name)}`}
            title="Set"
            onClick={() => (isEdited.value = true)}
          >
            <Icon name="sliders" />
          </button>
        )}
      </div>
      {isOpen.value && <Children value={value} frameIndex={frameIndex} />}
    </li>
  );
}

function Children({ value, frameIndex }: { value: ValueView; frameIndex: number | undefined }) {
  const known = useSignal<ValueView[]>(value.children ?? []);
  const total = useSignal(known.value.length + (value.moreChildren ?? 0));
  const error = useSignal<unknown>(undefined);
  const { reference } = value;
  /** What is named differently after each look is asked for anew; an answer about the name before is dropped. */
  const newest = useRef(reference);
  newest.current = reference;
  const more = async (shown: readonly ValueView[]) => {
    const id = view.value?.id;
    if (id === undefined || reference === undefined || frameIndex === undefined) return;
    try {
      const page = await call('debug.variables', { id, frame: frameIndex, reference, start: shown.length });
      if (newest.current !== reference) return;
      known.value = [...shown, ...page.values];
      total.value = page.total;
      error.value = undefined;
    } catch (thrown) {
      if (newest.current === reference) error.value = thrown;
    }
  };
  useEffect(() => {
    if (value.children === undefined) void more([]);
  }, [reference]);
  if (error.value !== undefined) return <ErrorState error={error.value} />;
  const left = total.value - known.value.length;
  return (
    <>
      <ValueList values={known.value} frameIndex={frameIndex} />
      {left > 0 &&
        (frameIndex === undefined ? (
          <p class="muted paneNote">{left} more were not looked at.</p>
        ) : (
          <button type="button" class="quiet" onClick={() => void more(known.value)}>
            {left} more
          </button>
        ))}
    </>
  );
}

function ValueInput(props: { path: string; value: string; frameIndex: number | undefined; onClose: () => void }) {
  const { path, value, frameIndex, onClose } = props;
  const set = async (text: string) => {
    onClose();
    if (text.trim() === '' || text === value) return;
    await act('set_variable', {
      session_id: view.value?.id,
      variable_path: path,
      value: text,
      ...(frameIndex === undefined ? {} : { frame_index: frameIndex }),
    });
  };
  return (
    <input
      type="text"
      class="mono valueInput"
      aria-label={`Value of ${path}`}
      ref={(element) => element?.focus()}
      defaultValue={value}
      onBlur={onClose}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key === 'Enter') orToast(set(event.currentTarget.value));
      }}
    />
  );
}
