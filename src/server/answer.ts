import { CancelledError, PeerError, ToolError, TransportError, type ErrorCode } from '../base/errors.ts';
import { clip } from '../base/textBudget.ts';

/** What a failed call says: what happened and the state now, the next call to try, and facts for a program. */
export interface AnswerError {
  code: ErrorCode;
  message: string;
  hint?: string;
  data?: Record<string, unknown>;
}

/** The one answer of a call, in both forms. Which form travels is decided at the edge. */
export interface ToolAnswer {
  callId: string;
  tool: string;
  /** Present unless the call failed; matches the tool's output schema and fits the budget. */
  data?: Record<string, unknown>;
  /** The compact rendering, notes included. For a failed call: the error in words. */
  text: string;
  error?: AnswerError;
  /** A destructive call waits for a person. Clients that can be asked in-band get this instead of an error. */
  approval?: { ticketId: string; question: string };
}

/** The error of a thrown value. `bugId` names the log entry when the cause is ours. */
export function answerError(thrown: unknown, bugId: () => string): AnswerError {
  if (thrown instanceof ToolError) {
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
      ...(thrown.data === undefined ? {} : { data: thrown.data }),
    };
  }
  if (thrown instanceof CancelledError) return { code: 'cancelled', message: thrown.message };
  if (thrown instanceof PeerError)
    return { code: 'engine_failed', message: `${thrown.peer} refused ${thrown.method}: ${thrown.message}` };
  if (thrown instanceof TransportError) {
    const tail = thrown.logTail.trim();
    return {
      code: 'engine_failed',
      message: thrown.message,
      ...(tail === '' ? {} : { data: { logTail: clip(tail.slice(-800), 800) } }),
    };
  }
  return {
    code: 'internal_error',
    message: `Sightline failed on this call (${bugId()}); everything else goes on.`,
    hint: 'read_ide_log shows what happened. Calling again is safe.',
  };
}

export function errorText(error: AnswerError): string {
  const facts =
    error.data === undefined
      ? ''
      : `\n${Object.entries(error.data)
          .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join('\n')}`;
  return `Error (${error.code}): ${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}${facts}`;
}
