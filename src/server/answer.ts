import { advise, type Hint, step } from '../base/text/advice.ts';
import { CancelledError, PeerError, ToolError, TransportError, type ErrorCode } from '../base/errors.ts';
import { clip } from '../base/text/textBudget.ts';

/** What a failed call says: what happened and the state now, the next call to try, and facts for a program. */
export interface AnswerError {
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
  data?: Record<string, unknown>;
}

/** The one answer of a call, in both forms. Which form travels is decided at the edge. */
export interface ToolAnswer {
  callId: string;
  tool: string;
  /** Present unless the call failed; matches the tool's output schema and fits the budget. */
  data?: Record<string, unknown>;
  /** The same before it was made to fit, for calls that are parts of others. */
  whole?: Record<string, unknown>;
  /** The compact rendering, notes included. For a failed call: the error in words. */
  text: string;
  error?: AnswerError;
  /** A destructive call waits for a person. Clients that can be asked in-band get this instead of an error. */
  approval?: { ticketId: string; question: string };
}

/** An error before it is said in the words of the one who called. */
interface ThrownError extends Omit<AnswerError, 'hint'> {
  hint?: Hint | undefined;
}

/** The error of a thrown value. `bugId` names the log entry when the cause is ours. */
export function answerError(thrown: unknown, bugId: () => string): ThrownError {
  if (thrown instanceof ToolError) {
    return {
      code: thrown.code,
      message: thrown.message,
      hint: thrown.hint,
      data: thrown.data,
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
    hint: advise`${step('readIdeLog')} shows what happened. Calling again is safe.`,
  };
}

export function errorText(error: AnswerError): string {
  const said = `${error.message}\n${error.hint ?? ''}`;
  const facts = Object.entries(error.data ?? {}).flatMap(([key, value]) =>
    isSaid(value, said) ? [] : factLines(key, value),
  );
  return [`Error (${error.code}): ${error.message}`, ...(error.hint === undefined ? [] : [error.hint]), ...facts].join(
    '\n',
  );
}

/** Names that the message or the hint has named already: data for programs, and nothing new for a reader. */
function isSaid(value: unknown, said: string): boolean {
  const names = Array.isArray(value) ? value : [value];
  return names.length > 0 && names.every((name) => typeof name === 'string' && name !== '' && said.includes(name));
}

/** One fact in few words: a list of records becomes a line each with their values, an empty list nothing. */
function factLines(key: string, value: unknown): string[] {
  if (typeof value === 'string') return [`${key}: ${value}`];
  if (!Array.isArray(value)) return [`${key}: ${JSON.stringify(value)}`];
  if (value.length === 0) return [];
  if (value.every((item) => typeof item === 'string')) return [`${key}: ${value.join(', ')}`];
  if (value.every(isFlatRecord)) return [`${key}:`, ...value.map((record) => ` ${Object.values(record).join(' ')}`)];
  if (value.every(isRecordOfTexts)) return value.flatMap(textLines);
  return [`${key}: ${JSON.stringify(value)}`];
}

/** Records that hold whole texts: what is short on one line, then each text under its name. */
function textLines(record: Record<string, string | number | string[]>): string[] {
  const short: string[] = [];
  const texts: string[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (Array.isArray(value)) texts.push(...factLines(key, value));
    else if (String(value).includes('\n')) texts.push(`${key}:`, String(value).trimEnd());
    else if (value !== '') short.push(String(value));
  }
  return [`${short.join(' ')}`, ...texts];
}

function isRecordOfTexts(item: unknown): item is Record<string, string | number | string[]> {
  return (
    typeof item === 'object' &&
    item !== null &&
    Object.values(item).every(
      (value) =>
        typeof value === 'string' ||
        typeof value === 'number' ||
        (Array.isArray(value) && value.every((part) => typeof part === 'string')),
    )
  );
}

function isFlatRecord(item: unknown): item is Record<string, string | number> {
  return (
    typeof item === 'object' &&
    item !== null &&
    Object.values(item).every(
      (value) => (typeof value === 'string' && !value.includes('\n')) || typeof value === 'number',
    )
  );
}
