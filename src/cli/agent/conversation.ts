import { ToolError } from '../../base/errors.ts';
import type { Question, ThreadView } from '../../engine/agents/model.ts';
import type { AgentOperation, AgentRequests } from '../../server/agents/agentRequests.ts';
import type { ControlClient } from '../../server/daemon/controlClient.ts';
import { askPerson } from '../askPerson.ts';
import type { AgentOutput } from './output.ts';

/** What a script learns from the exit code. */
export const exitCodes = { done: 0, failed: 1, stoppedShort: 3, signedOut: 4, cancelled: 130 } as const;

export async function askDesk<Operation extends AgentOperation>(
  control: ControlClient,
  operation: Operation,
  params: AgentRequests[Operation]['params'],
): Promise<AgentRequests[Operation]['result']> {
  return await control.request('agent', { operation, params });
}

/** One thread as the command line follows it. */
export class Conversation {
  readonly id: string;
  readonly #control: ControlClient;
  readonly #output: AgentOutput;
  readonly #err: (text: string) => void;
  readonly #asked = new Set<string>();
  #view: ThreadView | undefined;
  #next: number | undefined;

  constructor(control: ControlClient, id: string, output: AgentOutput, err: (text: string) => void) {
    this.#control = control;
    this.id = id;
    this.#output = output;
    this.#err = err;
  }

  /** Follows what happens until the thread is in one of the states that `isOver` means. */
  async until(isOver: (thread: ThreadView) => boolean): Promise<ThreadView> {
    for (;;) {
      if (this.#view !== undefined) {
        this.#answerQuestions(this.#view.questions);
        if (isOver(this.#view)) return this.#view;
      }
      const { next, thread, events } = await askDesk(this.#control, 'read', {
        id: this.id,
        ...(this.#next === undefined ? {} : { from: this.#next }),
      });
      // What a taken-up session tells of earlier is not repeated here.
      if (thread !== undefined) this.#view = thread;
      this.#next = next;
      for (const event of events) {
        if (event.kind === 'thread') this.#view = event.thread;
        this.#output.event(event);
      }
    }
  }

  /** Waits until the agent can be talked to. */
  async ready(): Promise<ThreadView> {
    const thread = await this.until(({ state }) => state !== 'starting');
    if (thread.state === 'idle') return thread;
    throw new ToolError(
      thread.state === 'signed_out' ? 'permission_denied' : 'engine_failed',
      thread.problem ?? `The agent is ${thread.state}.`,
      {
        hint:
          thread.state === 'signed_out'
            ? `Sign in once: sightline agent ${thread.agent} --sign-in ${thread.signIn.map(({ id }) => id).join(' | ')}`
            : `sightline agent --log ${this.id} shows what was said; the agent's own command may say more.`,
      },
    );
  }

  /** Sends a prompt and follows its turn to the end; resolves to the exit code. */
  async turn(text: string): Promise<number> {
    const before = this.#view?.turns.length ?? 0;
    await askDesk(this.#control, 'prompt', { id: this.id, text });
    const thread = await this.until(
      ({ turns, state }) =>
        state === 'dead' || state === 'closed' || (turns.length > before && turns.at(-1)?.endedAt !== undefined),
    );
    this.#output.end(thread);
    return exitCodeOf(thread);
  }

  async cancel(): Promise<void> {
    await askDesk(this.#control, 'cancel', { id: this.id });
  }

  /** At a terminal the person is asked here; in a script the question waits among the approvals. */
  #answerQuestions(questions: readonly Question[]): void {
    for (const question of questions) {
      // Its ticket is named a moment later.
      if (this.#asked.has(question.id) || (question.kind !== 'form' && question.ticketId === undefined)) continue;
      this.#asked.add(question.id);
      void this.#ask(question);
    }
  }

  async #ask(question: Question): Promise<void> {
    const { verdict, title, url, host } = question;
    const policy = verdict === undefined ? '' : ` (policy.${verdict.effect}: ${verdict.decision}; ${verdict.why})`;
    const what =
      question.kind === 'url'
        ? `wants you to open ${url ?? ''} (${host ?? ''})`
        : question.kind === 'form'
          ? `asks: ${title}`
          : `wants to: ${title}${policy}`;
    if (question.kind === 'form') {
      this.#err(`The agent ${what}\nForms are filled in on the dashboard; here it is declined.\n`);
      return void (await askDesk(this.#control, 'answer', { id: this.id, questionId: question.id, allow: false }));
    }
    const answer = await askPerson(`The agent ${what}\nAllow it? [y/N] `);
    if (answer === undefined)
      return this.#err(
        `Waits for you: the agent ${what}\n  sightline approve ${question.ticketId ?? ''} [--yes | --deny]\n`,
      );
    await askDesk(this.#control, 'answer', { id: this.id, questionId: question.id, allow: /^y(es)?$/.test(answer) });
  }
}

function exitCodeOf({ state, turns }: ThreadView): number {
  if (state === 'signed_out') return exitCodes.signedOut;
  switch (turns.at(-1)?.stopReason) {
    case 'end_turn':
      return exitCodes.done;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'max_tokens':
    case 'max_turn_requests':
    case 'refusal':
      return exitCodes.stoppedShort;
    case undefined:
    default:
      return exitCodes.failed;
  }
}
