import type ts from 'typescript-classic';
import { LineIndex } from '../../../../../base/positions.ts';
import type { RefactorWaiting } from '../../model.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import type { Use } from './usages.ts';
import { removalRange, tidyCuts, type Cut } from '../syntax/deletion.ts';
import { readerOf } from '../semantics/loadEffects.ts';
import { addEdit, editedTexts, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { declarationsNamed, importCuts, unusedNames, type UnusedNames } from './unusedNames.ts';

/** The edits that take nodes out of files, and what they leave without a use. */
export class Removal {
  readonly edits: FileEdits = new Map();
  readonly #service: TypeScriptService;
  readonly #files = new Map<string, { cuts: Cut[]; imports: Set<string> }>();

  constructor(service: TypeScriptService) {
    this.#service = service;
  }

  /** Whether it had not gone already, with what is around it. */
  node(node: ts.Node): boolean {
    const source = node.getSourceFile();
    return this.cut(source, removalRange(node, source));
  }

  cut(source: ts.SourceFile, cut: Cut): boolean {
    const { cuts } = this.#file(source);
    if (cuts.some((one) => one.start <= cut.start && cut.end <= one.end)) return false;
    cuts.push(cut);
    this.#update(source);
    return true;
  }

  use({ token }: Use): void {
    const tsc = compiler();
    const { parent } = token;
    const isImported = tsc.isImportSpecifier(parent) || tsc.isImportClause(parent);
    if (!isImported) this.node(parent);
    else if (parent.name !== undefined) this.#imports(token.getSourceFile(), [parent.name.text]);
  }

  /** Takes out imports that nothing uses any more; with `helpers` also declarations, whose names it returns. */
  async whatIsLeftOver(helpers: boolean, waiting: RefactorWaiting): Promise<string[]> {
    const service = this.#service;
    const gone = new Set<string>();
    const before = new Map<string, UnusedNames>();
    for (let round = 0, isDone = false; round < maxRounds && !isDone; round++) {
      isDone = true;
      const texts = await editedTexts(service, this.edits);
      for (const [path, after] of texts) {
        const text = service.textNow(path) ?? '';
        const known = before.get(path) ?? (await unusedNames(service, path, text, undefined, waiting));
        before.set(path, known);
        const now = await unusedNames(service, path, after, texts, waiting);
        const fresh = new Set([...now].filter((one) => !known.has(one)));
        const source = parse(path, text);
        this.#imports(
          source,
          [...fresh].filter((one) => one.startsWith('import ')).map((one) => one.slice('import '.length)),
        );
        for (const node of helpers ? declarationsNamed(source, fresh) : []) {
          if (!this.node(node)) continue;
          gone.add(nameOf(node));
          isDone = false;
        }
      }
    }
    return [...gone];
  }

  #imports(source: ts.SourceFile, names: readonly string[]): void {
    const { imports } = this.#file(source);
    for (const name of names) imports.add(`import ${name}`);
    if (names.length > 0) this.#update(source);
  }

  #file(source: ts.SourceFile): { cuts: Cut[]; imports: Set<string> } {
    const known = this.#files.get(source.fileName) ?? { cuts: [], imports: new Set() };
    this.#files.set(source.fileName, known);
    return known;
  }

  #update(source: ts.SourceFile): void {
    const { cuts, imports } = this.#file(source);
    const lines = new LineIndex(source.text);
    this.edits.delete(source.fileName);
    for (const { start, end, text } of tidyCuts(
      [...cuts, ...importCuts(source, imports, readerOf(this.#service))],
      source.text,
    ))
      addEdit(this.edits, source.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, text);
  }
}

/** Helpers of helpers of helpers are looked for, but not without end. */
const maxRounds = 10;

function nameOf(node: ts.Node): string {
  return (
    compiler()
      .getNameOfDeclaration(node as ts.Declaration)
      ?.getText() ?? ''
  );
}
