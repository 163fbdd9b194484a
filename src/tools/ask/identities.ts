import type { HistoryRow } from '../../engine/debugger/ask/history.ts';

/** Short names of objects in one answer: `#1`, for those that stand in it more than once or beside others of their kind. */
export class Identities {
  readonly #names = new Map<string, string>();

  constructor(rows: readonly HistoryRow[]) {
    const counts = new Map<string, number>();
    const holders = new Set<string>();
    for (const { process, holder, old, new: now } of rows) {
      if (holder !== undefined) holders.add(`${process}:${holder}`);
      for (const object of [holder, old?.object, now?.object])
        if (object !== undefined) counts.set(`${process}:${object}`, (counts.get(`${process}:${object}`) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      const isOnlyHolder = holders.has(key) && holders.size === 1 && count === rows.length;
      if (count > 1 && !isOnlyHolder) this.#names.set(key, `#${this.#names.size + 1}`);
      else if (holders.has(key) && holders.size > 1) this.#names.set(key, `#${this.#names.size + 1}`);
    }
  }

  name(process: number, object: number | undefined): string {
    return object === undefined ? '' : (this.#names.get(`${process}:${object}`) ?? '');
  }
}
