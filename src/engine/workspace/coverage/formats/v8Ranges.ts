import { numbersIn, recordsIn } from './values.ts';

/** How often V8 ran what stands at an offset of a script: ranges lie inside each other, and the innermost counts. */
export class V8Ranges {
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];

  constructor(functions: unknown) {
    const ranges = recordsIn(functions)
      .flatMap((each) => recordsIn(each['ranges']))
      .flatMap((each) => {
        const [start, end, count] = numbersIn([each['startOffset'], each['endOffset'], each['count']]);
        return start === undefined || end === undefined || count === undefined ? [] : [{ start, end, count }];
      })
      .toSorted((a, b) => a.start - b.start || b.end - a.end);
    const open: { end: number; count: number }[] = [];
    for (const range of ranges) {
      this.#close(open, range.start);
      this.#change(range.start, range.count);
      open.push(range);
    }
    this.#close(open, Number.POSITIVE_INFINITY);
  }

  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#counts[low - 1] ?? 0;
  }

  #close(open: { end: number; count: number }[], until: number): void {
    for (let top = open.at(-1); top !== undefined && top.end <= until; top = open.at(-1)) {
      open.pop();
      this.#change(top.end, open.at(-1)?.count ?? 0);
    }
  }

  #change(start: number, count: number): void {
    if (this.#starts.at(-1) === start) this.#counts[this.#counts.length - 1] = count;
    else {
      this.#starts.push(start);
      this.#counts.push(count);
    }
  }
}
