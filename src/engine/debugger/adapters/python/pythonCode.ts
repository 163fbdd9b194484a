/**
 * A Python expression as its tokenizer reads it, for rules about code: comments and strings are gone, the code inside f-strings is there, and
 * names are in the form the language compares them in (NFKC), so that no look-alike letter makes another name of one.
 */
export function pythonCode(expression: string): string {
  return new PythonText(expression).read();
}

const stringStart = /([A-Za-z]{0,3})("""|'''|"|')/y;
const name = /[\p{L}\p{Nl}\p{M}\p{N}\p{Pc}\p{Sk}_]+/uy;

class PythonText {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Up to the end, or to the brace that closes a field of an f-string. */
  read(isField = false): string {
    let out = '';
    let depth = 0;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (isField && depth === 0 && character === '}') break;
      const string = this.#match(stringStart);
      const word = string === undefined ? this.#match(name) : undefined;
      if (string !== undefined && /^(?:[rbuft]|[rbft]{2})?$/i.test(string[1] ?? '')) out += this.#string(string);
      else if (word !== undefined) {
        out += word[0].normalize('NFKC');
        this.#at += word[0].length;
      } else if (character === '#') {
        const end = this.#source.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#source.length : end;
      } else if (character === '\\' && /[\r\n]/.test(this.#source.charAt(this.#at + 1))) {
        out += ' ';
        this.#at += this.#source.startsWith('\r\n', this.#at + 1) ? 3 : 2;
      } else {
        if ('([{'.includes(character)) depth++;
        if (')]}'.includes(character)) depth--;
        out += character;
        this.#at++;
      }
    }
    return out;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source) ?? undefined;
  }

  #string([whole, prefix = '', quote = '']: RegExpExecArray): string {
    this.#at += whole.length;
    const hasFields = /[ft]/i.test(prefix);
    let code = '';
    while (this.#at < this.#source.length && !this.#source.startsWith(quote, this.#at)) {
      const character = this.#source.charAt(this.#at);
      const isDoubled = hasFields && /^(\{\{|\}\})/.test(this.#source.slice(this.#at, this.#at + 2));
      // A backslash takes the meaning from a quote, but not from the brace of a field.
      const isEscape = character === '\\' && !(hasFields && this.#source.charAt(this.#at + 1) === '{');
      if (isEscape || isDoubled) this.#at += 2;
      // The format after a colon has fields of its own; it is read as code as well, which forbids too much rather than too little.
      else if (hasFields && character === '{') {
        this.#at++;
        code += ` (${this.read(true)}) `;
        this.#at++;
      } else this.#at++;
    }
    this.#at += quote.length;
    return `""${code}`;
  }
}
