import { record, text, type Loose } from './loose.ts';
import type { PermissionMode, Question, Verdict } from './model.ts';
import {
  Questions,
  elicitationAnswer,
  elicitationQuestion,
  isAllowed,
  permissionOutcome,
  permissionQuestion,
  replyWithoutPerson,
  type Reply,
} from './questions.ts';
import type { Transcript } from './transcript.ts';

interface InquiryParts {
  transcript: Transcript;
  mode(): PermissionMode;
  /** What our policy says of a tool call. */
  judge(call: Loose): Verdict;
  /** A question waits for a person, or no longer does. */
  asked(question: Question): void;
  answered(question: Question, reply: Reply): void;
  changed(): void;
}

/** What an agent asks before it goes on: answered by the mode of the thread and our policy, or by a person. */
export class Inquiries {
  readonly questions: Questions;
  readonly #parts: InquiryParts;

  constructor(parts: InquiryParts) {
    this.#parts = parts;
    this.questions = new Questions(() => parts.changed());
  }

  async permission(params: Loose, signal: AbortSignal): Promise<Loose> {
    const { transcript } = this.#parts;
    const asked = record(params['toolCall']);
    transcript.upsertTool(asked);
    const callId = text(asked['toolCallId']) ?? '';
    const known = transcript.tool(callId);
    const verdict = this.#parts.judge({ ...known, ...given(asked) });
    const question = permissionQuestion(this.questions.nextId(), transcript.turn, params, verdict);
    const titled = { ...question, title: known?.title ?? question.title };
    const mode = this.#parts.mode();
    const answer = replyWithoutPerson(mode, verdict);
    const reply = answer ?? (await this.#askPerson(titled, signal));
    const words = isAllowed(titled, reply) ? 'allowed' : reply.kind === 'cancelled' ? 'cancelled' : 'refused';
    const by = answer === undefined ? 'by a person' : mode === 'policy' ? `by policy.${verdict.effect}` : 'for all';
    transcript.permission(callId, reply.kind === 'cancelled' ? words : `${words} ${by}`);
    return permissionOutcome(titled, reply);
  }

  async elicitation(params: Loose, signal: AbortSignal): Promise<Loose> {
    const question = elicitationQuestion(this.questions.nextId(), this.#parts.transcript.turn, params);
    if (question === undefined || this.#parts.mode() === 'deny') return { action: 'decline' };
    return elicitationAnswer(await this.#askPerson(question, signal));
  }

  async #askPerson(question: Question, signal: AbortSignal): Promise<Reply> {
    const asking = this.questions.ask(question, signal);
    this.#parts.asked(question);
    const reply = await asking;
    this.#parts.answered(question, reply);
    return reply;
  }
}

function given(asked: Loose): Loose {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== null));
}
