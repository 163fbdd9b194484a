import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BreakpointRow } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/emptyState.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast } from '../../parts/toasts.tsx';
import { act, cursor, frame, past, view } from './sessionState.ts';
import type { SourceEditor } from './sourceEditor.ts';

/** The breakpoint whose condition is being written. */
export interface Edited {
  file: string;
  line: number;
  row: BreakpointRow | undefined;
}

function breakpointAt(file: string, line: number): BreakpointRow | undefined {
  return view.value?.breakpoints.find((row) => row.file === file && row.line === line);
}

export function toggleBreakpoint(file: string, line: number): void {
  const row = breakpointAt(file, line);
  orToast(
    row === undefined
      ? act('set_breakpoint', { file_path: file, line })
      : act('remove_breakpoint', { breakpoint_id: row.id }),
  );
}

/** Where the program stands, or stood. */
export function SourcePane({ edit }: { edit: (edited: Edited) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SourceEditor>(undefined);
  const isReady = useSignal(false);
  const shown = frame.value;
  const file = shown?.file;
  const then = past.value;
  const stops = view.value?.stops.length ?? 0;
  const isPastTop = then !== undefined && shown?.index === then.frames[0]?.index;
  const loaded = useLoaded(
    async () => (file === undefined || isPastTop ? undefined : { file, ...(await call('debug.source', { file })) }),
    [file, isPastTop, stops],
  );
  const fileShown = useRef('');
  useEffect(() => {
    let isWanted = true;
    const element = host.current;
    if (element === null) return undefined;
    void import('./sourceEditor.ts').then(({ SourceEditor: Editor }) => {
      if (!isWanted) return;
      editor.current = new Editor(element, {
        toggle: (line) => toggleBreakpoint(fileShown.current, line),
        edit: (line) => edit({ file: fileShown.current, line, row: breakpointAt(fileShown.current, line) }),
        moved: (line) => (cursor.value = { file: fileShown.current, line }),
      });
      isReady.value = true;
    });
    return () => {
      isWanted = false;
      editor.current?.destroy();
    };
  }, []);
  const breakpoints = view.value?.breakpoints;
  useEffect(() => {
    const source =
      isPastTop && then?.source !== undefined
        ? { ...then.source, current: then.source.currentLine }
        : loaded.value === undefined || loaded.value.file !== file
          ? undefined
          : { ...loaded.value, startLine: 1, current: shown?.line };
    if (!isReady.value || source === undefined) return;
    fileShown.current = source.file;
    const rows = (breakpoints ?? []).filter((row) => row.file === source.file);
    const isTop = shown?.index === (then?.frames[0]?.index ?? view.value?.stop?.frame);
    const moment = `${then?.number ?? 'now'} ${shown?.index}`;
    void editor.current?.show({ ...source, isTop, breakpoints: rows, moment });
  }, [isReady.value, loaded.value, then, shown?.index, shown?.line, breakpoints]);
  const hasSource = file !== undefined || then?.source !== undefined;
  return (
    <section class="sourcePane" aria-label="Source">
      <div ref={host} class="sourceHost" hidden={!hasSource} />
      {!hasSource && (
        <EmptyState icon="file" title={view.value?.state === 'running' ? 'The program runs' : 'No source to show'}>
          <p>
            {view.value?.state === 'running'
              ? 'Pause it, or wait for a breakpoint.'
              : view.value?.state === 'ended'
                ? 'The program has ended. Its stops are below.'
                : 'This frame has no file.'}
          </p>
        </EmptyState>
      )}
    </section>
  );
}

/** A condition for a breakpoint, and whether it stops at all. */
export function BreakpointDialog({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const { row, file, line } = edited;
  const condition = useSignal(row?.condition ?? '');
  const log = useSignal(row?.logMessage ?? '');
  const enabled = useSignal(row?.enabled ?? true);
  const save = async () => {
    const done = await act('set_breakpoint', {
      file_path: file,
      line,
      enabled: enabled.value,
      ...(condition.value.trim() === '' ? {} : { condition: condition.value.trim() }),
      ...(log.value.trim() === '' ? {} : { log_message: log.value.trim() }),
    });
    if (done) onClose();
  };
  return (
    <Dialog title={`Breakpoint at line ${line}`} onClose={onClose}>
      <form
        class="breakpointForm"
        onSubmit={(event) => {
          event.preventDefault();
          orToast(save());
        }}
      >
        <label>
          Stop only if
          <input
            type="text"
            class="mono"
            value={condition.value}
            placeholder="total > 100"
            onInput={(event) => (condition.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Print instead of stopping
          <input
            type="text"
            class="mono"
            value={log.value}
            placeholder="total is {total}"
            onInput={(event) => (log.value = event.currentTarget.value)}
          />
        </label>
        <label class="inline">
          <input
            type="checkbox"
            checked={enabled.value}
            onChange={(event) => (enabled.value = event.currentTarget.checked)}
          />
          Enabled
        </label>
        <div class="formActions">
          {row !== undefined && (
            <button
              type="button"
              class="danger"
              onClick={() => orToast(act('remove_breakpoint', { breakpoint_id: row.id }).then(onClose))}
            >
              Remove
            </button>
          )}
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
