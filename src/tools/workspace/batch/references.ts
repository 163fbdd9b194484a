import { ToolError } from '../../../base/errors.ts';

/** What an earlier call of the batch answered; undefined when it failed. */
export type Earlier = Readonly<Record<string, unknown>> | undefined;

/** `$1.usages[0].file`, or `${1.file}` where letters follow; `$$` before a digit is a plain `$`. */
const reference = /\$\$(?=\d|\{\d)|\$(\d+)((?:\.[A-Za-z_]\w*|\[\d+\])+)|\$\{(\d+)((?:\.[A-Za-z_]\w*|\[\d+\])+)\}/g;

/** Arguments with references to earlier answers replaced: a whole string by the value, a part of one by its text. */
export function resolveReferences(value: unknown, earlier: readonly Earlier[]): unknown {
  if (typeof value === 'string') return inText(value, earlier);
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, earlier));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item, earlier)]));
}

function inText(text: string, earlier: readonly Earlier[]): unknown {
  const [only] = text.matchAll(reference);
  if (only !== undefined && only[0] === text && text !== '$$') return referred(only, earlier);
  return text.replace(reference, (...match: string[]) => {
    if (match[0] === '$$') return '$';
    const value = referred(match, earlier);
    if (typeof value === 'object' && value !== null)
      throw unresolved(
        match[0] ?? '',
        `is ${Array.isArray(value) ? 'a list' : 'an object'} and cannot stand in a text`,
      );
    return String(value);
  });
}

function referred(match: readonly (string | undefined)[], earlier: readonly Earlier[]): unknown {
  const [whole = '', number = match[3], path = match[4] ?? ''] = match;
  const index = Number(number) - 1;
  if (!(index in earlier)) throw unresolved(whole, `refers to call ${number}, which does not come before this one`);
  let value: unknown = earlier[index];
  if (value === undefined) throw unresolved(whole, `refers to call ${number}, which has no result`);
  for (const [step] of path.matchAll(/\.\w+|\[\d+\]/g)) value = stepInto(value, step, whole);
  return value;
}

function stepInto(value: unknown, step: string, whole: string): unknown {
  if (step.startsWith('[')) {
    const index = Number(step.slice(1, -1));
    if (!Array.isArray(value)) throw unresolved(whole, `finds no list at ${step}`);
    if (!(index in value)) throw unresolved(whole, `asks for ${step} of a list of ${value.length}`);
    return value[index];
  }
  const record: Record<string, unknown> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  const name = step.slice(1);
  const key = Object.keys(record).find((each) => plain(each) === plain(name));
  if (key !== undefined && record[key] !== undefined) return record[key];
  const has = Array.isArray(value) ? `a list of ${value.length}` : namesIn(record) || 'nothing';
  throw unresolved(whole, `finds no "${name}"; there is ${has}`);
}

function namesIn(record: Record<string, unknown>): string {
  return Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .join(', ');
}

/** Answers are in camelCase and arguments in snake_case; either is meant. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function unresolved(whole: string, why: string): ToolError {
  return new ToolError('invalid_arguments', `The reference ${whole} ${why}.`, {
    hint: 'Write $$ where a plain $ before a digit is meant.',
  });
}
