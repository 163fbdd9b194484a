import type { LongLine } from './lineSplitter.ts';

/** Clients send files in their arguments; nothing that makes sense in a conversation is longer. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The answer to a JSON-RPC message that was too long to be read. */
export function longMessageError(line: LongLine): unknown {
  const message = `The message has ${line.bytes} bytes; at most ${maxMessageBytes} are read. Send less at once.`;
  return { jsonrpc: '2.0', id: idOfLongMessage(line), error: { code: -32600, message } };
}

/** `"key": value,` with a plain value, at the beginning of an object. */
const plainMember = /\s*"(\w+)"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18}|null|true|false)\s*,/y;
/** The last member of an object that ends the message: a nested one would end with more than one brace. */
const lastId = /[,{]\s*"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,18})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Serialisers write the id first or last; whoever waits for an answer must be told by it. */
export function idOfLongMessage({ head, tail }: LongLine): string | number | null {
  const start = head.indexOf('{') + 1;
  if (start === 0 || head.slice(0, start - 1).trim() !== '') return null;
  plainMember.lastIndex = start;
  for (let match = plainMember.exec(head); match !== null; match = plainMember.exec(head))
    if (match[1] === 'id') return parsed(match[2]);
  return parsed(lastId.exec(tail.slice(-400))?.[1]);
}

function parsed(text: string | undefined): string | number | null {
  const value: unknown = text === undefined ? null : JSON.parse(text);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
