import { cancellationReason, untilCancelled } from '../base/cancellation.ts';
import { CancelledError, ToolError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { clip, escapeInvisible } from '../base/text/textBudget.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Effect, Tool } from '../tools/defineTool.ts';
import type { ToolAnswer } from './answer.ts';
import type { Approvals, ApprovalSubject } from './approvals.ts';
import type { CallRequest } from './callRequest.ts';
import type { Elicit } from './clients.ts';

/** A call that a person has to allow first. */
export interface GatedCall {
  tool: Tool;
  args: Record<string, unknown>;
  project: Project | undefined;
  effect: Effect;
  /** The whole of what a person agrees to, where the arguments do not show it. */
  shown?: string;
  request: CallRequest;
  run: (signal: AbortSignal) => Promise<ToolAnswer>;
  /** Of the call that asks; ends with it. */
  signal: AbortSignal;
}

/** How long a call waits for its person before it answers `approval_pending`: well before the client gives up. */
const approvalWaitMs = 20_000;

/** Destructive calls: a person says yes in the client, or by a ticket bound to exactly these arguments. */
export class ApprovalGate {
  readonly #approvals: Approvals;
  readonly #logger: Logger;
  readonly #running = new Map<string, AbortController>();

  constructor(approvals: Approvals, logger: Logger) {
    this.#approvals = approvals;
    this.#logger = logger;
  }

  /** Whether a person has been asked about exactly this call and its answer has not been fetched yet. */
  isAskedAbout(call: GatedCall): boolean {
    return this.#approvals.find(subjectOf(call)) !== undefined;
  }

  /** Runs the call once it is allowed. A call that was asked about before joins the work of the first. */
  async pass(call: GatedCall): Promise<ToolAnswer> {
    const { tool, request } = call;
    const { client } = request;
    const ticket = this.#approvals.ticketFor(subjectOf(call));
    const work = this.#approvals.workOf(ticket.id, () => this.#workWhenAllowed(ticket.id, call));
    work.catch(() => undefined);
    if (ticket.state === 'pending') {
      const question = questionAbout(call);
      const reply = request.approvalReply?.ticketId === ticket.id ? request.approvalReply.reply : undefined;
      const elicit = request.elicit ?? client.elicit;
      if (reply === 'unanswered') throw stillPending(call, ticket.id, unanswered);
      if (reply !== undefined) this.#approvals.decide(ticket.id, reply === 'approved', 'client');
      // What does not fit into a question is shown whole by the command line only.
      else if (question === undefined) this.#logger.debug(`What ${ticket.id} is about is too long for a question.`);
      else if (request.asksByRetry)
        return { callId: '', tool: tool.name, text: question, approval: { ticketId: ticket.id, question } };
      else if (elicit !== undefined)
        return this.#waitFor(work, ticket.id, call, this.#elicit(elicit, question, ticket.id, call.signal));
    }
    return this.#waitFor(work, ticket.id, call);
  }

  /** `asking` settles when the client has answered, `true` when nobody has decided by that. */
  async #waitFor(
    work: Promise<ToolAnswer>,
    ticketId: string,
    call: GatedCall,
    asking?: Promise<boolean>,
  ): Promise<ToolAnswer> {
    const pending = Symbol('pending');
    let isUnanswered = false;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<typeof pending>((resolve) => {
      timer = setTimeout(() => resolve(pending), approvalWaitMs);
      // Who waits for an answer that the client has just withheld waits for nothing.
      void asking?.then((open) => {
        isUnanswered = open;
        if (open) resolve(pending);
      });
    });
    try {
      const outcome = await untilCancelled(Promise.race([work, patience]), call.signal);
      if (outcome !== pending) {
        this.#approvals.finish(ticketId);
        return outcome;
      }
    } catch (error) {
      // Who takes the call back takes the question back too: nothing may happen later that nobody waits for.
      if (call.request.signal?.aborted && this.#approvals.isPending(ticketId))
        this.#approvals.decide(ticketId, false, 'cancelled');
      const running = call.signal.aborted ? this.#running.get(ticketId) : undefined;
      running?.abort(cancellationReason(call.signal));
      if (running !== undefined || !(error instanceof CancelledError)) this.#approvals.finish(ticketId);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    if (!this.#approvals.isPending(ticketId)) throw stillRunning(call, ticketId);
    throw stillPending(call, ticketId, isUnanswered ? unanswered : undefined);
  }

  /**
   * The call that asked may have been answered long ago (`approval_pending`, or a question to the client), so the work has a signal
   * of its own; whichever call waits for it can stop it.
   */
  async #workWhenAllowed(ticketId: string, { tool, run }: GatedCall): Promise<ToolAnswer> {
    const { state, decidedBy, reason } = await this.#approvals.decision(ticketId);
    if (state !== 'approved')
      throw new ToolError(
        'approval_denied',
        decidedBy === 'expired'
          ? `Nobody approved ${tool.name} with these arguments in time. Nothing was changed.`
          : `A person refused ${tool.name} with these arguments. Nothing was changed.${reason === undefined ? '' : ` They say: ${reason}`}`,
      );
    const stop = new AbortController();
    this.#running.set(ticketId, stop);
    try {
      return await run(stop.signal);
    } finally {
      this.#running.delete(ticketId);
    }
  }

  /** True when the ticket stays open: the client did not say what its person thinks. */
  async #elicit(elicit: Elicit, question: string, ticketId: string, signal: AbortSignal): Promise<boolean> {
    try {
      const answer = await elicit(question, signal);
      if (answer !== 'unanswered' && this.#approvals.isPending(ticketId))
        this.#approvals.decide(ticketId, answer === 'approved', 'client');
      return answer === 'unanswered';
    } catch (error) {
      // Also an answer that does not fit the question.
      this.#logger.debug('The client did not ask its person; the ticket stays open.', error);
      return true;
    }
  }
}

function subjectOf({ tool, args, project, effect, request, shown }: GatedCall): ApprovalSubject {
  const { id: clientId, name: clientName } = request.client;
  const subject = { tool: tool.name, args, projectRoot: project?.root, clientId, clientName, effect };
  return shown === undefined ? subject : { ...subject, shown };
}

/** Longer ones are cut by the windows that show them, and a person would agree to what they have not seen. */
const maxQuestionChars = 4000;

/** What a person reads before they decide: the whole of it, and nothing that could pose as something else. Undefined when it is too long. */
function questionAbout({ request, tool, effect, args, project, shown }: GatedCall): string | undefined {
  const where = project === undefined ? '' : ` in ${project.root}`;
  const call = `${clip(request.client.name, 100)} wants to call ${tool.name} (${effect})`;
  const question = escapeInvisible(
    shown === undefined
      ? `${call} with ${JSON.stringify(args)}${where}. Allow it?`
      : `${call}${where}. It changes ${shown}\nAllow it?`,
  );
  return question.length > maxQuestionChars ? undefined : question;
}

const unanswered = 'The client did not pass on an answer of its person.';

function stillPending({ tool, effect }: GatedCall, ticketId: string, why?: string): ToolError {
  const because = why === undefined ? '' : ` ${why}`;
  return new ToolError(
    'approval_pending',
    `${tool.name} needs a person's approval (${effect}); nothing has been changed yet.${because} Ticket ${ticketId}.`,
    {
      hint: `A person can see it with: sightline approve --list, and answer with: sightline approve ${ticketId}. It goes on by itself once approved; calling again with the same arguments gets the result.`,
      data: { ticketId },
    },
  );
}

function stillRunning({ tool }: GatedCall, ticketId: string): ToolError {
  return new ToolError('approval_pending', `${tool.name} was approved (ticket ${ticketId}) and is still at work.`, {
    hint: 'Call again with the same arguments to get the result.',
    data: { ticketId },
  });
}
