/** Something that can be sold. */
export interface Priced {
  /** Price of one piece, in cents. */
  price(): number;
}

export abstract class Item implements Priced {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  abstract price(): number;
}

export class Book extends Item {
  pages = 0;
  price(): number {
    return 1000 + this.pages;
  }
}

export class Toy extends Item {
  price(): number {
    return 500;
  }
}

/**
 * Adds up prices.
 * @param items what is bought
 */
export function total(items: readonly Priced[]): number {
  let sum = 0;
  for (const item of items) sum += item.price();
  return sum;
}

export type Basket = Priced[];
