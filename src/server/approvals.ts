import { Deferred } from '../base/deferred.ts';
import { Emitter } from '../base/emitter.ts';
import { ToolError } from '../base/errors.ts';
import { contentHash, randomId } from '../base/ids.ts';
import type { Effect } from '../tools/defineTool.ts';

/** What the person lets agents do, per effect. No tool can change it. */
type PolicyDecision = 'allow' | 'ask' | 'deny';
export type Policy = Readonly<Record<Effect, PolicyDecision>>;

export const defaultPolicy: Policy = { read: 'allow', edit: 'allow', execute: 'allow', destructive: 'ask' };

/** What is to be approved: exactly this call. The ticket is bound to a hash of it. */
export interface ApprovalSubject {
  tool: string;
  args: Record<string, unknown>;
  projectRoot: string | undefined;
  clientId: string;
  clientName: string;
  effect: Effect;
  /** The whole of what is approved, where the arguments do not show it. */
  shown?: string;
  /** Why it is asked, where the policy does not say it. */
  note?: string;
}

export interface ApprovalTicket {
  readonly id: string;
  readonly subject: ApprovalSubject;
  readonly argumentsHash: string;
  readonly createdAt: Date;
  readonly state: 'pending' | 'approved' | 'denied';
  readonly decidedBy: string | undefined;
  /** What the person wants the agent to know. */
  readonly reason?: string;
}

interface LiveTicket {
  ticket: ApprovalTicket;
  decision: Deferred<ApprovalTicket>;
  /** The call that goes on by itself once approved; a repeated call joins it instead of starting another. */
  work: Promise<unknown> | undefined;
  expiry: NodeJS.Timeout;
}

const ticketLifeMs = 30 * 60_000;
const maxTickets = 200;

/** Tickets for calls that a person has to allow. They live in memory: a restart forgets them, which denies them. */
export class Approvals {
  readonly changed = new Emitter<ApprovalTicket>();
  readonly #live = new Map<string, LiveTicket>();
  /** Tools that a person allowed a client for as long as it is connected. */
  readonly #standing = new Map<string, Set<string>>();

  list(): ApprovalTicket[] {
    return [...this.#live.values()].map((live) => live.ticket);
  }

  /** The ticket for exactly this call of this client, made when there is none. */
  ticketFor(subject: ApprovalSubject): ApprovalTicket {
    const existing = this.find(subject);
    if (existing !== undefined) return existing;
    if (this.#live.size >= maxTickets)
      throw new ToolError('policy_denied', `${maxTickets} calls already wait for approval.`, {
        hint: 'Answer or deny some first: sightline approve --list',
      });
    const ticket: ApprovalTicket = {
      id: randomId('ticket'),
      subject,
      argumentsHash: hashOf(subject),
      createdAt: new Date(),
      state: 'pending',
      decidedBy: undefined,
    };
    const expiry = setTimeout(() => this.#expire(ticket.id), ticketLifeMs);
    expiry.unref();
    this.#live.set(ticket.id, { ticket, decision: new Deferred(), work: undefined, expiry });
    this.changed.fire(ticket);
    return this.#standing.get(subject.clientId)?.has(subject.tool) === true
      ? this.decide(ticket.id, true, 'allowed for the session')
      : ticket;
  }

  /** Says yes to this call and to every further one of this tool by this client, as long as it is connected. */
  allowForSession(ticketId: string, by: string): ApprovalTicket {
    const { subject } = this.#must(ticketId).ticket;
    const decided = this.decide(ticketId, true, by);
    const tools = this.#standing.get(subject.clientId) ?? new Set<string>();
    this.#standing.set(subject.clientId, tools.add(subject.tool));
    return decided;
  }

  forgetClient(clientId: string): void {
    this.#standing.delete(clientId);
  }

  /** The ticket for exactly this call of this client, when there is one. */
  find(subject: ApprovalSubject): ApprovalTicket | undefined {
    const argumentsHash = hashOf(subject);
    return this.list().find((ticket) => ticket.argumentsHash === argumentsHash);
  }

  isPending(ticketId: string): boolean {
    return this.#live.get(ticketId)?.ticket.state === 'pending';
  }

  /** Resolves when a person has decided, or nobody will any more. */
  decision(ticketId: string): Promise<ApprovalTicket> {
    return this.#must(ticketId).decision.promise;
  }

  decide(ticketId: string, approved: boolean, by: string, reason?: string): ApprovalTicket {
    const live = this.#must(ticketId);
    if (live.ticket.state !== 'pending')
      throw new ToolError('invalid_arguments', `Ticket ${ticketId} was already ${live.ticket.state}.`);
    live.ticket = { ...live.ticket, state: approved ? 'approved' : 'denied', decidedBy: by, reason };
    live.decision.resolve(live.ticket);
    this.changed.fire(live.ticket);
    if (!approved) this.finish(ticketId);
    return live.ticket;
  }

  /** Joins the work of a ticket, starting it the first time. */
  workOf<T>(ticketId: string, start: () => Promise<T>): Promise<T> {
    const live = this.#must(ticketId);
    live.work ??= start();
    // Only one runner starts work, always of the one answer type it asks back for.
    return live.work as Promise<T>;
  }

  /** The answer has reached the client: the same call next time needs a new decision. */
  finish(ticketId: string): void {
    const live = this.#live.get(ticketId);
    if (live === undefined) return;
    clearTimeout(live.expiry);
    this.#live.delete(ticketId);
  }

  dispose(): void {
    for (const id of [...this.#live.keys()]) this.#expire(id);
    this.changed.dispose();
  }

  #expire(ticketId: string): void {
    const live = this.#live.get(ticketId);
    if (live?.ticket.state === 'pending') this.decide(ticketId, false, 'expired');
    this.finish(ticketId);
  }

  #must(ticketId: string): LiveTicket {
    const live = this.#live.get(ticketId);
    if (live === undefined)
      throw new ToolError('invalid_arguments', `There is no approval ticket ${ticketId}.`, {
        hint: 'sightline approve --list shows those that wait.',
      });
    return live;
  }
}

function hashOf(subject: ApprovalSubject): string {
  return contentHash(
    JSON.stringify([subject.tool, subject.projectRoot ?? null, subject.clientId, sortKeys(subject.args)]),
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
