import type { RecordedValue } from './model.ts';
import type { RecordedCall, RecordedSample, RecordedWrite, Recording } from './recording.ts';

/** One change of a watched value. */
export interface HistoryRow {
  target: string;
  old: RecordedValue | undefined;
  new: RecordedValue | undefined;
  kind: RecordedWrite['kind'];
  file: string;
  line: number;
  since: number | undefined;
  by: RecordedCall | undefined;
  holder: number | undefined;
  isInside: boolean;
  process: number;
  seq: number;
  /** Further changes at the same place right after it that are left out; `new` is then what the last of them left. */
  more: number;
}

/** The writes that a watch wanted, each as it happened. */
export function historyOf(recording: Recording, watch: string): HistoryRow[] {
  return recording.writes.filter((write) => write.watch === watch).map(rowOf);
}

export function rowOf(write: RecordedWrite): HistoryRow {
  return {
    target: write.target,
    old: write.old,
    new: write.new,
    kind: write.kind,
    file: write.file,
    line: write.line,
    since: write.since,
    by: write.by,
    holder: write.holder,
    isInside: write.isInside === true,
    process: write.process,
    seq: write.seq,
    more: 0,
  };
}

/** Changes of the same thing by the same line one after the other are one row: a loop that counts says so once. */
export function condensed(rows: readonly HistoryRow[]): HistoryRow[] {
  const out: HistoryRow[] = [];
  for (const row of rows) {
    const last = out.at(-1);
    const isSame =
      last !== undefined &&
      last.line === row.line &&
      last.file === row.file &&
      last.holder === row.holder &&
      last.process === row.process &&
      withoutIndex(last.target) === withoutIndex(row.target);
    if (isSame) out[out.length - 1] = { ...last, new: row.new, seq: row.seq, more: last.more + 1 };
    else out.push(row);
  }
  return out;
}

function withoutIndex(target: string): string {
  return target.replaceAll(/\[\d+\]/g, '[]');
}

/** Values of an expression over time, where it changed. */
export function samplesOf(recording: Recording, probe: string): RecordedSample[] {
  return recording.samples.filter((sample) => sample.probe === probe);
}
