import type ts from 'typescript-classic';
import type { LineIndex, Range } from '../../../../../base/positions.ts';
import type { Conflict } from '../../model.ts';
import { ancestor, compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { functionAndCall } from './newFunction.ts';
import { textWith } from '../syntax/textChange.ts';
import { freeName } from '../imports/importsElsewhere.ts';
import { withLostWrites } from './workarounds/returnDestructuredWrites.ts';
import type { Disguise } from './workarounds/preparation.ts';

/** That a member gets its first value outside of the constructor, where the compiler does not see it or forbids it. */
const unseen = /is not definitely assigned in the constructor|TS2565\)|because it is a read-only property/;

/** With what to do about it, where the selection gives members their first value. */
export function withFirstValueHints(conflicts: readonly Conflict[]): Conflict[] {
  const hint =
    'A member must get its first value in the constructor itself: extract the expression on the right side of the assignment instead.';
  const told = conflicts.map((one) => (unseen.test(one.message) ? { ...one, hint } : one));
  return [...told.filter((one) => one.hint === hint), ...told.filter((one) => one.hint !== hint)];
}

export function areFirstValues(conflicts: readonly Conflict[]): boolean {
  return conflicts.some(({ message }) => unseen.test(message));
}

/**
 * Statements of a constructor that end with `this.member = value`, with a variable for the value, which alone is selected: without and with
 * the type of the member. The function that the server makes of them returns it, and the assignment stays in the constructor.
 */
export function valueApart(path: string, before: LineIndex, range: Range, name: string): Disguise[] {
  const tsc = compiler();
  const { text } = before;
  const source = parse(path, text);
  const [start, end] = [before.offsetAt(range.start), before.offsetAt(range.end)];
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const block = tsc.findAncestor(tokenAt(source, start), (node) => tsc.isBlock(node) && !isSelected(node));
  if (block === undefined || !tsc.isBlock(block) || !tsc.isConstructorDeclaration(block.parent)) return [];
  const last = block.statements.findLast(isSelected);
  const set = last === undefined ? undefined : assignmentIn(last);
  if (last === undefined || set === undefined) return [];
  const { left, right } = set;
  const named = tsc.isPropertyAccessExpression(left) && tsc.isIdentifier(left.name) ? left.name.text : 'value';
  const isTaken = (name: string): boolean => new RegExp(`(?<![\\w$.#])${quoted(name)}(?![\\w$])`).test(block.getText());
  const variable = isTaken(named) ? freeName(named, text) : named;
  const indent = /[ \t]*$/.exec(text.slice(0, last.getStart(source)))?.[0] ?? '';
  const kept = `\n${indent}${left.getText(source)} = ${variable}${last.getText(source).endsWith(';') ? ';' : ''}`;
  const members = [...block.parent.parent.members].filter(tsc.isPropertyDeclaration);
  const type = members.find((one) => isNamedBy(one.name, left))?.type?.getText(source);
  return ['', ...(type === undefined ? [] : [`: ${type}`])].map((typed) => {
    const declared = `const ${variable}${typed} = ${right.getText(source)};`;
    return {
      text: textWith(text, [{ start: last.getStart(source), end: last.getEnd(), text: declared + kept }]),
      start,
      end: last.getStart(source) + declared.length,
      reveal: (after) => withFirstValue(path, after, name, variable),
    };
  });
}

/** What the server made of it, without the variable where it only hands on the value. */
function withFirstValue(path: string, text: string, name: string, variable: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const declared = ancestor(functionAndCall(source, name)?.call, tsc.isVariableStatement);
  if (declared === undefined || !tsc.isBlock(declared.parent)) return undefined;
  const { statements } = declared.parent;
  const set = assignmentIn(statements[statements.indexOf(declared) + 1]);
  const only = declared.declarationList.declarations[0];
  if (only?.initializer === undefined || only.name.getText(source) !== variable || set === undefined)
    return withLostWrites(path, text, name) === undefined ? text : undefined;
  const plain = `${set.left.getText(source)} = ${only.initializer.getText(source)}`;
  const shown = textWith(text, [{ start: declared.getStart(source), end: set.getEnd(), text: plain }]);
  return withLostWrites(path, shown, name) === undefined ? shown : undefined;
}

/** `this.member = …`, `this[member] = …`. */
function assignmentIn(statement: ts.Statement | undefined): ts.BinaryExpression | undefined {
  const tsc = compiler();
  const set = statement !== undefined && tsc.isExpressionStatement(statement) ? statement.expression : undefined;
  if (set === undefined || !tsc.isBinaryExpression(set) || set.operatorToken.kind !== tsc.SyntaxKind.EqualsToken)
    return undefined;
  const { left } = set;
  const isMember = tsc.isPropertyAccessExpression(left) || tsc.isElementAccessExpression(left);
  return isMember && left.expression.kind === tsc.SyntaxKind.ThisKeyword ? set : undefined;
}

function isNamedBy(name: ts.PropertyName, member: ts.Expression): boolean {
  const tsc = compiler();
  if (tsc.isPropertyAccessExpression(member)) return name.getText() === member.name.text;
  return (
    tsc.isElementAccessExpression(member) &&
    tsc.isComputedPropertyName(name) &&
    name.expression.getText() === member.argumentExpression.getText()
  );
}

function quoted(name: string): string {
  return name.replaceAll('$', '\\$');
}
