import { PeerError } from '../../../../base/errors.ts';
import { isObject, type ObjectValue } from '../../../../protocol/jdwp/packets.ts';
import type { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { ExceptionInfo, RelatedException, SourceLocation, ValueLimits } from '../../model.ts';
import type { Classes } from './classes.ts';
import type { Drawing } from './drawing.ts';
import { shortName, valueLabel } from './names.ts';
import { isNull } from './shapes.ts';
import { isPlatform } from './sources.ts';

const maxCauses = 5;

interface ThrownFacts {
  exception: ObjectValue;
  threadId: number;
  uncaught: boolean;
}

/** Finds the place of a frame of a printed stack in the user's own code. */
type PlaceOfElement = (className: string, fileName: string) => Promise<string | undefined>;

/** Tells an exception: its class, message, causes, and where those came from. */
export class ExceptionViews {
  readonly #machine: JdwpMachine;
  readonly #classes: Classes;
  readonly #drawing: Drawing;
  readonly #ownFile: PlaceOfElement;

  constructor(machine: JdwpMachine, classes: Classes, drawing: Drawing, ownFile: PlaceOfElement) {
    this.#machine = machine;
    this.#classes = classes;
    this.#drawing = drawing;
    this.#ownFile = ownFile;
  }

  async info({ exception, threadId, uncaught }: ThrownFacts, limits: ValueLimits): Promise<ExceptionInfo> {
    const { name } = await this.#drawing.type(exception);
    return {
      type: valueLabel(name),
      message: await this.#message(exception, threadId),
      uncaught,
      details: [],
      value: await this.#drawing.variable('exception', exception, limits),
      related: await this.#causes(exception, threadId),
    };
  }

  /** The platform works out some messages only when asked (a null pointer's); a user's own method is not run for it. */
  async #message(exception: ObjectValue, threadId: number): Promise<string> {
    const held = await this.#drawing.shapes.text(await this.#drawing.shapes.field(exception, 'detailMessage'));
    if (held !== '') return held;
    const answer = await this.#call(exception, threadId, 'getMessage');
    return answer === undefined ? '' : this.#drawing.shapes.text(answer);
  }

  async #causes(exception: ObjectValue, threadId: number): Promise<RelatedException[]> {
    const found: RelatedException[] = [];
    const seen = new Set([exception.objectId]);
    let current = exception;
    for (let depth = 0; depth < maxCauses; depth++) {
      const cause = await this.#drawing.shapes.field(current, 'cause');
      if (cause === undefined || !isObject(cause) || isNull(cause) || seen.has(cause.objectId)) break;
      seen.add(cause.objectId);
      const { name } = await this.#drawing.type(cause);
      const thrown = await this.#thrownIn(cause, threadId);
      found.push({
        relation: 'cause',
        type: valueLabel(name),
        message: await this.#message(cause, threadId),
        depth,
        ...thrown,
      });
      current = cause;
    }
    return found;
  }

  /** The first frame of its stack that is the user's own. */
  async #thrownIn(
    exception: ObjectValue,
    threadId: number,
  ): Promise<{ location?: SourceLocation; functionName?: string }> {
    const array = await this.#call(exception, threadId, 'getStackTrace');
    if (array === undefined || !isObject(array) || isNull(array)) return {};
    const count = Math.min(await this.#machine.arrayLength(array.objectId), 30);
    for (const element of count === 0 ? [] : await this.#machine.arrayValues(array.objectId, 0, count)) {
      const { shapes } = this.#drawing;
      const [owner, method, file] = await Promise.all(
        ['declaringClass', 'methodName', 'fileName'].map(async (name) =>
          shapes.text(await shapes.field(element, name)),
        ),
      );
      if (owner === undefined || file === undefined || isPlatform(owner)) continue;
      const path = await this.#ownFile(owner, file);
      const line = await shapes.field(element, 'lineNumber');
      if (path !== undefined && line !== undefined && !isObject(line))
        return {
          location: { file: path, line: Number(line.value) },
          functionName: `${shortName(owner)}.${method ?? ''}`,
        };
    }
    return {};
  }

  async #call(object: ObjectValue, threadId: number, name: string): Promise<ObjectValue | undefined> {
    const { classId } = await this.#machine.classOf(object.objectId);
    for (const owner of await this.#classes.ancestry(classId)) {
      const method = (await this.#classes.methods(owner)).find(
        (each) => each.name === name && each.signature.startsWith('()'),
      );
      if (method === undefined) continue;
      if (!isPlatform(await this.#classes.nameOf(owner))) return undefined;
      try {
        const { value, exception } = await this.#machine.invoke(object.objectId, threadId, owner, method.methodId, []);
        return exception.objectId === 0 && isObject(value) ? value : undefined;
      } catch (error) {
        if (error instanceof PeerError) return undefined;
        throw error;
      }
    }
    return undefined;
  }
}
