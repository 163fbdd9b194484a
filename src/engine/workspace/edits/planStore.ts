import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import type { AppliedChange, EditApplier } from './applier.ts';
import type { ChangeOrigin, ChangePlan, Move } from './operations.ts';

/** How a plan is carried out: plainly by the applier, or with what the engine that made it does around it. */
type PlanRunner<Result> = (plan: ChangePlan, origin: ChangeOrigin) => Promise<Result>;

interface StoredPlan {
  id: string;
  project: Project;
  plan: ChangePlan;
  /** The tool that made it. */
  tool: string;
  summary: string;
  run: PlanRunner<AppliedChange>;
  createdMs: number;
}

const maxPlans = 100;
/** Of the contents that the plans hold together; the newest plan is kept however large it is. */
const maxBytes = 48 * 1024 * 1024;
const maxAgeMs = 60 * 60 * 1000;

/** Previews waiting to be carried out. They live in memory: a plan does not outlast the process that made it. */
export class PlanStore {
  readonly #plans = new Map<string, StoredPlan>();
  readonly #applier: EditApplier;

  constructor(applier: EditApplier) {
    this.#applier = applier;
  }

  add(project: Project, plan: ChangePlan, tool: string, summary: string, run?: PlanRunner<AppliedChange>): StoredPlan {
    const stored: StoredPlan = {
      id: randomId('plan'),
      project,
      plan,
      tool,
      summary,
      run: run ?? ((chosen, origin) => this.#applier.apply(project, chosen, origin)),
      createdMs: Date.now(),
    };
    this.#plans.set(stored.id, stored);
    this.#dropOld();
    return stored;
  }

  #dropOld(): void {
    let bytes = 0;
    let count = 0;
    for (const [id, { plan, createdMs }] of [...this.#plans].reverse()) {
      for (const content of plan.contents.values()) bytes += content.length;
      count++;
      const isTooMuch = count > maxPlans || (count > 1 && bytes > maxBytes);
      if (isTooMuch || Date.now() - createdMs > maxAgeMs) this.#plans.delete(id);
    }
  }

  get(project: Project, id: string): StoredPlan {
    const stored = this.#plans.get(id);
    if (stored !== undefined && stored.project.root === project.root) return stored;
    throw new ToolError('plan_not_found', `There is no plan ${id} for ${project.name}.`, {
      hint: 'Plans last an hour, until Sightline restarts or many newer ones take their room; make the preview again.',
    });
  }

  /** Carries a plan out, except for what it does to the excluded paths (and what lies below them). A plan is used once. */
  async apply(stored: StoredPlan, origin: ChangeOrigin, exclude: readonly string[] = []): Promise<AppliedChange> {
    const chosen = withoutPaths(stored.plan, exclude, stored.project.root);
    const left = exclude.map((path) => displayPath(stored.project.root, path)).join(', ');
    const summary = exclude.length === 0 ? stored.summary : `${stored.summary}, without ${left}`;
    try {
      const applied = await stored.run(chosen, { ...origin, summary });
      this.#plans.delete(stored.id);
      return { ...applied, origin: { ...applied.origin, summary } };
    } catch (error) {
      if (!(error instanceof ToolError && error.code === 'file_changed')) throw error;
      throw new ToolError(error.code, error.message, {
        cause: error,
        data: error.data,
        hint: 'Make the preview again, or exclude the file.',
      });
    }
  }
}

function withoutPaths(plan: ChangePlan, exclude: readonly string[], root: string): ChangePlan {
  if (exclude.length === 0) return plan;
  // Half of a move would lose the file or make a second one of it.
  const moves = [...plan.moves, ...plan.editedMoves];
  const otherEnd = new Map(moves.flatMap(({ from, to }) => [[from, to] as const, [to, from] as const]));
  const isBelow = (one: string, path: string): boolean =>
    isInside(one, path) || isInside(one, otherEnd.get(path) ?? '/');
  const strange = exclude.filter((one) => !plan.transitions.some(({ path }) => isBelow(one, path)));
  if (strange.length > 0)
    throw new ToolError(
      'invalid_arguments',
      `${strange.map((one) => displayPath(root, one)).join(', ')} is no part of this plan. Nothing was changed.`,
      { data: { files: plan.transitions.map((one) => displayPath(root, one.path)).slice(0, maxFilesTold) } },
    );
  const isExcluded = (path: string): boolean => exclude.some((one) => isBelow(one, path));
  const transitions = plan.transitions.filter((one) => !isExcluded(one.path));
  if (transitions.length === 0)
    throw new ToolError('invalid_arguments', 'All files of this plan are excluded. Nothing was changed.', {
      hint: 'A plan that is not wanted needs no call: it lapses by itself.',
    });
  const isKept = ({ from }: Move): boolean => !isExcluded(from);
  return {
    ...plan,
    transitions,
    moves: plan.moves.filter(isKept),
    editedMoves: plan.editedMoves.filter(isKept),
    addedDirectories: plan.addedDirectories.filter((one) => !exclude.some((path) => isInside(path, one))),
    changesCount: transitions.length,
  };
}

const maxFilesTold = 50;
