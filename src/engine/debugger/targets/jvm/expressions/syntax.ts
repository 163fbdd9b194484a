/** An expression of Java, as far as it can be evaluated here: everything but lambdas, method references and anonymous classes. */
export type Expression =
  | {
      kind: 'literal';
      type: 'int' | 'long' | 'float' | 'double' | 'char' | 'boolean';
      value: number | bigint | boolean;
    }
  | { kind: 'string'; text: string }
  | { kind: 'null' }
  | { kind: 'this' }
  | { kind: 'name'; name: string }
  | { kind: 'field'; target: Expression; name: string }
  | { kind: 'call'; target: Expression | undefined; name: string; args: Expression[] }
  | { kind: 'index'; target: Expression; index: Expression }
  | { kind: 'unary'; operator: '+' | '-' | '!' | '~'; operand: Expression }
  | { kind: 'update'; operator: '++' | '--'; operand: Expression; isPrefix: boolean }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'conditional'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'assign'; operator: string; target: Expression; value: Expression }
  | { kind: 'cast'; type: string; operand: Expression }
  | { kind: 'instanceof'; operand: Expression; type: string }
  | { kind: 'new'; type: string; args: Expression[] }
  | { kind: 'newArray'; type: string; length: Expression | undefined; elements: Expression[] | undefined }
  | { kind: 'classLiteral'; type: string };

/** Why a text is no expression that can be evaluated; the message is for whoever wrote it. */
export class ExpressionError extends Error {}

interface Token {
  kind: 'name' | 'number' | 'string' | 'char' | 'operator' | 'end';
  text: string;
  at: number;
}

const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*")|('(?:\\.[0-7]*|\\u+[0-9a-fA-F]{4}|[^'\\\n])')|((?:0[xX][\da-fA-F_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)[lLfFdD]?)|([\p{L}_$][\p{L}\p{N}_$]*)|(->|::|>>>=|<<=|>>=|>>>|\+\+|--|&&|\|\||==|!=|<=|>=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|[-+*/%&|^!~<>=?:.,;()[\]{}@])/uy;

const primitiveNames = new Set(['int', 'long', 'short', 'byte', 'char', 'boolean', 'float', 'double', 'void']);

const precedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  instanceof: 7,
  '<<': 8,
  '>>': 8,
  '>>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

const assignments = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '>>>=']);

export function parseExpression(text: string): Expression {
  return new Parser(tokens(text)).whole();
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) throw new ExpressionError(`unexpected '${text[at] ?? ''}' at column ${at + 1}`);
    const kinds = ['string', 'char', 'number', 'name', 'operator'] as const;
    const which = kinds.findIndex((_, index) => match[index + 1] !== undefined);
    const kind = kinds[which];
    if (kind !== undefined) found.push({ kind, text: match[0], at });
  }
  return [...found, { kind: 'end', text: '', at: text.length }];
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const found = this.#expression();
    if (this.#is(';')) this.#at++;
    if (this.#token.kind !== 'end') throw this.#unexpected();
    return found;
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: 0 };
  }

  #peek(offset: number): Token {
    return this.#tokens[this.#at + offset] ?? { kind: 'end', text: '', at: 0 };
  }

  #is(text: string): boolean {
    return this.#token.text === text && this.#token.kind !== 'string' && this.#token.kind !== 'char';
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw this.#unexpected(text);
  }

  #unexpected(wanted?: string): ExpressionError {
    const { text, kind, at } = this.#token;
    if (text === '->')
      return new ExpressionError('lambdas are not evaluated; write it without, or set a breakpoint in the code');
    if (text === '::') return new ExpressionError('method references are not evaluated; call the method itself');
    const found = kind === 'end' ? 'the end' : `'${text}'`;
    return new ExpressionError(
      `${found} at column ${at + 1}${wanted === undefined ? ' is not expected' : `, where '${wanted}' is expected`}`,
    );
  }

  #expression(): Expression {
    const left = this.#conditional();
    const { text, kind } = this.#token;
    if (kind !== 'operator' || !assignments.has(text)) return left;
    this.#at++;
    if (!['name', 'field', 'index'].includes(left.kind))
      throw new ExpressionError(`only a variable, a field or an element can be assigned to`);
    return { kind: 'assign', operator: text.slice(0, -1), target: left, value: this.#expression() };
  }

  #conditional(): Expression {
    const test = this.#binary(1);
    if (!this.#take('?')) return test;
    const yes = this.#expression();
    this.#expect(':');
    return { kind: 'conditional', test, yes, no: this.#conditional() };
  }

  #binary(minimum: number): Expression {
    let left = this.#unary();
    for (;;) {
      const { text, kind } = this.#token;
      const level = kind === 'operator' || text === 'instanceof' ? precedence[text] : undefined;
      if (level === undefined || level < minimum) return left;
      this.#at++;
      left =
        text === 'instanceof'
          ? { kind: 'instanceof', operand: left, type: this.#type() }
          : { kind: 'binary', operator: text, left, right: this.#binary(level + 1) };
    }
  }

  #unary(): Expression {
    const { text, kind } = this.#token;
    if (kind === 'operator') {
      if (text === '+' || text === '-' || text === '!' || text === '~') {
        this.#at++;
        return { kind: 'unary', operator: text, operand: this.#unary() };
      }
      if (text === '++' || text === '--') {
        this.#at++;
        return { kind: 'update', operator: text, operand: this.#unary(), isPrefix: true };
      }
      const cast = text === '(' ? this.#cast() : undefined;
      if (cast !== undefined) return cast;
    }
    return this.#postfix(this.#primary());
  }

  /** `(Type) value`: what is in the parentheses is a type, and a value follows. */
  #cast(): Expression | undefined {
    const start = this.#at;
    this.#at++;
    const isPrimitive = primitiveNames.has(this.#token.text);
    try {
      const type = this.#type();
      if (this.#take(')')) {
        const { kind, text } = this.#token;
        const isValue = kind !== 'operator' && kind !== 'end' && text !== 'instanceof';
        if (isPrimitive || isValue || text === '(' || text === '!' || text === '~')
          return { kind: 'cast', type, operand: this.#unary() };
      }
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
    this.#at = start;
    return undefined;
  }

  #postfix(primary: Expression): Expression {
    let found = primary;
    for (;;) {
      if (this.#take('.')) found = this.#member(found);
      else if (this.#take('[')) {
        const index = this.#expression();
        this.#expect(']');
        found = { kind: 'index', target: found, index };
      } else if (this.#is('++') || this.#is('--')) {
        const operator = this.#token.text === '++' ? '++' : '--';
        this.#at++;
        found = { kind: 'update', operator, operand: found, isPrefix: false };
      } else return found;
    }
  }

  #member(target: Expression): Expression {
    // Type arguments of a call say nothing to whoever evaluates it.
    if (this.#is('<')) this.#typeArguments();
    const name = this.#name();
    if (name === 'class') return { kind: 'classLiteral', type: dotted(target) };
    // An outer `this` is found by its fields.
    if (name === 'this') return { kind: 'this' };
    if (this.#take('(')) return { kind: 'call', target, name, args: this.#arguments(')') };
    return { kind: 'field', target, name };
  }

  #primary(): Expression {
    const { kind, text } = this.#token;
    if (kind === 'end' || (kind === 'operator' && text !== '(')) throw this.#unexpected();
    this.#at++;
    switch (kind) {
      case 'string':
        return { kind: 'string', text: text.startsWith('"""') ? textBlock(text) : unescaped(text.slice(1, -1)) };
      case 'char':
        return { kind: 'literal', type: 'char', value: unescaped(text.slice(1, -1)).charCodeAt(0) };
      case 'number':
        return numberLiteral(text);
      case 'operator': {
        const inner = this.#expression();
        this.#expect(')');
        if (this.#is('->')) throw this.#unexpected();
        return inner;
      }
      case 'name':
        return this.#word(text);
    }
  }

  #word(text: string): Expression {
    switch (text) {
      case 'true':
      case 'false':
        return { kind: 'literal', type: 'boolean', value: text === 'true' };
      case 'null':
        return { kind: 'null' };
      case 'this':
        return { kind: 'this' };
      case 'new':
        return this.#creation();
      default:
    }
    if (primitiveNames.has(text)) {
      let type = text;
      while (this.#take('[')) {
        this.#expect(']');
        type += '[]';
      }
      this.#expect('.');
      if (this.#name() !== 'class') throw this.#unexpected('class');
      return { kind: 'classLiteral', type };
    }
    if (this.#take('(')) return { kind: 'call', target: undefined, name: text, args: this.#arguments(')') };
    return { kind: 'name', name: text };
  }

  #creation(): Expression {
    let type = this.#plainType();
    if (this.#take('(')) {
      const args = this.#arguments(')');
      if (this.#is('{')) throw new ExpressionError('anonymous classes are not evaluated');
      return { kind: 'new', type, args };
    }
    this.#expect('[');
    if (this.#take(']')) {
      while (this.#take('[')) {
        this.#expect(']');
        type += '[]';
      }
      this.#expect('{');
      return { kind: 'newArray', type, length: undefined, elements: this.#arguments('}') };
    }
    const length = this.#expression();
    this.#expect(']');
    return { kind: 'newArray', type, length, elements: undefined };
  }

  #arguments(end: string): Expression[] {
    const found: Expression[] = [];
    while (!this.#take(end)) {
      if (found.length > 0) this.#expect(',');
      found.push(this.#expression());
    }
    return found;
  }

  #type(): string {
    let type = this.#plainType();
    while (this.#is('[') && this.#peek(1).text === ']') {
      this.#at += 2;
      type += '[]';
    }
    return type;
  }

  #plainType(): string {
    let type = this.#name();
    if (this.#is('<')) this.#typeArguments();
    while (this.#is('.') && this.#peek(1).kind === 'name') {
      this.#at++;
      type += `.${this.#name()}`;
      if (this.#is('<')) this.#typeArguments();
    }
    return type;
  }

  #typeArguments(): void {
    let depth = 0;
    do {
      const { text, kind } = this.#token;
      if (kind === 'end') throw this.#unexpected('>');
      if (kind === 'operator' && !'<>>>,.?[]&'.includes(text)) throw this.#unexpected('>');
      if (text === '<') depth++;
      if (/^>+$/.test(text)) depth -= text.length;
      this.#at++;
    } while (depth > 0);
  }

  #name(): string {
    const { kind, text } = this.#token;
    if (kind !== 'name') throw this.#unexpected();
    this.#at++;
    return text;
  }
}

/** `a.b.C`, as a name that was read as fields of fields. */
export function dotted(expression: Expression): string {
  if (expression.kind === 'name') return expression.name;
  if (expression.kind === 'field') return `${dotted(expression.target)}.${expression.name}`;
  throw new ExpressionError('a class is expected before .class');
}

function numberLiteral(text: string): Expression {
  const plain = text.replaceAll('_', '');
  const isHex = /^0[xX]/.test(plain);
  if (/[lL]$/.test(plain))
    return { kind: 'literal', type: 'long', value: BigInt.asIntN(64, integer(plain.slice(0, -1))) };
  if (!isHex && /[fF]$/.test(plain)) return { kind: 'literal', type: 'float', value: Number(plain.slice(0, -1)) };
  if (!isHex && /[dD.eE]/.test(plain))
    return { kind: 'literal', type: 'double', value: Number(plain.replace(/[dD]$/, '')) };
  const value = integer(plain);
  const isDecimal = /^[1-9]/.test(plain);
  if (value > (isDecimal ? 2n ** 31n : 2n ** 32n - 1n))
    throw new ExpressionError(`${text} is too large for an int; write ${text}L`);
  return { kind: 'literal', type: 'int', value: Number(BigInt.asIntN(32, value)) };
}

function integer(text: string): bigint {
  return /^0[0-7]+$/.test(text) ? BigInt(`0o${text.slice(1)}`) : BigInt(text);
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  s: ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u+([0-9a-fA-F]{4})|([0-7]{1,3})|(.))/g,
    (_all, unicode?: string, octal?: string, letter?: string) =>
      unicode !== undefined
        ? String.fromCharCode(Number.parseInt(unicode, 16))
        : octal !== undefined
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : (escapes[letter ?? ''] ?? letter ?? ''),
  );
}

function textBlock(text: string): string {
  const lines = text
    .slice(3, -3)
    .replace(/^[^\n]*\n/, '')
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, 1000);
  return unescaped(lines.map((line) => line.slice(indent).trimEnd()).join('\n'));
}
