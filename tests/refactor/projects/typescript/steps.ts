export async function load(get: (key: string) => Promise<number>, keys: readonly string[]): Promise<number> {
  let total = 0;
  for (const key of keys) {
    const value = await get(key);
    total += value;
  }
  const rest = (await get('rest')) * 2;
  return total + rest;
}

export function* evens(limit: number): Generator<number, string, boolean | undefined> {
  for (let n = 0; n < limit; n += 2) {
    const stop = yield n;
    if (stop) return 'stopped';
  }
  return 'done';
}

export function* twice(limit: number): Generator<number> {
  yield* evens(limit);
  yield* evens(limit);
}

export async function* slow(limit: number): AsyncGenerator<number> {
  for (const n of evens(limit)) yield Promise.resolve(n);
}

export function counter(start: number): { up: () => number; down: () => number } {
  let value = start;
  const step = start > 10 ? 10 : 1;
  return {
    up: () => {
      value += step;
      return value;
    },
    down: () => (value -= step),
  };
}

const shift = 1;

export function shadows(shift: number): number[] {
  const outer = shift * 2;
  const inner = [1, 2].map((shift) => shift + outer);
  {
    const outer = 5;
    inner.push(outer + shift);
  }
  return inner;
}

export const shifted = (n: number): number => n + shift;
