import type { CdpSession } from '../../../../../protocol/cdp/cdpSession.ts';
import type { Protocol } from '../../../../../protocol/cdp/types.ts';

type PausedEvent = Protocol.Debugger.PausedEvent;
type RemoteObject = Protocol.Runtime.RemoteObject;

/** A rejection that nobody handled, as the stop to show for it. */
interface UnhandledRejection {
  event: PausedEvent;
  breakpointIds: readonly string[];
  /** Whether the frames are those in which it was made; otherwise only the places are known. */
  hasFrames: boolean;
}

interface Kept {
  group: string;
  event: PausedEvent;
  breakpointIds: readonly string[];
}

const maxKept = 20;
const maxFrames = 4;
const maxTold = 5;
/** No frame of any pause has this name: what was in it can be seen, but nothing runs there any more. */
export const goneFrameId = 'gone';

/**
 * Rejections that somebody may still handle. V8 pauses where they are made and forgets the frames when the program runs on; what could
 * be seen in them is kept until Node itself says which ones nobody handled.
 */
export class Rejections {
  readonly #session: CdpSession;
  readonly #isUserCode: (scriptId: string) => boolean;
  #kept: Kept[] = [];
  /** What the program has stopped for already: an error thrown at the top of an ES module comes again as a rejection. */
  #told: RemoteObject[] = [];
  #count = 0;

  constructor(session: CdpSession, isUserCode: (scriptId: string) => boolean) {
    this.#session = session;
    this.#isUserCode = isUserCode;
  }

  async keep(event: PausedEvent, breakpointIds: readonly string[]): Promise<void> {
    const group = `sightline-rejection-${++this.#count}`;
    const own = event.callFrames.filter((frame) => this.#isUserCode(frame.location.scriptId)).slice(0, maxFrames);
    // For this reason `data` is the thrown value as a remote object; the protocol leaves it untyped.
    const data = this.#hold(event.data as RemoteObject, group);
    const frames = event.callFrames.map(async (frame) => {
      if (!own.includes(frame)) return { ...frame, callFrameId: goneFrameId, scopeChain: [] };
      const near = frame.scopeChain.filter(({ type }) => type !== 'global' && type !== 'script');
      const scopes = near.map(async (scope) => ({ ...scope, object: await this.#hold(scope.object, group) }));
      const self = this.#hold(frame.this, group);
      return { ...frame, callFrameId: goneFrameId, this: await self, scopeChain: await Promise.all(scopes) };
    });
    const kept = { group, event: { ...event, data: await data, callFrames: await Promise.all(frames) }, breakpointIds };
    this.#kept.push(kept);
    for (const old of this.#kept.splice(0, this.#kept.length - maxKept)) this.#release(old);
  }

  async tell(event: PausedEvent): Promise<void> {
    const thrown = event.data as RemoteObject;
    if (thrown.objectId === undefined) return;
    this.#told = [...this.#told.slice(1 - maxTold), await this.#hold(thrown, 'sightline-told')];
  }

  /** What is known of a rejection that Node calls unhandled; nothing when it was told before. */
  async unhandled(reason: RemoteObject, paused: PausedEvent): Promise<UnhandledRejection | undefined> {
    for (const told of this.#told) if (await this.#isSame(reason, told)) return undefined;
    for (const kept of this.#kept.toReversed())
      if (await this.#isSame(reason, kept.event.data as RemoteObject))
        return { event: kept.event, breakpointIds: kept.breakpointIds, hasFrames: true };
    const stack = reason.objectId === undefined ? undefined : await this.#stackOf(reason.objectId);
    const event = { ...paused, reason: 'promiseRejection' as const, data: reason, hitBreakpoints: [] };
    const ours = paused.callFrames[0]?.location.scriptId;
    if (stack === undefined) event.callFrames = paused.callFrames.filter(({ location }) => location.scriptId !== ours);
    else Object.assign(event, { callFrames: [], asyncStackTrace: { ...stack, description: 'created' } });
    return { event, breakpointIds: [], hasFrames: false };
  }

  /** Where an error was made, as its own stack says. */
  async #stackOf(errorObjectId: string): Promise<Protocol.Runtime.StackTrace | undefined> {
    const answer = await this.#session.send('Runtime.getExceptionDetails', { errorObjectId }).catch(() => undefined);
    return answer?.exceptionDetails?.stackTrace;
  }

  /** V8 forgets the ids of a pause when the program runs on, except in a group of their own. */
  async #hold<T extends RemoteObject>(object: T, objectGroup: string): Promise<T> {
    const { objectId } = object;
    if (objectId === undefined) return object;
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function() { return this }',
      objectGroup,
      silent: true,
    });
    return { ...object, objectId: answer.result.objectId };
  }

  async #isSame(a: RemoteObject, b: RemoteObject): Promise<boolean> {
    if (a.objectId === undefined || b.objectId === undefined)
      return a.objectId === b.objectId && a.type === b.type && a.value === b.value && a.description === b.description;
    const answer = await this.#session.send('Runtime.callFunctionOn', {
      objectId: a.objectId,
      functionDeclaration: 'function(other) { return this === other }',
      arguments: [{ objectId: b.objectId }],
      returnByValue: true,
      silent: true,
    });
    return answer.result.value === true;
  }

  #release({ group }: Kept): void {
    this.#session.send('Runtime.releaseObjectGroup', { objectGroup: group }).catch(() => undefined);
  }
}
