import { Deferred } from '../../../base/deferred.ts';
import type { RecordedRun } from '../localHistory/workingTree.ts';
import { scrollback, type Screen, type ScreenPosition } from './screen.ts';

/** Lines of the beginning that are kept when a command writes more than the terminal does. */
const headLines = 100;

/** One command in a terminal: where on the screen its output is, and how it ended. */
export class TerminalCommand {
  /** As it was given; absent when somebody typed it. */
  readonly text: string | undefined;
  readonly startedAt = Date.now();
  readonly ended: Promise<void>;
  exitCode: number | undefined;
  endedAt: number | undefined;
  /** What it changed in the project, known some time after its end; absent where nobody looks. */
  recorded: Promise<RecordedRun> | undefined;
  readonly #screen: Screen;
  readonly #end = new Deferred<void>();
  readonly #position: ScreenPosition;
  readonly #isTyped: boolean;
  readonly #lineWatch: { dispose(): void };
  #lines = 0;
  #head = '';
  #output: string | undefined;

  /** `typedAt`: where it was typed, of a command that the shell could not even read: what follows that line is what the shell said. */
  constructor(screen: Screen, text: string | undefined, typedAt?: ScreenPosition) {
    this.text = text;
    this.#screen = screen;
    this.ended = this.#end.promise;
    this.#position = typedAt ?? screen.here();
    this.#isTyped = typedAt !== undefined;
    this.#lineWatch = screen.onLine(() => {
      this.#lines++;
      if (this.#lines === headLines) this.#head = this.#sinceBegin ?? '';
    });
  }

  get hasEnded(): boolean {
    return this.endedAt !== undefined;
  }

  get durationMs(): number {
    return (this.endedAt ?? Date.now()) - this.startedAt;
  }

  /** What it has written, as the terminal shows it. */
  get output(): string {
    if (this.#output !== undefined) return this.#output;
    const text = this.#sinceBegin;
    if (text !== undefined) return this.#isTyped ? text.slice(text.indexOf('\n') + 1) : text;
    // It drew the screen anew, or it wrote so much that everything the terminal still has is its own.
    if (this.#lines < scrollback) return this.#screen.visible();
    return `${this.#head}… lines left out …\n${this.#screen.since(0)}`;
  }

  end(exitCode: number | undefined): void {
    if (this.hasEnded) return;
    this.exitCode = exitCode;
    this.#output = this.output;
    this.endedAt = Date.now();
    this.#lineWatch.dispose();
    this.#position.dispose();
    this.#end.resolve();
  }

  get #sinceBegin(): string | undefined {
    const { line } = this.#position;
    return line === undefined ? undefined : this.#screen.since(line);
  }
}
