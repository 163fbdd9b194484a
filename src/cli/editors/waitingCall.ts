import { clip, escapeInvisible } from '../../base/text/textBudget.ts';
import type { ApprovalTicket } from '../../server/approvals.ts';
import { ticketSummary } from '../controlHandlers.ts';
import { ticketText } from '../ticketText.ts';
import type { WaitingCall } from './feedProtocol.ts';

/** What a notification of an editor shows without cutting it. */
const maxBriefChars = 300;

/** A ticket as a person in an editor reads it. Nothing in it can pose as something else. */
export function waitingCall(ticket: ApprovalTicket): WaitingCall {
  const { id, state, subject } = ticket;
  const { clientName, tool, effect, args, projectRoot, shown } = subject;
  const title = oneLine(`${clip(clientName, 100)} wants to call ${tool} (${effect})`);
  const where = projectRoot === undefined ? '' : ` in ${projectRoot}`;
  const brief = oneLine(`${title} with ${JSON.stringify(args)}${where}. Allow it?`);
  return {
    id,
    state,
    title,
    ...(shown === undefined && brief.length <= maxBriefChars ? { brief } : {}),
    text: ticketText(ticketSummary(ticket), { whole: true }),
  };
}

function oneLine(text: string): string {
  return escapeInvisible(text).replaceAll(/\s+/g, ' ');
}
