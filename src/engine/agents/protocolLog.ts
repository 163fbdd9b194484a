import type { LoggedMessage } from './model.ts';

const maxMessages = 2000;
const maxChars = 4_000_000;
const maxMessageChars = 100_000;

/** The latest messages of a thread in both directions, for a person who wonders. In memory only: they hold what was said. */
export class ProtocolLog {
  readonly #messages: (LoggedMessage & { chars: number })[] = [];
  #chars = 0;
  #seq = 0;

  add(direction: LoggedMessage['direction'], message: unknown): void {
    const json = JSON.stringify(message) ?? '';
    const kept =
      json.length > maxMessageChars ? `${json.slice(0, maxMessageChars)}... (${json.length} characters)` : message;
    const chars = Math.min(json.length, maxMessageChars);
    this.#seq += 1;
    this.#messages.push({ seq: this.#seq, time: new Date().toISOString(), direction, message: kept, chars });
    this.#chars += chars;
    while (this.#messages.length > maxMessages || this.#chars > maxChars)
      this.#chars -= this.#messages.shift()?.chars ?? 0;
  }

  /** Those after a number, oldest first. */
  since(seq: number, limit = maxMessages): LoggedMessage[] {
    return this.#messages
      .filter((message) => message.seq > seq)
      .slice(-limit)
      .map(({ chars: _chars, ...message }) => message);
  }
}
