import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolError } from '../../../../../base/errors.ts';
import { advise, parameter } from '../../../../../base/text/advice.ts';
import { counted } from '../../../../../base/text/counted.ts';
import { proposal, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { carryThrough, type Renaming } from '../../rename/pipeline.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { addEdit, editOperations } from '../servers/trial.ts';
import { isReserved } from '../syntax/compiler.ts';
import { declarationOf } from './declaration.ts';
import { leftBehind, textPlaces } from './inText.ts';
import { renameLiteral } from './literal.ts';
import { declaresMember } from './memberNames.ts';
import { placesOf } from './places.ts';
import { ProofTime } from './proofTime.ts';
import { stages } from './stages.ts';
import type { RenameState, Tried } from './state.ts';
import { lookAround } from './surroundings.ts';
import { asWritten, checkName, checkUnquoted } from './writtenName.ts';

export interface RenameOptions {
  /** Also in strings and comments, where the name stands as a word. */
  comments: boolean;
}

interface RenameProposal extends Proposal {
  /** Of a preview: it takes longer to try it out than a preview may wait. */
  isUntried?: true;
}

/**
 * Renames a symbol everywhere, through imports and re-exports. That everything still means the same is shown by where the names
 * stand, if that suffices; else the result is tried out: it must bind exactly as before and bring no error.
 */
export async function renameSymbol(
  backend: RenameBackend,
  asked: RefactorTarget,
  newName: string,
  options: RenameOptions,
  waiting: RefactorWaiting,
): Promise<RenameProposal> {
  const written = await asWritten(backend, asked);
  checkName(written, newName);
  if (written.isQuoted) {
    const found = await placesOf(backend, written, newName, waiting);
    if (!(await declaresMember(backend, found))) return renameLiteral(backend, written, newName, found, waiting);
    await checkUnquoted(backend, written.name, newName, found);
  }
  const target = await declarationOf(backend, written, waiting);
  // Asked first, since starting a program to look around holds everything up for a moment.
  const finding = placesOf(backend, target, newName, waiting);
  finding.catch(() => undefined);
  await nextTurn();
  const { survey, asObject } = lookAround(backend, target, newName, waiting);
  const places = await finding;
  if (!written.isQuoted && isReserved(newName) && !(await declaresMember(backend, places)))
    throw new ToolError('invalid_arguments', `"${newName}" is a reserved word.`, {
      hint: advise`Choose another ${parameter('newName')}.`,
    });
  const time = new ProofTime(waiting);
  const state = { ...(await survey), backend, target, newName, asObject, time, waiting };
  try {
    const found = await proposed(state, await carryThrough(stages, state, places), options);
    return time.isUp ? { ...found, isUntried: true } : found;
  } finally {
    time.end();
  }
}

async function proposed(
  { backend, target, newName, old, waiting }: RenameState,
  { tried, conflicts, reasons, notes }: Renaming<RenamePlace, Tried>,
  { comments }: RenameOptions,
): Promise<Proposal> {
  const { edits, changed, dependents, trial, why } = tried;
  const oldName = target.name;
  const inText = comments ? await textPlaces(backend, oldName, changed, old) : [];
  for (const place of inText) addEdit(edits, place.path, place.range, newName, oldName);
  const unseen = waiting.proofMs === undefined ? [] : (trial.unseen ?? []);
  return proposal(
    `rename ${oldName} to ${newName}: ${counted(changed.length + inText.length, 'place')} in ${counted(edits.size, 'file')}`,
    editOperations(backend, edits),
    {
      conflicts: [...(trial.conflicts ?? []), ...conflicts, ...reasons],
      ...(unseen.length > 0 ? { tryOnDisk: true } : { tried: trial.tried }),
      seen: backend.seen,
      dependents: why === undefined ? [] : [...dependents, ...unseen],
      renamed: { from: oldName, to: newName },
      notes: [
        ...(trial.notes ?? []),
        ...notes,
        ...(comments ? [] : leftBehind(backend.project.root, oldName, changed, old)),
      ],
    },
  );
}
