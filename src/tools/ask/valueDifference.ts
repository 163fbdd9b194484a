/** A value as its drawing shows it: `Cart {items: [1, 2], rate: 0}`, `Inventory(stock={'pen': 1})`. */
type Drawn =
  | { kind: 'atom'; text: string }
  | { kind: 'whole'; head: string; members: Member[]; isCut: boolean; text: string };

interface Member {
  /** Absent in lists. */
  key: string | undefined;
  value: Drawn;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Where two drawings of one value differ, each as `.items[0].price: 10 ⇒ 9`; undefined when they cannot be compared part by part. */
export function valueDifferences(before: string, after: string): string[] | undefined {
  const [a, b] = [new Reader(before).whole(), new Reader(after).whole()];
  if (a?.kind !== 'whole' || b?.kind !== 'whole' || a.head !== b.head) return undefined;
  const found: string[] = [];
  collect(a, b, '', found);
  return found;
}

function collect(a: Drawn, b: Drawn, path: string, found: string[]): void {
  if (a.text === b.text) return;
  if (a.kind === 'atom' || b.kind === 'atom' || a.head !== b.head) {
    found.push(`${path}: ${a.text} ⇒ ${b.text}`);
    return;
  }
  const old = byKey(a.members);
  const now = byKey(b.members);
  for (const [key, value] of now) {
    const was = old.get(key);
    if (was !== undefined) collect(was, value, path + key, found);
    // What a drawing left out may have been there.
    else if (!a.isCut) found.push(`${path}${key} = ${value.text}`);
  }
  if (!b.isCut) for (const key of old.keys()) if (!now.has(key)) found.push(`${path}${key} gone`);
}

function byKey(members: readonly Member[]): Map<string, Drawn> {
  return new Map(members.map(({ key, value }, index) => [key === undefined ? `[${index}]` : keyPath(key), value]));
}

function keyPath(key: string): string {
  return /^[\p{L}_$#][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${key}]`;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Drawn | undefined {
    const value = this.#value('');
    return this.#at === this.#text.length ? value : undefined;
  }

  /** Up to one of these characters, or the end. */
  #value(ends: string): Drawn | undefined {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (ends.includes(character)) break;
      if (character === '"' || character === "'" || character === '`') this.#skipText(character);
      else if (character === '(' && this.#isSize()) this.#skip(/[(\d)]/);
      else if (closing[character] !== undefined) return this.#members(start, character);
      else this.#at++;
    }
    return { kind: 'atom', text: this.#text.slice(start, this.#at).trim() };
  }

  #members(start: number, open: string): Drawn | undefined {
    const end = closing[open] ?? '';
    const head =
      this.#text
        .slice(start, this.#at)
        .replace(/\(\d+\)/, '')
        .trim() + open;
    const members: Member[] = [];
    let isCut = false;
    this.#at++;
    for (;;) {
      this.#skip(/[\s,]/);
      if (this.#at >= this.#text.length) {
        // The drawing was cut off here, maybe in the middle of its last member.
        if (!this.#text.endsWith('…')) return undefined;
        if (members.at(-1)?.value.kind === 'atom') members.pop();
        return { kind: 'whole', head, members, isCut: true, text: this.#text.slice(start) };
      }
      if (this.#text.charAt(this.#at) === end) break;
      if (this.#text.charAt(this.#at) === '…') {
        isCut = true;
        this.#skip(/[^,\]})]/);
        continue;
      }
      const member = this.#member(end);
      if (member === undefined) return undefined;
      members.push(member);
    }
    this.#at++;
    return { kind: 'whole', head, members, isCut, text: this.#text.slice(start, this.#at) };
  }

  #member(end: string): Member | undefined {
    const key = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{L}\p{N}_$#.-]+)(?=(?:: |=(?!>)| => ))/u.exec(
      this.#text.slice(this.#at),
    )?.[0];
    if (key !== undefined) {
      this.#at += key.length;
      this.#skip(/[:=>\s]/);
    }
    const value = this.#value(`,${end}`);
    return value === undefined ? undefined : { key, value };
  }

  /** `Map(2) {`: how many there are, before what they are. */
  #isSize(): boolean {
    return /^\(\d+\) [{[]/.test(this.#text.slice(this.#at, this.#at + 16));
  }

  #skip(characters: RegExp): void {
    while (this.#at < this.#text.length && characters.test(this.#text.charAt(this.#at))) this.#at++;
  }

  #skipText(quote: string): void {
    this.#at++;
    while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== quote)
      this.#at += this.#text.charAt(this.#at) === '\\' ? 2 : 1;
    this.#at = Math.min(this.#at + 1, this.#text.length);
  }
}
