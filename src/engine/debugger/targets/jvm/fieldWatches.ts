import { eventKinds, suspendPolicies } from '../../../../protocol/jdwp/events.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import { isObject, type JdwpValue } from '../../../../protocol/jdwp/packets.ts';
import type { BreakpointBinding, DataBreakpointSpec } from '../../model.ts';
import type { Classes } from './classes.ts';
import type { EvaluationPlace } from './evaluation.ts';

/** Fields of single objects that are watched. The machine watches nothing else: local variables and elements are not its to tell. */
export class FieldWatches {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #evaluate: (expression: string, place: EvaluationPlace) => Promise<JdwpValue>;
  readonly #requests = new Map<number, DataBreakpointSpec>();

  constructor(
    machine: JdwpMachine,
    classes: Classes,
    evaluate: (expression: string, place: EvaluationPlace) => Promise<JdwpValue>,
  ) {
    this.#machine = machine;
    this.#classes = classes;
    this.#evaluate = evaluate;
  }

  /** `order.total`, or `total` for that of `this`. */
  async set(spec: DataBreakpointSpec, place: EvaluationPlace, locals: readonly string[]): Promise<BreakpointBinding> {
    const refused = (message: string) => ({ breakpointId: spec.id, verified: false, message });
    const text = spec.expression.trim();
    if (locals.includes(text))
      return refused(`${text} is a local variable; a Java virtual machine watches fields only`);
    const [, owner = 'this', name] = /^(?:(.+)\.)?([\w$]+)$/.exec(text) ?? [];
    if (name === undefined) return refused('a Java virtual machine watches fields only');
    const object = await this.#evaluate(owner, { ...place, readOnly: true });
    if (!isObject(object) || object.objectId === 0) return refused(`${owner} is no object`);
    const { classId } = await this.#machine.classOf(object.objectId);
    const field = (await this.#classes.instanceFields(classId)).findLast((each) => each.name === name);
    if (field === undefined) return refused(`${owner} has no field ${name} of its own`);
    const id = await this.#machine.setEvent(eventKinds.fieldModification, suspendPolicies.thread, [
      { kind: 'field', classId: field.classId, fieldId: field.fieldId },
      { kind: 'instance', objectId: object.objectId },
    ]);
    this.#requests.set(id, spec);
    return { breakpointId: spec.id, verified: true };
  }

  async clear(id: string): Promise<void> {
    for (const [request, spec] of this.#requests) {
      if (spec.id !== id) continue;
      this.#requests.delete(request);
      await this.#machine.clearEvent(eventKinds.fieldModification, request);
    }
  }

  of(requestId: number): DataBreakpointSpec | undefined {
    return this.#requests.get(requestId);
  }
}
