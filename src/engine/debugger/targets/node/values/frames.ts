import { BugError } from '../../../../../base/errors.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { StackFrame, StackSlice } from '../../../model.ts';
import type { OriginalNames } from '../scripts/originalNames.ts';
import type { Script } from '../scripts/scripts.ts';

interface FrameContext {
  prefix: string;
  threadId: string;
  script(id: string): Script | undefined;
  names(scriptId: string): Promise<OriginalNames | undefined>;
}

/** The stack of a paused isolate: live frames first, then the asynchronous callers V8 remembers. Each is made when it is asked for. */
export class Frames {
  readonly #event: Protocol.Debugger.PausedEvent;
  readonly #callers: readonly AsyncCaller[];
  readonly #context: FrameContext;
  readonly #made: Promise<StackFrame>[] = [];

  constructor(event: Protocol.Debugger.PausedEvent, context: FrameContext) {
    this.#event = event;
    this.#callers = asyncFrames(event.asyncStackTrace);
    this.#context = context;
  }

  async slice(start: number, count: number): Promise<StackSlice> {
    const totalFrames = this.#event.callFrames.length + this.#callers.length;
    const wanted: Promise<StackFrame>[] = [];
    for (let index = start; index < Math.min(start + count, totalFrames); index++)
      wanted.push((this.#made[index] ??= this.#make(index)));
    return { frames: await Promise.all(wanted), totalFrames };
  }

  async #make(index: number): Promise<StackFrame> {
    const { callFrames } = this.#event;
    const live = callFrames[index];
    if (live !== undefined) return liveFrame(live, index, this.#context);
    const caller = this.#callers[index - callFrames.length];
    if (caller === undefined) throw new BugError(`There is no frame ${index}.`);
    return asyncFrame(caller, index, this.#context);
  }
}

async function liveFrame(
  frame: Protocol.Debugger.CallFrame,
  index: number,
  context: FrameContext,
): Promise<StackFrame> {
  const script = context.script(frame.location.scriptId);
  const className = classOf(frame.this);
  const names =
    frame.functionName === '' || script?.isMapped !== true ? undefined : await context.names(frame.location.scriptId);
  const methodName = names?.functionName(frame.location) ?? functionNameOf(frame);
  return {
    ...(await place(script, frame.location.lineNumber, frame.location.columnNumber ?? 0, context.threadId)),
    id: `${context.prefix}${index}`,
    index,
    name: className === undefined || methodName.includes('.') ? methodName : `${className}.${methodName}`,
    ...(className === undefined ? {} : { className }),
    methodName,
    isLive: true,
  };
}

/** Code at the top level of a file has no function; it begins where the file begins. */
function functionNameOf(frame: Protocol.Debugger.CallFrame): string {
  if (frame.functionName !== '') return frame.functionName;
  const start = frame.functionLocation;
  return start?.lineNumber === 0 && start.columnNumber === 0 ? '<module>' : '<anonymous>';
}

interface AsyncCaller {
  frame: Protocol.Runtime.CallFrame;
  label: string | undefined;
}

async function asyncFrame(caller: AsyncCaller, index: number, context: FrameContext): Promise<StackFrame> {
  const script = context.script(caller.frame.scriptId);
  const methodName = caller.frame.functionName === '' ? '<anonymous>' : caller.frame.functionName;
  return {
    ...(await place(script, caller.frame.lineNumber, caller.frame.columnNumber, context.threadId)),
    id: `${context.prefix}${index}`,
    index,
    name: methodName,
    methodName,
    isLive: false,
    ...(caller.label === undefined ? {} : { asyncLabel: caller.label }),
  };
}

async function place(
  script: Script | undefined,
  line: number,
  column: number,
  threadId: string,
): Promise<Pick<StackFrame, 'location' | 'isLibrary' | 'sourceReference'>> {
  if (script === undefined || script.url === 'node:idle') return { isLibrary: true };
  if (script.isMapped) await script.map();
  const location = script.locate(line, column);
  if (location !== undefined) return { location, isLibrary: script.isLibrary };
  return {
    isLibrary: true,
    location: { line: line + 1, column: column + 1 },
    // Threads number their scripts each for itself.
    sourceReference: `${threadId}.${script.id}:${script.url}`,
  };
}

function asyncFrames(trace: Protocol.Runtime.StackTrace | undefined): AsyncCaller[] {
  const found: AsyncCaller[] = [];
  for (let current = trace; current !== undefined && found.length < 200; current = current.parent) {
    for (const [index, frame] of current.callFrames.entries())
      found.push({ frame, label: index === 0 ? (current.description ?? 'async') : undefined });
  }
  return found;
}

const plainClasses = new Set(['Object', 'global', 'Window', 'Module', 'Function', 'Array', 'process', 'Promise']);

/** The class of `this`, when it tells something: not for plain objects and module code. */
function classOf(self: Protocol.Runtime.RemoteObject): string | undefined {
  if (self.type !== 'object' || self.subtype === 'null' || self.className === undefined) return undefined;
  return plainClasses.has(self.className) || self.subtype === 'array' ? undefined : self.className;
}
