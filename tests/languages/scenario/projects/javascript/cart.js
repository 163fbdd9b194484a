/** One line of a cart. */
export class Item {
  constructor(name, cents, count) {
    this.name = name;
    this.cents = cents;
    this.count = count;
  }

  price() {
    return this.cents * this.count;
  }
}

export class Gift extends Item {
  price() {
    return 0;
  }
}

export function total(items) {
  let sum = 0;
  for (const item of items) {
    const cost = item.price();
    sum = sum + cost; // @add
  }
  return sum; // @return
}

export function percent(sum, part) {
  if (part > 100) { // @percent
    throw new RangeError('part above 100'); // @fail
  }
  const product = sum * part; // @product
  return product / 100; // @divide
}

function unused() { // @unused
  return 1;
}
