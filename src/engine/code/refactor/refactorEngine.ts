import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Hint } from '../../../base/text/advice.ts';
import { isScriptFile } from '../../../base/languages/byPath.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { displayPath } from '../../../base/paths.ts';
import type { AppliedChange, EditApplier, ErrorDelta } from '../../workspace/edits/applier.ts';
import { reportChange, type ChangeReport } from '../../workspace/edits/changeReport.ts';
import type { ChangeOrigin, ChangePlan } from '../../workspace/edits/operations.ts';
import type { PlanStore } from '../../workspace/edits/planStore.ts';
import type { LocalHistory } from '../../workspace/localHistory/localHistory.ts';
import { listFiles } from '../../workspace/fileListing.ts';
import { undoChanges } from '../../workspace/localHistory/undo.ts';
import { unsavedBelow } from '../../workspace/buffers/unsaved.ts';
import type { Project } from '../../workspace/project.ts';
import { plainMover } from './plainMover.ts';
import { hasErrors, shownDelta, type ProblemDelta } from './problemDelta.ts';
import { capabilitiesFor, refactoringCapabilities, refactoringTitles, type RefactoringName } from './capabilities.ts';
import {
  compareProblems,
  sameTextFor,
  type CheckedProblem,
  type LanguageRefactorer,
  type Proposal,
  type RefactorWaiting,
} from './model.ts';
import { refuse } from './refusals/refuse.ts';

interface RefactorOptions {
  preview: boolean;
  /** Go on in spite of conflicts. */
  force: boolean;
  /** Take the change back by itself when errors appear. */
  rollbackOnError: boolean;
}

interface RefactoringResult extends ChangeReport {
  success: boolean;
  message: string;
  /** Given for a preview; apply_plan carries it out. */
  planId?: string;
  /** Of a preview: not all that the change can reach was checked; that is done when it is applied. */
  verified?: 'pending';
  historyId?: string;
  conflicts?: { message: string; file?: string; line?: number; column?: number }[];
  diagnostics?: ErrorDelta;
  notes: string[];
}

export type RefactorerFactory = (project: Project, logger: Logger) => LanguageRefactorer;

interface RefactorEngineParts {
  applier: EditApplier;
  history: LocalHistory;
  plans: PlanStore;
  logger: Logger;
  /** By file extension. */
  refactorers: ReadonlyMap<string, RefactorerFactory>;
}

/** Refactorings of all languages: proposed by a language's engine, checked, previewed or applied, and undone if they do harm. */
export class RefactorEngine {
  readonly #parts: RefactorEngineParts;
  readonly #running = new Map<string, Map<RefactorerFactory, LanguageRefactorer>>();

  constructor(parts: RefactorEngineParts) {
    this.#parts = parts;
  }

  /** The engine for a file, or the reason why there is none. Files of no language can still be moved, with nothing following them. */
  async refactorer(project: Project, path: string, name: RefactoringName): Promise<LanguageRefactorer> {
    const extension = await this.#extensionOf(project, path);
    const capabilities = capabilitiesFor(extension);
    const factory = this.#parts.refactorers.get(extension);
    if (factory === undefined && name === 'moveFile') return plainMover(project);
    if (factory === undefined || capabilities?.offers[name] === undefined) {
      const offered = refactoringCapabilities
        .filter((one) => one.offers[name] !== undefined)
        .map((one) => one.language);
      throw refuse('noEngineOffers', {
        path: displayPath(project.root, path),
        what: refactoringTitles[name],
        files: extension === '' ? 'such files' : `${extension} files`,
        languages: offered.join('; '),
      });
    }
    refuseUnsaved(project, extension, name);
    const ofProject = this.#running.get(project.root) ?? new Map<RefactorerFactory, LanguageRefactorer>();
    this.#running.set(project.root, ofProject);
    let refactorer = ofProject.get(factory);
    if (refactorer === undefined) {
      refactorer = factory(project, this.#parts.logger);
      ofProject.set(factory, refactorer);
    }
    return refactorer;
  }

  /** Of a directory, the extension that most of its files have and some engine knows. */
  async #extensionOf(project: Project, path: string): Promise<string> {
    const isDirectory = await lstat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isDirectory) return extname(path);
    const counts = new Map<string, number>();
    for (const file of (await listFiles(project, { folder: path })).files) {
      const extension = extname(file);
      if (this.#parts.refactorers.has(extension)) counts.set(extension, (counts.get(extension) ?? 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
  }

  /** Makes of a proposal what was asked for: a plan to look at, or the change itself. */
  async carryOut(
    project: Project,
    refactorer: LanguageRefactorer,
    proposed: Proposal,
    options: RefactorOptions,
    origin: ChangeOrigin,
    waiting: RefactorWaiting,
  ): Promise<RefactoringResult> {
    const { applier, plans } = this.#parts;
    const plan = await applier.plan(project, proposed.operations, proposed.seen);
    const hint = proposed.conflicts[0]?.hint;
    const conflicts = shownConflicts(project, proposed);
    if (options.preview) {
      const later = proposed.prove !== undefined ? provenLater : proposed.tryOnDisk === true ? checkedLater : undefined;
      const stored = plans.add(project, plan, origin.tool, proposed.summary, async (chosen, by) => {
        const proven = await provenFirst(project, proposed, options);
        const applied = await this.#apply(project, refactorer, chosen, proven, by, {});
        if (proven.tryOnDisk || options.rollbackOnError) await this.#takeBackIfBroken(project, applied, proven, by);
        return applied;
      });
      return {
        success: conflicts.length === 0,
        message: `Preview: ${proposed.summary}. Nothing was changed`,
        planId: stored.id,
        ...(later === undefined ? {} : { verified: 'pending' as const }),
        ...(conflicts.length > 0 ? { conflicts } : {}),
        notes: later === undefined ? proposed.notes : [...proposed.notes, later],
        ...reportChange(project.root, plan),
      };
    }
    // Errors that are known beforehand need not be made first to be taken back.
    const isTakenBack = options.rollbackOnError === true && conflicts.some(({ kind }) => kind === 'error');
    if (conflicts.length > 0 && (!options.force || isTakenBack)) throw conflictError(proposed.summary, conflicts, hint);
    const applied = await this.#apply(project, refactorer, plan, proposed, origin, waiting);
    if (options.rollbackOnError || (proposed.tryOnDisk && !options.force))
      await this.#takeBackIfBroken(project, applied, proposed, origin);
    const report = reportChange(project.root, applied.plan);
    const shown = shownDelta(project, applied.diagnostics);
    const warning =
      shown.appeared.length > 0
        ? hasErrors(shown.appeared)
        : conflicts.length > 0
          ? firstConflict(conflicts)
          : undefined;
    return {
      success: warning === undefined,
      message:
        warning === undefined ? `Done: ${proposed.summary}.` : `${warning}. Done nevertheless: ${proposed.summary}.`,
      ...(conflicts.length > 0 ? { conflicts } : {}),
      historyId: applied.historyId,
      diagnostics: shown,
      notes: proposed.notes,
      ...report,
    };
  }

  async close(project: Project): Promise<void> {
    const running = this.#running.get(project.root);
    this.#running.delete(project.root);
    for (const refactorer of running?.values() ?? []) await refactorer.dispose();
  }

  async dispose(): Promise<void> {
    for (const running of this.#running.values()) for (const refactorer of running.values()) await refactorer.dispose();
    this.#running.clear();
  }

  async #takeBackIfBroken(
    project: Project,
    applied: CheckedChange,
    proposed: Proposal,
    origin: ChangeOrigin,
  ): Promise<void> {
    if (applied.diagnostics.appeared.length === 0) return;
    if (applied.historyId === undefined && applied.inEditors === undefined) return;
    const { applier, history } = this.#parts;
    const undone = { ...origin, summary: `take back ${proposed.summary}` };
    if (applied.historyId !== undefined)
      await undoChanges(applier, history, project, { historyId: applied.historyId }, undone);
    await applied.inEditors?.takeBack();
    const shown = shownDelta(project, applied.diagnostics);
    const fields = { summary: proposed.summary, errors: hasErrors(shown.appeared) };
    throw refuse('takenBack', fields, { data: { diagnostics: shown } });
  }

  /** What could not be looked at after it was made does not stay: the caller is told that it was not done. */
  async #takeBackUnseen(
    project: Project,
    applied: AppliedChange,
    { summary }: Proposal,
    origin: ChangeOrigin,
    { checkBy }: RefactorWaiting,
    error: unknown,
  ): Promise<never> {
    const { applier, history } = this.#parts;
    const undone = { ...origin, summary: `take back ${summary}` };
    if (applied.historyId !== undefined)
      await undoChanges(applier, history, project, { historyId: applied.historyId }, undone);
    await applied.inEditors?.takeBack();
    if (checkBy?.aborted !== true) throw error;
    throw new ToolError(
      'timeout',
      `${summary}: there was not enough time to check it. It was taken back; the files are as before.`,
      { hint: 'Ask again when less is under way.' },
    );
  }

  async #apply(
    project: Project,
    refactorer: LanguageRefactorer,
    plan: ChangePlan,
    proposed: Proposal,
    origin: ChangeOrigin,
    waiting: RefactorWaiting,
  ): Promise<CheckedChange> {
    // What is left out of a plan was going to change for a reason: it is looked at too.
    const planned = proposed.operations.flatMap((one) => (one.kind === 'rename' ? [one.from, one.to] : [one.path]));
    const paths = [...new Set([...plan.transitions.map((one) => one.path), ...planned, ...proposed.dependents])];
    // What was tried out whole need not be checked again, unless part of it is left out.
    const tried = plan.transitions.length === proposed.operations.length ? proposed.tried : undefined;
    const before = tried?.before ?? (await refactorer.problems(paths, waiting));
    waiting.signal?.throwIfAborted();
    const applied = await this.#parts.applier.apply(project, plan, {
      ...origin,
      summary: origin.summary ?? proposed.summary,
    });
    const look = async (): Promise<CheckedProblem[]> => {
      const signal = untilCheckBy(waiting);
      // The time may be up already; whoever listens to the signal only now would wait for ever.
      signal?.throwIfAborted();
      return refactorer.problems(paths, { ...waiting, signal });
    };
    const after =
      tried?.after ??
      (await look().catch((error: unknown) =>
        this.#takeBackUnseen(project, applied, proposed, origin, waiting, error),
      ));
    const diagnostics = compareProblems(before, after, sameTextFor(proposed.renamed));
    const errors = shownDelta(project, diagnostics);
    const notes = errors.appeared.length > 0 ? [hasErrors(errors.appeared)] : [];
    return { ...applied, notes, errors, diagnostics };
  }
}

/** The engines of the other refactorings read the disk: beside text that is not there, what they work out would be wrong. */
function refuseUnsaved(project: Project, extension: string, name: RefactoringName): void {
  if (name === 'rename' && isScriptFile(extension)) return;
  const unsaved = unsavedBelow(project.root).map((path) => displayPath(project.root, path));
  if (unsaved.length === 0) return;
  throw refuse('unsavedChanges', { files: unsaved.slice(0, 5).join(', ') });
}

function untilCheckBy({ signal, checkBy }: RefactorWaiting): AbortSignal | undefined {
  return signal === undefined || checkBy === undefined ? (signal ?? checkBy) : AbortSignal.any([signal, checkBy]);
}

const provenLater = 'Not checked yet: that is done before it is applied, and whatever speaks against it is told then.';
const checkedLater = 'Not checked yet: should errors appear when it is applied, it is taken back.';

/** What a preview was answered without: reasons against the change are told now, and so is that it would be another one. */
async function provenFirst(project: Project, proposed: Proposal, { force }: RefactorOptions): Promise<Proposal> {
  const proven = (await proposed.prove?.({})) ?? proposed;
  if (proven === proposed) return proposed;
  const conflicts = shownConflicts(project, proven);
  if (conflicts.length > 0 && !force) throw conflictError(proven.summary, conflicts, proven.conflicts[0]?.hint);
  if (!isSameChange(proposed, proven)) throw refuse('previewWasNotWhole', { summary: proven.summary });
  return proven;
}

function isSameChange(one: Proposal, other: Proposal): boolean {
  const shown = ({ operations }: Proposal): string[] =>
    operations.map((operation) => JSON.stringify({ ...operation, expectedHash: undefined })).sort();
  return shown(one).join('\n') === shown(other).join('\n');
}

function shownConflicts(project: Project, { conflicts }: Proposal) {
  return conflicts.map(({ hint: _told, ...one }) => ({
    ...one,
    message: one.message.replaceAll(`${project.root}/`, ''),
    ...(one.file === undefined ? {} : { file: displayPath(project.root, one.file) }),
  }));
}

interface CheckedChange extends AppliedChange {
  diagnostics: ProblemDelta;
}

function firstConflict(conflicts: readonly { message: string; file?: string; line?: number }[]): string {
  const [first] = conflicts;
  const where = first?.file === undefined ? '' : ` (${first.file}${first.line === undefined ? '' : `:${first.line}`})`;
  return `${first?.message ?? ''}${where}${conflicts.length > 1 ? `, and ${conflicts.length - 1} more` : ''}`;
}

function conflictError(
  summary: string,
  conflicts: readonly { message: string; file?: string; line?: number }[],
  hint?: Hint,
): ToolError {
  const data = { conflicts: conflicts.slice(0, 20) };
  return refuse(
    'hasConflicts',
    { summary, conflict: firstConflict(conflicts) },
    hint === undefined ? { data } : { data, hint },
  );
}
