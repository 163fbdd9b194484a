/** Marks around all that is put into the program's code: what lies between can be taken out again, to the byte. No line is ever added. */
export const openMark = '/*$sl*/';
const closeMark = '/*$*/';

/** The text as it was written. */
export function withoutInsertions(text: string): string {
  if (!text.includes(openMark)) return text;
  // The text of a function may end within what was put behind it.
  return text.replaceAll(/\/\*\$sl\*\/.*?(?:\/\*\$\*\/|$)/g, '');
}

/** Text put into a source at its positions; what opens further out stands first, what closes further in. */
export class Insertions {
  readonly #before = new Map<number, string[]>();
  readonly #after = new Map<number, string[]>();

  /** Opens something that begins at `position`: of several, the one that was put first is outermost. */
  open(position: number, text: string): void {
    const list = this.#before.get(position);
    if (list === undefined) this.#before.set(position, [text]);
    else list.push(text);
  }

  /** Before all else that opens there. */
  openFirst(position: number, text: string): void {
    this.#before.set(position, [text, ...(this.#before.get(position) ?? [])]);
  }

  /** Closes something that ends at `position`: of several, the one that was put first is outermost. */
  close(position: number, text: string): void {
    const list = this.#after.get(position);
    if (list === undefined) this.#after.set(position, [text]);
    else list.unshift(text);
  }

  get isEmpty(): boolean {
    return this.#before.size === 0 && this.#after.size === 0;
  }

  apply(source: string): string {
    const positions = [...new Set([...this.#before.keys(), ...this.#after.keys()])].toSorted((a, b) => a - b);
    const parts: string[] = [];
    let last = 0;
    for (const position of positions) {
      const inserted = [...(this.#after.get(position) ?? []), ...(this.#before.get(position) ?? [])].join('');
      parts.push(source.slice(last, position), openMark, inserted, closeMark);
      last = position;
    }
    parts.push(source.slice(last));
    return parts.join('');
  }
}
