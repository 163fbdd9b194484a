import { isMet } from '../../breakpoints/hitCondition.ts';
import { errorMessage } from '../../../../base/errors.ts';
import type { JdwpEvent } from '../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import { parseLogMessage } from '../../breakpoints/logMessage.ts';
import { defaultValueLimits } from '../../model.ts';
import type { CodeBreakpoint, JvmBreakpoints, Placed } from './breakpoints.ts';
import type { Drawing } from './drawing.ts';
import type { EvaluationPlace, Evaluations } from './evaluation.ts';
import type { FieldWatches } from './fieldWatches.ts';

/** How long a condition may take: the program waits for it. */
export const conditionMs = 5000;

type FieldEvent = Extract<JdwpEvent, { kind: 'fieldAccess' | 'fieldModification' }>;

interface HitParts {
  machine: JdwpMachine;
  drawing: Drawing;
  evaluations: Evaluations;
  breakpoints: JvmBreakpoints;
}

/** Whether a breakpoint that was reached is a stop: its condition, its count, whether it only speaks, whether anything has changed. */
export class Hits {
  readonly #parts: HitParts;
  readonly #fields: FieldWatches;
  readonly #tellLog: (text: string, breakpointId: string) => void;

  constructor(parts: HitParts, fields: FieldWatches, tellLog: (text: string, breakpointId: string) => void) {
    this.#parts = parts;
    this.#fields = fields;
    this.#tellLog = tellLog;
  }

  async judge(
    event: Extract<JdwpEvent, { requestId: number; threadId: number }>,
    threadId: number,
  ): Promise<{ placed: Placed; change?: string } | undefined> {
    const placed = this.#parts.breakpoints.placed(event.requestId) ?? this.#watched(event.requestId);
    if (placed === undefined) return undefined;
    const change = event.kind === 'fieldModification' ? await this.#change(event) : undefined;
    // Written with what it was: nothing has changed.
    if (placed.isWatched === true && change?.isChange === false) return undefined;
    if (!(await this.#holds(placed.spec, threadId))) return undefined;
    return { placed, ...(change === undefined ? {} : { change: `${placed.field?.name ?? ''} ${change.text}` }) };
  }

  #watched(requestId: number): Placed | undefined {
    const spec = this.#fields.of(requestId);
    return spec === undefined ? undefined : { spec, field: { name: spec.expression }, isWatched: true };
  }

  async #change(event: FieldEvent): Promise<{ text: string; isChange: boolean }> {
    const [before] =
      event.object.objectId === 0
        ? await this.#parts.machine.staticValues(event.classId, [event.fieldId])
        : await this.#parts.machine.values(event.object.objectId, [event.fieldId]);
    const show = async (value: typeof before) =>
      value === undefined ? '?' : this.#parts.drawing.text(value, { ...defaultValueLimits, maxValueChars: 80 });
    const isChange = JSON.stringify(before, asText) !== JSON.stringify(event.value, asText);
    return { text: `changes from ${await show(before)} to ${await show(event.value)}`, isChange };
  }

  /** Whether a breakpoint that was reached is a stop: its condition, its count, and whether it only speaks. */
  async #holds(spec: CodeBreakpoint, threadId: number): Promise<boolean> {
    const counts = this.#parts.breakpoints.statisticsOf(spec.id);
    const place = { threadId, frameIndex: 0, readOnly: spec.readOnly === true, timeoutMs: conditionMs };
    if (spec.condition !== undefined) {
      try {
        if (!(await this.#parts.evaluations.isTrue(spec.condition, place))) {
          counts.conditionFalse++;
          return false;
        }
      } catch (error) {
        counts.conditionErrors++;
        counts.lastConditionError = errorMessage(error).slice(0, 200);
        return false;
      }
    }
    counts.hits++;
    if (spec.hitCondition !== undefined && !isMet(spec.hitCondition, counts.hits)) return false;
    if (spec.logMessage === undefined) return true;
    const text = (await this.#logText(spec.logMessage, place)).slice(0, 4000);
    this.#tellLog(`${text}\n`, spec.id);
    return false;
  }

  async #logText(message: string, place: EvaluationPlace): Promise<string> {
    const parts: string[] = [];
    for (const part of parseLogMessage(message)) {
      if (typeof part === 'string') parts.push(part);
      else
        try {
          const value = await this.#parts.evaluations.evaluate(part.expression, place);
          const isText = 'objectId' in value && value.tag === 's' && value.objectId !== 0;
          parts.push(
            isText
              ? await this.#parts.machine.stringValue(value.objectId)
              : await this.#parts.drawing.text(value, defaultValueLimits),
          );
        } catch (error) {
          parts.push(`<${errorMessage(error)}>`);
        }
    }
    return parts.join('');
  }
}

/** Long numbers have no JSON of their own. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
