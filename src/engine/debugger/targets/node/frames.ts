import type { Protocol } from '../../../../protocol/cdp/types.ts';
import type { StackFrame, StackSlice } from '../../model.ts';
import type { OriginalNames } from './originalNames.ts';
import type { Script } from './scripts.ts';

export interface FrameContext {
  prefix: string;
  script(id: string): Script | undefined;
  names(scriptId: string): Promise<OriginalNames | undefined>;
}

/** The stack of a paused isolate: live frames first, then the asynchronous callers V8 remembers. */
export async function buildFrames(
  event: Protocol.Debugger.PausedEvent,
  start: number,
  count: number,
  context: FrameContext,
): Promise<StackSlice> {
  const callers = asyncFrames(event.asyncStackTrace);
  const total = event.callFrames.length + callers.length;
  const frames: StackFrame[] = [];
  for (let index = start; index < Math.min(start + count, total); index++) {
    const live = event.callFrames[index];
    const caller = callers[index - event.callFrames.length];
    if (live !== undefined) frames.push(await liveFrame(live, index, context));
    else if (caller !== undefined) frames.push(await asyncFrame(caller, index, context));
  }
  return { frames, totalFrames: total };
}

async function liveFrame(
  frame: Protocol.Debugger.CallFrame,
  index: number,
  context: FrameContext,
): Promise<StackFrame> {
  const script = context.script(frame.location.scriptId);
  const className = classOf(frame.this);
  const names = frame.functionName === '' ? undefined : await context.names(frame.location.scriptId);
  const methodName = names?.functionName(frame.location) ?? functionNameOf(frame);
  return {
    ...(await place(script, frame.location.lineNumber, frame.location.columnNumber ?? 0)),
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
    ...(await place(script, caller.frame.lineNumber, caller.frame.columnNumber)),
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
): Promise<Pick<StackFrame, 'location' | 'isLibrary' | 'sourceReference'>> {
  if (script === undefined) return { isLibrary: true };
  await script.map();
  const location = script.locate(line, column);
  if (location !== undefined) return { location, isLibrary: script.isLibrary };
  return {
    isLibrary: true,
    location: { line: line + 1, column: column + 1 },
    sourceReference: `${script.id}:${script.url}`,
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
