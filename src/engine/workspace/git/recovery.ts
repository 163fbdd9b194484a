import type { Step } from '../../../base/text/advice.ts';

/** How what a call took away comes back: the commit that still has it, for git itself and for a tool. */
export interface Recovery {
  sha: string;
  command: string;
  call: { tool: Step['tool']; args: Readonly<Record<string, string>> };
}

/** A word as shells take it. */
export function shellWord(text: string): string {
  return /^[\w./@{}^~+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
