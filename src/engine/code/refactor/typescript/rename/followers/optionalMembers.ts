import type ts from 'typescript-classic';
import { escapeRegExp } from '../../../../../../base/text/escapeRegExp.ts';
import { sameTextFor, type Conflict } from '../../../model.ts';
import { editedTexts, mapOffset, tryContents } from '../../servers/trial.ts';
import { compiler, parse, tokenAt } from '../../syntax/compiler.ts';
import { checkerMessages } from '../checkerMessages.ts';
import { ownerName } from '../memberNames.ts';
import { mentionsAt } from '../mentionNotes.ts';
import type { RenameRound, Tried } from '../state.ts';

/**
 * What the checker says of a rename if the optional members of the old and of the new name were required. An object that has such a
 * member under the other name only is one without it, for the checker: nobody would notice that it was meant.
 */
export async function missedAsRequired(round: RenameRound & Tried): Promise<Conflict[]> {
  const { backend, target, newName, changed, left, edits, dependents, further, time, waiting } = round;
  const owners = new Set<string | undefined>();
  const optional: ts.Node[] = [];
  for (const { path, range } of changed) {
    const text = await backend.text(path);
    const token = tokenAt(parse(path, text.text), text.offsetAt(range.start));
    owners.add(ownerName(token));
    optional.push(token);
  }
  const looksOptional = left.filter(({ lineText, range }) => /^['"]?\s*\?/.test(lineText.slice(range.end.column - 1)));
  const others = await mentionsAt(backend, target.name, looksOptional);
  const marks = [...optional, ...others.map(({ token }) => token)].filter((token) => questionMark(token) !== undefined);
  if (marks.length === 0) return [];
  const texts = await editedTexts(backend, edits);
  for (const token of marks) {
    const { fileName: path } = token.getSourceFile();
    const before = await backend.text(path);
    const after = texts.get(path) ?? before.text;
    const at = mapOffset(before, edits.get(path) ?? [], questionMark(token) ?? 0);
    texts.set(path, `${after.slice(0, at)} ${after.slice(at + 1)}`);
  }
  const sameText = sameTextFor({ from: target.name, to: newName });
  const { conflicts } = await tryContents(backend, texts, dependents, waiting, {
    sameText,
    further,
    budgetMs: time.leftMs,
  });
  const says = checkerMessages(target.name, newName);
  const hasNew = new RegExp(`[{;] ${escapeRegExp(newName)}\\??: `);
  return conflicts.filter(({ message }) => {
    const lacking = says.lackingOld(message);
    if (lacking !== undefined) return hasNew.test(lacking) || owners.has(lacking.replace(/<.*$/, ''));
    return says.isLackingNew(message);
  });
}

function questionMark(token: ts.Node): number | undefined {
  const tsc = compiler();
  // In a comment the file itself may be found.
  const parent: ts.Node | undefined = token.parent;
  const isMember =
    parent !== undefined &&
    (tsc.isPropertySignature(parent) || tsc.isMethodSignature(parent) || tsc.isPropertyDeclaration(parent));
  return isMember && parent.name === token ? parent.questionToken?.getStart() : undefined;
}
