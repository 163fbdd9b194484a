import type { ProcessNode } from '../model.ts';
import type { FrameView } from '../report.ts';
import type { SourceTexts } from '../sourceText.ts';
import { frameView } from '../callers.ts';
import type { FunctionValues, HotPlace, ThreadActivity, Wait } from './model.ts';
import { childrenText, waitOfThread } from './systemCalls.ts';

/** What the threads of a running program do, the most telling first. */
export interface ActivityView {
  threads: ThreadView[];
  /** Threads that wait for each other: each for the one behind it, the last for the first. */
  deadlock?: string[];
}

export interface ThreadView {
  id: string;
  name: string;
  /** Set when the session has more than one process. */
  process?: string;
  doing: ThreadActivity['doing'];
  waitsFor?: Wait & { threadName?: string };
  /** The user's own frame that matters: the hottest line, or where it waits. */
  at?: FrameView;
  /** The text of that line. */
  code?: string;
  hot?: HotPlace;
  stack: FrameView[];
  totalFrames?: number;
  depthBefore?: number;
  values: FunctionValues[];
}

const maxStack = 6;

export async function activityView(
  found: readonly ThreadActivity[],
  processes: readonly ProcessNode[],
  sources: SourceTexts,
): Promise<ActivityView> {
  const told = found.map(withSystemFacts);
  const deadlock = cycleOf(told);
  const rank = (thread: ThreadActivity) => {
    if (deadlock?.includes(thread.threadId) === true || thread.depthBefore !== undefined) return 0;
    return ['busy', 'silent', 'waiting', 'idle'].indexOf(thread.doing) + 1;
  };
  const ordered = [...told].sort((a, b) => rank(a) - rank(b));
  const isTree = processes.filter((node) => node.kind === 'process' && node.exit === undefined).length > 1;
  const threads = await Promise.all(
    ordered.map((thread) => {
      const process = isTree ? processes.find((node) => node.id === thread.processId) : undefined;
      return threadView(thread, told, process, sources);
    }),
  );
  return { threads, ...(deadlock === undefined ? {} : { deadlock }) };
}

async function threadView(
  thread: ThreadActivity,
  all: readonly ThreadActivity[],
  process: ProcessNode | undefined,
  sources: SourceTexts,
): Promise<ThreadView> {
  const { waitsFor, hot } = thread;
  const own = thread.frames.filter((frame) => !frame.isLibrary);
  const innermost = own[0] ?? thread.frames[0];
  const atHot = own.find(
    ({ location }) => location?.file === hot?.location.file && location?.line === hot?.location.line,
  );
  const chosen = thread.doing === 'busy' ? (atHot ?? innermost) : innermost;
  const at = chosen === undefined ? undefined : frameView(chosen, chosen.index);
  const text = at?.file === undefined ? undefined : (await sources.lines(at.file))?.lineText(at.line ?? 0);
  const other = all.find((each) => each.threadId === waitsFor?.threadId);
  const stack = own.length > 0 ? own : thread.frames;
  return {
    id: thread.threadId,
    name: thread.name,
    ...(process === undefined ? {} : { process: process.title }),
    doing: thread.doing,
    ...(waitsFor === undefined
      ? {}
      : { waitsFor: { ...waitsFor, ...(other === undefined ? {} : { threadName: other.name }) } }),
    ...(at === undefined ? {} : { at }),
    ...(text === undefined ? {} : { code: text.trim() }),
    ...(hot === undefined ? {} : { hot }),
    stack: stack.slice(0, maxStack).map((frame) => frameView(frame, chosen?.index ?? -1)),
    ...(thread.totalFrames === undefined ? {} : { totalFrames: thread.totalFrames }),
    ...(thread.depthBefore === undefined ? {} : { depthBefore: thread.depthBefore }),
    values: thread.values,
  };
}

/** The system knows what a thread waits for when the engine does not. */
function withSystemFacts(thread: ThreadActivity): ThreadActivity {
  if (thread.doing === 'busy' || thread.doing === 'idle' || thread.waitsFor !== undefined) return thread;
  const { systemThread: at } = thread;
  const wait = at && waitOfThread(at);
  if (wait === undefined) return thread;
  // A thread that runs an event loop of its own inside a call waits for a child process: Node's `execSync` does that.
  const children =
    at !== undefined && (wait.kind === 'process' || (wait.kind === 'events' && thread.doing === 'silent'))
      ? childrenText(at.pid)
      : undefined;
  return { ...thread, waitsFor: children === undefined ? wait : { kind: 'process', detail: children } };
}

function cycleOf(threads: readonly ThreadActivity[]): string[] | undefined {
  const next = new Map(
    threads.flatMap(({ threadId, waitsFor }): [string, string][] =>
      waitsFor?.threadId === undefined ? [] : [[threadId, waitsFor.threadId]],
    ),
  );
  for (const start of next.keys()) {
    const path = [start];
    for (let at = next.get(start); at !== undefined && path.length <= threads.length; at = next.get(at)) {
      if (at === start) return path;
      path.push(at);
    }
  }
  return undefined;
}
