import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import { isJavascriptFile } from '../../../../../base/languages/byPath.ts';
import { displayPath } from '../../../../../base/paths.ts';
import type { LineIndex } from '../../../../../base/positions.ts';
import { filesWithWord } from '../../../sourceFiles.ts';
import type { Conflict, RefactorWaiting } from '../../model.ts';
import { placeKey, type RenameBackend, type RenamePlace } from '../servers/backend.ts';
import { isJavaScript } from '../servers/classicRename.ts';
import { compiler, parse, sourceExtensions, tokenAt } from '../syntax/compiler.ts';
import { isShadowed, isValueUse } from '../syntax/scopes.ts';
import { because } from '../../refusals/refuse.ts';

interface Followed {
  /** What the server named; those that gave an export its old name by an alias no longer do. */
  places: RenamePlace[];
  /** What follows from the new name of the export, in the module and in those that require it. */
  extra: RenamePlace[];
  notes: string[];
  conflicts: Conflict[];
}

/**
 * A name that a CommonJS module exports as it is (`module.exports = { add }`, `exports.add = add`) is renamed for those that require it
 * too, as it is for imports. Where somebody uses the module in a way that does not show which of its names are meant, the
 * exported name stays as it is: that is always right.
 */
export async function followCommonJs(
  backend: RenameBackend,
  name: string,
  newName: string,
  places: readonly RenamePlace[],
  waiting: RefactorWaiting,
): Promise<Followed> {
  const known = new Map(places.map((place) => [placeKey(place), place]));
  const extra = new Map<string, RenamePlace>();
  const queue = [...places];
  const modules = new Set<string>();
  const own = await exportedPlace(backend, name, places);
  try {
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      if (!isJavaScript(place.path)) continue;
      const text = await backend.text(place.path);
      const source = parse(place.path, text.text);
      const exported = exportedName(tokenAt(source, text.offsetAt(place.range.start)), name);
      if (exported === undefined) continue;
      const added = placeOf(exported, text);
      if (known.has(placeKey(added))) known.set(placeKey(added), added);
      else extra.set(placeKey(added), added);
      for (const own of ownUses(exported, name)) {
        const use = placeOf(own, text);
        if (!known.has(placeKey(use))) extra.set(placeKey(use), use);
      }
      if (modules.has(place.path)) continue;
      modules.add(place.path);
      for (const use of await usesOf(
        backend,
        place.path,
        { name, newName, followsSpread: own !== undefined },
        waiting,
      )) {
        // What the server would keep under its old name by an alias is renamed together with its uses.
        if (known.has(placeKey(use)) && use.prefix + use.suffix === '') known.set(placeKey(use), use);
        if (known.has(placeKey(use)) || extra.has(placeKey(use))) continue;
        extra.set(placeKey(use), use);
        queue.push(use);
      }
    }
  } catch (error) {
    if (!(error instanceof Unclear)) throw error;
    if (own === undefined)
      return {
        places: [...places],
        extra: [],
        notes: [`The exported name "${name}" stays: ${error.message}.`],
        conflicts: [],
      };
    // It is the exported name itself that is renamed: what the server found is all that is known to mean it.
    const message = because('askedByOldName', { name, why: error.message });
    const { line, column } = own.range.start;
    return {
      places: [...places],
      extra: [],
      notes: [],
      conflicts: [{ kind: 'meaning', message, file: own.path, line, column }],
    };
  }
  return { places: [...known.values()], extra: [...extra.values()], notes: [], conflicts: [] };
}

/** The place, if any, that is the exported name and not only what is exported by it. */
async function exportedPlace(
  backend: RenameBackend,
  name: string,
  places: readonly RenamePlace[],
): Promise<RenamePlace | undefined> {
  for (const place of places) {
    if (!isJavaScript(place.path) || place.prefix !== '' || place.suffix !== '') continue;
    const text = await backend.text(place.path);
    const token = tokenAt(parse(place.path, text.text), text.offsetAt(place.range.start));
    if (exportedName(token, name) === token) return place;
  }
  return undefined;
}

/** Somebody uses a module in a way that does not show which of its names are meant. */
class Unclear extends Error {}

function placeOf(node: ts.Node, text: LineIndex): RenamePlace {
  const source = node.getSourceFile();
  const quote = compiler().isStringLiteralLike(node) ? 1 : 0;
  const [start, end] = [node.getStart(source) + quote, node.getEnd() - quote];
  const range = { start: text.positionAt(start), end: text.positionAt(end) };
  return { path: source.fileName, range, prefix: '', suffix: '' };
}

/** The name under which a module exports what stands at a token, when it is the same name. */
function exportedName(token: ts.Node, name: string): ts.Node | undefined {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  if (tsc.isShorthandPropertyAssignment(parent)) return isModuleExports(parent.parent) ? parent.name : undefined;
  if (tsc.isPropertyAssignment(parent) && tsc.isIdentifier(parent.name) && parent.name.text === name)
    return isModuleExports(parent.parent) ? parent.name : undefined;
  const assignment = tsc.isPropertyAccessExpression(parent) ? parent.parent : parent;
  if (
    tsc.isBinaryExpression(assignment) &&
    assignment.operatorToken.kind === tsc.SyntaxKind.EqualsToken &&
    (assignment.right === token || assignment.left === parent) &&
    tsc.isPropertyAccessExpression(assignment.left) &&
    isExports(assignment.left.expression) &&
    assignment.left.name.text === name
  )
    return assignment.left.name;
  return undefined;
}

function isModuleExports(literal: ts.Node): boolean {
  const tsc = compiler();
  const { parent } = literal;
  if (!tsc.isObjectLiteralExpression(literal)) return false;
  if (tsc.isBinaryExpression(parent)) return parent.right === literal && isExports(parent.left);
  const [to] = tsc.isCallExpression(parent) ? parent.arguments : [];
  return (
    tsc.isCallExpression(parent) &&
    parent.expression.getText() === 'Object.assign' &&
    to !== undefined &&
    to !== literal &&
    isExports(to)
  );
}

function isExports(node: ts.Node): boolean {
  return /^(?:module\.)?exports$/.test(node.getText());
}

/** Where a module itself asks for one of its exports: `exports.name`, or `this.name` in a function that is exported beside it. */
function ownUses(exported: ts.Node, name: string): ts.Node[] {
  const tsc = compiler();
  const literal = tsc.findAncestor(exported, tsc.isObjectLiteralExpression);
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = tsc.isPropertyAccessExpression(node) && node.name.text === name;
    const isOwn =
      isNamed &&
      (isExports(node.expression) ||
        (node.expression.kind === tsc.SyntaxKind.ThisKeyword && thisHolder(node)?.parent === literal));
    if (isOwn && node.name !== exported) found.push(node.name);
    tsc.forEachChild(node, visit);
  };
  visit(exported.getSourceFile());
  return found;
}

/** The member of an object that `this` stands in. */
function thisHolder(node: ts.Node): ts.Node | undefined {
  const tsc = compiler();
  const holder = tsc.findAncestor(node, (one) => tsc.isFunctionLike(one) && !tsc.isArrowFunction(one));
  return holder !== undefined && tsc.isPropertyAssignment(holder.parent) ? holder.parent : holder;
}

interface Wanted {
  name: string;
  newName: string;
  /** Of an exported member itself the server knows where it goes when the module is copied into another object. */
  followsSpread: boolean;
}

/** Where those that require a module use one of its names. */
async function usesOf(
  backend: RenameBackend,
  module: string,
  wanted: Wanted,
  waiting: RefactorWaiting,
): Promise<RenamePlace[]> {
  const { newName } = wanted;
  const stem = basename(module).replace(/\.[cm]?js$/, '');
  const word = stem === 'index' ? basename(dirname(module)) : stem;
  const files = await filesWithWord(backend.project, word, sourceExtensions, waiting.signal);
  const found: RenamePlace[] = [];
  for (const path of files) {
    const text = await backend.text(path);
    const source = parse(path, text.text);
    const loads = loadsOf(source, module);
    if (loads.length === 0) continue;
    if (new RegExp(`(?<![\\w$])${newName.replaceAll('$', '\\$')}(?![\\w$])`).test(text.text))
      throw new Unclear(`${displayPath(backend.project.root, path)} has a "${newName}" already`);
    for (const load of loads) {
      const { members, locals } = membersOf(load, wanted, source, backend.project.root);
      found.push(...members.map((node) => placeOf(node, text)));
      for (const local of locals) {
        const answer = await backend.renamePlaces(path, placeOf(local, text).range.start, newName, waiting);
        if ('refused' in answer) throw new Unclear(answer.refused);
        for (const place of answer) {
          const isItself = placeKey(place) === placeKey(placeOf(local, text));
          found.push(isItself ? { ...place, prefix: '', suffix: '' } : place);
        }
      }
    }
  }
  return found;
}

/** The expressions and imports of a file by which it loads a module. */
function loadsOf(source: ts.SourceFile, module: string): ts.Node[] {
  const tsc = compiler();
  const loads: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isStringLiteralLike(node) && pointsTo(source.fileName, node.text, module)) loads.push(node.parent);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return loads;
}

function pointsTo(importer: string, specifier: string, module: string): boolean {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return false;
  const plain = join(dirname(importer), specifier);
  const candidates = ['', '.js', '.cjs', '.mjs', '.jsx', '/index.js', '/index.cjs'].map((ending) => plain + ending);
  return (
    candidates.find((candidate) => (candidate !== plain || isJavascriptFile(plain) ? existsSync(candidate) : false)) ===
    module
  );
}

/** What of a loaded module is meant by the name: members of it, and local names that are taken from it. */
function membersOf(
  load: ts.Node,
  { name, followsSpread }: Wanted,
  source: ts.SourceFile,
  root: string,
): { members: ts.Node[]; locals: ts.Node[] } {
  const tsc = compiler();
  const members: ts.Node[] = [];
  const locals: ts.Node[] = [];
  const unclear = (node: ts.Node): Unclear => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return new Unclear(because('moduleUsedWhole', { path: displayPath(root, source.fileName), line: line + 1 }));
  };
  const takeApart = (pattern: ts.ObjectBindingPattern): void => {
    for (const element of pattern.elements) {
      if (element.dotDotDotToken !== undefined) throw unclear(element);
      const key = element.propertyName ?? element.name;
      if (!tsc.isIdentifier(key)) throw unclear(element);
      if (key.text === name) (element.propertyName === undefined ? locals : members).push(key);
    }
  };
  const useWhole = (value: ts.Node): void => {
    const { parent } = value;
    if (tsc.isPropertyAccessExpression(parent) && parent.expression === value) {
      if (parent.name.text === name) members.push(parent.name);
    } else if (
      tsc.isElementAccessExpression(parent) &&
      parent.expression === value &&
      tsc.isStringLiteralLike(parent.argumentExpression)
    ) {
      if (parent.argumentExpression.text === name) members.push(parent.argumentExpression);
    } else if (tsc.isVariableDeclaration(parent) && parent.initializer === value) {
      if (tsc.isObjectBindingPattern(parent.name)) takeApart(parent.name);
      else if (tsc.isIdentifier(parent.name)) eachUse(parent.name, useWhole);
      else throw unclear(value);
    } else if (!tsc.isExpressionStatement(parent) && !(followsSpread && tsc.isSpreadAssignment(parent)))
      throw unclear(value);
  };
  const eachUse = (declared: ts.Identifier, work: (use: ts.Node) => void): void => {
    const visit = (node: ts.Node): void => {
      if (
        tsc.isIdentifier(node) &&
        node !== declared &&
        node.text === declared.text &&
        isValueUse(node) &&
        !isShadowed(node.text, node, source)
      )
        work(node);
      tsc.forEachChild(node, visit);
    };
    visit(source);
  };
  if (tsc.isCallExpression(load) && load.expression.getText(source) === 'require') useWhole(load);
  else if (tsc.isImportDeclaration(load)) {
    const clause = load.importClause;
    const bindings = clause?.namedBindings;
    if (clause?.name !== undefined) eachUse(clause.name, useWhole);
    if (bindings !== undefined && tsc.isNamespaceImport(bindings)) eachUse(bindings.name, useWhole);
    if (bindings !== undefined && tsc.isNamedImports(bindings))
      for (const element of bindings.elements) {
        if ((element.propertyName ?? element.name).text !== name) continue;
        (element.propertyName === undefined ? locals : members).push(element.propertyName ?? element.name);
      }
  } else throw unclear(load);
  return { members, locals };
}
