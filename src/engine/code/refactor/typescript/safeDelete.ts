import type ts from 'typescript-classic';
import { counted } from '../../../../base/counted.ts';
import { displayPath } from '../../../../base/paths.ts';
import { LineIndex } from '../../../../base/positions.ts';
import { proposal, type DeleteOptions, type Proposal, type RefactorTarget, type RefactorWaiting } from '../model.ts';
import { stillUsed, type Usage } from '../stillUsed.ts';
import type { RenameBackend } from './backend.ts';
import { checkDeclarations, usesOfBuilt } from './builtFiles.ts';
import { classicRename } from './classicRename.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import {
  implementationsOf,
  isExport,
  isIdle,
  isImport,
  memberAround,
  shownUsage,
  usesOf,
  type Use,
} from './deletedUsages.ts';
import { registeringDecorator } from './decorators.ts';
import { removalRange } from './deletion.ts';
import { whyNotIdle } from './deletionHazards.ts';
import { hasEffects } from './effects.ts';
import { survey } from './mentions.ts';
import { definitionOf, referencesOf, type Reference } from './references.ts';
import { notOffered } from './serverEdits.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';
import { declarationsNamed, importCuts, unusedNames, type UnusedNames } from './unusedNames.ts';

/**
 * Deletes a declaration that nothing uses any more, with its documentation and the imports only it needed. Cascading, also what
 * exists only because of it: re-exports, imports without a use, members that implement it, helpers that nothing else uses.
 */
export async function safeDelete(
  service: TypeScriptService,
  target: RefactorTarget,
  options: DeleteOptions,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const definition = await definitionOf(service, target, waiting);
  const path = definition?.path ?? target.path;
  const text = await service.text(path);
  const offset = definition?.offset ?? text.offsetAt(target.position);
  const name = tokenAt(parse(path, text.text), offset);
  const references = await referencesOf(service, { ...target, path, position: text.positionAt(offset) }, waiting);
  const declarations = declarationsOf(service, references, name);
  if (declarations.length === 0) throw notOffered(whyNot(target.name, name));

  const isInside = (ref: Reference): boolean =>
    declarations.some(
      (one) => one.getSourceFile().fileName === ref.path && one.pos <= ref.offset && ref.offset < one.end,
    );
  const uses = usesOf(
    service,
    references.filter((ref) => !isInside(ref)),
  );
  const implementations = implementationsOf(declarations, uses);
  const goesAlong = (use: Use): boolean => {
    // An export beside the declaration is as little a use as one in front of it.
    if (isExport(use) && use.ref.path === path && !isFromElsewhere(use)) return true;
    if (!options.cascade) return false;
    return (isImport(use) || isExport(use)) && isIdle(use, uses) ? true : canGo(use, implementations);
  };
  const along = uses.filter(goesAlong);
  const blocking = uses.filter((use) => !along.includes(use));
  const backend = classicRename(service);
  const declaredIn = declarations.map((one) => one.getSourceFile().fileName);
  await checkDeclarations(backend, target.name, declaredIn, waiting);
  const built = await builtUses(backend, target.name, declaredIn, waiting);
  if (blocking.length + built.length > 0 && !options.force) {
    const shown = [...blocking.map((use) => shownUsage(service.project.root, use, implementations)), ...built];
    throw stillUsed(
      target.name,
      shown,
      options.cascade ? undefined : 're-exports, idle imports, implementations and helpers that only it used',
    );
  }
  const working = options.force ? undefined : whyNotIdle(declarations);
  if (working !== undefined) throw notOffered(working.why, working.hint);
  const decorator = await registeringDecorator(service, declarations, waiting);
  if (decorator !== undefined && !options.force)
    throw notOffered(
      `${decorator.getText()} may hand it to somebody who uses it`,
      'Remove the decorator first if nobody does; force: true deletes it as it is.',
    );
  const removal = new Removal(service);
  for (const declaration of declarations) removal.node(declaration);
  for (const use of along) removal.use(use);
  const helpers = await removal.whatIsLeftOver(options.cascade, waiting);
  await stayModules(service, removal.edits, waiting);
  const texts = await editedTexts(service, removal.edits);
  const trial = await tryContents(service, texts, [...new Set(blocking.map(({ ref }) => ref.path))], waiting);
  const goneAlong = new Map<string, number>();
  for (const use of along) {
    const { kind } = shownUsage(service.project.root, use, implementations);
    goneAlong.set(kind, (goneAlong.get(kind) ?? 0) + 1);
  }
  const also = [...goneAlong].map(([kind, count]) => counted(count, kind));
  if (helpers.length > 0) also.push(`what only it used (${helpers.join(', ')})`);
  const summary = `delete ${target.name}${also.length === 0 ? '' : ` with ${also.join(', ')}`}`;
  return proposal(summary, editOperations(service, removal.edits), trial);
}

/** A file that others import stays a module when its last import or export goes. */
async function stayModules(service: TypeScriptService, edits: FileEdits, waiting: RefactorWaiting): Promise<void> {
  const tsc = compiler();
  for (const [path, after] of await editedTexts(service, edits)) {
    const text = await service.text(path);
    if (!tsc.isExternalModule(parse(path, text.text)) || tsc.isExternalModule(parse(path, after))) continue;
    const { imports } = await survey(
      service.project,
      { oldName: 'export', newName: 'export', modulePath: path },
      waiting,
    );
    if (imports.every((one) => one.path === path || one.before === undefined)) continue;
    const end = text.positionAt(text.text.length);
    addEdit(edits, path, { start: end, end }, `export {};${text.text.includes('\r\n') ? '\r\n' : '\n'}`);
  }
}

/** Uses in other packages, which know this one by what was built of it. */
async function builtUses(
  backend: RenameBackend,
  name: string,
  declaredIn: readonly string[],
  waiting: RefactorWaiting,
): Promise<Usage[]> {
  const [modulePath = ''] = declaredIn;
  const { old } = await survey(backend.project, { oldName: name, newName: name, modulePath }, waiting);
  const found = await usesOfBuilt(backend, declaredIn, old.places, waiting);
  return found.map(({ path, range, lineText }) => ({
    file: displayPath(backend.project.root, path),
    ...range.start,
    kind: 'use',
    context: lineText.trim().slice(0, 160),
  }));
}

function whyNot(name: string, token: ts.Node): string {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return `"${name}" is declared in a comment`;
  if (tsc.isParameter(parent)) return `"${name}" is a parameter; parameters are not deleted, because callers pass them`;
  if (tsc.isBindingElement(parent)) return `"${name}" is taken out of an object or array; such names are not deleted`;
  return `"${name}" is not a declaration that can be deleted`;
}

function isFromElsewhere({ token }: Use): boolean {
  const tsc = compiler();
  return tsc.isExportSpecifier(token.parent) && token.parent.parent.parent.moduleSpecifier !== undefined;
}

function canGo(use: Use, implementations: readonly Use[]): boolean {
  const tsc = compiler();
  const member = implementations.includes(use) ? memberAround(use.token) : undefined;
  if (member === undefined) return false;
  return !(tsc.isPropertyDeclaration(member) && member.initializer !== undefined && hasEffects(member.initializer));
}

/** The edits that take nodes out of files, and what they leave without a use. */
class Removal {
  readonly edits: FileEdits = new Map();
  readonly #service: TypeScriptService;
  readonly #files = new Map<string, { cuts: Cut[]; imports: Set<string> }>();

  constructor(service: TypeScriptService) {
    this.#service = service;
  }

  /** Whether it had not gone already, with what is around it. */
  node(node: ts.Node): boolean {
    const source = node.getSourceFile();
    const { cuts } = this.#file(source);
    const cut = removalRange(node, source);
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
    for (const cut of joined([...cuts, ...importCuts(source, imports)])) {
      const { start, end } = withoutGap(cut, source.text);
      addEdit(this.edits, source.fileName, { start: lines.positionAt(start), end: lines.positionAt(end) }, '');
    }
  }
}

interface Cut {
  start: number;
  end: number;
}

/** Cuts that overlap are one. */
function joined(cuts: readonly Cut[]): Cut[] {
  const result: Cut[] = [];
  for (const cut of cuts.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && cut.start < last.end) last.end = Math.max(last.end, cut.end);
    else result.push({ ...cut });
  }
  return result;
}

/** Nothing stands between a bracket and an empty line: what was first or last takes the empty line beside it along. */
function withoutGap({ start, end }: Cut, text: string): Cut {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const gapBefore = /\n((?:[ \t]*\r?\n)+)$/.exec(before)?.[1] ?? '';
  const gapAfter = /^(?:[ \t]*\r?\n)+/.exec(after)?.[0] ?? '';
  if (/^\s*[}\])]/.test(after) && gapBefore !== '') return { start: start - gapBefore.length, end };
  if (/[{[(][ \t]*\r?\n$/.test(before) && gapAfter !== '') return { start, end: end + gapAfter.length };
  return { start, end };
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

/** All declarations of the symbol: the overloads of a function, the parts of a merged interface. */
function declarationsOf(service: TypeScriptService, references: readonly Reference[], name: ts.Node): ts.Node[] {
  const found = new Map<string, ts.Node>();
  const add = (token: ts.Node): void => {
    const declaration = declarationAround(token);
    if (declaration !== undefined) found.set(`${declaration.getSourceFile().fileName}:${declaration.pos}`, declaration);
  };
  add(name);
  for (const ref of references) {
    if (!ref.isDefinition) continue;
    const token =
      ref.path === name.getSourceFile().fileName
        ? tokenAt(name.getSourceFile(), ref.offset)
        : tokenAt(parse(ref.path, service.textNow(ref.path) ?? ''), ref.offset);
    add(token);
  }
  return [...found.values()];
}

function declarationAround(token: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  // In a comment the file itself is found.
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  const isNamed =
    tsc.isFunctionDeclaration(parent) ||
    tsc.isClassDeclaration(parent) ||
    tsc.isInterfaceDeclaration(parent) ||
    tsc.isTypeAliasDeclaration(parent) ||
    tsc.isEnumDeclaration(parent) ||
    tsc.isEnumMember(parent) ||
    tsc.isModuleDeclaration(parent) ||
    tsc.isMethodDeclaration(parent) ||
    tsc.isMethodSignature(parent) ||
    tsc.isPropertyDeclaration(parent) ||
    tsc.isPropertySignature(parent) ||
    tsc.isGetAccessorDeclaration(parent) ||
    tsc.isSetAccessorDeclaration(parent) ||
    (tsc.isVariableDeclaration(parent) && tsc.isIdentifier(parent.name));
  return isNamed && parent.name === token ? parent : undefined;
}
