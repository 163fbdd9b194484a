import { setTimeout as delay } from 'node:timers/promises';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import type { ThreadActivity, Wait } from '../../../activity/model.ts';
import { deepening, hottest, type Look, valuesBetween } from '../../../activity/looks.ts';
import { waitOfThread } from '../../../activity/systemCalls.ts';
import type { StackFrame } from '../../../model.ts';
import { scopesOf, variablesOf } from '../values/scopeVariables.ts';
import { type Isolate, idleUrl } from './isolate.ts';

/** Pauses fall on calls and on ends of loops, so that a few of them tell where the time goes. */
const looks = 6;
const maxFrames = 12;
const maxFunctions = 3;
const maxVariables = 12;
const valueLimits = { maxValueChars: 60, maxStringChars: 40, maxItems: 3, depth: 1 };

/** What an isolate does while it runs: it is looked at a few times within about `spanMs`. */
export async function activityOf(
  isolate: Isolate,
  spanMs: number,
  systemThread: ThreadActivity['systemThread'],
): Promise<ThreadActivity> {
  const found: NodeLook[] = [];
  /** What the system says between looks, when the thread goes its own way. */
  const waits: (Wait | undefined)[] = [];
  const deadline = Date.now() + spanMs;
  for (let count = 0; count < looks; count++) {
    const isLast = count === looks - 1 || Date.now() + spanMs / looks >= deadline;
    const look = await isolate.glance((event) => lookAt(isolate, event));
    if (look !== undefined) found.push(look);
    // What idles twice is idle, and what does not answer will not; looking on would only disturb it.
    if (isLast || look === undefined || (count > 0 && found.every((each) => each.isIdle))) break;
    await delay(spanMs / looks);
    if (systemThread !== undefined) waits.push(waitOfThread(systemThread));
  }
  const { threadId, processId, name } = isolate;
  return {
    threadId,
    processId,
    name,
    ...(systemThread === undefined ? {} : { systemThread }),
    ...(await summary(isolate, found, steadyWait(waits))),
  };
}

/** A call in which every look of the system found the thread. */
function steadyWait(waits: readonly (Wait | undefined)[]): Wait | undefined {
  const [first] = waits;
  return first !== undefined && waits.length > 1 && waits.every((each) => each?.call === first.call)
    ? first
    : undefined;
}

async function summary(
  isolate: Isolate,
  found: readonly NodeLook[],
  wait: Wait | undefined,
): Promise<Omit<ThreadActivity, 'threadId' | 'processId' | 'name' | 'systemThread'>> {
  if (found.length === 0) return { doing: 'silent', frames: [], values: [] };
  const busy = found.filter((look) => !look.isIdle);
  const last = busy.at(-1);
  if (last === undefined || wait?.kind === 'events') {
    const detail = await openResources(isolate);
    const waitsFor: Wait = { kind: 'events', ...(detail === undefined ? {} : { detail }) };
    return { doing: 'idle', waitsFor, frames: [], values: [] };
  }
  const depths = busy.map((look) => look.totalFrames);
  return {
    doing: wait === undefined ? 'busy' : 'waiting',
    ...(wait === undefined ? {} : { waitsFor: wait }),
    frames: last.frames,
    totalFrames: last.totalFrames,
    ...deepening(depths),
    ...hottest(busy, found.length),
    values: valuesBetween(busy),
  };
}

interface NodeLook extends Look {
  isIdle: boolean;
}

async function lookAt(isolate: Isolate, event: Protocol.Debugger.PausedEvent): Promise<NodeLook> {
  const isIdle = isolate.scripts.get(event.callFrames[0]?.location.scriptId ?? '')?.url === idleUrl;
  const totalFrames = event.callFrames.length;
  if (isIdle) return { isIdle, frames: [], totalFrames, functions: [] };
  const { frames } = await isolate.view.stack(0, Math.min(totalFrames, maxFrames + 30));
  const own = frames.filter((frame) => !frame.isLibrary && frame.isLive);
  const functions = await Promise.all(
    own.slice(0, maxFunctions).map(async (frame) => {
      const at = event.callFrames[frame.index]?.functionLocation;
      const key = `${at?.scriptId ?? ''}:${at?.lineNumber ?? 0}:${at?.columnNumber ?? 0}`;
      return { key, name: frame.name, values: await valuesOf(isolate, frame) };
    }),
  );
  return {
    isIdle,
    frames: frames.slice(0, maxFrames),
    totalFrames,
    ...(own[0] === undefined ? {} : { own: own[0] }),
    functions,
  };
}

/** The function's own variables; at the top level of a module, the module's. */
async function valuesOf(isolate: Isolate, frame: StackFrame): Promise<Map<string, string>> {
  const scopes = await scopesOf(isolate, frame.id);
  const own = scopes.filter((scope) => ['locals', 'arguments', 'block'].includes(scope.kind));
  const values = new Map<string, string>();
  for (const { reference } of own.length > 0 ? own : scopes.filter((scope) => scope.kind === 'module')) {
    const handle = isolate.view.handles.get(reference);
    if (handle === undefined) continue;
    const { variables } = await variablesOf(isolate, handle, { start: 0, count: maxVariables }, valueLimits);
    for (const { name, value, type } of variables)
      if (!values.has(name) && !/^(function|class|undefined|unavailable)$/.test(type)) values.set(name, value);
  }
  return values;
}

/** What keeps the event loop alive, by Node's own names: `Timeout`, `TCPServerWrap`. */
async function openResources(isolate: Isolate): Promise<string | undefined> {
  try {
    const answer = await isolate.session.send('Runtime.evaluate', {
      expression: `JSON.stringify(process.getActiveResourcesInfo())\n//# sourceURL=${idleUrl}`,
      silent: true,
      returnByValue: true,
    });
    const names: unknown = JSON.parse(String(answer.result.value));
    if (!Array.isArray(names)) return undefined;
    const counts = new Map<string, number>();
    for (const name of names.map(String)) counts.set(name, (counts.get(name) ?? 0) + 1);
    const open = [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(', ');
    return open === '' ? 'nothing is open that could wake it' : `open: ${open}`;
  } catch {
    return undefined;
  }
}
