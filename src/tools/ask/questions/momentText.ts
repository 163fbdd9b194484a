import { displayPath } from '../../../base/paths.ts';
import { samplesOf } from '../../../engine/debugger/ask/history.ts';
import type { Probe } from '../../../engine/debugger/ask/model.ts';
import type { RecordedSample } from '../../../engine/debugger/ask/recording.ts';
import type { RecordedRun } from '../../../engine/debugger/ask/recordRun.ts';
import { isFalse, isSameText } from '../../../engine/debugger/ask/verdicts.ts';
import { signature } from '../callText.ts';
import { byText } from '../historyText.ts';
import { clipValue } from '../valueText.ts';

/** The first moment in a recorded run at which what a probe evaluates everywhere is what is wanted. */
export function momentOf(
  { recording }: RecordedRun,
  { id, expressions: [expression = ''] }: Probe,
  becomes: unknown,
  root: string,
): { moment: string; before?: string; callers?: string[] } {
  const samples = samplesOf(recording, id);
  const wanted = becomes === undefined ? true : textOf(becomes);
  const index = samples.findIndex(({ values }) => isWanted(values[0]?.text ?? '', wanted));
  const found = samples[index];
  return found === undefined
    ? { moment: neverText(expression, wanted, samples, root) }
    : momentData(expression, found, samples[index - 1], root);
}

function isWanted(text: string, wanted: string | boolean): boolean {
  if (wanted === true || wanted === 'true') return !isFalse(text);
  if (wanted === false || wanted === 'false') return isFalse(text);
  return isSameText(text, wanted);
}

function momentData(
  expression: string,
  found: RecordedSample,
  before: RecordedSample | undefined,
  root: string,
): { moment: string; before?: string; callers?: string[] } {
  const place = (sample: RecordedSample) => `${displayPath(root, sample.file)}:${sample.line}${byText(sample.by)}`;
  const text = (sample: RecordedSample) => clipValue(sample.values[0]?.text ?? '', 200);
  const callers: string[] = [];
  for (let call = found.by; call !== undefined && callers.length < 6; call = call.parent)
    callers.push(`  in ${signature(call, 80)}${call.from === undefined ? '' : `, called at :${call.from}`}`);
  return {
    moment: `${expression} is first ${text(found)} after ${place(found)}`,
    ...(before === undefined ? {} : { before: `before, since ${place(before)}: ${text(before)}` }),
    ...(callers.length === 0 ? {} : { callers }),
  };
}

function neverText(
  expression: string,
  wanted: string | boolean,
  samples: readonly RecordedSample[],
  root: string,
): string {
  const last = samples.at(-1);
  if (last === undefined) return `${expression} could be evaluated nowhere in the focus.`;
  const values = new Set(samples.map(({ values: [value] }) => clipValue(value?.text ?? '', 60)));
  return `${expression} never became ${wanted}; values: ${[...values].slice(0, 8).join(', ')}; last at ${displayPath(root, last.file)}:${last.line}.`;
}

/** A value as a caller writes it: a text is meant as it stands. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
