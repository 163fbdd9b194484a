import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type RemoteObject = Protocol.Runtime.RemoteObject;

const objectGroup = 'sightline-thrown';

/** Asks V8 about what was thrown, while the program stands where it happened. */
export class ThrownValues {
  readonly #session: CdpSession;
  #last: { text: string; place: string; objectId?: string } | undefined;

  constructor(session: CdpSession) {
    this.#session = session;
  }

  /** The names of its class and of those above, and what it calls itself. */
  async classesOf(thrown: RemoteObject): Promise<string[]> {
    if (thrown.objectId === undefined) return [thrown.type];
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: thrown.objectId,
      functionDeclaration: classNames,
      returnByValue: true,
      silent: true,
    });
    const names: unknown = answer.result.value;
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  /** Whether the condition holds for it; it is `error` there, beside the variables of the frame. Throws the program's own words. */
  async satisfies(
    thrown: RemoteObject,
    condition: string,
    callFrameId: string,
    throwOnSideEffect: boolean,
  ): Promise<boolean> {
    const made = await this.#session.send('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression: `((error, exception) => (${condition}\n))`,
      objectGroup,
      silent: true,
      throwOnSideEffect,
    });
    failIfThrown(made.exceptionDetails);
    const argument = asArgument(thrown);
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: made.result.objectId ?? '',
      functionDeclaration: 'function(error) { return !!this(error, error) }',
      arguments: [argument],
      returnByValue: true,
      silent: true,
      throwOnSideEffect,
    });
    failIfThrown(answer.exceptionDetails);
    return answer.result.value === true;
  }

  /** Whether it is what was thrown last time, on its way out through those that catch and throw again. */
  async isSameAsLast(thrown: RemoteObject, place: string): Promise<boolean> {
    const text = thrown.description ?? String(thrown.value);
    const last = this.#last;
    if (last?.text === text && (last.objectId === undefined) === (thrown.objectId === undefined)) {
      // A primitive has no identity: at the same place it is thrown anew, elsewhere it is passed on.
      if (thrown.objectId === undefined) {
        if (last.place !== place) return true;
      } else if (await this.#isSame(thrown.objectId, last.objectId ?? '')) return true;
    }
    await this.#session.send('Runtime.releaseObjectGroup', { objectGroup });
    const kept = thrown.objectId === undefined ? undefined : await this.#keep(thrown.objectId);
    this.#last = { text, place, objectId: kept };
    return false;
  }

  async #isSame(objectId: string, other: string): Promise<boolean> {
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function(other) { return this === other }',
      arguments: [{ objectId: other }],
      returnByValue: true,
    });
    return answer.result.value === true;
  }

  /** V8 forgets the ids of a pause when the program runs on. */
  async #keep(objectId: string): Promise<string | undefined> {
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function() { return this }',
      objectGroup,
    });
    return answer.result.objectId;
  }
}

const classNames = `function() {
  const names = [];
  for (let holder = Object.getPrototypeOf(this); holder && names.length < 20; holder = Object.getPrototypeOf(holder)) {
    const made = Object.getOwnPropertyDescriptor(holder, 'constructor');
    if (made && typeof made.value === 'function') names.push(made.value.name);
  }
  const own = Object.getOwnPropertyDescriptor(this, 'name');
  if (own && typeof own.value === 'string') names.push(own.value);
  return names;
}`;

function asArgument(thrown: RemoteObject): Protocol.Runtime.CallArgument {
  if (thrown.objectId !== undefined) return { objectId: thrown.objectId };
  if (thrown.unserializableValue !== undefined) return { unserializableValue: thrown.unserializableValue };
  return { value: thrown.value };
}

function failIfThrown(details: Protocol.Runtime.ExceptionDetails | undefined): void {
  if (details === undefined) return;
  const text = details.exception?.description ?? details.text;
  throw new Error((text.split('\n')[0] ?? text).slice(0, 200));
}
