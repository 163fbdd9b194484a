import { escapeInvisible } from '../../base/text/textBudget.ts';
import type { ThreadEvent, ThreadItem, ToolItem, ThreadView } from '../../engine/agents/model.ts';

/** How a thread is told on the command line. */
export interface AgentOutput {
  event(event: ThreadEvent): void;
  /** The last word, once the turn has ended. */
  end(thread: ThreadView): void;
}

interface Streams {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** Every event as one line of JSON, and one of kind `end`. */
export function jsonOutput({ out }: Streams): AgentOutput {
  return {
    event: (event) => out(`${JSON.stringify(event)}\n`),
    end: ({ state, turns, server, usage, problem }) => {
      const turn = turns.at(-1);
      out(
        `${JSON.stringify({ kind: 'end', state, stopReason: turn?.stopReason, changes: turn?.changes ?? [], server, usage, problem })}\n`,
      );
    },
  };
}

/** What the agent says goes to stdout as it comes; what it does goes to stderr, a line each. */
export function textOutput({ out, err }: Streams): AgentOutput {
  const told = new Map<string, string>();
  const roles = new Map<string, string>();
  let isMidLine = false;
  const say = (text: string) => {
    out(escapeInvisible(text));
    isMidLine = !text.endsWith('\n');
  };
  const note = (line: string) => {
    if (isMidLine) out('\n');
    isMidLine = false;
    err(`${escapeInvisible(line)}\n`);
  };
  const item = (each: ThreadItem) => {
    if (each.type === 'message') {
      roles.set(each.id, each.role);
      if (each.role === 'agent') {
        if (isMidLine) out('\n');
        say(each.text);
      }
      return;
    }
    const line = lineOf(each);
    if (line === undefined || told.get(each.id) === line) return;
    told.set(each.id, line);
    note(line);
  };
  return {
    event: (event) => {
      if (event.kind === 'item') item(event.item);
      else if (event.kind === 'append' && roles.get(event.id) === 'agent') say(event.text);
    },
    end: (thread) => {
      for (const line of lastLines(thread)) note(line);
      if (isMidLine) out('\n');
    },
  };
}

function lineOf(item: Exclude<ThreadItem, { type: 'message' }>): string | undefined {
  switch (item.type) {
    case 'tool':
      return toolLine(item);
    case 'plan':
      return item.entries.map(({ content, status }) => `${marks[status] ?? '?'} ${content}`).join('\n');
    case 'notice':
      return `${item.severity}: ${item.title}${item.description === undefined ? '' : ` (${item.description})`}`;
    case 'compaction':
      return `compaction ${item.status}${item.error === undefined ? '' : `: ${item.error}`}`;
  }
}

const marks: Readonly<Record<string, string>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' };

function toolLine({ kind, title, status, locations, permission }: ToolItem): string | undefined {
  if (status === 'pending' && permission === undefined) return undefined;
  const places = locations
    .map(({ path, line }) => (line === undefined ? path : `${path}:${line}`))
    .filter((place) => !title.includes(place));
  const where = places.length === 0 ? '' : ` ${places.slice(0, 3).join(', ')}`;
  return `* ${kind}: ${title}${where} (${status}${permission === undefined ? '' : `, ${permission}`})`;
}

function lastLines({ turns, server, usage, problem, state }: ThreadView): string[] {
  const turn = turns.at(-1);
  const files = [...new Set((turn?.changes ?? []).flatMap((change) => change.files))];
  return [
    ...(turn?.stopReason === undefined || turn.stopReason === 'end_turn' ? [] : [`Stopped: ${turn.stopReason}.`]),
    ...(problem === undefined ? [] : [`${state}: ${problem}`]),
    ...(files.length === 0
      ? []
      : [`Changed: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ` and ${files.length - 10} more` : ''}.`]),
    server.listed === undefined
      ? 'Tools of Sightline: never asked for.'
      : `Tools of Sightline: ${server.listed} seen, ${server.calls} calls, about ${server.tokens} tokens.`,
    ...(usage === undefined ? [] : [`Context: ${usage.used} of ${usage.size} tokens.`]),
  ];
}
