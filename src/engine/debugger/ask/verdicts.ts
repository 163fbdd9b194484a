import type { RecordedSample, Recording } from './recording.ts';

interface Hypothesis {
  id: string;
  expression: string;
  /** The value it is to have; without, it is to be true. */
  expect?: string | undefined;
}

/** `failed`: the expression could not be evaluated there. */
export interface Verdict {
  id: string;
  verdict: 'confirmed' | 'rejected' | 'never reached' | 'failed';
  /** How often the place was reached; more than were looked at when it was very often. */
  hits: number;
  holds: number;
  fails: number;
  /** The first time it did not hold; of a confirmed one, the first time. */
  example: RecordedSample | undefined;
}

export function verdictOf(recording: Recording, hypothesis: Hypothesis): Verdict {
  const samples = recording.samples.filter(({ probe }) => probe === hypothesis.id);
  const hits = Math.max(recording.probeHits.get(hypothesis.id) ?? 0, samples.length);
  const readable = samples.filter(({ values }) => values[0]?.failed !== true);
  const holds = readable.filter((sample) => isHeld(sample, hypothesis));
  // Where it cannot be evaluated, though elsewhere it can, it does not hold.
  const broken = samples.find((sample) => sample.values[0]?.failed === true || !isHeld(sample, hypothesis));
  const counts = { hits, holds: holds.length, fails: samples.length - holds.length };
  if (samples.length === 0) return { id: hypothesis.id, verdict: 'never reached', ...counts, example: undefined };
  if (readable.length === 0) return { id: hypothesis.id, verdict: 'failed', ...counts, example: samples[0] };
  const verdict = broken === undefined ? 'confirmed' : 'rejected';
  return { id: hypothesis.id, verdict, ...counts, example: broken ?? holds[0] };
}

function isHeld(sample: RecordedSample, { expect }: Hypothesis): boolean {
  const text = sample.values[0]?.text ?? '';
  return expect === undefined ? !isFalse(text) : isSameText(text, expect);
}

/** What JavaScript and Python take for false. An empty list is false in Python only, and is never what a hypothesis is about. */
export function isFalse(text: string): boolean {
  return /^(false|null|undefined|NaN|-?0n?|0\.0|""|''|False|None)$/.test(text);
}

/** `"a"`, `'a'` and `a` are the same text, 1 and 1.0 the same number. */
export function isSameText(text: string, expected: string): boolean {
  const plain = (each: string) => each.trim().replace(/^(["'])(.*)\1$/s, '$2');
  if (plain(text) === plain(expected)) return true;
  return text.trim() !== '' && expected.trim() !== '' && Number(text) === Number(expected);
}
