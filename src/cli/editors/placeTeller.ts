import { pathToUri } from '../../base/paths.ts';
import type { Session } from '../../engine/debugger/session/session.ts';
import type { AppliedChange } from '../../engine/workspace/edits/applier.ts';
import { textOf } from '../../engine/workspace/edits/changeReport.ts';
import { diffLines, splitLines } from '../../engine/workspace/edits/text/unifiedDiff.ts';
import type { Place } from './feedProtocol.ts';

/** Tells where an agent is: each stop of a program once, and the first line of each change. */
export class PlaceTeller {
  readonly #tell: (place: Place) => void;
  /** The stop that was told of last; absent while the program runs. */
  readonly #told = new WeakMap<Session, number>();

  constructor(tell: (place: Place) => void) {
    this.#tell = tell;
  }

  ofSession(session: Session): void {
    if (session.state !== 'paused') {
      if (this.#told.delete(session)) this.#tell({ kind: 'running', session: session.id });
      return;
    }
    const stop = session.filmstrip.stops.at(-1);
    const { file, line } = stop?.location ?? {};
    if (stop === undefined || file === undefined || line === undefined || this.#told.get(session) === stop.number)
      return;
    this.#told.set(session, stop.number);
    this.#tell({ kind: 'paused', uri: pathToUri(file), line, session: session.id, reason: stop.reason });
  }

  ofChange({ plan, origin }: AppliedChange): void {
    for (const { path, before, after } of plan.transitions) {
      const fresh = textOf(plan, after);
      if (typeof fresh !== 'string') continue;
      const [first] = diffLines(splitLines(textOf(plan, before) ?? ''), splitLines(fresh));
      if (first === undefined) continue;
      return this.#tell({ kind: 'edited', uri: pathToUri(path), line: first.bStart + 1, tool: origin.tool });
    }
  }
}
