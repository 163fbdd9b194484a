export interface Priced {
  price(): number;
}

/** One line of a cart. */
export class Item implements Priced {
  constructor(readonly name: string, readonly cents: number, readonly count: number) {}

  price(): number {
    return this.cents * this.count;
  }
}

export class Gift extends Item {
  override price(): number {
    return 0;
  }
}

export function total(items: readonly Priced[]): number {
  let sum = 0;
  for (const item of items) {
    const cost = item.price();
    sum = sum + cost; // @add
  }
  return sum; // @return
}

export function percent(sum: number, part: number): number {
  if (part > 100) { // @percent
    throw new RangeError('part above 100'); // @fail
  }
  const product = sum * part; // @product
  return product / 100; // @divide
}

function unused(): number { // @unused
  return 1;
}
