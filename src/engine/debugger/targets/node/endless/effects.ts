import { type Cells, heap, none, union } from './types.ts';

export type Direction = 'up' | 'down' | 'other';

/** What a loop does, collected while its text is followed: what is written from what, and on what its end depends. */
export class Effects {
  readonly #controls: Cells[] = [];
  readonly #writes: { cell: string; reads: Cells }[] = [];
  readonly #directions = new Map<string, Set<Direction>>();
  #exits: Cells = none;
  /** Whether the objects that the loop touches have to be looked at: they could run code of their own. */
  touchesObjects = false;
  /** Names of methods that are called on objects of unknown kind. */
  readonly methods = new Set<string>();

  /** What is done under a condition depends on what the condition reads. */
  under(reads: Cells, work: () => void): void {
    this.#controls.push(reads);
    work();
    this.#controls.pop();
  }

  write(cell: string, reads: Cells, direction: Direction = 'other'): void {
    this.#writes.push({ cell, reads: union(reads, ...this.#controls) });
    const directions = this.#directions.get(cell) ?? new Set();
    this.#directions.set(cell, directions.add(direction));
  }

  /** The loop may be left here, or go another way through its text. */
  exit(reads: Cells): void {
    this.#exits = union(this.#exits, reads, ...this.#controls);
  }

  isWritten(cell: string): boolean {
    return this.#directions.has(cell);
  }

  /** The one way in which a variable moves. */
  directionOf(cell: string): Direction | undefined {
    const directions = [...(this.#directions.get(cell) ?? [])];
    return directions.length === 1 ? directions[0] : undefined;
  }

  /** Everything on which it depends whether and when the loop ends. */
  relevant(): Cells {
    const found = new Set(this.#exits);
    for (let before = -1; before !== found.size;) {
      before = found.size;
      for (const { cell, reads } of this.#writes) if (found.has(cell)) for (const read of reads) found.add(read);
    }
    return found;
  }

  get writesHeap(): boolean {
    return this.isWritten(heap);
  }
}
