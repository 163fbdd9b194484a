import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { baseName, visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { orToast } from '../../parts/toasts.tsx';
import { act, chooseFrame, frame, frames, past, view } from './sessionState.ts';
import type { Edited } from './sourcePane.tsx';

/** A part of the side that can be closed. */
export function Pane({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <details class="pane" open>
      <summary>
        <h2>{title}</h2>
        {note !== undefined && <span class="muted">{note}</span>}
      </summary>
      {children}
    </details>
  );
}

export function Stack() {
  const all = frames.value;
  if (all.length === 0) return <p class="muted paneNote">The program does not stand still.</p>;
  const total = past.value === undefined ? (view.value?.stop?.totalFrames ?? 0) : all.length;
  return (
    <ol class="stack">
      {all.map((each) => (
        <li key={each.index}>
          {each.asyncLabel !== undefined && <p class="asyncBorder">{visible(each.asyncLabel)}</p>}
          <button
            type="button"
            class={`quiet frameRow ${each.isLibrary ? 'library' : ''}`}
            aria-current={each.index === frame.value?.index ? 'true' : undefined}
            onClick={() => chooseFrame(each.index)}
          >
            <span class="mono">{visible(each.name)}</span>
            <span class="muted">
              {each.file === undefined ? '' : `${visible(baseName(each.file))}:${each.line ?? 0}`}
            </span>
          </button>
        </li>
      ))}
      {total > all.length && <li class="muted paneNote">{total - all.length} more frames</li>}
    </ol>
  );
}

export function Threads() {
  const threads = view.value?.threads ?? [];
  return (
    <ul class="rows">
      {threads.map((each) => (
        <li key={each.id} aria-current={each.isCurrent ? 'true' : undefined}>
          <span>{visible(each.name)}</span>
          <span class={`badge ${each.state === 'paused' ? 'warn' : 'run'}`}>{each.state}</span>
        </li>
      ))}
    </ul>
  );
}

/** Processes under those that started them. */
export function Processes() {
  const all = view.value?.processes ?? [];
  const below = (parentId: string | undefined): ComponentChildren => {
    const here = all.filter((each) =>
      parentId === undefined ? !all.some(({ id }) => id === each.parentId) : each.parentId === parentId,
    );
    return here.length === 0 ? null : (
      <ul class="rows tree">
        {here.map((each) => (
          <li key={each.id}>
            <span class="mono">{visible(each.title)}</span>
            <span class="muted">
              {each.isWorker ? 'worker' : each.pid === undefined ? '' : `pid ${each.pid}`}
              {each.exit === undefined ? '' : `, ${each.exit}`}
            </span>
            {below(each.id)}
          </li>
        ))}
      </ul>
    );
  };
  return <>{below(undefined)}</>;
}

export function Breakpoints({ edit }: { edit: (edited: Edited) => void }) {
  const rows = view.value?.breakpoints ?? [];
  if (rows.length === 0) return <p class="muted paneNote">A click beside a line number sets one.</p>;
  return (
    <ul class="rows">
      {rows.map((row) => {
        const { id, file, line, type } = row;
        const toggle = (enabled: boolean) =>
          type === 'exception'
            ? act('set_exception_breakpoint', { enabled })
            : act('set_breakpoint', {
                ...(type === 'function' ? { function: row.label.replace(/\(\)$/, '') } : { file_path: file, line }),
                enabled,
                ...(row.condition === undefined ? {} : { condition: row.condition }),
                ...(row.logMessage === undefined ? {} : { log_message: row.logMessage }),
              });
        return (
          <li key={id} class="breakpointRow">
            <input
              type="checkbox"
              checked={row.enabled}
              aria-label={`Enable ${visible(row.label)}`}
              onChange={(event) => orToast(toggle(event.currentTarget.checked))}
            />
            <span class="grow">
              <span class="mono">{visible(row.label)}</span>
              {row.condition !== undefined && <span class="muted mono"> if {visible(row.condition)}</span>}
              {row.logMessage !== undefined && <span class="muted mono"> prints {visible(row.logMessage)}</span>}
            </span>
            {row.hits > 0 && <span class="muted">{row.hits}×</span>}
            {file !== undefined && line !== undefined && (
              <button
                type="button"
                class="quiet iconOnly"
                aria-label={`Condition of ${visible(row.label)}`}
                title="Condition"
                onClick={() => edit({ file, line, row })}
              >
                <Icon name="sliders" />
              </button>
            )}
            <button
              type="button"
              class="quiet iconOnly"
              aria-label={`Remove ${visible(row.label)}`}
              title="Remove"
              onClick={() => orToast(act('remove_breakpoint', { breakpoint_id: id }))}
            >
              <Icon name="cross" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function Watches() {
  const text = useSignal('');
  const session = view.value;
  if (session === undefined) return null;
  const add = async () => {
    const expression = text.value.trim();
    if (expression === '') return;
    if (await act('add_watch', { session_id: session.id, expression })) text.value = '';
  };
  return (
    <>
      <ul class="rows">
        {session.watches.map((watch) => (
          <li key={watch.id}>
            <span class="mono valueName">{visible(watch.expression)}</span>
            <span class={`mono grow ${watch.error === undefined ? '' : 'bad'}`}>
              {visible(watch.value ?? watch.error ?? '…')}
            </span>
            <button
              type="button"
              class="quiet iconOnly"
              aria-label={`Remove the watch ${visible(watch.expression)}`}
              onClick={() => orToast(act('remove_watch', { session_id: session.id, watch_id: watch.id }))}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
      {session.state !== 'ended' && (
        <form
          class="oneLine"
          onSubmit={(event) => {
            event.preventDefault();
            orToast(add());
          }}
        >
          <input
            type="text"
            class="mono"
            aria-label="Expression to watch"
            placeholder="Expression to watch"
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <button type="submit">Add</button>
        </form>
      )}
    </>
  );
}
