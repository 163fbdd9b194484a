import { clip } from '../../base/textBudget.ts';
import type { StopData } from './shapes.ts';

/** Of a stop at a failure as JSON; with what stands around it, an answer stays below 1,200 characters. */
const maxChars = 860;
const minVariableChars = 230;
const maxLineChars = 120;
const maxAsideChars = 48;
/** What JSON needs for a variable besides its value. */
const frameChars = 95;

type Variable = StopData['variables'][number];

/**
 * A failure is looked at once, and then the program is over: the answer holds what matters and no more. Variables that the failing
 * line names come first and whole; others follow, shortened, until the room ends. What was left out is counted.
 */
export function fitFailure(stop: StopData): StopData {
  if (stop.exception === undefined) return stop;
  const source = stop.source.map((line) =>
    line.startsWith('>>>') ? clip(line, 2 * maxLineChars) : clip(line, maxLineChars),
  );
  const bare = { ...stop, source, variables: [] };
  const room = Math.max(maxChars - sizeOf(bare), minVariableChars);
  if (sizeOf(stop.variables) <= room) return { ...stop, source };
  const failing = source.find((line) => line.startsWith('>>>')) ?? '';
  const names = words(failing);
  const named = stop.variables.filter((variable) => names.has(variable.name));
  const others = stop.variables.filter((variable) => !names.has(variable.name));
  const share = Math.max(Math.floor(room / Math.max(named.length, 1)) - frameChars, maxAsideChars);
  const ordered = [...named.map((variable) => cut(variable, share)), ...others.map((each) => cut(each, maxAsideChars))];
  const variables: Variable[] = [];
  let used = 0;
  for (const variable of ordered) {
    if (variables.length > 0 && used + sizeOf(variable) > room) continue;
    used += sizeOf(variable) + 1;
    variables.push(variable);
  }
  const moreVariables = (stop.moreVariables ?? 0) + stop.variables.length - variables.length;
  return { ...bare, variables, ...(moreVariables > 0 ? { moreVariables } : {}) };
}

/** Shortened, but with how much there is of it, which stands at the end. */
function cut(variable: Variable, maxValueChars: number): Variable {
  const { value } = variable;
  if (value.length <= maxValueChars) return variable;
  const end = /…[^…"']{0,16}$/.exec(value)?.[0];
  const short = end === undefined ? clip(value, maxValueChars) : value.slice(0, maxValueChars - end.length) + end;
  return { ...variable, value: short };
}

function words(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
