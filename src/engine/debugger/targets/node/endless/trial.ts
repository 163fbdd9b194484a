import type { Node } from 'acorn';
import { isLanguageIntact } from '../purity/builtins.ts';
import { kindsExpression, stateExpression } from './inProgram.ts';
import { LoopAnalysis, type LoopPlan } from './loopAnalysis.ts';
import type { LoopProgram } from './program.ts';
import type { Kind } from './types.ts';

/** Evaluates an expression where the program stands; undefined when that fails, or would change something and must not. */
export type Ask = (expression: string, mustBeHarmless: boolean) => Promise<unknown>;

export interface EndlessLoop {
  why: string;
  /** The loop and the functions that it calls. */
  texts: readonly Node[];
}

/**
 * Watches one loop pass by pass. It is endless when the program stands at the same place of the loop again, in the same call and
 * without having left the loop, and all that decides about its end is as it was.
 */
export class LoopTrial {
  readonly #program: LoopProgram;
  readonly #loop: Node;
  readonly #seen: string[] = [];
  #anchor: number | undefined;
  #plan: LoopPlan | undefined;
  #isHopeless = false;

  constructor(program: LoopProgram, loop: Node) {
    this.#program = program;
    this.#loop = loop;
  }

  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** The program stands at a statement of the loop. Says why the loop is endless, once that is known. */
  async visit(ask: Ask, offset: number): Promise<EndlessLoop | undefined> {
    if (this.#isHopeless || (this.#anchor !== undefined && this.#anchor !== offset)) return undefined;
    if (this.#plan === undefined && !(await this.#prepare(ask, offset))) return undefined;
    const plan = this.#plan;
    const state = plan === undefined ? undefined : await this.#stateOf(ask, plan);
    if (plan === undefined || state === undefined) {
      this.#isHopeless = true;
      return undefined;
    }
    const before = this.#seen.indexOf(state);
    this.#seen.push(state);
    return before < 0 ? undefined : { why: reason(plan, this.#seen.length - 1 - before), texts: plan.texts };
  }

  /** False when the variables cannot be seen from here; another place of the loop may do. */
  async #prepare(ask: Ask, offset: number): Promise<boolean> {
    const analysis = new LoopAnalysis(this.#program, this.#loop, offset);
    const names = analysis.names();
    if (names === undefined) {
      this.#isHopeless = true;
      return true;
    }
    // Written by our own code in the program, see inProgram.ts.
    const kinds = (await this.#json(ask, kindsExpression(names))) as Kind[] | undefined;
    if (kinds === undefined) return false;
    const kindOf = new Map(names.map((name, index) => [name, kinds[index] ?? { mask: 0, elements: 0 }]));
    this.#anchor = offset;
    this.#plan = await this.#stayingPlan(ask, (moving) => analysis.plan(kindOf, moving));
    if (this.#plan !== undefined && !(await this.#isHarmless(ask, this.#plan))) this.#plan = undefined;
    return true;
  }

  /** A plan whose conditions really stay what they are. */
  async #stayingPlan(
    ask: Ask,
    planFor: (moving: ReadonlySet<string>) => LoopPlan | undefined,
  ): Promise<LoopPlan | undefined> {
    const moving = new Set<string>();
    for (;;) {
      const plan = planFor(moving);
      if (plan === undefined) return undefined;
      const before = moving.size;
      for (const { check, text } of plan.staying) if ((await ask(check, true)) !== true) moving.add(text);
      if (moving.size === before) return plan;
    }
  }

  /** Whether the objects it works on are plain data and the language is what it always was. */
  async #isHarmless(ask: Ask, plan: LoopPlan): Promise<boolean> {
    if ((await ask(isLanguageIntact, false)) !== true) return false;
    if (plan.plain.length === 0) return true;
    const state = await this.#state(ask, plan.plain);
    return state !== undefined && !plan.methods.some((name) => state.methods.includes(name));
  }

  async #stateOf(ask: Ask, plan: LoopPlan): Promise<string | undefined> {
    return plan.state.length === 0 ? '' : (await this.#state(ask, plan.state))?.text;
  }

  async #state(ask: Ask, names: readonly string[]): Promise<{ text: string; methods: string[] } | undefined> {
    const state = await this.#json(ask, stateExpression(names));
    // Written by our own code in the program, see inProgram.ts.
    return (state ?? undefined) as { text: string; methods: string[] } | undefined;
  }

  async #json(ask: Ask, expression: string): Promise<unknown> {
    const text = await ask(expression, false);
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  }
}

function reason({ state, staying }: LoopPlan, passes: number): string {
  const [stays] = staying;
  if (state.length > 0) {
    const names = `${state.slice(0, 4).join(', ')}${state.length > 4 ? ', …' : ''}`;
    const what =
      state.length === 1
        ? `${names}, which alone decides about its end, is`
        : `all that decides about its end (${names}) is`;
    return passes === 1
      ? `a whole pass changes nothing that decides about its end (${names})`
      : `after ${passes} passes ${what} as before`;
  }
  if (stays === undefined) return 'nothing in it can end it';
  return `${stays.name} only goes ${stays.direction}, so ${stays.text} never changes`;
}
