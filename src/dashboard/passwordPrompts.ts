import { DisposableStore, type AsyncDisposer } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { Terminal } from '../engine/workspace/terminals/terminal.ts';
import type { TerminalStore } from '../engine/workspace/terminals/terminalStore.ts';

/** Looked for so long after the last output: at once, and again for programs that ask first and hide what is typed a little later. */
const looksAfterMs = [400, 2000];

/** Terminals in which a program asks for a password, which only a person may type. Looks only while somebody would be told. */
export class PasswordPrompts implements AsyncDisposer {
  /** A terminal asks, or does not any more. */
  readonly changed = new Emitter<Terminal>();
  readonly #isWatched: () => boolean;
  readonly #terminals: TerminalStore;
  readonly #owned = new DisposableStore();
  readonly #heard = new WeakSet<Terminal>();
  readonly #timers = new Map<Terminal, NodeJS.Timeout>();
  readonly #prompts = new Map<Terminal, string>();

  constructor(terminals: TerminalStore, isWatched: () => boolean) {
    this.#isWatched = isWatched;
    this.#terminals = terminals;
    for (const terminal of terminals.all) this.#hear(terminal);
    this.#owned.add(terminals.onDidChange.on((terminal) => this.#hear(terminal)));
  }

  /** The line that asks; undefined where no password is asked for. */
  of(terminal: Terminal): string | undefined {
    return this.#prompts.get(terminal);
  }

  /** Somebody has come to look: what was asked before counts too. */
  lookAround(): void {
    for (const terminal of this.#terminals.busy) this.#lookSoon(terminal);
  }

  async dispose(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await this.#owned.dispose();
    this.changed.dispose();
  }

  #hear(terminal: Terminal): void {
    if (this.#heard.has(terminal)) return;
    this.#heard.add(terminal);
    this.#owned.add(terminal.onDidChange.on(() => this.#lookSoon(terminal)));
    this.#lookSoon(terminal);
  }

  #lookSoon(terminal: Terminal, look = 0): void {
    clearTimeout(this.#timers.get(terminal));
    this.#timers.delete(terminal);
    if (terminal.state !== 'running') return this.#tell(terminal, undefined);
    const waitMs = looksAfterMs[look];
    if (waitMs === undefined || !this.#isWatched()) return;
    const timer = setTimeout(() => void this.#look(terminal, look), waitMs);
    timer.unref();
    this.#timers.set(terminal, timer);
  }

  async #look(terminal: Terminal, look: number): Promise<void> {
    const attention = await terminal.attention().catch(() => undefined);
    this.#tell(terminal, attention === 'password' ? terminal.screen.cursorLine.trim() : undefined);
    this.#lookSoon(terminal, look + 1);
  }

  #tell(terminal: Terminal, prompt: string | undefined): void {
    if (this.#prompts.get(terminal) === prompt) return;
    if (prompt === undefined) this.#prompts.delete(terminal);
    else this.#prompts.set(terminal, prompt);
    this.changed.fire(terminal);
  }
}
