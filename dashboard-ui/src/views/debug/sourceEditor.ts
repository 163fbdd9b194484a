import { LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, RangeSet, StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter, lineNumbers, type DecorationSet } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { BreakpointRow } from '../../../../src/dashboard/channel.ts';

/** What the source shows. Lines count from 1 in the file, wherever `text` begins. */
export interface ShownSource {
  file: string;
  text: string;
  startLine: number;
  current: number | undefined;
  isTop: boolean;
  breakpoints: readonly BreakpointRow[];
  /** Another one for another moment: the current line is brought into view once for each. */
  moment: string;
}

export interface EditorActions {
  toggle(line: number): void;
  edit(line: number): void;
  moved(line: number): void;
}

type Marks = Pick<ShownSource, 'current' | 'isTop' | 'breakpoints' | 'startLine'>;
const setMarks = StateEffect.define<Marks>();

class Dot extends GutterMarker {
  readonly #row: BreakpointRow;
  constructor(row: BreakpointRow) {
    super();
    this.#row = row;
  }
  override toDOM(): Node {
    const { enabled, verified, condition, logMessage } = this.#row;
    const dot = document.createElement('span');
    const kind = logMessage !== undefined ? 'log' : condition !== undefined ? 'conditional' : '';
    dot.className = `breakpointDot ${enabled ? '' : 'disabled'} ${verified ? '' : 'unverified'} ${kind}`;
    dot.title = `${enabled ? 'Breakpoint' : 'Disabled breakpoint'}${condition === undefined ? '' : ` if ${condition}`}`;
    return dot;
  }
}

interface MarkState {
  marks: Marks;
  lines: DecorationSet;
  dots: RangeSet<GutterMarker>;
}

const none: Marks = { current: undefined, isTop: true, breakpoints: [], startLine: 1 };

const markField = StateField.define<MarkState>({
  create: () => ({ marks: none, lines: Decoration.none, dots: RangeSet.empty }),
  update: (before, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) return markState(transaction.state, effect.value);
    return before;
  },
  provide: (field) => EditorView.decorations.from(field, ({ lines }) => lines),
});

function markState({ doc }: EditorState, marks: Marks): MarkState {
  const at = (line: number) => {
    const number = line - marks.startLine + 1;
    return number < 1 || number > doc.lines ? undefined : doc.line(number).from;
  };
  const current = marks.current === undefined ? undefined : at(marks.current);
  const dots = marks.breakpoints.flatMap((row) => {
    const from = row.line === undefined ? undefined : at(row.line);
    return from === undefined ? [] : [new Dot(row).range(from)];
  });
  return {
    marks,
    lines:
      current === undefined
        ? Decoration.none
        : Decoration.set([Decoration.line({ class: marks.isTop ? 'currentLine' : 'callerLine' }).range(current)]),
    dots: RangeSet.of(dots, true),
  };
}

/** The source of a file, to be read, with what stands in its gutter. */
export class SourceEditor {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  readonly #numbers = new Compartment();
  #startLine = 1;
  #file = '';
  #revealed = '';

  constructor(parent: HTMLElement, actions: EditorActions) {
    const lineAt = (view: EditorView, from: number) => view.state.doc.lineAt(from).number + this.#startLine - 1;
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          EditorView.cspNonce.of(document.getElementById('nonce')?.nonce ?? ''),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': 'Source', tabindex: '0' }),
          markField,
          gutter({
            class: 'breakpointGutter',
            renderEmptyElements: true,
            markers: (view) => view.state.field(markField).dots,
            domEventHandlers: {
              mousedown: (view, line, event) => {
                if (!(event instanceof MouseEvent) || event.button !== 0) return false;
                const number = lineAt(view, line.from);
                if (event.shiftKey) actions.edit(number);
                else actions.toggle(number);
                return true;
              },
              contextmenu: (view, line, event) => {
                event.preventDefault();
                actions.edit(lineAt(view, line.from));
                return true;
              },
            },
          }),
          this.#numbers.of(lineNumbers()),
          this.#language.of([]),
          syntaxHighlighting(classHighlighter),
          EditorView.updateListener.of((update) => {
            if (update.selectionSet) actions.moved(lineAt(update.view, update.state.selection.main.head));
          }),
        ],
      }),
    });
  }

  async show(source: ShownSource): Promise<void> {
    const isOther = source.file !== this.#file || source.text !== this.#view.state.doc.toString();
    this.#file = source.file;
    this.#startLine = source.startLine;
    if (isOther) {
      const offset = source.startLine - 1;
      const numbers = lineNumbers({ formatNumber: (line) => String(line + offset) });
      this.#view.dispatch({
        changes: { from: 0, to: this.#view.state.doc.length, insert: source.text },
        effects: [this.#numbers.reconfigure(numbers), this.#language.reconfigure([])],
      });
    }
    this.#view.dispatch({ effects: setMarks.of(source) });
    // Whoever has put the cursor elsewhere meanwhile wants it there.
    const moment = `${source.file} ${source.current} ${source.moment}`;
    if (isOther || moment !== this.#revealed) this.#reveal(source.current);
    this.#revealed = moment;
    if (!isOther) return;
    const language = await languageOf(source.file);
    if (this.#file === source.file) this.#view.dispatch({ effects: this.#language.reconfigure(language) });
  }

  destroy(): void {
    this.#view.destroy();
  }

  #reveal(line: number | undefined): void {
    const number = (line ?? 0) - this.#startLine + 1;
    const { doc } = this.#view.state;
    if (number < 1 || number > doc.lines) return;
    const { from } = doc.line(number);
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }
}

/** Bare parsers: nothing of what editors need for writing. */
async function languageOf(file: string): Promise<Extension> {
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  if (/^(c|m)?(js|ts)x?$/.test(extension)) {
    const { parser } = await import('@lezer/javascript');
    const dialect = [/ts/.test(extension) ? 'ts' : '', extension.endsWith('x') ? 'jsx' : ''].join(' ').trim();
    return LRLanguage.define({ parser: dialect === '' ? parser : parser.configure({ dialect }) });
  }
  if (extension === 'py' || extension === 'pyi') {
    const { parser } = await import('@lezer/python');
    return LRLanguage.define({ parser });
  }
  return [];
}
