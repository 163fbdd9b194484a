import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type ts from 'typescript-classic';
import { isJavascriptFile } from '../../../../../../base/languages/byPath.ts';
import { displayPath } from '../../../../../../base/paths.ts';
import type { LineIndex } from '../../../../../../base/positions.ts';
import { filesWithWord } from '../../../../sourceFiles.ts';
import type { RefactorWaiting } from '../../../model.ts';
import { because } from '../../../refusals/refuse.ts';
import { placeKey, type RenameBackend, type RenamePlace } from '../../servers/backend.ts';
import { compiler, parse, sourceExtensions } from '../../syntax/compiler.ts';
import { isShadowed, isValueUse } from '../../syntax/scopes.ts';

/** Somebody uses a module in a way that does not show which of its names are meant. */
export class Unclear extends Error {}

export function placeOf(node: ts.Node, text: LineIndex): RenamePlace {
  const source = node.getSourceFile();
  const quote = compiler().isStringLiteralLike(node) ? 1 : 0;
  const [start, end] = [node.getStart(source) + quote, node.getEnd() - quote];
  const range = { start: text.positionAt(start), end: text.positionAt(end) };
  return { path: source.fileName, range, prefix: '', suffix: '' };
}

interface Wanted {
  name: string;
  newName: string;
  /** Of an exported member itself the server knows where it goes when the module is copied into another object. */
  followsSpread: boolean;
}

/** Where those that require a module use one of its names. */
export async function usesOf(
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
