import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ThreadItem } from '../../../../src/dashboard/channel.ts';
import { call } from '../../client.ts';
import { EmptyState } from '../../parts/emptyState.tsx';
import { visible } from '../../parts/format.ts';
import { useLoaded } from '../../parts/loaded.ts';
import type { SourceEditor } from '../debug/sourceEditor.ts';

/** Where the agent is: the place that its last tool call names, followed as it goes on. */
export function SourceTab({ items, project }: { items: readonly ThreadItem[]; project: string }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SourceEditor>(undefined);
  const isReady = useSignal(false);
  const at = lastPlace(items, project);
  const file = at?.path;
  // Read anew with every step of the call: it may have written the file meanwhile.
  const loaded = useLoaded(
    async () => (file === undefined ? undefined : { file, ...(await call('debug.source', { file })) }),
    [file, at?.moment],
  );
  useEffect(() => {
    let isWanted = true;
    void import('../debug/sourceEditor.ts').then(({ SourceEditor: Editor }) => {
      if (!isWanted || host.current === null) return;
      const nothing = () => undefined;
      editor.current = new Editor(host.current, { toggle: nothing, edit: nothing, moved: nothing });
      isReady.value = true;
    });
    return () => {
      isWanted = false;
      editor.current?.destroy();
    };
  }, []);
  useEffect(() => {
    if (!isReady.value || at === undefined || loaded.value?.file !== at.path) return;
    const { text } = loaded.value;
    void editor.current?.show({
      file: at.path,
      text,
      startLine: 1,
      current: at.line,
      isTop: true,
      breakpoints: [],
      moment: at.moment,
    });
  }, [isReady.value, loaded.value, at?.path, at?.line, at?.moment]);
  return (
    <div class="threadSource">
      {at === undefined ? (
        <EmptyState icon="file" title="Nowhere yet">
          <p>What the agent reads or edits in the project is shown here as it goes on.</p>
        </EmptyState>
      ) : (
        <p class="muted mono">
          {visible(at.path.slice(project.length + 1))}
          {at.line === undefined ? '' : `:${at.line}`} · {visible(at.title)}
        </p>
      )}
      <div ref={host} class="threadSourceText" hidden={at === undefined} />
    </div>
  );
}

interface Place {
  path: string;
  line: number | undefined;
  title: string;
  /** Another one for every step of every call. */
  moment: string;
}

/** What lies outside the project is not shown: its name comes from the agent. */
function lastPlace(items: readonly ThreadItem[], project: string): Place | undefined {
  for (const item of items.toReversed()) {
    const found =
      item.type === 'tool'
        ? item.locations.findLast(({ path }) => path.startsWith(`${project}/`) && !path.includes('/../'))
        : undefined;
    if (item.type === 'tool' && found !== undefined)
      return { path: found.path, line: found.line, title: item.title, moment: `${item.id} ${item.status}` };
  }
  return undefined;
}
