/** What the scripted model says next: calls of tools, by the names under which the client offers them, or its last words. */
export type Turn = { calls: readonly ScriptedCall[] } | { text: string };

export interface ScriptedCall {
  tool: string;
  args: Record<string, unknown>;
}

/** A tool as the model sees it. A deferred one is known by name only, until the model looks it up. */
export interface OfferedTool {
  name: string;
  description: string;
  schema: unknown;
  deferred: boolean;
}

/** The result of a call as the model receives it: every text in it, in order. */
export interface ReceivedResult {
  callId: string;
  texts: string[];
}

/** One request of a client, read from the wire. */
export interface ModelRequest {
  wire: string;
  /** System text and instructions. */
  system: string;
  /** What stands in the conversation besides, of every role but the model's own; clients put reminders there. */
  said: string[];
  tools: OfferedTool[];
  results: ReceivedResult[];
  /** How many turns of calls the model has made in this conversation. */
  turn: number;
  body: Record<string, unknown>;
  receivedAt: number;
}

/** A dialect in which clients talk to models. */
export interface Wire {
  name: string;
  /** Of the path without its query. */
  matches(path: string): boolean;
  read(body: Record<string, unknown>): Omit<ModelRequest, 'wire' | 'body' | 'receivedAt'>;
  /** The answer as server-sent events. The id of a call is `call_<turn>_<number>`. */
  stream(turn: Turn, number: number, request: ModelRequest): ServerEvent[];
  /** The same in one piece, for a client that does not stream. */
  whole(turn: Turn, number: number, request: ModelRequest): unknown;
}

export interface ServerEvent {
  event?: string;
  data: unknown;
}

export function callId(turn: number, index: number): string {
  return `call_${turn}_${index}`;
}

export type Json = Record<string, unknown>;

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];
}

export function object(value: unknown): Json {
  return objects([value])[0] ?? {};
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every text in a message's content: a string, or parts of which some are text. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return objects(content).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}
