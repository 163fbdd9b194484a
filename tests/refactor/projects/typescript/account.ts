import { logged, type Entry } from './log';

/** Money that somebody has. */
export class Account {
  static count = 0;
  readonly #entries: Entry[] = [];
  private limit = 100;

  constructor(readonly owner: string) {
    Account.count += 1;
  }

  get balance(): number {
    return this.#entries.reduce((sum, { amount }) => sum + amount, 0);
  }

  @logged
  pay(amount: number): Account {
    const fits = this.balance + amount <= this.limit;
    if (fits) {
      const entry = { amount, label: this.labelOf(amount) };
      this.#entries.push(entry);
    }
    return this;
  }

  each(visit: (entry: Entry, owner: string) => void): void {
    this.#entries.forEach((entry) => visit(entry, this.owner));
  }

  private labelOf(amount: number): string {
    return `${this.owner}:${amount}`;
  }

  unusedLater(): string {
    return this.labelOf(0);
  }

  find(key: number): Entry | undefined;
  find(key: string): Entry | undefined;
  find(key: number | string): Entry | undefined {
    return this.#entries.find(({ amount, label }) => (typeof key === 'number' ? amount === key : label === key));
  }
}

export function summary(account: Account): string {
  const { owner, balance } = account;
  const text = `${owner} has ${balance}`;
  return text;
}
