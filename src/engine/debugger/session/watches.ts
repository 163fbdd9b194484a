import { ToolError } from '../../../base/errors.ts';

export interface Watch {
  id: string;
  expression: string;
}

/** Expressions whose values each stop shows. */
export class Watches {
  readonly #watches: Watch[] = [];
  #next = 1;

  list(): readonly Watch[] {
    return this.#watches;
  }

  add(expression: string): Watch {
    const watch = { id: `w${this.#next++}`, expression };
    this.#watches.push(watch);
    return watch;
  }

  remove(id: string): Watch {
    const index = this.#watches.findIndex((watch) => watch.id === id);
    const [gone] = index < 0 ? [] : this.#watches.splice(index, 1);
    if (gone === undefined)
      throw new ToolError('invalid_arguments', `There is no watch ${id}.`, {
        data: { watches: this.#watches },
        hint:
          this.#watches.length === 0
            ? 'There are no watches.'
            : `Watches: ${this.#watches.map((each) => each.id).join(', ')}.`,
      });
    return gone;
  }
}
