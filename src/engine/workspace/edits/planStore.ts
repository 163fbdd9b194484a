import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import type { AppliedChange, EditApplier } from './applier.ts';
import type { ChangeOrigin, ChangePlan } from './operations.ts';

/** How a plan is carried out: plainly by the applier, or with what the engine that made it does around it. */
export type PlanRunner<Result> = (plan: ChangePlan, origin: ChangeOrigin) => Promise<Result>;

export interface StoredPlan {
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
    const applied = await stored.run(withoutPaths(stored.plan, exclude), { ...origin, summary: stored.summary });
    this.#plans.delete(stored.id);
    return applied;
  }
}

function withoutPaths(plan: ChangePlan, exclude: readonly string[]): ChangePlan {
  if (exclude.length === 0) return plan;
  const moveEnds = new Map(plan.moves.flatMap(({ from, to }) => [[from, to] as const, [to, from] as const]));
  const isExcluded = (path: string): boolean => {
    const other = moveEnds.get(path);
    return exclude.some((one) => isInside(one, path) || (other !== undefined && isInside(one, other)));
  };
  const transitions = plan.transitions.filter((one) => !isExcluded(one.path));
  if (transitions.length === plan.transitions.length)
    throw new ToolError('invalid_arguments', 'None of the excluded paths is part of this plan.', {
      data: { files: plan.transitions.map((one) => one.path) },
    });
  return {
    ...plan,
    transitions,
    moves: plan.moves.filter((move) => !isExcluded(move.from)),
    changesCount: transitions.length,
  };
}
