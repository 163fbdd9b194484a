import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { readStateFile, writeStateFile, type StateFileProblem } from '../../base/stateFile.ts';

/** How a person said it. No tool and no agent reaches this module: only the command line, the dashboard, a prompt of an editor and composition do. */
type TrustGivenBy = (typeof waysOfTrust)[number];

const waysOfTrust = ['command-line', 'dashboard', 'editor'] as const;

interface TrustRecord {
  root: string;
  by: TrustGivenBy;
  time: string;
}

const formatVersion = 1;

/** Which roots the person trusts. Trust of a folder covers the folders below it. */
export class TrustStore {
  readonly onDidChange = new Emitter<{ root: string; trusted: boolean }>();
  readonly #path: string;
  readonly #onProblem: ((problem: StateFileProblem) => void) | undefined;
  /** From the person's own configuration, canonical. */
  readonly #configured = new Set<string>();
  #records = new Map<string, TrustRecord>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, onProblem?: (problem: StateFileProblem) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  static async load(
    stateDir: string,
    onProblem?: (problem: StateFileProblem) => void,
    configured: readonly string[] = [],
  ): Promise<TrustStore> {
    const store = new TrustStore(join(stateDir, 'trust.json'), onProblem);
    // A folder that does not exist has no projects to trust; another may later be made there by anybody.
    for (const folder of configured)
      await realpath(folder).then(
        (path) => store.#configured.add(path),
        () => undefined,
      );
    await store.reload();
    return store;
  }

  /** Reads what another process (`sightline trust`) may have written meanwhile. */
  async reload(): Promise<void> {
    const records = await readStateFile<TrustRecord[]>(this.#path, {
      version: formatVersion,
      parse: parseRecords,
      empty: () => [],
      onProblem: this.#onProblem,
    });
    this.#records = new Map(records.map((record) => [record.root, record]));
  }

  isTrusted(root: string): boolean {
    for (let folder = root; ; folder = dirname(folder)) {
      if (this.#records.has(folder) || this.#configured.has(folder)) return true;
      if (dirname(folder) === folder) return false;
    }
  }

  list(): TrustRecord[] {
    return [...this.#records.values()];
  }

  async trust(root: string, by: TrustGivenBy): Promise<void> {
    this.#records.set(root, { root, by, time: new Date().toISOString() });
    await this.#save();
    this.onDidChange.fire({ root, trusted: true });
  }

  /** Takes back the trust of this root and of the roots below it. */
  async revoke(root: string): Promise<void> {
    for (const known of this.#records.keys()) {
      if (known === root || known.startsWith(root.endsWith('/') ? root : `${root}/`)) this.#records.delete(known);
    }
    await this.#save();
    this.onDidChange.fire({ root, trusted: false });
  }

  #save(): Promise<void> {
    const write = () => writeStateFile(this.#path, formatVersion, this.list());
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }
}

function parseRecords(content: unknown): TrustRecord[] {
  if (!Array.isArray(content)) throw new Error('the list of trusted folders is not a list');
  return content.map((record: unknown) => {
    if (typeof record !== 'object' || record === null || !('root' in record) || typeof record.root !== 'string')
      throw new Error('a trusted folder has no root');
    const by = waysOfTrust.find((way) => 'by' in record && record.by === way) ?? 'command-line';
    const time = 'time' in record && typeof record.time === 'string' ? record.time : '';
    return { root: record.root, by, time };
  });
}
