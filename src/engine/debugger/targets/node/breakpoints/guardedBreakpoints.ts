import { isMet } from '../../../breakpoints/hitCondition.ts';
import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';
import { parseLogMessage } from '../../../breakpoints/logMessage.ts';
import type { FunctionBreakpointSpec, LineBreakpointSpec } from '../../../model.ts';
import { isGuarded, type ConditionCounters } from './conditions.ts';

type Spec = LineBreakpointSpec | FunctionBreakpointSpec;
type CallFrame = Protocol.Debugger.CallFrame;

interface GuardedScene {
  session: CdpSession;
  /** The expression in the names of the compiled code. */
  compiled(expression: string, at: Protocol.Debugger.Location): Promise<string>;
  onLog(breakpointId: string, text: string): void;
}

const timeoutMs = 1000;
const maxTextChars = 1000;

/**
 * Conditions and log messages where evaluation is read-only. V8 guards what a debugger evaluates in a frame, not the conditions it
 * evaluates by itself; so the program stops at each pass, is asked under the guard, and goes on. That is slower, and nothing gets through.
 */
export class GuardedBreakpoints {
  readonly counts: Record<string, ConditionCounters> = {};
  readonly #scene: GuardedScene;
  readonly #specs = new Map<string, Spec>();

  constructor(scene: GuardedScene) {
    this.#scene = scene;
  }

  know(specs: readonly Spec[]): void {
    for (const spec of specs) {
      if (isGuarded(spec)) this.#specs.set(spec.id, spec);
      else this.#specs.delete(spec.id);
    }
  }

  /** Of the breakpoints that were reached, those that stop the program. */
  async admit(ids: readonly string[], frame: CallFrame | undefined): Promise<string[]> {
    const admitted: string[] = [];
    for (const id of ids) {
      const spec = this.#specs.get(id);
      if (spec === undefined || frame === undefined || (await this.#stops(spec, frame))) admitted.push(id);
    }
    return admitted;
  }

  async #stops(spec: Spec, frame: CallFrame): Promise<boolean> {
    const count = (this.counts[spec.id] ??= { hits: 0, conditionFalse: 0, conditionErrors: 0 });
    if (spec.condition !== undefined) {
      const { value, error } = await this.#ask(`!!(${await this.#compiled(spec.condition, frame)}\n)`, frame);
      if (error !== undefined) {
        count.conditionErrors++;
        count.lastError = error;
        return false;
      }
      if (value?.value !== true) {
        count.conditionFalse++;
        return false;
      }
    }
    count.hits++;
    if (spec.hitCondition !== undefined && !isMet(spec.hitCondition, count.hits)) return false;
    if (spec.logMessage === undefined) return spec.suspendPolicy !== 'none';
    this.#scene.onLog(spec.id, await this.#message(spec.logMessage, frame));
    return false;
  }

  async #message(message: string, frame: CallFrame): Promise<string> {
    const parts: string[] = [];
    for (const piece of parseLogMessage(message)) {
      if (typeof piece === 'string') parts.push(piece);
      else {
        const { value, error } = await this.#ask(`(${await this.#compiled(piece.expression, frame)}\n)`, frame);
        parts.push(value === undefined ? `{${error ?? ''}}` : textOf(value).slice(0, maxTextChars));
      }
    }
    return parts.join('');
  }

  #compiled(expression: string, frame: CallFrame): Promise<string> {
    return this.#scene.compiled(expression, frame.location);
  }

  async #ask(
    expression: string,
    { callFrameId }: CallFrame,
  ): Promise<{ value?: Protocol.Runtime.RemoteObject; error?: string }> {
    const { result, exceptionDetails } = await this.#scene.session.send('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression,
      silent: true,
      throwOnSideEffect: true,
      generatePreview: true,
      timeout: timeoutMs,
    });
    if (exceptionDetails === undefined) return { value: result };
    const text = exceptionDetails.exception?.description ?? exceptionDetails.text;
    return { error: (text.split('\n')[0] ?? text).slice(0, 200) };
  }
}

/** As far as V8 shows it without running any of the program's code. */
function textOf(value: Protocol.Runtime.RemoteObject): string {
  if (value.type === 'string') return String(value.value);
  const { preview } = value;
  if (preview === undefined || value.subtype === 'error')
    return value.unserializableValue ?? value.description ?? String(value.value);
  const isList = value.subtype === 'array';
  const parts = preview.properties.map(({ name, value: shown, type }) => {
    const text = type === 'string' ? JSON.stringify(shown) : (shown ?? type);
    return isList ? text : `${name}: ${text}`;
  });
  if (preview.overflow) parts.push('…');
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}
