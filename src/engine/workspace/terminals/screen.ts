import type { IMarker, Terminal as Emulator } from '@xterm/headless';

export const columns = 120;
export const rows = 30;
/** Lines above the screen that stay readable. */
export const scrollback = 4000;
const maxPendingBytes = 512 * 1024;

export interface ScreenPosition {
  /** Absent when what stood there has left the scrollback or was wiped out. */
  readonly line: number | undefined;
  dispose(): void;
}

/** What a person would see: every sequence is carried out by a terminal emulator, and read back as lines of text. */
export class Screen {
  readonly #emulator: Emulator;
  #pending = 0;
  #drained: (() => void) | undefined;

  private constructor(emulator: Emulator) {
    this.#emulator = emulator;
  }

  /** The emulator is loaded when the first terminal is opened. */
  static async create(): Promise<Screen> {
    const { default: xterm } = await import('@xterm/headless');
    return new Screen(new xterm.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true }));
  }

  /** `onMark`: of our own marks in the stream, at the moment they are reached. `reply`: what the terminal answers to programs that ask it. */
  connect(onMark: (mark: string) => void, reply: (text: string) => void): void {
    this.#emulator.parser.registerOscHandler(633, (mark) => {
      onMark(mark);
      return true;
    });
    this.#emulator.onData(reply);
  }

  /** What to wait for before more is written; absent when there is no need. */
  write(bytes: Buffer): Promise<void> | undefined {
    this.#pending += bytes.length;
    this.#emulator.write(bytes, () => {
      this.#pending -= bytes.length;
      if (this.#pending > maxPendingBytes / 4) return;
      this.#drained?.();
      this.#drained = undefined;
    });
    if (this.#pending <= maxPendingBytes) return undefined;
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  /** Everything written so far can be seen. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#emulator.write('', resolve));
  }

  /** A program has the whole screen for itself. */
  get isFullScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate';
  }

  get takesPastes(): boolean {
    return this.#emulator.modes.bracketedPasteMode;
  }

  get takesApplicationCursorKeys(): boolean {
    return this.#emulator.modes.applicationCursorKeysMode;
  }

  /** The line of the cursor, which moves along when lines above it go. */
  here(): ScreenPosition {
    const marker: IMarker | undefined = this.#emulator.registerMarker(0);
    return {
      get line() {
        return marker === undefined || marker.isDisposed ? undefined : marker.line;
      },
      dispose: () => marker?.dispose(),
    };
  }

  onLine(callback: () => void): { dispose(): void } {
    return this.#emulator.onLineFeed(callback);
  }

  get cursor(): { line: number; column: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { line: cursorY + 1, column: cursorX + 1 };
  }

  /** The line that the cursor is in, up to it. */
  get cursorLine(): string {
    const { cursorX, cursorY, baseY } = this.#emulator.buffer.active;
    return this.#emulator.buffer.active.getLine(baseY + cursorY)?.translateToString(false, 0, cursorX) ?? '';
  }

  /** What is to be seen now, without the empty lines below it. */
  visible(): string {
    const { baseY } = this.#emulator.buffer.active;
    return this.#lines(this.#emulator.buffer.active, baseY, baseY + this.#emulator.rows - 1).trimEnd();
  }

  /** The last lines up to the cursor, from above the screen too. */
  last(lines: number): string {
    const { baseY, cursorY } = this.#emulator.buffer.normal;
    const end = baseY + cursorY;
    return this.#lines(this.#emulator.buffer.normal, Math.max(end - lines + 1, 0), end).trimEnd();
  }

  /** What was written from a line up to the cursor. */
  since(line: number): string {
    const { normal } = this.#emulator.buffer;
    const last = normal.baseY + normal.cursorY;
    // The cursor in the first column means that the line above is finished.
    const isFinished = normal.cursorX === 0;
    const text = this.#lines(normal, line, isFinished ? last - 1 : last);
    return isFinished ? text : text.replace(/\n$/, '');
  }

  get size(): { columns: number; rows: number } {
    return { columns: this.#emulator.cols, rows: this.#emulator.rows };
  }

  resize(wantedColumns: number, wantedRows: number): void {
    this.#emulator.resize(wantedColumns, wantedRows);
  }

  dispose(): void {
    this.#drained?.();
    this.#emulator.dispose();
  }

  /** Lines that were only too long for the screen are joined again. */
  #lines(buffer: Emulator['buffer']['active'], from: number, to: number): string {
    let text = '';
    for (let at = from; at <= to; at++) {
      const line = buffer.getLine(at);
      if (line === undefined) break;
      const goesOn = buffer.getLine(at + 1)?.isWrapped === true && at < to;
      const words = line.translateToString(!goesOn);
      text += goesOn ? words : `${words.trimEnd()}\n`;
    }
    return text;
  }
}
