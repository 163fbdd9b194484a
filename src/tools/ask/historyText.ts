import { displayPath } from '../../base/paths.ts';
import { samplesOf } from '../../engine/debugger/ask/history.ts';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import type { RecordedCall, RecordedSample, Recording } from '../../engine/debugger/ask/recording.ts';
import { clipValue } from './valueText.ts';

/** `0→1 :164 consume ← add :63 | …`: one line for each expression and file. */
export function historyLines(recording: Recording, probes: readonly Probe[], root: string, maxChars: number): string[] {
  return probes.flatMap((probe) => {
    const samples = samplesOf(recording, probe.id);
    const [expression = ''] = probe.expressions;
    if (samples.length === 0) return [`${expression}: could be evaluated nowhere in the focus`];
    const cells = samples.map((sample, index) => cell(sample, samples[index - 1], root));
    return [`${expression}: ${fitting(cells, Math.floor(maxChars / probes.length))}`];
  });
}

function cell(sample: RecordedSample, before: RecordedSample | undefined, root: string): string {
  const value = clipValue(sample.values[0]?.text ?? '', 60);
  const old = before === undefined ? '' : `${clipValue(before.values[0]?.text ?? '', 40)}→`;
  const file = before?.file === sample.file ? '' : displayPath(root, sample.file);
  return `${old}${value} ${file}:${sample.line}${byText(sample.by)}`;
}

/** ` consume ← add :63`, with as many callers as are wanted. */
export function byText(call: RecordedCall | undefined, callers = 1): string {
  if (call === undefined) return '';
  let text = ` ${call.fn.name}`;
  let each = call;
  for (let count = 0; count < callers && each.parent !== undefined; count++) {
    text += ` ← ${each.parent.fn.name} :${each.from ?? 0}`;
    each = each.parent;
  }
  return text;
}

function fitting(cells: readonly string[], maxChars: number): string {
  let head = cells.length;
  const text = (count: number) =>
    count >= cells.length
      ? cells.join(' | ')
      : [
          ...cells.slice(0, Math.ceil(count / 2)),
          `… ${cells.length - count} more`,
          ...cells.slice(cells.length - Math.floor(count / 2)),
        ].join(' | ');
  while (head > 2 && text(head).length > maxChars) head--;
  return text(head);
}
