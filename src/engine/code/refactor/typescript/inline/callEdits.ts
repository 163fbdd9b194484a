import type ts from 'typescript-classic';
import { ToolError } from '../../../../../base/errors.ts';
import type { CallSite, InlineForm } from './callArguments.ts';
import { lineOf } from '../syntax/lines.ts';
import type { Callee } from './callee.ts';
import { compiler } from '../syntax/compiler.ts';
import { startWithComments, wholeLines } from '../syntax/deletion.ts';
import { hasEffects } from '../semantics/effects.ts';
import type { Use } from './functionUses.ts';
import type { OtherNames } from '../imports/importsElsewhere.ts';
import { expressionFor, functionValue } from './expression.ts';
import { indentAt, reindented } from '../syntax/indentation.ts';
import { functionAround, statementsFor, type EarlyEdit, type StatementEdit } from './statements.ts';
import { atPlace, placed, type Replacement } from '../syntax/placement.ts';
import { byFile, scopeOf } from '../syntax/scopes.ts';
import { refuse } from '../../refusals/refuse.ts';

interface CallEdit {
  file: ts.SourceFile;
  start: number;
  end: number;
  text: string;
}

/** What stands in place of the calls. Calls in the arguments of others give way first, and go with them. */
export function callEdits(
  callee: Callee,
  uses: readonly Use[],
  how: { types: ReadonlyMap<Use, ReadonlyMap<string, string>>; others: OtherNames; form: InlineForm },
): CallEdit[] {
  let edits: CallEdit[] = [];
  const textOf = (node: ts.Node, replaced?: Replacement): string => {
    const file = node.getSourceFile();
    const within = (one: { start: number; end: number }, outer: ts.Node): boolean =>
      outer.getStart(file) <= one.start && one.end <= outer.getEnd();
    const changes = edits.filter((one) => one.file === file && within(one, node));
    const own =
      replaced === undefined
        ? []
        : [{ file, start: replaced.node.getStart(file), end: replaced.node.getEnd(), text: replaced.text }];
    const outside = changes.filter((one) => replaced === undefined || !within(one, replaced.node));
    return withEdits(file.text, node.getStart(file), node.getEnd(), [...outside, ...own]);
  };
  const add = (change: CallEdit): void => {
    const isInside = (one: CallEdit, other: CallEdit): boolean =>
      one.file === other.file && other.start <= one.start && one.end <= other.end;
    if (edits.some((one) => isInside(change, one))) throw refuse('twoCallsInStatement', { line: lineAt(change) });
    edits = [...edits.filter((one) => !isInside(one, change)), change];
  };
  const before: EarlyEdit['before'][] = [];
  const taken: CallSite['taken'] = new Map();
  for (const level of fromTheInside(uses)) {
    const expressions: Replacement[] = [];
    for (const use of level) {
      const change = replacementFor(callee, use, {
        types: how.types.get(use) ?? new Map(),
        others: how.others.get(use.node.getSourceFile()) ?? new Map(),
        form: how.form,
        isOnly: uses.every((one) => one === use || functionAround(one.node) !== functionAround(use.node)),
        taken,
        textOf,
      });
      if (!('statement' in change)) {
        expressions.push(change);
        if ('before' in change && !before.some((one) => isSame(one, change.before))) before.push(change.before);
        continue;
      }
      const file = change.statement.getSourceFile();
      const whole = { start: change.statement.getStart(file), end: change.statement.getEnd() };
      add({ file, ...(change.text === '' ? wholeLines(change.statement, file) : whole), text: change.text });
    }
    for (const [file, nodes] of byFile(expressions.map((one) => one.node))) {
      const own = expressions.filter((one) => nodes.includes(one.node));
      for (const one of placed(file, own))
        add({ file, start: one.node.getStart(file), end: one.node.getEnd(), text: atPlace(one.node, one.text) });
    }
  }
  return withInsertions(edits, before);
}

/** What goes before statements, put together with what changes in them. */
function withInsertions(edits: readonly CallEdit[], before: readonly EarlyEdit['before'][]): CallEdit[] {
  const all = [...edits];
  for (const { statement, text } of before) {
    const file = statement.getSourceFile();
    const start = statement.getStart(file);
    if (edits.some((one) => one.file === file && one.start < start && start < one.end))
      throw refuse('twoCallsAtOnce', { line: lineOf(statement) });
    const index = all.findIndex((one) => one.file === file && one.start === start);
    const known = all[index];
    if (known === undefined) all.push({ file, start, end: start, text });
    else
      all[index] = { ...known, text: known.end > start || known.text === '' ? text + known.text : known.text + text };
  }
  return all;
}

function isSame(one: EarlyEdit['before'], other: EarlyEdit['before']): boolean {
  // Constants have names of their own; only a comment is the same for several calls in one statement.
  return one.statement === other.statement && one.text === other.text;
}

/** The value where that is possible, else the statements. */
function replacementFor(
  callee: Callee,
  use: Use,
  how: Pick<CallSite, 'types' | 'others' | 'form' | 'isOnly' | 'taken' | 'textOf'>,
): Replacement | StatementEdit | EarlyEdit {
  const scope = use.node.getSourceFile() === callee.home ? scopeOf(callee.declaration) : use.node.getSourceFile();
  if (use.call === undefined) return { node: use.node, text: functionValue(callee, use.node, scope, how.others) };
  const site: CallSite = { ...use, ...how, call: use.call };
  if (callee.isEmpty === true) return nothingFor(use);
  const expression = callee.expression ?? (isUnread(callee, use.node) ? callee.effect : undefined);
  const isNamed = how.form === 'named' && use.call.arguments.length < callee.definition.parameters.length;
  const comment = commentAbove(callee);
  const isWhole = compiler().isExpressionStatement(use.node.parent) && callee.expression === undefined;
  if (expression === undefined || how.form === 'hoisted' || isNamed || (isWhole && comment !== undefined))
    return statementsFor(callee, site, scope);
  try {
    const value = { node: use.node, text: expressionFor({ ...callee, expression }, site, scope) };
    return comment === undefined ? value : withComment(value, comment);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    try {
      return statementsFor(callee, site, scope);
    } catch (other) {
      // What stands against the value itself says more than what stands against the detour.
      throw other instanceof ToolError ? error : other;
    }
  }
}

/** Whether nobody reads what a call gives, or it gives what the one thing that the function does gives too: nothing. */
function isUnread(callee: Callee, { parent }: ts.Expression): boolean {
  const tsc = compiler();
  return tsc.isExpressionStatement(parent) || (tsc.isArrowFunction(parent) && callee.isEffectVoid === true);
}

/** What is said above the first statement of a function. */
function commentAbove({ block, home }: Callee): string | undefined {
  const [first] = block?.statements ?? [];
  if (first === undefined) return undefined;
  const start = startWithComments(first, home);
  const comment = home.text.slice(start, first.getStart(home)).trim();
  return comment === '' ? undefined : reindented(comment, indentAt(first.getStart(home), home), '');
}

/** A value, with what is said of it above the statement that it becomes a part of. */
function withComment(value: Replacement, comment: string): Replacement | EarlyEdit {
  const tsc = compiler();
  const file = value.node.getSourceFile();
  const statement = tsc.findAncestor(
    value.node,
    (one) =>
      tsc.isStatement(one) &&
      !tsc.isBlock(one) &&
      (tsc.isBlock(one.parent) || tsc.isSourceFile(one.parent) || tsc.isModuleBlock(one.parent)),
  );
  const start = statement?.getStart(file) ?? 0;
  const isFirstOfLine = /(?:^|\n)[ \t]*$/.test(file.text.slice(0, start));
  if (statement === undefined || !isFirstOfLine) return value;
  const indent = indentAt(start, file);
  return { ...value, before: { statement, text: `${reindented(comment, '', indent)}\n${indent}` } };
}

/** A function that does nothing: the statement that calls it goes, and its value is undefined. */
function nothingFor({ node, call }: Use): Replacement | StatementEdit {
  const tsc = compiler();
  if (call?.arguments.some((argument) => hasEffects(argument)))
    throw refuse('callArgumentHasEffects', { line: lineOf(node) });
  const statement = node.parent;
  const isOwn =
    tsc.isExpressionStatement(statement) && (tsc.isBlock(statement.parent) || tsc.isSourceFile(statement.parent));
  return isOwn ? { statement, text: '' } : { node, text: 'undefined' };
}

/** Uses that stand in others come before those. */
function fromTheInside(uses: readonly Use[]): Use[][] {
  const holds = (outer: ts.Node, inner: ts.Node): boolean =>
    outer !== inner &&
    outer.getSourceFile() === inner.getSourceFile() &&
    outer.pos <= inner.pos &&
    inner.end <= outer.end;
  const levels: Use[][] = [];
  for (const use of uses) {
    const depth = uses.filter((other) => holds(other.node, use.node)).length;
    (levels[depth] ??= []).push(use);
  }
  return levels.reverse();
}

/** A piece of a text with changes made in it. */
function withEdits(text: string, start: number, end: number, edits: readonly CallEdit[]): string {
  let result = '';
  let at = start;
  for (const one of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, one.start) + one.text;
    at = one.end;
  }
  return result + text.slice(at, end);
}

function lineAt({ file, start }: CallEdit): number {
  return file.getLineAndCharacterOfPosition(start).line + 1;
}
