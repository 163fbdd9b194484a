import type { AsyncDisposer } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { DebugEngine } from '../engine/debugger/debugEngine.ts';
import type { Session } from '../engine/debugger/session/session.ts';

/** Counts the stops of each session, so that a page can tell that there was another one at the same line. */
export class SessionStops implements AsyncDisposer {
  readonly changed = new Emitter<Session>();
  readonly #counts = new WeakMap<Session, number>();
  readonly #hearing: AsyncDisposer;

  constructor(debug: DebugEngine) {
    this.#hearing = debug.changes.on((session) => {
      if (session.state === 'paused') this.#counts.set(session, this.of(session) + 1);
      this.changed.fire(session);
    });
  }

  of(session: Session): number {
    return this.#counts.get(session) ?? 0;
  }

  async dispose(): Promise<void> {
    await this.#hearing.dispose();
    this.changed.dispose();
  }
}
