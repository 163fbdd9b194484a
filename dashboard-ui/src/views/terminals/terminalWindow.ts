import { FitAddon } from '@xterm/addon-fit';
import { Terminal, type ITheme } from '@xterm/xterm';

export interface TerminalActions {
  type(text: string): void;
  resize(columns: number, rows: number): void;
}

/** One emulator on the page. Loaded only when somebody looks at a terminal. */
export class TerminalWindow {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #host: HTMLElement;
  #observer: ResizeObserver | undefined;
  readonly #stopFollowing: () => void;

  constructor(host: HTMLElement, actions: TerminalActions) {
    this.#terminal = new Terminal({
      fontFamily: getComputedStyle(host).getPropertyValue('--mono'),
      fontSize: 12,
      scrollback: 4000,
      // Programs choose their colours for a background that they do not know.
      minimumContrastRatio: 4.5,
      screenReaderMode: true,
      theme: themeOf(host),
    });
    this.#host = host;
    this.#terminal.loadAddon(this.#fit);
    withNonce(() => this.#terminal.open(host));
    this.#terminal.onData((text) => actions.type(text));
    this.#terminal.onResize(({ cols, rows }) => actions.resize(cols, rows));
    this.#stopFollowing = onColours(() => {
      this.#terminal.options.theme = themeOf(host);
    });
    this.#terminal.focus();
  }

  /** As large as the page has room for, and the shell with it. */
  fill(): void {
    if (this.#observer !== undefined) return;
    this.#observer = new ResizeObserver(() => this.#fit.fit());
    this.#observer.observe(this.#host);
  }

  /** As large as somebody else reads it. */
  keepTo(columns: number, rows: number): void {
    if (this.#terminal.cols !== columns || this.#terminal.rows !== rows) this.#terminal.resize(columns, rows);
  }

  /** Bytes in base64, as they came. */
  write(data: string): void {
    this.#terminal.write(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
  }

  dispose(): void {
    this.#observer?.disconnect();
    this.#stopFollowing();
    this.#terminal.dispose();
  }
}

/** The system's colours, or those that the person chose for this page. */
function onColours(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  system.addEventListener('change', changed);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    chosen.disconnect();
  };
}

function themeOf(host: HTMLElement): ITheme {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: colour('--bg'),
    foreground: colour('--text'),
    cursor: colour('--accent'),
    selectionBackground: colour('--chosen'),
    ...(style.colorScheme === 'dark' ? onDark : onLight),
  };
}

/** The eight colours that programs call by number, plain and bright, to be read on either background. */
const onLight = ansi('#1c1d21 #b42318 #146c43 #8a5700 #2b4fc2 #8e2a9e #0b6b7c #5d6069');
const onDark = ansi('#8b8e98 #ff8f85 #6fd39b #e8b65a #93a7ff #e09bf0 #6fcfe0 #e7e8eb');

function ansi(colours: string): ITheme {
  const [black, red, green, yellow, blue, magenta, cyan, white] = colours.split(' ');
  return {
    ...{ black, red, green, yellow, blue, magenta, cyan, white },
    ...{ brightBlack: '#8b8e98', brightRed: red, brightGreen: green, brightYellow: yellow },
    ...{ brightBlue: blue, brightMagenta: magenta, brightCyan: cyan, brightWhite: white },
  };
}

/** The emulator makes style sheets of its own, which the page's policy lets in by their nonce only. */
function withNonce(work: () => void): void {
  const nonce = document.getElementById('nonce')?.nonce ?? '';
  const create = document.createElement.bind(document);
  const marking = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  document.createElement = marking;
  try {
    work();
  } finally {
    document.createElement = create;
  }
}
