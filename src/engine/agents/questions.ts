import { Deferred } from '../../base/deferred.ts';
import { ToolError } from '../../base/errors.ts';
import { clip } from '../../base/text/textBudget.ts';
import type { PermissionMode, Question, Verdict } from './model.ts';
import { list, record, text, type Loose } from './loose.ts';

/** What came of a question. */
export type Reply =
  | { kind: 'option'; optionId: string }
  | { kind: 'approved' }
  | { kind: 'refused' }
  | { kind: 'content'; content: Readonly<Record<string, unknown>> }
  | { kind: 'cancelled' };

interface Pending {
  question: Question;
  reply: Deferred<Reply>;
}

/** What waits for a person in one thread. */
export class Questions {
  readonly #pending = new Map<string, Pending>();
  readonly #changed: () => void;
  #made = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get open(): Question[] {
    return [...this.#pending.values()].map(({ question }) => question);
  }

  nextId(): string {
    this.#made += 1;
    return `q${this.#made}`;
  }

  /** Resolves once somebody has answered; the agent taking its request back is an answer too. */
  ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const reply = new Deferred<Reply>();
    this.#pending.set(question.id, { question, reply });
    const takenBack = () => this.answer(question.id, { kind: 'cancelled' });
    signal.addEventListener('abort', takenBack, { once: true });
    void reply.promise.then(() => signal.removeEventListener('abort', takenBack));
    if (signal.aborted) takenBack();
    this.#changed();
    return reply.promise;
  }

  note(id: string, ticketId: string): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) pending.question = { ...pending.question, ticketId };
    this.#changed();
  }

  /** False when it is answered already. */
  answer(id: string, reply: Reply): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    if (reply.kind === 'option' && !pending.question.options?.some((option) => option.id === reply.optionId))
      throw new ToolError('invalid_arguments', `Question ${id} has no option ${reply.optionId}.`);
    this.#pending.delete(id);
    pending.reply.resolve(reply);
    this.#changed();
    return true;
  }

  /** The protocol demands it: a cancelled turn answers all that it asked. */
  cancelAll(): void {
    for (const id of [...this.#pending.keys()]) this.answer(id, { kind: 'cancelled' });
  }
}

export function permissionQuestion(id: string, turn: number, params: Loose, verdict: Verdict): Question {
  const call = record(params['toolCall']);
  const title = text(call['title']) ?? text(call['toolCallId']) ?? 'something';
  const toolCallId = text(call['toolCallId']);
  return {
    id,
    kind: 'permission',
    turn,
    title: clip(title, 500),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    options: list(params['options']).flatMap((each) => {
      const { optionId, name, kind } = record(each);
      return typeof optionId === 'string'
        ? [{ id: optionId, name: text(name) ?? optionId, kind: text(kind) ?? '' }]
        : [];
    }),
    verdict,
  };
}

/** The answer to `session/request_permission`. An option for once is chosen before one for ever. */
export function permissionOutcome(question: Question, reply: Reply): Loose {
  const wanted = reply.kind === 'approved' ? 'allow' : 'reject';
  const options = question.options ?? [];
  const chosen =
    reply.kind === 'option'
      ? reply.optionId
      : reply.kind === 'cancelled'
        ? undefined
        : (options.find(({ kind }) => kind === `${wanted}_once`) ?? options.find(({ kind }) => kind.startsWith(wanted)))
            ?.id;
  return { outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen } };
}

/** Whether the chosen option allows it. */
export function isAllowed(question: Question, reply: Reply): boolean {
  if (reply.kind === 'approved') return true;
  if (reply.kind !== 'option') return false;
  return question.options?.find(({ id }) => id === reply.optionId)?.kind.startsWith('allow') === true;
}

/** What needs no person, by the mode of the thread. */
export function replyWithoutPerson(mode: PermissionMode, { decision }: Verdict): Reply | undefined {
  if (mode === 'allow' || (mode === 'policy' && decision === 'allow')) return { kind: 'approved' };
  if (mode === 'deny' || (mode === 'policy' && decision === 'deny')) return { kind: 'refused' };
  return undefined;
}

/** Undefined for a kind that we did not offer. */
export function elicitationQuestion(id: string, turn: number, params: Loose): Question | undefined {
  const title = clip(text(params['message']) ?? 'The agent asks.', 2000);
  if (params['mode'] === 'url') {
    const url = text(params['url']) ?? '';
    const host = hostOf(url);
    return host === undefined ? undefined : { id, kind: 'url', turn, title, url, host };
  }
  if (params['mode'] !== undefined && params['mode'] !== 'form') return undefined;
  return { id, kind: 'form', turn, title, schema: record(params['requestedSchema']) };
}

export function elicitationAnswer(reply: Reply): Loose {
  switch (reply.kind) {
    case 'content':
      return { action: 'accept', content: reply.content };
    case 'approved':
    case 'option':
      return { action: 'accept', content: {} };
    case 'refused':
      return { action: 'decline' };
    case 'cancelled':
      return { action: 'cancel' };
  }
}

function hostOf(url: string): string | undefined {
  try {
    const { protocol, host } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? host : undefined;
  } catch {
    return undefined;
  }
}
