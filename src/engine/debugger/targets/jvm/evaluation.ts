import { readFileSync } from 'node:fs';
import { advise, step } from '../../../../base/text/advice.ts';
import { withTimeout } from '../../../../base/cancellation.ts';
import { PeerError, ToolError } from '../../../../base/errors.ts';
import { isObject, type JdwpValue, type ObjectValue } from '../../../../protocol/jdwp/packets.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { Classes } from './classes.ts';
import type { Drawing } from './drawing.ts';
import { Evaluator, ReadOnlyError, type EvaluationScope, type LocalVariable } from './expressions/evaluator.ts';
import { ExpressionError, parseExpression, type Expression } from './expressions/syntax.ts';
import type { Frames } from './frames.ts';
import type { JavaSources } from './sources.ts';

export interface EvaluationPlace {
  threadId: number;
  frameIndex: number;
  readOnly: boolean;
  timeoutMs: number;
  /** What else has a name there: the exception that was thrown. */
  also?: ReadonlyMap<string, ObjectValue>;
}

const noImports = { classes: [], packages: [], statics: [] };

/** Evaluation in the frames of stopped threads. While it runs, what happens in that thread is no stop. */
export class Evaluations {
  /** Threads in which something is being called. */
  readonly calling = new Set<number>();
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #drawing: Drawing;
  readonly #frames: Frames;
  readonly #sources: JavaSources;

  constructor(machine: JdwpMachine, classes: Classes, drawing: Drawing, frames: Frames, sources: JavaSources) {
    this.#machine = machine;
    this.#classes = classes;
    this.#drawing = drawing;
    this.#frames = frames;
    this.#sources = sources;
  }

  evaluate(text: string, place: EvaluationPlace): Promise<JdwpValue> {
    return this.#run(place, [text], async (evaluator, [expression]) =>
      kept(this.#machine, await evaluator.evaluate(given(expression))),
    );
  }

  isTrue(text: string, place: EvaluationPlace): Promise<boolean> {
    return this.#run(place, [text], (evaluator, [expression]) => evaluator.truth(given(expression)));
  }

  assign(path: string, value: string, place: EvaluationPlace): Promise<JdwpValue> {
    return this.#run(place, [path, value], (evaluator, [target, fresh]) =>
      evaluator.assign(given(target), given(fresh)),
    );
  }

  async #run<T>(
    place: EvaluationPlace,
    texts: readonly string[],
    work: (evaluator: Evaluator, expressions: readonly Expression[]) => Promise<T>,
  ): Promise<T> {
    const { threadId, timeoutMs } = place;
    try {
      const expressions = texts.map(parseExpression);
      const scope = await this.#scope(place);
      this.calling.add(threadId);
      const evaluator = new Evaluator(this.#machine, this.#classes, this.#drawing, scope);
      return await withTimeout(work(evaluator, expressions), timeoutMs, () => tooLong(timeoutMs));
    } catch (error) {
      throw asToolError(error);
    } finally {
      this.calling.delete(threadId);
      this.#frames.forget();
    }
  }

  async #scope({ threadId, frameIndex, readOnly, also }: EvaluationPlace): Promise<EvaluationScope> {
    const frame = await this.#frames.at(threadId, frameIndex);
    if (frame === undefined) throw new ToolError('not_paused', 'That frame is gone.');
    const [locals, self, file] = await Promise.all([
      this.#frames.locals(frame),
      this.#frames.self(frame),
      this.#sources.fileOf(frame.location.classId),
    ]);
    return {
      threadId,
      frameId: frame.frameId,
      classId: frame.location.classId,
      locals: namesOf(locals ?? [], also),
      self,
      imports: file === undefined ? noImports : importsOf(file),
      readOnly,
    };
  }
}

function namesOf(
  locals: readonly LocalVariable[],
  also: ReadonlyMap<string, ObjectValue> | undefined,
): Map<string, LocalVariable> {
  const names = new Map<string, LocalVariable>(
    [...(also ?? [])].map(([name, value]) => [name, { name, signature: 'Ljava/lang/Object;', slot: -1, value }]),
  );
  for (const local of locals) names.set(local.name, local);
  return names;
}

/** What the program makes for us must outlive the call that made it. */
async function kept(machine: JdwpMachine, value: JdwpValue): Promise<JdwpValue> {
  if (isObject(value) && value.objectId !== 0) await machine.keep(value.objectId);
  return value;
}

function given(expression: Expression | undefined): Expression {
  if (expression === undefined) throw new ExpressionError('there is no expression');
  return expression;
}

function importsOf(file: string): EvaluationScope['imports'] {
  try {
    const found = [...readFileSync(file, 'utf8').matchAll(/^\s*import\s+(static\s+)?([\w.]+(?:\.\*)?)\s*;/gm)];
    const statics = found.filter(([, isStatic]) => isStatic !== undefined).map(([, , name = '']) => name);
    const plain = found.filter(([, isStatic]) => isStatic === undefined).map(([, , name = '']) => name);
    return {
      statics,
      classes: plain.filter((name) => !name.endsWith('.*')),
      packages: plain.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -2)),
    };
  } catch {
    return noImports;
  }
}

function tooLong(timeoutMs: number): ToolError {
  return new ToolError('evaluation_error', `The evaluation did not end within ${timeoutMs} ms.`, {
    hint: advise`What it called goes on in its thread, which cannot be looked at before that returns; ${step('stopDebugSession')} ends the program.`,
  });
}

function asToolError(error: unknown): unknown {
  if (error instanceof ReadOnlyError) return new ToolError('evaluation_blocked', `${error.message}.`);
  if (error instanceof ExpressionError) return new ToolError('evaluation_error', `${error.message}.`);
  if (error instanceof PeerError) return new ToolError('evaluation_error', error.message, { cause: error });
  return error;
}
