import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { Probe } from '../../../engine/debugger/ask/model.ts';
import type { RecordedRun } from '../../../engine/debugger/ask/recordRun.ts';
import type { Verdict } from '../../../engine/debugger/ask/verdicts.ts';
import { byText } from '../historyText.ts';
import { clipValue } from '../valueText.ts';

interface ProbeArguments {
  id: string;
  at: { file?: string | undefined; line?: number | undefined; function?: string | undefined };
  expression: string;
}

export function probeOf(given: ProbeArguments, fileOf: (path: string) => string): Probe {
  const { file, line, function: name } = given.at;
  if (name === undefined && (file === undefined || line === undefined))
    throw new ToolError('invalid_arguments', `The probe ${given.id} has no place.`, {
      hint: 'Give at: {file, line} or at: {function}.',
    });
  return {
    id: given.id,
    expressions: [given.expression],
    ...(file === undefined ? {} : { file: fileOf(file) }),
    ...(line === undefined ? {} : { line }),
    ...(name === undefined ? {} : { function: name }),
  };
}

/** A value as a caller writes it: a text is meant as it stands. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function verdictText(
  verdict: Verdict,
  { expression, expect }: { expression: string; expect: string | undefined },
  { recording }: RecordedRun,
  root: string,
): string {
  const { hits, holds, fails, example } = verdict;
  const claim = `${expression}${expect === undefined ? '' : ` = ${expect}`}`;
  const place =
    example === undefined ? '' : `${displayPath(root, example.file)}:${example.line}${byText(example.by, 2)}`;
  const value = clipValue(example?.values[0]?.text ?? '', 100);
  const times = hits === 1 ? 'once' : `${hits} times`;
  if (verdict.verdict === 'never reached') {
    const ran = recording.functions.length === 0 ? ' (no code of the project ran)' : '';
    return `NEVER REACHED  ${claim}${ran}`;
  }
  if (verdict.verdict === 'failed') return `NOT EVALUATED  ${claim}: ${value} at ${place}`;
  if (verdict.verdict === 'confirmed') return `CONFIRMED  ${claim}, ${times}; first ${value} at ${place}`;
  return `REJECTED  ${claim}: ${fails} of ${fails + holds} not; first ${value} at ${place}${argumentsText(example)}`;
}

function argumentsText(example: Verdict['example']): string {
  const { by } = example ?? {};
  if (by === undefined || by.args.length === 0) return '';
  return ` (${by.args.map(({ text }, index) => `${by.fn.params[index] ?? index}=${clipValue(text, 50)}`).join(', ')})`;
}
