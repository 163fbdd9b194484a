import { Emitter } from '../../base/emitter.ts';
import type { Project } from '../workspace/project.ts';
import type { AdapterFall } from './model.ts';
import type { Session } from './session/session.ts';

/** A debug adapter that ended by itself and was not started since. */
export interface FallenAdapter extends AdapterFall {
  project: Project;
  language: string;
  /** The session that ended with it. */
  sessionId: string;
  sessionName: string;
}

/** The debug adapters that ended by themselves: the last one of each language in each project. */
export class FallenAdapters {
  readonly onDidChange = new Emitter<void>();
  readonly #fallen = new Map<string, FallenAdapter>();

  get list(): FallenAdapter[] {
    return [...this.#fallen.values()];
  }

  add({ project, language, id, name }: Session, fall: AdapterFall): void {
    this.#fallen.set(keyOf(project.root, language), { ...fall, project, language, sessionId: id, sessionName: name });
    this.onDidChange.fire();
  }

  /** It works again, or a person has seen it. */
  forget(projectRoot: string, language: string): void {
    if (this.#fallen.delete(keyOf(projectRoot, language))) this.onDidChange.fire();
  }
}

function keyOf(projectRoot: string, language: string): string {
  return `${language}\0${projectRoot}`;
}
