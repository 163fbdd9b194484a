import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import type { AsyncDisposer } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { isAlive, ownIdentity } from '../../../base/processIdentity.ts';
import type { Project } from '../project.ts';
import { Terminal, type TerminalSpec } from './terminal.ts';

const maxOpen = 16;
const maxEnded = 5;

/** The terminals of the process. They stay when the client that opened them leaves, and end with the process. */
export class TerminalStore implements AsyncDisposer {
  /** One was opened, has another state or is over. */
  readonly onDidChange = new Emitter<Terminal>();
  readonly #terminals = new Map<string, Terminal>();
  readonly #folder: string;
  #swept: Promise<void> | undefined;
  #disposed = false;

  constructor(stateDir: string) {
    this.#folder = join(stateDir, 'terminals');
  }

  get all(): Terminal[] {
    return [...this.#terminals.values()];
  }

  /** Newest first. */
  of(project: Project): Terminal[] {
    return this.all.filter((terminal) => terminal.spec.project.root === project.root).reverse();
  }

  /** In which a command runs. */
  get busy(): Terminal[] {
    return this.all.filter((terminal) => terminal.state === 'running');
  }

  async open(spec: Omit<TerminalSpec, 'folder'>): Promise<Terminal> {
    if (this.#disposed) throw new ToolError('tool_not_available', 'Sightline is shutting down.');
    const open = this.all.filter((terminal) => terminal.state !== 'ended');
    if (open.length >= maxOpen)
      throw new ToolError('too_large', `${maxOpen} terminals are open; no more are opened.`, {
        hint: advise`${step('stopJob')} with the id of a terminal closes it; ${step('listTerminals')} shows them.`,
      });
    this.#swept ??= this.#sweep();
    await this.#swept;
    const { pid, start } = ownIdentity();
    const folder = join(this.#folder, `${pid}-${start}-${randomId('t')}`);
    const terminal = await Terminal.start({ ...spec, folder });
    this.#terminals.set(terminal.id, terminal);
    this.#watch(terminal);
    void terminal.exited.then(async () => {
      await rm(folder, { recursive: true, force: true });
      this.#forgetOldest();
    });
    return terminal;
  }

  get(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal !== undefined) return terminal;
    throw new ToolError('terminal_not_found', `There is no terminal ${id}.`, {
      hint: advise`${step('listTerminals')} shows them.`,
    });
  }

  /** The named terminal of a project, or its newest one. */
  find(project: Project, id: string | undefined): Terminal {
    const terminals = this.of(project);
    const found = id === undefined ? terminals[0] : terminals.find((each) => each.id === id || each.spec.name === id);
    if (found !== undefined) return found;
    const known = terminals.map((each) => `${each.id} (${each.spec.name}, ${each.state})`);
    throw new ToolError(
      'terminal_not_found',
      id === undefined ? 'No terminal was opened in this project yet.' : `There is no terminal ${id}.`,
      {
        hint: known.length === 0 ? advise`${step('runInTerminal')} opens one.` : `Terminals: ${known.join(', ')}.`,
      },
    );
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all(
      this.all.map(async (terminal) => {
        await terminal.dispose();
        await rm(terminal.spec.folder, { recursive: true, force: true });
      }),
    );
  }

  /** Output alone changes nothing here. */
  #watch(terminal: Terminal): void {
    let state: string | undefined;
    const look = () => {
      if (terminal.state === state) return;
      state = terminal.state;
      this.onDidChange.fire(terminal);
    };
    terminal.onDidChange.on(look);
    void terminal.exited.then(look);
    look();
  }

  /** What killed processes could not take away. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [pid, start = ''] = name.split('-');
      if (isAlive({ pid: Number(pid), start })) continue;
      await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  #forgetOldest(): void {
    const ended = this.all.filter((terminal) => terminal.state === 'ended');
    for (const terminal of ended.slice(0, Math.max(0, ended.length - maxEnded))) {
      this.#terminals.delete(terminal.id);
      void terminal.dispose();
    }
  }
}
