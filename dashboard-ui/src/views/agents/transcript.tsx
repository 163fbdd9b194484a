import { createTwoFilesPatch } from 'diff';
import { useEffect, useRef } from 'preact/hooks';
import type { ThreadItem, ToolItem } from '../../../../src/dashboard/channel.ts';
import { CodeText } from '../../parts/codeText.tsx';
import { DiffText } from '../../parts/diffText.tsx';
import { EmptyState } from '../../parts/emptyState.tsx';
import { visible } from '../../parts/format.ts';
import { JsonText } from '../../parts/jsonText.tsx';

/** What was said and done, newest at the end; it follows as long as the end is in sight. */
export function Transcript({ items, project }: { items: readonly ThreadItem[]; project: string }) {
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  if (items.length === 0)
    return (
      <EmptyState icon="terminal" title="Nothing was said yet">
        <p>Write a prompt below.</p>
      </EmptyState>
    );
  return (
    <ol
      class="transcript"
      ref={box}
      tabIndex={0}
      aria-label="Conversation"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {items.map((item) => (
        <li key={item.id} class={item.type === 'message' ? `message ${item.role}` : item.type}>
          <Item item={item} project={project} />
        </li>
      ))}
    </ol>
  );
}

function Item({ item, project }: { item: ThreadItem; project: string }) {
  switch (item.type) {
    case 'message':
      return item.role === 'thought' ? (
        <details>
          <summary>Thought</summary>
          <p class="said">{visible(item.text)}</p>
        </details>
      ) : (
        <p class="said">{visible(item.text)}</p>
      );
    case 'tool':
      return <ToolCard tool={item} project={project} />;
    case 'plan':
      return (
        <ul class="planEntries">
          {item.entries.map((entry, index) => (
            <li key={index} class={entry.status}>
              <span
                class={`badge ${entry.status === 'completed' ? 'ok' : entry.status === 'in_progress' ? 'run' : ''}`}
              >
                {entry.status.replace('_', ' ')}
              </span>{' '}
              {visible(entry.content)}
            </li>
          ))}
        </ul>
      );
    case 'notice':
      return (
        <p>
          <span class={`badge ${item.severity}`}>{item.severity}</span> {visible(item.title)}{' '}
          <span class="muted">{visible(item.description ?? '')}</span>
        </p>
      );
    case 'compaction':
      return (
        <details>
          <summary>Compaction {item.status}</summary>
          <p class="said">{visible(item.error ?? item.summary)}</p>
        </details>
      );
  }
}

const tones: Readonly<Record<string, string>> = {
  completed: 'ok',
  failed: 'bad',
  in_progress: 'run',
  pending: 'warn',
};

function ToolCard({ tool, project }: { tool: ToolItem; project: string }) {
  return (
    <details class="toolCard" open={tool.content.some(({ type }) => type === 'diff')}>
      <summary>
        <span class={`badge ${tones[tool.status] ?? ''}`}>{tool.status.replace('_', ' ')}</span>
        <span class="muted">{visible(tool.kind)}</span> {visible(tool.title)}
        {tool.permission !== undefined && <span class="muted"> · {visible(tool.permission)}</span>}
      </summary>
      {tool.locations.length > 0 && (
        <p class="places">
          {tool.locations.map(({ path, line }) => (
            <code key={`${path}:${line ?? ''}`}>{visible(place(path, line, project))}</code>
          ))}
        </p>
      )}
      {tool.content.map((part, index) =>
        part.type === 'diff' ? (
          <DiffText key={index} text={patchOf(part.path, part.oldText ?? '', part.newText, project)} />
        ) : (
          <CodeText key={index} text={part.text} />
        ),
      )}
      {tool.input !== undefined && <JsonText value={tool.input} />}
    </details>
  );
}

function place(path: string, line: number | undefined, project: string): string {
  const short = path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
  return line === undefined ? short : `${short}:${line}`;
}

function patchOf(path: string, before: string, after: string, project: string): string {
  const name = place(path, undefined, project);
  return createTwoFilesPatch(name, name, before, after, '', '', { context: 3 }).replace(/^(?:Index: .*\n)?=+\n/, '');
}
