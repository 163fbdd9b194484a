import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';
import { refuse } from '../../refusals/refuse.ts';

/** A piece of a text that goes, and what of it stays all the same. */
export interface Cut {
  start: number;
  end: number;
  text: string;
}

/**
 * What goes when a declaration is deleted: the whole statement or member with its modifiers, decorators and documentation,
 * and the line it leaves empty. One of several declared together goes alone, with its comma.
 */
export function removalRange(declaration: ts.Node, source: ts.SourceFile): Cut {
  const tsc = compiler();
  if (tsc.isVariableDeclaration(declaration) && tsc.isVariableDeclarationList(declaration.parent)) {
    const { declarations } = declaration.parent;
    if (declarations.length > 1) return listItem(declarations, declaration, source);
    const statement = declaration.parent.parent;
    return wholeLines(tsc.isVariableStatement(statement) ? statement : declaration.parent, source);
  }
  if (tsc.isParameter(declaration)) return listItem(declaration.parent.parameters, declaration, source);
  if (tsc.isEnumMember(declaration)) return listItem(declaration.parent.members, declaration, source);
  if (tsc.isImportSpecifier(declaration) || tsc.isExportSpecifier(declaration)) {
    const { elements } = declaration.parent;
    if (elements.length > 1) return listItem<ts.Node>(elements, declaration, source);
    const clause = declaration.parent.parent;
    if (tsc.isImportClause(clause) && clause.name !== undefined)
      return { start: clause.name.getEnd(), end: clause.getEnd(), text: '' };
    const statement = tsc.findAncestor(
      declaration,
      (node) => tsc.isImportDeclaration(node) || tsc.isExportDeclaration(node),
    );
    return wholeLines(statement ?? declaration, source);
  }
  if (declaration.parent !== undefined && tsc.isObjectLiteralExpression(declaration.parent)) {
    const { properties } = declaration.parent;
    if (properties.length > 1) return listItem<ts.Node>(properties, declaration, source);
    return { start: properties.pos, end: properties.end, text: '' };
  }
  return wholeLines(declaration, source);
}

/** An item of a list, with the comma that belongs to it and what is said of it. */
export function listItem<Item extends ts.Node>(list: ts.NodeArray<Item>, item: Item, source: ts.SourceFile): Cut {
  const { text } = source;
  const index = list.indexOf(item);
  const next = list[index + 1];
  if (next !== undefined)
    return { start: startWithComments(item, source), end: startWithComments(next, source), text: '' };
  const previous = list[index - 1];
  if (previous === undefined) return { start: item.getStart(source), end: item.getEnd(), text: '' };
  // What is said behind an item, on its line, is about that item.
  const before = /^,([ \t]*\/\/[^\r\n]*)?[ \t]*(?=\r?\n)/.exec(text.slice(previous.getEnd()));
  if (before === null) return { start: previous.getEnd(), end: item.getEnd(), text: '' };
  const after = /^[ \t]*([,;]?)[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(item.getEnd()));
  const said = before[1] ?? '';
  if (after === null) return { start: previous.getEnd(), end: item.getEnd(), text: said === '' ? '' : `${said}\n` };
  return { start: previous.getEnd(), end: item.getEnd() + after[0].length, text: (after[1] ?? '') + said };
}

/** Cuts that overlap are one, and none leaves an empty line beside a bracket or at the end of the text. */
export function tidyCuts(cuts: readonly Cut[], text: string): Cut[] {
  const result: Cut[] = [];
  for (const cut of cuts.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && cut.start < last.end) {
      last.end = Math.max(last.end, cut.end);
      last.text += cut.text;
    } else result.push({ ...cut });
  }
  return result.map((cut) => withoutGap(cut, text));
}

function withoutGap(cut: Cut, text: string): Cut {
  const { start, end } = cut;
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const gapBefore = /\n((?:[ \t]*\r?\n)+)$/.exec(before)?.[1] ?? '';
  const gapAfter = /^(?:[ \t]*\r?\n)+/.exec(after)?.[0] ?? '';
  if (/^\s*[}\])]/.test(after) && gapBefore !== '') return { ...cut, start: start - gapBefore.length };
  if (/[{[(][ \t]*\r?\n$/.test(before) && gapAfter !== '') return { ...cut, end: end + gapAfter.length };
  if (after.trim() !== '' || before.trim() === '' || cut.text !== '') return cut;
  // A text that did not end with a line end does not begin to.
  const isOpen = /[^\n]$/.test(text.slice(start));
  const lastLine = isOpen ? (/\r?\n$/.exec(before.slice(0, before.length - gapBefore.length))?.[0].length ?? 0) : 0;
  return { ...cut, start: start - gapBefore.length - lastLine };
}

/** From the documentation above to the end of the line below, when nothing else shares these lines. */
export function wholeLines(node: ts.Node, source: ts.SourceFile): Cut {
  const { text } = source;
  let start = startWithComments(node, source);
  let end = node.getEnd();
  // A comment after it on the same line is about it.
  const rest = /^[ \t]*(\/\/[^\n]*)?/.exec(text.slice(end))?.[0] ?? '';
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isAloneBefore = text.slice(lineStart, start).trim() === '';
  const after = text[end + rest.length];
  const isAloneAfter = after === undefined || after === '\n' || after === '\r';
  if (!isAloneBefore || !isAloneAfter) return { ...withoutSpace({ start, end }, text), text: '' };
  start = lineStart;
  end += rest.length;
  if (text.startsWith('\r\n', end)) end += 2;
  else if (text[end] === '\n') end += 1;
  // An empty line on both sides would become two: one of them goes along.
  const blankBefore = start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(0, start));
  const blankAfter = /^[ \t]*(\r?\n)/.exec(text.slice(end));
  if (blankBefore && blankAfter !== null) end += blankAfter[0].length;
  return { start, end, text: '' };
}

/** Of the spaces around what goes, one side stays. */
function withoutSpace({ start, end }: { start: number; end: number }, text: string): { start: number; end: number } {
  const after = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  if (!isLast) return { start, end: end + after };
  const before = /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end };
}

/** Where a declaration begins, with the comments that are about it. */
export function startWithComments(node: ts.Node, source: ts.SourceFile): number {
  const tsc = compiler();
  const { text } = source;
  const comments = tsc.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  let start = node.getStart(source);
  for (const comment of comments.toReversed()) {
    const between = text.slice(comment.end, start);
    const lineStart = text.lastIndexOf('\n', comment.pos - 1) + 1;
    const isOwnLine = text.slice(lineStart, comment.pos).trim() === '';
    // A comment separated by an empty line, or standing at the end of another line, belongs to something else.
    if (/\n\s*\n/.test(between) || !isOwnLine) break;
    if (comment.pos === 0 && text.startsWith('#!')) break;
    if (isAboutMore.test(text.slice(comment.pos, comment.end))) break;
    start = comment.pos;
  }
  return start;
}

/** Licences, and what a tool reads for a whole file or until further notice. */
const isAboutMore =
  /^\/\/\/|^\/\*!|#(?:end)?region\b|@(?:license|file|fileoverview|ts-check|ts-nocheck)\b|\b(?:eslint|oxlint|biome)-(?:disable|enable)(?!-next|-line)|\bprettier-ignore-(?:start|end)/;

/** A declaration whose name can give way to a value. */
export type ValueDeclaration = ts.VariableDeclaration | ts.BindingElement | ts.TypeAliasDeclaration;

interface ValueRemoval {
  start: number;
  end: number;
  /** What stays in place of it. */
  text: string;
  /** An empty place in a list stays. */
  leavesHole?: true;
  /** Nothing of the declaration is left, so that its value is worked out no more. */
  isWhole: boolean;
}

/** What is cut out when the name is gone. Names beside it stay, and so does what a rest element leaves out. */
export function valueRemoval(declaration: ValueDeclaration): ValueRemoval {
  const tsc = compiler();
  const source = declaration.getSourceFile();
  if (!tsc.isBindingElement(declaration)) return { ...removalRange(declaration, source), isWhole: true };
  let element: ts.BindingElement = declaration;
  for (;;) {
    const pattern: ts.BindingPattern = element.parent;
    const own = { start: element.getStart(source), end: element.getEnd(), isWhole: false };
    const hasRest = pattern.elements.some((one) => tsc.isBindingElement(one) && one.dotDotDotToken !== undefined);
    if (hasRest && tsc.isObjectBindingPattern(pattern)) {
      // The rest must go on leaving this member out.
      const kept = (element.propertyName ?? element.name).getText(source);
      if (!/^[\w$]+$/.test(kept)) throw refuse('restDepends');
      return { ...own, text: kept };
    }
    // The elements after it stay where they are.
    if (tsc.isArrayBindingPattern(pattern) && pattern.elements.at(-1) !== element)
      return { ...own, text: '', leavesHole: true };
    const isAlone = tsc.isArrayBindingPattern(pattern)
      ? pattern.elements.slice(0, -1).every((one) => tsc.isOmittedExpression(one))
      : pattern.elements.length === 1;
    if (!isAlone) return { ...listItem<ts.Node>(pattern.elements, element, source), isWhole: false };
    const holder = pattern.parent;
    if (tsc.isBindingElement(holder)) {
      element = holder;
      continue;
    }
    if (!tsc.isVariableDeclaration(holder)) throw refuse('isParameter');
    return { ...removalRange(holder, source), isWhole: true };
  }
}
