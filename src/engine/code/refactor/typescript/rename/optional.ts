import type ts from 'typescript-classic';
import { sameTextFor, type Conflict, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { ownerName } from './members.ts';
import type { Mention } from './mentionNotes.ts';
import { editedTexts, mapOffset, tryContents, type FileEdits } from '../servers/trial.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

interface TriedRename {
  target: RefactorTarget;
  newName: string;
  changed: readonly RenamePlace[];
  left: readonly Mention[];
  edits: FileEdits;
  dependents: readonly string[];
  further: readonly string[];
  deadline: number;
}

/**
 * What the checker says of a rename if the optional members of the old and of the new name were required. An object that has such a
 * member under the other name only is one without it, for the checker: nobody would notice that it was meant.
 */
export async function missedAsRequired(
  backend: RenameBackend,
  { target, newName, changed, left, edits, dependents, further, deadline }: TriedRename,
  waiting: RefactorWaiting,
): Promise<Conflict[]> {
  const oldName = target.name;
  const texts = await editedTexts(backend, edits);
  const owners = new Set<string | undefined>();
  let isOptional = false;
  const require = async (token: ts.Node): Promise<void> => {
    const mark = questionMark(token);
    if (mark === undefined) return;
    const { fileName: path } = token.getSourceFile();
    const before = await backend.text(path);
    const after = texts.get(path) ?? before.text;
    const at = mapOffset(before, edits.get(path) ?? [], mark);
    texts.set(path, `${after.slice(0, at)} ${after.slice(at + 1)}`);
    isOptional = true;
  };
  for (const { path, range } of changed) {
    const text = await backend.text(path);
    const token = tokenAt(parse(path, text.text), text.offsetAt(range.start));
    owners.add(ownerName(token));
    await require(token);
  }
  for (const { token } of left) await require(token);
  if (!isOptional) return [];
  const sameText = sameTextFor({ from: oldName, to: newName });
  const budgetMs = deadline - Date.now();
  const { conflicts } = await tryContents(backend, texts, dependents, waiting, { sameText, further, budgetMs });
  const lacksOld = new RegExp(`Property '${escapeRegExp(oldName)}' is missing in type '(?:typeof )?([^']*)'`);
  const hasNew = new RegExp(`[{;] ${escapeRegExp(newName)}\\??: `);
  return conflicts.filter(({ message }) => {
    const lacking = lacksOld.exec(message)?.[1];
    if (lacking !== undefined) return hasNew.test(lacking) || owners.has(lacking.replace(/<.*$/, ''));
    return message.includes(`Property '${newName}' is missing in type '`);
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
