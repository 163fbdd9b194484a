import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Project } from '../../workspace/project.ts';
import type { Session } from './session.ts';

/** Ended sessions are remembered for their last words, but not for ever. */
const keptEndedSessions = 10;

/** The debug sessions of every project, and the current one of each. */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #current = new Map<string, string>();

  list(project?: Project): Session[] {
    return [...this.#sessions.values()].filter((session) => project === undefined || session.project.id === project.id);
  }

  current(project: Project): Session | undefined {
    return this.#sessions.get(this.#current.get(project.id) ?? '');
  }

  isCurrent(session: Session): boolean {
    return this.#current.get(session.project.id) === session.id;
  }

  /** The named session, or the project's current one. */
  get(project: Project, id?: string): Session {
    if (id !== undefined) {
      const found = this.#sessions.get(id);
      if (found !== undefined) return found;
      const open = this.list(project).map((each) => ({ id: each.id, name: each.name, state: each.state }));
      throw new ToolError('session_not_found', `There is no debug session ${id}.`, {
        hint:
          open.length === 0
            ? advise`Start one: ${step('startDebugSession')}.`
            : advise`${step('listDebugSessions')} shows the ids.`,
        data: { sessions: open },
      });
    }
    const current = this.current(project);
    if (current !== undefined) return current;
    throw new ToolError('no_session', 'There is no debug session in this project.', {
      hint: advise`Start one: ${step('startDebugSession', ['program'])}, or ${step('debugProbe')}.`,
    });
  }

  add(session: Session): void {
    const ended = this.list(session.project).filter((each) => each.state === 'ended');
    for (const each of ended.slice(0, Math.max(ended.length - keptEndedSessions + 1, 0)))
      this.#sessions.delete(each.id);
    this.#sessions.set(session.id, session);
  }

  remove(session: Session): void {
    this.#sessions.delete(session.id);
    this.ended(session);
  }

  makeCurrent(session: Session): void {
    this.#current.set(session.project.id, session.id);
  }

  /** When the current session is over, the newest one that is not becomes it. */
  ended(session: Session): void {
    if (!this.isCurrent(session)) return;
    const next = this.list(session.project).findLast((each) => each.state !== 'ended');
    if (next === undefined) this.#current.delete(session.project.id);
    else this.makeCurrent(next);
  }

  clear(): Session[] {
    const all = this.list();
    this.#sessions.clear();
    return all;
  }
}
