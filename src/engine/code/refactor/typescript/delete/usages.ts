import type ts from 'typescript-classic';
import { isTypescriptFile } from '../../../../../base/languages/byPath.ts';
import { displayPath } from '../../../../../base/paths.ts';
import type { Usage, UsageKind } from '../../stillUsed.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { isAssignmentOperator } from '../semantics/facts.ts';
import type { Reference } from '../servers/references.ts';
import type { TypeScriptService } from '../servers/tsService.ts';

/** A reference with the token that stands there. */
export interface Use {
  ref: Reference;
  token: ts.Node;
}

/** The references that are code. In the comments of TypeScript a name is only mentioned; those of JavaScript declare types with it. */
export function usesOf(service: TypeScriptService, references: readonly Reference[]): { uses: Use[]; mentions: Use[] } {
  const sources = new Map<string, ts.SourceFile>();
  const all = references.map((ref) => {
    const source = sources.get(ref.path) ?? parse(ref.path, service.textNow(ref.path) ?? '');
    sources.set(ref.path, source);
    return { ref, token: tokenAt(source, ref.offset) };
  });
  const isMention = ({ ref, token }: Use): boolean => isInComment(ref, token) && isTypescriptFile(ref.path);
  return { uses: all.filter((one) => !isMention(one)), mentions: all.filter(isMention) };
}

/** What is found there is something larger that begins before or after the comment. */
function isInComment(ref: Reference, token: ts.Node): boolean {
  if (token.parent === undefined) return true;
  // The name of a string stands behind its quote.
  const start = token.getStart() + (compiler().isStringLiteralLike(token) ? 1 : 0);
  return start !== ref.offset && token.getStart() !== ref.offset;
}

export function mentionedStill(root: string, mentions: readonly Use[]): string[] {
  return mentions.map(({ ref }) => `A comment at ${displayPath(root, ref.path)}:${ref.line} still names it.`);
}

export function isImport({ token }: Use): boolean {
  const tsc = compiler();
  return token.parent !== undefined && (tsc.isImportSpecifier(token.parent) || tsc.isImportClause(token.parent));
}

/** `export { x }`, `export { x } from`, `export default x`. */
export function isExport({ token }: Use): boolean {
  const tsc = compiler();
  return token.parent !== undefined && (tsc.isExportSpecifier(token.parent) || tsc.isExportAssignment(token.parent));
}

/** Whether it stands in an import or export and its file uses the name for nothing else. */
export function isIdle(use: Use, all: readonly Use[]): boolean {
  return all.every((one) => one.ref.path !== use.ref.path || isImport(one) || isExport(one));
}

/** Members that exist because the deleted one does: of classes and interfaces that inherit from where it is declared. */
export function implementationsOf(declarations: readonly ts.Node[], uses: readonly Use[]): Use[] {
  const owners = new Set(declarations.flatMap((one) => ownerName(one) ?? []));
  const found: Use[] = [];
  // Those who inherit may be inherited from in turn.
  for (let known = -1; known !== found.length;) {
    known = found.length;
    for (const use of uses) {
      const member = memberAround(use.token);
      if (member === undefined || found.includes(use)) continue;
      if (!parentsOf(member).some((name) => owners.has(name))) continue;
      found.push(use);
      const owner = ownerName(member);
      if (owner !== undefined) owners.add(owner);
    }
  }
  return found;
}

export function memberAround(token: ts.Node): ts.ClassElement | ts.TypeElement | undefined {
  const tsc = compiler();
  const parent: ts.Node | undefined = token.parent;
  if (parent === undefined) return undefined;
  const isMember = (tsc.isClassElement(parent) || tsc.isTypeElement(parent)) && parent.name === token;
  return isMember && !tsc.isObjectLiteralExpression(parent.parent) ? parent : undefined;
}

function ownerName(member: ts.Node): string | undefined {
  const tsc = compiler();
  const owner = member.parent;
  return tsc.isClassLike(owner) || tsc.isInterfaceDeclaration(owner) ? owner.name?.text : undefined;
}

function parentsOf(member: ts.Node): string[] {
  const tsc = compiler();
  const owner = member.parent;
  if (!tsc.isClassLike(owner) && !tsc.isInterfaceDeclaration(owner)) return [];
  return (owner.heritageClauses ?? []).flatMap((clause) =>
    clause.types.map(({ expression }) =>
      tsc.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(),
    ),
  );
}

/** What is shown to whoever wanted to delete. */
export function shownUsage(root: string, use: Use, implementations: readonly Use[]): Usage {
  const { path, line, column, lineText } = use.ref;
  const kind = implementations.includes(use) ? 'implementation' : kindOf(use);
  return { file: displayPath(root, path), line, column, kind, context: lineText.slice(0, 160) };
}

function kindOf(use: Use): UsageKind {
  const tsc = compiler();
  const { token } = use;
  if (isInComment(use.ref, token)) return 'type';
  if (isImport(use)) return 'import';
  if (isExport(use)) return 're-export';
  if (memberAround(token) !== undefined) return 'declaration';
  const named = tsc.isPropertyAccessExpression(token.parent) && token.parent.name === token ? token.parent : token;
  const { parent } = named;
  const isCalled =
    (tsc.isCallExpression(parent) || tsc.isNewExpression(parent) || tsc.isTaggedTemplateExpression(parent)) &&
    (tsc.isTaggedTemplateExpression(parent) ? parent.tag : parent.expression) === named;
  if (isCalled || tsc.isJsxOpeningLikeElement(parent) || tsc.isDecorator(parent)) return 'call';
  if (tsc.isExpressionWithTypeArguments(parent) && tsc.isHeritageClause(parent.parent)) return 'subclass';
  if (tsc.isBinaryExpression(parent) && parent.left === named && isAssignmentOperator(parent.operatorToken.kind))
    return 'write';
  return tsc.isPartOfTypeNode(token) ? 'type' : 'use';
}
