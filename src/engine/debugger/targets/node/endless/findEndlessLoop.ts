import type { Node } from 'acorn';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { Glance } from '../pause/probePause.ts';
import type { LoadedScripts } from '../scripts/loadedScripts.ts';
import { LoopProgram } from './program.ts';
import { type Ask, LoopTrial } from './trial.ts';

type CallFrame = Protocol.Debugger.CallFrame;

const maxSteps = 300;
const maxFramesLookedAt = 30;

/**
 * Whether the thread that stands still for a moment is in a loop that never ends: says why. It is stepped on for a pass or two; what it
 * calls is not stepped into.
 */
export async function findEndlessLoop(
  glance: Glance,
  scripts: LoadedScripts,
  mayStopIn: (file: string, firstLine: number, lastLine: number) => boolean,
): Promise<string | undefined> {
  const found = await loopingFrame(glance.event, scripts);
  if (found === undefined) return undefined;
  const { program, depth, functionAt } = found;
  const trials = new Map<Node, LoopTrial>();
  let offsetBefore: number | undefined;
  for (let step = 0; step < maxSteps; step++) {
    const { callFrames } = glance.event;
    const [frame] = callFrames;
    if (frame === undefined || callFrames.length < depth) return undefined;
    if (callFrames.length > depth) {
      if (!(await glance.step('out'))) return undefined;
      continue;
    }
    if (functionId(frame) !== functionAt) return undefined;
    const offset = offsetOf(program.source, frame.location);
    const loops = program.loopsAround(offset);
    const [inner] = loops;
    if (inner === undefined) return undefined;
    for (const loop of trials.keys()) if (!loops.includes(loop)) trials.delete(loop);
    const trial = trials.get(inner) ?? new LoopTrial(program, inner);
    trials.set(inner, trial);
    // Only a place to which it has come step by step from another one is known to be reached.
    const hasCome = offsetBefore !== undefined && offsetBefore !== offset;
    offsetBefore = offset;
    const endless =
      hasCome && program.beginsAt(offset, inner) ? await trial.visit(askIn(glance, frame), offset) : undefined;
    if (endless !== undefined) {
      const place = (at: number) => placeOf(program, at, frame, scripts);
      const mayStop = endless.texts.some(({ start, end }) => {
        const [first, last] = [place(start), place(end)];
        return first?.file === undefined || mayStopIn(first.file, first.line, last?.line ?? first.line);
      });
      return mayStop ? undefined : `endless loop at line ${place(inner.start)?.line ?? '?'}: ${endless.why}`;
    }
    if (loops.every((loop) => trials.get(loop)?.isHopeless === true)) return undefined;
    if (!(await glance.step('over'))) return undefined;
  }
  return undefined;
}

function askIn({ session }: Glance, { callFrameId }: CallFrame): Ask {
  return async (expression, throwOnSideEffect) => {
    const options = { silent: true, returnByValue: true, throwOnSideEffect };
    const answer = await session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, ...options });
    return answer.exceptionDetails === undefined ? answer.result.value : undefined;
  };
}

/** The innermost frame of the user's own that is in a loop. */
async function loopingFrame({ callFrames }: Protocol.Debugger.PausedEvent, scripts: LoadedScripts) {
  for (const [index, frame] of callFrames.slice(0, maxFramesLookedAt).entries()) {
    if (scripts.of(frame)?.isLibrary !== false) continue;
    const source = await scripts.sourceOf(frame.location.scriptId);
    const program = source === undefined ? undefined : LoopProgram.of(source);
    if (program === undefined || program.loopsAround(offsetOf(program.source, frame.location)).length === 0) continue;
    return { program, depth: callFrames.length - index, functionAt: functionId(frame) };
  }
  return undefined;
}

function functionId({ functionLocation: at, location }: CallFrame): string {
  return `${location.scriptId}:${at?.lineNumber ?? ''}:${at?.columnNumber ?? ''}`;
}

function placeOf(program: LoopProgram, offset: number, frame: CallFrame, scripts: LoadedScripts) {
  const before = program.source.slice(0, offset).split('\n');
  const location = { ...frame.location, lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 };
  return scripts.locate({ ...frame, location });
}

function offsetOf(source: string, { lineNumber, columnNumber = 0 }: Protocol.Debugger.Location): number {
  let start = 0;
  for (let line = 0; line < lineNumber; line++) start = source.indexOf('\n', start) + 1;
  return start + columnNumber;
}
