import { advise, type Hint, step } from '../../../base/text/advice.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { OutputForm } from '../../faces.ts';

/** Who reads an answer, and how much of it. */
export interface Reader {
  root: string;
  form: OutputForm;
  /** The room that the caller chose; undefined when the usual is meant. */
  maxChars?: number;
  /** The call that shows what was left out. */
  seeMore: string;
}

/** `seeMore`: the call, in the names of the debugger face, that shows what a stop leaves out while the program stands there. */
export function readerOf(
  call: ToolCall,
  seeMore: Hint = advise`${step('getVariables')}, ${step('getStackTrace')}`,
): Reader {
  const { budget, client, project } = call;
  return {
    root: project.root,
    form: client.output,
    ...(budget.isChosen === true ? { maxChars: budget.maxChars } : {}),
    seeMore: call.hint(seeMore) ?? 'more with max_chars',
  };
}

/** What an exception calls the two sides of its comparison. */
export const sideNames: ReadonlySet<string> = new Set(['actual', 'expected', 'left', 'right']);
