import { join } from 'node:path';
import { Emitter } from '../../../base/emitter.ts';
import { randomId } from '../../../base/ids.ts';
import { silentLogger, type Logger } from '../../../base/logger.ts';
import { displayPath } from '../../../base/paths.ts';
import { changeInEditors, splitOffEditors, type EditorPart } from '../buffers/throughEditors.ts';
import type { Project } from '../project.ts';
import { demandAgreement } from './agreement.ts';
import { diskOps, type FileOps } from './fileOps.ts';
import { Journal, type JournalRecord } from './journal.ts';
import { OpenDirectories } from './openDirectories.ts';
import { isEmptyPlan, type ChangeOrigin, type ChangePlan, type FileOperation } from './operations.ts';
import { planChange } from './planner.ts';
import { ProjectLock } from './projectLock.ts';
import { rollBack } from './rollBack.ts';
import type { SeenFiles } from './seenFiles.ts';
import { forgetKept, runTransaction } from './transaction.ts';
import { writeFailed } from './writeFailed.ts';

/** A change that has happened. */
export interface AppliedChange {
  /** Absent when the operations came to nothing and no file was touched. */
  historyId: string | undefined;
  project: Project;
  plan: ChangePlan;
  origin: ChangeOrigin;
  time: Date;
  undoOf?: readonly string[];
  /** What the caller should know besides: errors that appeared, for one. */
  notes?: readonly string[];
  /** Errors that came and went with it, where somebody looked. */
  errors?: ErrorDelta;
  /** The part that editors made, in files they hold unsaved. Local history knows nothing of it: their own undo takes it back. */
  inEditors?: { paths: readonly string[]; takeBack: () => Promise<void> };
}

export interface ErrorDelta {
  appeared: ErrorPlace[];
  vanished: ErrorPlace[];
}

export interface ErrorPlace {
  /** As callers read it. */
  file: string;
  line: number;
  message: string;
}

/** Where changes are remembered. */
export interface ChangeRecorder {
  /** A folder for what a change replaces; undefined when it has no contents. Those it makes are remembered as well. */
  openShelf(project: Project, id: string, contents: ReadonlyMap<string, Buffer>): Promise<string | undefined>;
  /** The change did not happen after all. */
  forgetContents(project: Project, id: string): Promise<void>;
  /** No change is under way: whatever was kept for one that is not recorded is of no use. */
  forgetUnrecorded(project: Project): Promise<void>;
  record(project: Project, change: JournalRecord): Promise<void>;
  has(project: Project, id: string): Promise<boolean>;
}

interface RecoveryReport {
  /** Changes that a killed process had begun; they have been taken back. */
  takenBack: string[];
  /** Changes that had happened and lacked only their last bookkeeping. */
  completed: string[];
  problems: string[];
}

/** The one way by which Sightline changes the files of a project: all of a change or nothing of it, and remembered for undo. */
export class EditApplier {
  /** Fires after each change that touched a file; language servers and watchers are told from here. */
  readonly onApplied: Emitter<AppliedChange>;
  readonly #recorder: ChangeRecorder;
  readonly #ops: FileOps;
  readonly #logger: Logger;
  readonly #locks = new Map<string, ProjectLock>();
  #lastTimeMs = 0;
  readonly #recovered = new Map<string, Promise<RecoveryReport>>();

  constructor(recorder: ChangeRecorder, options: { ops?: FileOps; logger?: Logger } = {}) {
    this.#recorder = recorder;
    this.#ops = options.ops ?? diskOps;
    this.#logger = options.logger ?? silentLogger;
    this.onApplied = new Emitter((error) => this.#logger.error('A listener to applied changes failed.', error));
  }

  /** Works out a change to the byte without making it. Previews show it; `apply` refuses it once a file has changed. */
  async plan(project: Project, operations: readonly FileOperation[], seen?: SeenFiles): Promise<ChangePlan> {
    await this.recover(project);
    return planChange(project.root, operations, seen);
  }

  /** Makes the change, given as operations or as a plan made before. */
  async apply(
    project: Project,
    change: readonly FileOperation[] | ChangePlan,
    origin: ChangeOrigin,
    undoOf?: readonly string[],
  ): Promise<AppliedChange> {
    const applied = await this.#locked(project, async (): Promise<AppliedChange> => {
      const plan = 'transitions' in change ? change : await planChange(project.root, change);
      // Strictly later than the change before, so that history has one order.
      const time = new Date(Math.max(Date.now(), this.#lastTimeMs + 1));
      this.#lastTimeMs = time.getTime();
      const result = { historyId: undefined, project, plan, origin, time, undoOf };
      // An undo of what is already as before is written down all the same: the next one goes on with the change before.
      if (isEmptyPlan(plan) && undoOf === undefined) return result;
      demandAgreement(project.root, plan, origin);
      const part = splitOffEditors(project.root, plan);
      const paths = part.buffers.map(({ buffer }) => buffer.path);
      const takeBack = await changeInEditors(project.root, part);
      if (paths.length > 0) origin.tell?.(madeInEditors(project.root, part.buffers));
      const made = paths.length === 0 ? result : { ...result, inEditors: { paths, takeBack } };
      if (paths.length > 0 && isEmptyPlan(part.onDisk)) return made;
      const id = changeId(time);
      try {
        await runTransaction(part.onDisk, {
          root: project.root,
          id,
          time,
          origin,
          undoOf,
          journal: this.#journal(project),
          ops: this.#ops,
          openShelf: () => this.#recorder.openShelf(project, id, part.onDisk.contents),
          forgetContents: () => this.#recorder.forgetContents(project, id),
          record: (record) => this.#recorder.record(project, record),
          leftOpen: (error) => {
            this.#logger.warn('A change was made; its last bookkeeping is left for the next one.', error);
            this.#recovered.delete(project.root);
          },
        });
      } catch (error) {
        // Should the way back have failed too, the next change begins with another attempt at it.
        this.#recovered.delete(project.root);
        await takeBack();
        throw error;
      }
      return { ...made, historyId: id };
    });
    if (applied.historyId !== undefined || applied.inEditors !== undefined) this.onApplied.fire(applied);
    return applied;
  }

  /** Whatever the system refuses on the way, of the journal or of the lock: nothing was changed, and that is what is said. */
  async #locked<T>(project: Project, work: () => Promise<T>): Promise<T> {
    try {
      await this.recover(project);
      return await this.#lock(project).run(work);
    } catch (error) {
      throw writeFailed(error, project.root, project.stateDir);
    }
  }

  /** Runs `work` while no change of Sightline's own reaches the project. */
  async exclusively<T>(project: Project, work: () => Promise<T>): Promise<T> {
    await this.recover(project);
    return this.#lock(project).run(work);
  }

  /** Takes back what a killed process left half done. Called when a project is opened; every change waits for it. */
  recover(project: Project): Promise<RecoveryReport> {
    let recovery = this.#recovered.get(project.root);
    if (recovery === undefined) {
      recovery = this.#lock(project)
        .run(() => this.#recoverNow(project))
        .catch((error: unknown) => Promise.reject(writeFailed(error, project.root, project.stateDir)));
      this.#recovered.set(project.root, recovery);
      // A recovery that failed is tried again by the next change; until it succeeds there is none.
      recovery.catch(() => this.#recovered.delete(project.root));
    }
    return recovery;
  }

  async #recoverNow(project: Project): Promise<RecoveryReport> {
    const journal = this.#journal(project);
    const pending = await journal.pending();
    const report: RecoveryReport = { takenBack: [], completed: [], problems: [] };
    for (const file of pending.setAside) report.problems.push(`An unreadable edit journal was set aside: ${file}`);
    // The latest is undone first, should there be several.
    for (const { state, record } of pending.open.reverse()) {
      const directories = new OpenDirectories();
      try {
        if (state === 'prepared') {
          report.problems.push(...(await rollBack(record, directories, this.#ops)).map(({ message }) => message));
          await this.#recorder.forgetContents(project, record.id);
          report.takenBack.push(record.id);
        } else {
          if (!(await this.#recorder.has(project, record.id))) await this.#recorder.record(project, record);
          await forgetKept(record, directories, this.#ops);
          report.completed.push(record.id);
        }
        await journal.end(record.id, state);
      } finally {
        directories.closeAll();
      }
    }
    await this.#recorder.forgetUnrecorded(project);
    if (report.takenBack.length + report.completed.length + report.problems.length > 0)
      this.#logger.warn('An interrupted change was found and settled.', report);
    return report;
  }

  #journal(project: Project): Journal {
    return new Journal(join(project.stateDir, 'journal'), this.#ops);
  }

  #lock(project: Project): ProjectLock {
    let lock = this.#locks.get(project.root);
    if (lock === undefined) {
      lock = new ProjectLock(join(project.stateDir, 'edits.lock'));
      this.#locks.set(project.root, lock);
    }
    return lock;
  }
}

function madeInEditors(root: string, buffers: EditorPart['buffers']): string {
  const files = buffers.map(({ buffer }) => `${displayPath(root, buffer.path)} (${buffer.editor.name})`);
  return `Made in the editor, not on disk, since it has unsaved changes: ${files.join(', ')}. The editor's undo takes it back; undo here does not`;
}

/** Sorts by time, so that names of files made from it do too. */
function changeId(time: Date): string {
  return `${time.getTime().toString(36)}${randomId('').slice(1, 9).replace(/[-_]/g, 'x')}`;
}
