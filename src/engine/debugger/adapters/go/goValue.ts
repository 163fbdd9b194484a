import type { Variable } from '../../model.ts';

/**
 * Values as people of Go write them. Delve prints `[]main.Item len: 2, cap: 2, [{Name: "pen"},…]`, with the address of what it has not
 * loaded; here types stand where they tell something, lengths where something is left out, and errors and times are what they say.
 */
export function goValue(variable: Variable): Variable | undefined {
  // Results without a name.
  if (variable.name.startsWith('~')) return undefined;
  return { ...variable, type: shortPackages(variable.type), value: goText(variable.value) };
}

/** What delve has not loaded stands in its values by address, `(*main.Item)(0xc000010000)`, and can be asked for by that. */
export function unloaded(value: string): { text: string; expression: string }[] {
  if (isOfRunner(value)) return [];
  const found = [...value.matchAll(/\(\*(?:"[^"]+"|[\w./*[\]]+)\)\(0x[0-9a-f]+\)/g)].map(([text]) => text);
  return [...new Set(found)]
    .filter((text) => !/^\(\*"?\**(?:sync|testing|runtime|reflect|internal)[./]/.test(text))
    .map((text) => ({ text, expression: `*${text.replaceAll('"', '')}` }));
}

/** What a test is given to speak to its runner with. */
function isOfRunner(value: string): boolean {
  return /^\*testing\.[TBMF] \{/.test(value);
}

export function goText(value: string): string {
  if (isOfRunner(value)) return `&${/testing\.\w/.exec(value)?.[0] ?? ''}`;
  try {
    const reader = new Reader(value);
    const text = reader.value(true);
    return reader.isAtEnd ? text : value;
  } catch {
    // Delve may print more kinds of values than are known here.
    return value;
  }
}

class UnknownForm extends Error {}

const maxItems = 16;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** `isTop`: nothing around it has told its type. */
  value(isTop = false): string {
    if (this.#take('(unreadable ')) return `<unreadable ${this.#upTo(/\)/g)}`;
    const quoted = this.#match(/"(?:\\.|[^"\\])*"(?:\.\.\.\+\d+ more)?/y);
    if (quoted !== undefined) return quoted;
    if (this.#take('*')) return this.#pointee();
    if (this.#peek('{')) return this.#struct('');
    const address = this.#match(/\(\*(?:"([^"]+)"|([\w./*[\]]+))\)\(0x[0-9a-f]+\)/y);
    if (address !== undefined) return `${shortPackages(/\*"?([^")]+)/.exec(address)?.[1] ?? '')}{…}`;
    const start = this.#at;
    const type = this.#type();
    if (type !== undefined) {
      const typed = this.#ofType(type, isTop);
      if (typed !== undefined) return typed;
      this.#at = start;
    }
    if (this.#peek('[')) return this.#list('');
    return this.#scalar();
  }

  #pointee(): string {
    if (this.#peek('{')) return `&${this.#struct('')}`;
    const value = this.value(true);
    return value === 'nil' ? value : `&${value}`;
  }

  #ofType(type: string, isTop: boolean): string | undefined {
    const name = shortPackages(type);
    const moment = this.#match(/\((\d{4}-\d\d-\d\dT[^)]*)\)/y);
    if (moment !== undefined) {
      if (this.#peek('{')) this.#struct('');
      return moment.slice(1, -1);
    }
    const raw = this.#match(/\((?:0x[0-9a-f]+|nil)\)/y);
    if (raw !== undefined) return `${name}${raw}`;
    if (this.#take('(')) return this.#dynamic();
    if (this.#match(/ nil(?![\w.])/y) !== undefined) return 'nil';
    const length = this.#match(/ len: \d+, cap: \d+, /y);
    if (length !== undefined) {
      if (this.#take('nil')) return 'nil';
      return type === '[]uint8' || type === '[]byte'
        ? this.#bytes(length)
        : this.#list(/len: (\d+)/.exec(length)?.[1] ?? '');
    }
    if (this.#peek(' {')) {
      this.#at++;
      return this.#struct(
        /^testing\.[TBMF]$/.test(name) ? name : isTop || !type.includes('struct {') ? plainStruct(name) : '',
      );
    }
    if (this.#peek(' [')) {
      this.#at++;
      return type.startsWith('map[') ? `map${this.#list('')}` : this.#list('');
    }
    const channel = this.#match(/ \d+\/\d+/y);
    return channel === undefined ? undefined : `${name}${channel}`;
  }

  /** What an interface holds: `error(*errors.errorString) *{s: "boom"}`. */
  #dynamic(): string {
    const type = this.#type();
    if (type === undefined || !this.#take(') ')) throw new UnknownForm();
    const name = shortPackages(type.replace(/^\*/, ''));
    if (this.#take('*')) {
      if (!this.#peek('{')) return `&${this.value(true)}`;
      const fields = this.#struct('');
      const said = /^\{(?:s|msg): ("(?:\\.|[^"\\])*")/.exec(fields)?.[1];
      return said !== undefined && /^(?:errors|fmt)\./.test(name) ? `error ${said}` : `&${name}${fields}`;
    }
    if (this.#peek('{')) return this.#struct(name);
    const value = this.value();
    return /^(?:string|int|bool|float64)$/.test(name) ? value : `${name}(${value})`;
  }

  #struct(name: string): string {
    this.#expect('{');
    const fields: string[] = [];
    while (!this.#take('}')) {
      const more = this.#match(/\.\.\.\+\d+ more/y);
      if (more !== undefined) fields.push(more.replace('...', '…'));
      else {
        const field = this.#match(/[^:{}[\]"]+: /y);
        if (field === undefined) throw new UnknownForm();
        const value = this.value();
        if (!/^(?:_|noCopy): /.test(field)) fields.push(`${field}${value}`);
      }
      this.#match(/, ?/y);
    }
    // What a test has in it is the runner's.
    return /^testing\.[TBMF]$/.test(name) ? name : `${name}{${fields.join(', ')}}`;
  }

  /** `[1,2]`, or `["a": 1, ]` of a map. */
  #list(length: string): string {
    this.#expect('[');
    const items: string[] = [];
    let isCut = false;
    while (!this.#take(']')) {
      const more = this.#match(/\.\.\.\+\d+ more/y);
      if (more !== undefined) isCut = true;
      else {
        const item = this.value();
        items.push(this.#take(': ') ? `${item}: ${this.value()}` : item);
      }
      this.#match(/, ?/y);
    }
    isCut ||= items.length > maxItems;
    const shown = items.slice(0, maxItems).join(', ');
    const count = length === '' ? '' : `len ${length} `;
    return isCut ? `${count}[${shown}, …]` : `[${shown}]`;
  }

  #bytes(length: string): string {
    const list = this.#list('');
    const codes = list.slice(1, -1).split(', ').map(Number);
    const isText =
      !list.includes('…') && codes.every((code) => code === 9 || code === 10 || (code >= 32 && code < 127));
    return isText && list !== '[]'
      ? `[]byte(${JSON.stringify(String.fromCharCode(...codes))})`
      : `${length.trim().split(',')[0] ?? ''} ${list}`;
  }

  /** A type as Go writes it; undefined when there is none. */
  #type(): string | undefined {
    const start = this.#at;
    if (this.#typeEnds()) return this.#text.slice(start, this.#at);
    this.#at = start;
    return undefined;
  }

  #typeEnds(): boolean {
    if (this.#match(/\*+/y) !== undefined) return this.#typeEnds();
    if (this.#match(/\[\d*\](?=[\w*[(])/y) !== undefined) return this.#typeEnds();
    if (this.#take('map[')) return this.#typeEnds() && this.#take(']') && this.#typeEnds();
    if (this.#match(/(?:<-)?chan(?:<-)? /y) !== undefined) return this.#typeEnds();
    if (this.#match(/struct \{|interface \{/y) !== undefined) return this.#skipTo('{', '}');
    if (this.#take('func(')) return this.#skipTo('(', ')');
    if (this.#match(/[A-Za-z_][\w./~-]*/y) === undefined) return false;
    return !this.#take('[') || this.#skipTo('[', ']');
  }

  /** Past the bracket that closes the one before. */
  #skipTo(open: string, close: string): boolean {
    for (let depth = 1; this.#at < this.#text.length;) {
      const character = this.#text.charAt(this.#at++);
      if (character === open) depth++;
      if (character === close && --depth === 0) return true;
    }
    return false;
  }

  #scalar(): string {
    const text = this.#match(/[^,\]}]+?(?=, |,|\]|\}|: |$)/y);
    if (text === undefined) throw new UnknownForm();
    return text;
  }

  #upTo(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    const end = found === null ? this.#text.length : found.index;
    const text = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return `${text}>`;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #peek(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new UnknownForm();
  }
}

/** A struct without a name is told by its fields. */
function plainStruct(name: string): string {
  return name.startsWith('struct {') ? '' : name;
}

/** `example.com/shop/cart.Item` is `cart.Item` to whoever reads code. */
function shortPackages(type: string): string {
  return type.replace(/[\w.~-]+\/(?=[\w.~/-]*\.)/g, '');
}
