import { parse, tokenAt } from '../../src/engine/code/refactor/typescript/syntax/compiler.ts';
import type { Following } from '../../src/engine/code/refactor/rename/pipeline.ts';
import type { RenameBackend, RenamePlace } from '../../src/engine/code/refactor/typescript/servers/backend.ts';
import type { RenameRound, Tried } from '../../src/engine/code/refactor/typescript/rename/state.ts';
import { remaining } from '../../src/engine/code/refactor/typescript/semantics/mentions.ts';
import { ProofTime } from '../../src/engine/code/refactor/typescript/rename/proofTime.ts';
import { LineIndex } from '../../src/base/positions.ts';
import type { CheckedProblem, Conflict } from '../../src/engine/code/refactor/model.ts';

/** A rename over files in memory, of which nothing is known but what a test says: by the word, each place is bound unless it says otherwise. */
export class MemoryRename {
  readonly #files: ReadonlyMap<string, LineIndex>;
  readonly #name: string;
  readonly #newName: string;
  /** What is answered for the definition of a place; nothing means that no type is known there. */
  definitions: (path: string, line: number) => { path: string; line: number }[] = () => [];
  problems: (texts: ReadonlyMap<string, string | null>) => CheckedProblem[] = () => [];

  constructor(files: Readonly<Record<string, string>>, name: string, newName: string) {
    this.#files = new Map(Object.entries(files).map(([path, text]) => [`/p/${path}`, new LineIndex(text)]));
    this.#name = name;
    this.#newName = newName;
  }

  /** Every place of the name, in the order of the files. */
  mentions(): RenamePlace[] {
    const word = new RegExp(`(?<![\\w$])${this.#name}(?![\\w$])`, 'g');
    return [...this.#files].flatMap(([path, text]) =>
      [...text.text.matchAll(word)].map(({ index }) => ({
        path,
        range: { start: text.positionAt(index), end: text.positionAt(index + this.#name.length) },
        prefix: '',
        suffix: '',
      })),
    );
  }

  /** The state in which the first of the mentions is asked about and those of `bound` are known to mean the same. */
  round(bound: readonly number[]): RenameRound {
    const all = this.mentions();
    const places = bound.flatMap((index) => all[index] ?? []);
    const [first] = places;
    if (first === undefined) throw new Error('nothing is bound');
    const old = { files: [...this.#files.keys()], places: all.map((one) => ({ ...one, lineText: this.#line(one) })) };
    return {
      ...none,
      places,
      backend: this.#backend(),
      target: { path: first.path, name: this.#name, position: first.range.start },
      newName: this.#newName,
      old,
      fresh: { files: [], places: [] },
      imports: [],
      asObject: Promise.resolve(undefined),
      time: new ProofTime({}),
      waiting: {},
    };
  }

  /** The same after a trial that said these things. */
  tried(bound: readonly number[], conflicts: Conflict[], lost: readonly number[] = []): RenameRound & Tried {
    const round = this.round(bound);
    const all = this.mentions();
    const left = remaining(round.places, round.old);
    const edits = new Map<string, { range: RenamePlace['range']; newText: string }[]>();
    for (const { path, range } of round.places)
      edits.set(path, [...(edits.get(path) ?? []), { range, newText: this.#newName }]);
    return {
      ...round,
      edits,
      changed: round.places,
      isMember: true,
      why: 'members are related by their types',
      trial: { conflicts, lost: lost.flatMap((index) => all[index] ?? []) },
      dependents: [],
      further: [],
      left,
    };
  }

  /** `file:line:column` of places, for comparing. */
  static shown(places: readonly RenamePlace[] = []): string[] {
    return places.map(
      ({ path, range: { start }, prefix, suffix }) =>
        `${path.slice('/p/'.length)}:${start.line}:${start.column}${prefix === '' ? '' : ` ${prefix}…`}${suffix === '' ? '' : ` …${suffix}`}`,
    );
  }

  #line({ path, range }: RenamePlace): string {
    return this.#files.get(path)?.lineText(range.start.line) ?? '';
  }

  #backend(): RenameBackend {
    let shown: ReadonlyMap<string, string | null> = new Map();
    const textOf = (path: string): LineIndex => {
      const text = this.#files.get(path);
      if (text === undefined) throw new Error(`${path} is not there`);
      return text;
    };
    return {
      project: { root: '/p' } as RenameBackend['project'],
      seen: undefined as never,
      open: () => Promise.resolve(),
      text: (path) => Promise.resolve(textOf(path)),
      hashOf: () => 'hash',
      overlaid: (contents, work) => {
        shown = contents;
        return work();
      },
      problems: () => Promise.resolve(this.problems(shown)),
      definitions: (path, { line }) =>
        Promise.resolve(
          this.definitions(path.slice('/p/'.length), line).map((one) => {
            const there = textOf(`/p/${one.path}`);
            const column = (there.lineText(one.line) ?? '').search(/\b(?:interface|class|type) /) + 1;
            const start = {
              line: one.line,
              column: column + (/^\w+ +/.exec((there.lineText(one.line) ?? '').slice(column - 1))?.[0].length ?? 0),
            };
            return { path: `/p/${one.path}`, range: { start, end: start } };
          }),
        ),
      // A name at a place stands for itself alone.
      renamePlaces: (path, position) => {
        const text = textOf(path);
        const token = tokenAt(parse(path, text.text), text.offsetAt(position));
        const range = { start: text.positionAt(token.getStart()), end: text.positionAt(token.getEnd()) };
        return Promise.resolve([{ path, range, prefix: '', suffix: '' }]);
      },
    };
  }
}

const none: Following<RenamePlace> = { places: [], extra: [], notes: [], conflicts: [] };
