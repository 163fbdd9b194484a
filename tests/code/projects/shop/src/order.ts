import { Book, total, type Basket, type Priced } from './pricing.ts';

export class OrderService {
  #basket: Basket = [];
  discount = 0;

  add(item: Priced): this {
    this.#basket.push(item);
    return this;
  }

  total(): number {
    return total(this.#basket) - this.discount;
  }
}

export function sampleOrder(): OrderService {
  const service = new OrderService();
  service.discount = 5;
  return service.add(new Book('TypeScript 😀'));
}

export const größe = total([]); export const after = größe + total([new Book('é')]);
