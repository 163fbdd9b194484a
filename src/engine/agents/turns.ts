import { displayPath } from '../../base/paths.ts';
import { ToolError } from '../../base/errors.ts';
import type { EditApplier } from '../workspace/edits/applier.ts';
import type { ChangeOrigin } from '../workspace/edits/operations.ts';
import type { ChangeRecord } from '../workspace/localHistory/changeLog.ts';
import type { LocalHistory } from '../workspace/localHistory/localHistory.ts';
import { undoChanges } from '../workspace/localHistory/undo.ts';
import type { RecordedRun, WorkingTree } from '../workspace/localHistory/workingTree.ts';
import type { Project } from '../workspace/project.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { Turn, TurnChange } from './model.ts';

export interface Checkpoints {
  edits: EditApplier;
  localHistory: LocalHistory;
  workingTree: WorkingTree;
}

export interface TurnOutcome {
  stopReason: string;
  error?: string;
}

/** Who may have changed the files. */
export interface TurnActors {
  /** The connections over which the agent used our tools. */
  clients: readonly string[];
  /** Files that tool calls of this turn name as changed. */
  own: ReadonlySet<string>;
  /** Other agents that are at work in the project, with the files that they name. */
  others: readonly { title: string; paths: ReadonlySet<string> }[];
}

const maxTurns = 500;
const maxFiles = 50;

/** The turns of a thread with what each changed, by the agent's own hands and by our tools. Any turn can be taken back. */
export class Turns {
  readonly #project: Project;
  readonly #origin: Omit<ChangeOrigin, 'summary'>;
  readonly #checkpoints: Checkpoints;
  readonly #turns: Turn[] = [];
  #end: (() => Promise<RecordedRun>) | undefined;
  /** Whether another agent at work names a file as changed and this one does not. */
  #isOthers: (path: string) => boolean = () => false;
  #count = 0;

  constructor(project: Project, origin: Omit<ChangeOrigin, 'summary'>, checkpoints: Checkpoints) {
    this.#project = project;
    this.#origin = origin;
    this.#checkpoints = checkpoints;
  }

  get all(): Turn[] {
    return [...this.#turns];
  }

  get current(): number {
    return this.#count;
  }

  /** Resolves when the state before the turn is known. */
  async begin(prompt: string): Promise<void> {
    this.#count += 1;
    const number = this.#count;
    this.#turns.push({ number, prompt: clip(prompt, 300), startedAt: new Date().toISOString(), changes: [] });
    if (this.#turns.length > maxTurns) this.#turns.shift();
    const summary = `turn ${number} of ${this.#origin.clientName ?? 'an agent'}: ${clip(prompt, 60).replaceAll(/\s+/g, ' ')}`;
    const isOthers = (path: string) => this.#isOthers(path);
    this.#end = await this.#checkpoints.workingTree.begin(this.#project, { ...this.#origin, summary }, isOthers);
  }

  async end({ stopReason, error }: TurnOutcome, { clients, own, others }: TurnActors): Promise<void> {
    const turn = this.#turns.at(-1);
    const end = this.#end;
    this.#end = undefined;
    if (turn === undefined || end === undefined) return;
    const named = new Set(others.flatMap((each) => [...each.paths]));
    this.#isOthers = (path) => named.has(path) && !own.has(path);
    const { change, problem } = await end();
    const unnamed = change?.transitions.some(({ path }) => !own.has(path)) === true;
    const doubt = unnamed && others.length > 0 ? doubtful(others.map(({ title }) => title)) : problem;
    const since = new Date(turn.startedAt);
    const made = await Promise.all(
      clients.map((client) => this.#checkpoints.localHistory.list(this.#project, { client, since })),
    );
    const changes = [...made.flat(), ...(change === undefined ? [] : [change])].map((each) => this.#described(each));
    this.#replace({
      ...turn,
      endedAt: new Date().toISOString(),
      stopReason,
      changes,
      ...(error === undefined ? {} : { error }),
      ...(doubt === undefined ? {} : { problem: doubt }),
    });
  }

  /** Takes back what a turn changed; changes of it that are taken back already are left out. */
  async revert(number: number, historyId?: string): Promise<string[]> {
    const turn = this.#turns.find((each) => each.number === number);
    if (turn === undefined) throw new ToolError('invalid_arguments', `There is no turn ${number}.`);
    if (turn.endedAt === undefined) throw new ToolError('invalid_arguments', `Turn ${number} has not ended yet.`);
    const wanted = turn.changes.filter(
      (change) => !change.undone && (historyId === undefined || change.historyId === historyId),
    );
    if (wanted.length === 0)
      throw new ToolError('history_not_found', `Nothing of turn ${number} is left to take back.`);
    const { edits, localHistory } = this.#checkpoints;
    const { applied } = await undoChanges(
      edits,
      localHistory,
      this.#project,
      { historyIds: wanted.map((change) => change.historyId) },
      // A person does it, who sees what it is.
      { tool: 'undo', clientName: 'a person', agreedTo: 'everything', summary: `revert of turn ${number}` },
    );
    this.#replace({ ...turn, changes: await this.#marked(turn.changes) });
    return applied.plan.transitions.map(({ path }) => displayPath(this.#project.root, path));
  }

  async #marked(changes: readonly TurnChange[]): Promise<TurnChange[]> {
    const undone = await this.#checkpoints.localHistory.undoneIds(this.#project);
    return changes.map((change) => ({ ...change, undone: undone.has(change.historyId) }));
  }

  #described(change: ChangeRecord): TurnChange {
    const files = change.transitions.map(({ path }) => displayPath(this.#project.root, path));
    return {
      historyId: change.id,
      files: files.slice(0, maxFiles),
      filesCount: files.length,
      observed: change.observed === true,
      undone: false,
    };
  }

  #replace(turn: Turn): void {
    const at = this.#turns.findIndex((each) => each.number === turn.number);
    if (at !== -1) this.#turns[at] = turn;
  }
}

/** Files that no tool call names: a command of either may have written them. */
function doubtful(others: readonly string[]): string {
  return `${others.join(' and ')} worked here at the same time: changes that no tool call names may be of either.`;
}
