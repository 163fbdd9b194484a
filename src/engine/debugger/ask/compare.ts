import { functionKey, isTest, type RecordedCall, type Recording } from './recording.ts';

/** Where two runs part. */
export interface RunDifference {
  /**
   * `arguments`: the same call with others; `path`: another call, or none, where the other run has one; `result`: the same arguments and the
   * same calls inside, yet another result; `end`: one threw where the other returned.
   */
  kind: 'arguments' | 'path' | 'result' | 'end';
  a: RecordedCall | undefined;
  b: RecordedCall | undefined;
  /** Where the path parts: the call in which it does, in each run. */
  inA?: RecordedCall | undefined;
  inB?: RecordedCall | undefined;
}

interface RunComparison {
  /** The first difference of each kind, in the order of running. */
  differences: RunDifference[];
  /** Calls that were the same before the first difference. */
  same: number;
}

/** Compares two runs call by call, as deep as they go. */
export function compareRuns(a: Recording, b: Recording): RunComparison {
  const comparison = new Comparison();
  comparison.lists(a.roots, b.roots, undefined, undefined);
  return { differences: comparison.differences, same: comparison.same };
}

/** Two calls of one function, of one run: where what they did parts. */
export function compareCalls(a: RecordedCall, b: RecordedCall): RunComparison {
  const comparison = new Comparison();
  comparison.pair(a, b);
  return { differences: comparison.differences, same: comparison.same };
}

class Comparison {
  readonly differences: RunDifference[] = [];
  same = 0;

  lists(
    a: readonly RecordedCall[],
    b: readonly RecordedCall[],
    inA: RecordedCall | undefined,
    inB: RecordedCall | undefined,
  ): boolean {
    let isSame = true;
    const length = Math.max(a.length, b.length);
    for (let index = 0; index < length; index++) {
      const left = a[index];
      const right = b[index];
      if (left === undefined || right === undefined || !isCounterpart(left, right)) {
        this.#note({ kind: 'path', a: left, b: right, inA, inB });
        return false;
      }
      if (!this.pair(left, right)) isSame = false;
    }
    return isSame;
  }

  /** Answers whether all went the same in both. */
  pair(a: RecordedCall, b: RecordedCall): boolean {
    const sameArguments = textOf(a) === textOf(b);
    if (!sameArguments) this.#note({ kind: 'arguments', a, b });
    const sameInside = this.lists(a.children, b.children, a, b);
    const isThrowA = a.end?.threw !== undefined;
    const isThrowB = b.end?.threw !== undefined;
    if (isThrowA !== isThrowB) {
      this.#note({ kind: 'end', a, b });
      return false;
    }
    const sameResult = resultOf(a) === resultOf(b);
    if (!sameResult && sameArguments && sameInside) this.#note({ kind: 'result', a, b });
    const isSame = sameArguments && sameInside && sameResult;
    if (isSame && this.differences.length === 0) this.same++;
    return isSame;
  }

  #note(difference: RunDifference): void {
    const isKnown = this.differences.some(
      ({ kind, a, b }) => kind === difference.kind || (a === difference.a && b === difference.b),
    );
    if (!isKnown) this.differences.push(difference);
  }
}

/** The same function; what a test runner is given are counterparts whatever their names. */
function isCounterpart(a: RecordedCall, b: RecordedCall): boolean {
  if (functionKey(a.fn) === functionKey(b.fn) || a.fn.name === b.fn.name) return true;
  return a.parent === undefined && b.parent === undefined && isTest(a.fn) && isTest(b.fn);
}

function textOf({ args }: RecordedCall): string {
  return args.map(({ text }) => text).join('\n');
}

function resultOf({ end }: RecordedCall): string {
  return end?.threw?.text ?? end?.value?.text ?? '';
}
