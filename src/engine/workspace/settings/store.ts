import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import type { Settings } from './settings.ts';
import {
  loadSettings,
  personFileName,
  problemText,
  projectFileName,
  type LoadedSettings,
  type SettingsSources,
} from './loader.ts';

type OnProblem = (text: string, projectRoot: string | undefined) => void;

/** The settings in force, for the process and for each open project. Files that changed are read again at the next call. */
export class SettingsStore {
  readonly #sources: SettingsSources;
  readonly #onProblem: OnProblem;
  readonly #loaded = new Map<string, { stamp: string; settings: Settings }>();
  #person: Settings;

  private constructor(sources: SettingsSources, person: LoadedSettings, onProblem: OnProblem) {
    this.#sources = sources;
    this.#onProblem = onProblem;
    this.#person = person.settings;
    this.#report(person, undefined);
  }

  static async load(sources: SettingsSources, onProblem: OnProblem): Promise<SettingsStore> {
    return new SettingsStore(sources, await loadSettings(sources), onProblem);
  }

  /** Those that concern no project, as they were when the process started or a person last changed them here. */
  get person(): Settings {
    return this.#person;
  }

  /** Those of a project as of the last `refresh`; before it, the person's. */
  of(project: Project | undefined): Settings {
    return (project === undefined ? undefined : this.#loaded.get(project.root)?.settings) ?? this.#person;
  }

  /** Looks whether a file changed, and reads what did. Cheap enough to be done for every call. */
  async refresh(project: Project): Promise<void> {
    const files = [join(this.#sources.configDir, personFileName), join(project.root, projectFileName)];
    const stamp = files.map(stampOf).join(' ');
    if (this.#loaded.get(project.root)?.stamp === stamp) return;
    const loaded = await loadSettings(this.#sources, project.root);
    this.#loaded.set(project.root, { stamp, settings: loaded.settings });
    this.#report(loaded, project.root);
  }

  /** A person has changed their file. What is looked at only at the start stays as it was until then. */
  async reload(): Promise<LoadedSettings> {
    const loaded = await loadSettings(this.#sources);
    this.#person = loaded.settings;
    return loaded;
  }

  /** The settings of a project as its files say now, with where each comes from. */
  look(projectRoot: string | undefined): Promise<LoadedSettings> {
    return loadSettings(this.#sources, projectRoot);
  }

  /** The file with what the person decided. */
  get personFile(): string {
    return join(this.#sources.configDir, personFileName);
  }

  forget(project: Project): void {
    this.#loaded.delete(project.root);
  }

  #report(loaded: LoadedSettings, projectRoot: string | undefined): void {
    for (const problem of loaded.problems) this.#onProblem(problemText(problem), projectRoot);
  }
}

/** Synchronous: this is done for every call, and asking the kernel takes a tenth of what handing the question to a thread does. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
  } catch {
    return 'unreadable';
  }
}
