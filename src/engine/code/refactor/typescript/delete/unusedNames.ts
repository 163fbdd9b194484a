import type ts from 'typescript-classic';
import { LineIndex } from '../../../../../base/positions.ts';
import type { RefactorWaiting } from '../../model.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { removalRange, type Cut } from '../syntax/deletion.ts';
import { hasEffects } from '../semantics/effects.ts';
import { isForLoading, type Reader } from '../semantics/loadEffects.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** Names of a file that nothing uses, in a form that means the same before and after an edit of the file. */
export type UnusedNames = ReadonlySet<string>;

/** What the compiler says is unused: imports, and declarations that only their own file can see. */
export async function unusedNames(
  service: TypeScriptService,
  path: string,
  text: string,
  overlay: ReadonlyMap<string, string> | undefined,
  waiting: RefactorWaiting,
): Promise<UnusedNames> {
  const ask = () =>
    service.request<{ start: { line: number; offset: number }; end: { line: number; offset: number }; code: number }[]>(
      'suggestionDiagnosticsSync',
      { file: path },
      waiting,
    );
  const diagnostics = overlay === undefined ? await ask() : await service.overlaid(overlay, ask);
  const source = parse(path, text);
  const lines = new LineIndex(text);
  const names = new Set<string>();
  for (const { start, end, code } of diagnostics) {
    if (!unusedCodes.has(code)) continue;
    const from = lines.offsetAt({ line: start.line, column: start.offset });
    const to = lines.offsetAt({ line: end.line, column: end.offset });
    for (const name of importedNames(source, from, to)) names.add(`import ${name}`);
    const key = keyOf(tokenAt(source, from).parent);
    if (key !== undefined) names.add(key);
  }
  return names;
}

/** 6133: one name is never read; 6192: none of an import's names; 6196: a type, class or function declared and not used. */
const unusedCodes = new Set([6133, 6192, 6196]);

/** What to cut out of a file to be rid of imports of these names. What is loaded for its own sake is still loaded. */
export function importCuts(source: ts.SourceFile, unused: UnusedNames, read: Reader): Cut[] {
  const tsc = compiler();
  const imports = source.statements.filter(tsc.isImportDeclaration).map((one) => ({ one, ...goingOf(one, unused) }));
  return imports.flatMap(({ one: statement, clause, going, areBindingsGoing, isWhole }) => {
    if (clause === undefined) return [];
    const { name, namedBindings } = clause;
    if (isWhole) {
      const isLoadedElse = imports.some(
        (other) => !other.isWhole && other.one.moduleSpecifier.getText() === statement.moduleSpecifier.getText(),
      );
      return isLoadedElse || !isForLoading(statement, read)
        ? [removalRange(statement, source)]
        : [{ start: clause.getStart(source), end: statement.moduleSpecifier.getStart(source), text: '' }];
    }
    const cuts: Cut[] = [];
    if (name !== undefined && namedBindings !== undefined) {
      if (going(name)) cuts.push({ start: name.getStart(source), end: namedBindings.getStart(source), text: '' });
      if (areBindingsGoing) return [{ start: name.getEnd(), end: namedBindings.getEnd(), text: '' }];
    }
    const elements = namedBindings !== undefined && tsc.isNamedImports(namedBindings) ? namedBindings.elements : [];
    return [...cuts, ...runsOf(elements, going, source)];
  });
}

/** What of an import goes with these names. */
function goingOf(
  statement: ts.ImportDeclaration,
  unused: UnusedNames,
): {
  clause: ts.ImportClause | undefined;
  going: (node: ts.Node) => boolean;
  areBindingsGoing: boolean;
  isWhole: boolean;
} {
  const tsc = compiler();
  const clause = statement.importClause;
  const going = (node: ts.Node): boolean =>
    boundImports(statement).some((one) => one.node === node && unused.has(`import ${one.name}`));
  const bindings = clause?.namedBindings;
  const elements = bindings !== undefined && tsc.isNamedImports(bindings) ? bindings.elements : [];
  const areBindingsGoing =
    bindings !== undefined && (going(bindings) || (elements.length > 0 && elements.every(going)));
  const isWhole =
    clause !== undefined &&
    (clause.name === undefined || going(clause.name)) &&
    (bindings === undefined || areBindingsGoing);
  return { clause, going, areBindingsGoing, isWhole };
}

/** Neighbours in a list are cut together, with the commas that belong to them. */
function runsOf(list: readonly ts.Node[], going: (node: ts.Node) => boolean, source: ts.SourceFile): Cut[] {
  const cuts: Cut[] = [];
  for (let at = 0; at < list.length; at++) {
    const first = list[at];
    if (first === undefined || !going(first)) continue;
    let last = at;
    for (let next = list[last + 1]; next !== undefined && going(next); next = list[last + 1]) last++;
    const [before, after] = [list[at - 1], list[last + 1]];
    const end = list[last]?.getEnd() ?? first.getEnd();
    if (after !== undefined) cuts.push({ start: first.getStart(source), end: after.getStart(source), text: '' });
    else cuts.push({ start: before?.getEnd() ?? first.getStart(source), end, text: '' });
    at = last;
  }
  return cuts;
}

/** The declarations of these names whose absence changes nothing. */
export function declarationsNamed(source: ts.SourceFile, unused: UnusedNames): ts.Node[] {
  const tsc = compiler();
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const key = keyOf(node);
    if (key !== undefined && unused.has(key)) {
      if (!doesSomething(node)) found.push(node);
    } else if (
      node === source ||
      tsc.isClassLike(node) ||
      tsc.isVariableStatement(node) ||
      tsc.isVariableDeclarationList(node)
    )
      tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function doesSomething(node: ts.Node): boolean {
  const tsc = compiler();
  if (tsc.isVariableDeclaration(node) || tsc.isPropertyDeclaration(node))
    return node.initializer !== undefined && hasEffects(node.initializer);
  if (!tsc.isClassDeclaration(node)) return false;
  const hasDecorators = tsc.canHaveDecorators(node) && (tsc.getDecorators(node)?.length ?? 0) > 0;
  return (
    hasDecorators || node.members.some((member) => tsc.isClassStaticBlockDeclaration(member) || hasEffects(member))
  );
}

/** Undefined for what is neither at the top level of a file nor a private member of a class. */
function keyOf(node: ts.Node): string | undefined {
  const tsc = compiler();
  if (tsc.isVariableDeclaration(node)) {
    const isTop = tsc.isVariableStatement(node.parent.parent) && tsc.isSourceFile(node.parent.parent.parent);
    return isTop && tsc.isIdentifier(node.name) ? `top ${node.name.text}` : undefined;
  }
  const isStatement =
    tsc.isFunctionDeclaration(node) ||
    tsc.isClassDeclaration(node) ||
    tsc.isInterfaceDeclaration(node) ||
    tsc.isTypeAliasDeclaration(node) ||
    tsc.isEnumDeclaration(node);
  if (isStatement)
    return tsc.isSourceFile(node.parent) && node.name !== undefined ? `top ${node.name.text}` : undefined;
  const isMember =
    tsc.isMethodDeclaration(node) ||
    tsc.isPropertyDeclaration(node) ||
    tsc.isGetAccessorDeclaration(node) ||
    tsc.isSetAccessorDeclaration(node);
  if (!isMember || !tsc.isClassDeclaration(node.parent) || node.name === undefined) return undefined;
  return `member ${node.parent.name?.text ?? ''}.${node.name.getText()}`;
}

function importedNames(source: ts.SourceFile, from: number, to: number): string[] {
  const tsc = compiler();
  return source.statements.flatMap((statement) =>
    tsc.isImportDeclaration(statement)
      ? boundImports(statement)
          .filter(
            ({ node }) =>
              (from <= node.getStart(source) && node.getEnd() <= to) ||
              (node.getStart(source) <= from && to <= node.getEnd()) ||
              (from <= statement.getStart(source) && statement.getEnd() <= to),
          )
          .map(({ name }) => name)
      : [],
  );
}

function boundImports(statement: ts.ImportDeclaration): { name: string; node: ts.Node }[] {
  const tsc = compiler();
  const clause = statement.importClause;
  if (clause === undefined) return [];
  const found: { name: string; node: ts.Node }[] = [];
  if (clause.name !== undefined) found.push({ name: clause.name.text, node: clause.name });
  const bindings = clause.namedBindings;
  if (bindings !== undefined && tsc.isNamespaceImport(bindings))
    found.push({ name: bindings.name.text, node: bindings });
  if (bindings !== undefined && tsc.isNamedImports(bindings))
    for (const element of bindings.elements) found.push({ name: element.name.text, node: element });
  return found;
}
