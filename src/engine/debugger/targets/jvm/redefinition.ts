import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { CodeUnit, ReplacedCode } from '../../model.ts';
import { signatureOfName } from './names.ts';

/** So deep a thread's calls are looked at for old code. */
const maxFrames = 60;

/** Gives the machine new code for classes that it has loaded. It takes all or none, and its refusal says why. */
export async function redefine(machine: JdwpMachine, units: readonly CodeUnit[]): Promise<ReplacedCode> {
  const found = await Promise.all(
    units.map(async ({ name, bytes }) => {
      const loaded = await machine.classesBySignature(signatureOfName(name));
      return loaded.map(({ classId }) => ({ name, classId, bytes }));
    }),
  );
  const loaded = found.flat();
  if (loaded.length > 0) await machine.redefineClasses(loaded);
  const replaced = [...new Set(loaded.map(({ name }) => name))];
  return {
    replaced,
    later: units.map(({ name }) => name).filter((name) => !replaced.includes(name)),
    outdated:
      loaded.length === 0 ? [] : await outdatedCalls(machine, new Map(loaded.map((each) => [each.classId, each.name]))),
  };
}

/** Of threads that stand still: the others cannot be asked. */
async function outdatedCalls(
  machine: JdwpMachine,
  names: ReadonlyMap<number, string>,
): Promise<ReplacedCode['outdated']> {
  const outdated: ReplacedCode['outdated'][number][] = [];
  for (const threadId of await machine.allThreads()) {
    if (!(await machine.threadStatus(threadId)).isSuspended) continue;
    const count = Math.min(await machine.frameCount(threadId), maxFrames);
    const frames = await machine.frames(threadId, 0, count);
    const threadName = await machine.threadName(threadId);
    for (const [frameIndex, { location }] of frames.entries()) {
      const name = names.get(location.classId);
      if (name !== undefined && (await machine.isObsolete(location.classId, location.methodId)))
        outdated.push({ threadName, frameIndex, name });
    }
  }
  return outdated;
}
