import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { startWithComments, wholeLines, removalRange } from '../syntax/deletion.ts';
import { type Change, textWith } from '../syntax/textChange.ts';
import { separated } from './separateDeclaration.ts';
import { pointsTo } from '../imports/specifiers.ts';

/**
 * Texts that mean what those on disk do, written so that the server moves a declaration rightly: what is exported by a list is exported
 * where it is declared, what belongs together stands together, and the file it goes to knows it by its own name.
 */
export function preparedMove(
  old: ts.SourceFile,
  name: string,
  target: ts.SourceFile | undefined,
): { texts: Map<string, string>; aliases: string[] } {
  const texts = new Map<string, string>();
  const apart = separated(old, name);
  const source = apart === undefined ? old : parse(old.fileName, apart);
  const set = (file: ts.SourceFile, text: string | undefined): void => {
    if (text !== undefined && text !== file.text) texts.set(file.fileName, text);
  };
  const isDefault = source.statements.some((one) => declaresName(one, name) && isDefaultExport(one, name));
  const aliases: string[] = [];
  const exported = withOwnExport(source, name, aliases);
  const together = gathered(exported === undefined ? source : parse(source.fileName, exported), name);
  set(old, together ?? exported ?? apart);
  if (target !== undefined) set(target, withOwnName(target, source.fileName, name, isDefault));
  return { texts, aliases };
}

/**
 * `export { name }` as `export` before the declaration, `export { name as default }` as a statement of its own. Other names are left
 * out, and told: the file that it leaves passes it on under them.
 */
function withOwnExport(source: ts.SourceFile, name: string, aliases: string[]): string | undefined {
  const tsc = compiler();
  const edits: Change[] = [];
  const declared = source.statements.filter((one) => declaresName(one, name) && !isDefaultExport(one, name));
  let isNamed = false;
  for (const statement of source.statements) {
    if (!tsc.isExportDeclaration(statement) || statement.moduleSpecifier !== undefined) continue;
    const { exportClause: clause } = statement;
    if (clause === undefined || !tsc.isNamedExports(clause)) continue;
    const own = clause.elements.filter((one) => (one.propertyName ?? one.name).text === name);
    const kept = clause.elements.filter((one) => !own.includes(one)).map((one) => one.getText(source));
    const [only] = own;
    if (only === undefined) continue;
    if (own.length === 1) edits.push(removalRange(only, source));
    else if (kept.length === 0) edits.push(wholeLines(statement, source));
    else edits.push({ start: clause.getStart(source), end: clause.getEnd(), text: `{ ${kept.join(', ')} }` });
    for (const one of own) {
      if (one.name.text === 'default') {
        const end = declared.at(-1)?.getEnd();
        if (end !== undefined) edits.push({ start: end, end, text: `\nexport default ${name};` });
        continue;
      }
      isNamed = true;
      const isType = statement.isTypeOnly && !one.isTypeOnly;
      if (one.name.text !== name) aliases.push(`${isType ? 'type ' : ''}${one.getText(source)}`);
    }
  }
  for (const one of isNamed ? declared : []) {
    if (tsc.isVariableStatement(one) && one.declarationList.declarations.length > 1) {
      aliases.length = 0;
      return undefined;
    }
    if (!isExported(one)) edits.push({ start: one.getStart(source), end: one.getStart(source), text: 'export ' });
  }
  return edits.length === 0 ? undefined : textWith(source.text, edits);
}

/** The declarations of a name one after the other, with what exports it; undefined when they are, or their order matters. */
function gathered(source: ts.SourceFile, name: string): string | undefined {
  const tsc = compiler();
  const all = source.statements.filter((one) => declaresName(one, name));
  const at = all.map((one) => source.statements.indexOf(one));
  if (all.length < 2 || (at.at(-1) ?? 0) - (at[0] ?? 0) === all.length - 1) return undefined;
  const isFree = (one: ts.Statement): boolean =>
    tsc.isInterfaceDeclaration(one) ||
    tsc.isTypeAliasDeclaration(one) ||
    tsc.isFunctionDeclaration(one) ||
    tsc.isExportAssignment(one);
  const bound = all.filter((one) => !isFree(one));
  const anchor = bound[0] ?? all[0];
  if (bound.length > 1 || anchor === undefined) return undefined;
  const textOf = (one: ts.Statement): string => source.text.slice(startWithComments(one, source), one.getEnd());
  const index = all.indexOf(anchor);
  const before = all.slice(0, index).map((one) => `${textOf(one)}\n`);
  const behind = all.slice(index + 1).map((one) => `\n${textOf(one)}`);
  const start = startWithComments(anchor, source);
  return textWith(source.text, [
    ...all.filter((one) => one !== anchor).map((one) => wholeLines(one, source)),
    { start, end: start, text: before.join('') },
    { start: anchor.getEnd(), end: anchor.getEnd(), text: behind.join('') },
  ]);
}

/** Whether a statement declares a name at the top of its file, or is `export default` of it. */
function declaresName(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  if (tsc.isExportAssignment(statement)) return isDefaultExport(statement, name);
  if (tsc.isVariableStatement(statement))
    return statement.declarationList.declarations.some((one) => one.name.getText() === name);
  if (tsc.isImportDeclaration(statement) || tsc.isExportDeclaration(statement)) return false;
  return 'name' in statement && (statement as ts.DeclarationStatement).name?.getText() === name;
}

export function isExported(statement: ts.Statement): boolean {
  const tsc = compiler();
  const modifiers = tsc.canHaveModifiers(statement) ? (tsc.getModifiers(statement) ?? []) : [];
  return modifiers.some((one) => one.kind === tsc.SyntaxKind.ExportKeyword);
}

export function isDefaultExport(statement: ts.Statement, name: string): boolean {
  const tsc = compiler();
  if (tsc.isExportAssignment(statement))
    return statement.isExportEquals !== true && statement.expression.getText() === name;
  return (
    tsc.canHaveModifiers(statement) &&
    (tsc.getModifiers(statement)?.some((one) => one.kind === tsc.SyntaxKind.DefaultKeyword) ?? false)
  );
}

/** A file that has the declaration under another name (`import { name as other }`, `all.name`), with its own name for it. */
function withOwnName(file: ts.SourceFile, from: string, name: string, isDefault: boolean): string | undefined {
  const tsc = compiler();
  const edits: Change[] = [];
  const replace = (node: ts.Node, text: string): void => {
    edits.push({ start: node.getStart(file), end: node.getEnd(), text });
  };
  const identifiers = identifiersOf(file);
  /** The names that the imports from there bring in. */
  const own = new Set<ts.Node & { text: string }>();
  for (const statement of file.statements) {
    if (!tsc.isImportDeclaration(statement) || !tsc.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!pointsTo(file.fileName, statement.moduleSpecifier.text, from)) continue;
    const clause = statement.importClause;
    const bindings = clause?.namedBindings;
    if (bindings !== undefined && tsc.isNamespaceImport(bindings)) {
      const uses = identifiers.filter((one) => one !== bindings.name && one.text === bindings.name.text && isName(one));
      const members = uses.filter((one) => memberOf(one)?.text === name);
      if (members.length === 0) continue;
      if (uses.some(isDeclared)) return undefined;
      for (const one of members) replace(one.parent, name);
      if (members.length === uses.length) replace(bindings, `{ ${name} }`);
      continue;
    }
    const named = bindings?.elements.find((one) => (one.propertyName ?? one.name).text === name);
    // The server stumbles over a name that is imported twice, and over an import that it both shortens and lengthens.
    const isRemoved = named !== undefined && (own.size > 0 || named.name.text === name);
    if (named !== undefined) {
      if (isRemoved) edits.push(removalRange(named, file));
      own.add(named.name);
    }
    const local = named?.name ?? (isDefault ? clause?.name : undefined);
    if (local === undefined || local.text === name) continue;
    const uses = identifiers.filter((one) => one !== local && one.text === local.text && isName(one));
    if (uses.some(isDeclared)) return undefined;
    if (named !== undefined && !isRemoved) replace(named, `${named.isTypeOnly ? 'type ' : ''}${name}`);
    else if (named === undefined) replace(local, name);
    for (const one of uses) replace(one, tsc.isShorthandPropertyAssignment(one.parent) ? `${one.text}: ${name}` : name);
  }
  const isEdited = (one: ts.Node): boolean => edits.some((edit) => edit.start <= one.pos + 1 && one.end <= edit.end);
  const others = identifiers.filter((one) => one.text === name && isName(one) && !isEdited(one) && !own.has(one));
  const isTaken = [...own].some((one) => one.text === name) ? others.some(isDeclared) : others.length > 0;
  return edits.length === 0 || isTaken ? undefined : textWith(file.text, edits);
}

function identifiersOf(file: ts.SourceFile): ts.Identifier[] {
  const tsc = compiler();
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether an identifier names something by itself, not as a member of something else. */
function isName(node: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = node;
  if (tsc.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (tsc.isQualifiedName(parent)) return parent.left === node;
  if (tsc.isImportSpecifier(parent) || tsc.isExportSpecifier(parent)) return parent.propertyName !== node;
  if (tsc.isShorthandPropertyAssignment(parent)) return true;
  if (tsc.isBindingElement(parent)) return parent.propertyName !== node;
  const isMember =
    tsc.isObjectLiteralElement(parent) ||
    tsc.isClassElement(parent) ||
    tsc.isTypeElement(parent) ||
    tsc.isJsxAttribute(parent);
  return !(isMember && parent.name === node);
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const tsc = compiler();
  return (
    'name' in parent &&
    parent.name === node &&
    !tsc.isPropertyAccessExpression(parent) &&
    !tsc.isShorthandPropertyAssignment(parent)
  );
}

function memberOf({ parent }: ts.Identifier): ts.MemberName | ts.Identifier | undefined {
  const tsc = compiler();
  return tsc.isPropertyAccessExpression(parent) ? parent.name : tsc.isQualifiedName(parent) ? parent.right : undefined;
}
