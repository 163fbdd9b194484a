import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../../base/text/namesIn.ts';
import type { Project } from '../project.ts';
import type { TestRun } from './model.ts';

const maxRuns = 60;

/** The runs of a project that have ended, one file each in its state directory; names sort by time. The oldest go. */
export class RunHistory {
  readonly #directory: string;

  constructor(project: Project) {
    this.#directory = join(project.stateDir, 'tests');
  }

  async add(run: TestRun): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, `${run.startedAt.replaceAll(':', '-')}-${run.id}.json`);
    await writeFile(`${file}.new`, JSON.stringify(run), { mode: 0o600 });
    await rename(`${file}.new`, file);
    const names = await this.#names();
    await Promise.all(names.slice(0, -maxRuns).map((name) => rm(join(this.#directory, name), { force: true })));
  }

  /** Newest first; at most so many. A file that cannot be read is passed over. */
  async latest(count: number): Promise<TestRun[]> {
    const names = (await this.#names()).toReversed().slice(0, count);
    const runs = await Promise.all(names.map((name) => this.#read(name)));
    return runs.flatMap((run) => run ?? []);
  }

  async get(id: string): Promise<TestRun | undefined> {
    const name = (await this.#names()).find((each) => each.endsWith(`-${id}.json`));
    return name === undefined ? undefined : this.#read(name);
  }

  async #names(): Promise<string[]> {
    return (await namesIn(this.#directory)).filter((name) => name.endsWith('.json')).sort();
  }

  async #read(name: string): Promise<TestRun | undefined> {
    try {
      // Only `add` writes here, whole files at a time.
      return JSON.parse(await readFile(join(this.#directory, name), 'utf8')) as TestRun;
    } catch {
      return undefined;
    }
  }
}
