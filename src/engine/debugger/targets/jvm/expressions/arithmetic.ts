import type { PrimitiveValue } from '../../../../../protocol/jdwp/packets.ts';
import { ExpressionError } from './syntax.ts';

export type PrimitiveTag = Exclude<PrimitiveValue['tag'], 'V'>;

/** From narrow to wide. A value goes into what is at least as wide; `char` only into what is wider. */
const widths: Readonly<Record<PrimitiveTag, number>> = { Z: 0, B: 1, C: 2, S: 2, I: 3, J: 4, F: 5, D: 6 };

export function widens(from: PrimitiveTag, to: PrimitiveTag): boolean {
  if (from === to) return true;
  if (from === 'Z' || to === 'Z' || to === 'C' || (from === 'C' && to === 'S')) return false;
  return widths[from] < widths[to];
}

/** As a cast between numbers does it. */
export function converted({ tag, value }: PrimitiveValue, to: PrimitiveTag): PrimitiveValue {
  if (tag === to) return { tag, value };
  if (tag === 'Z' || to === 'Z' || typeof value === 'boolean') throw new ExpressionError('a boolean is no number');
  switch (to) {
    case 'D':
      return { tag: to, value: Number(value) };
    case 'F':
      return { tag: to, value: Math.fround(Number(value)) };
    case 'J':
      return { tag: to, value: toLong(value) };
    case 'B':
    case 'C':
    case 'I':
    case 'S': {
      const whole = Number(BigInt.asIntN(32, typeof value === 'bigint' ? value : saturated(value, 32)));
      const narrow =
        to === 'I' ? whole : to === 'B' ? (whole << 24) >> 24 : to === 'S' ? (whole << 16) >> 16 : whole & 0xffff;
      return { tag: to, value: narrow };
    }
  }
}

function toLong(value: number | bigint): bigint {
  return BigInt.asIntN(64, typeof value === 'bigint' ? value : saturated(value, 64));
}

function saturated(value: number, bits: number): bigint {
  if (Number.isNaN(value)) return 0n;
  const limit = 2n ** BigInt(bits - 1);
  if (value >= Number(limit)) return limit - 1n;
  if (value <= -Number(limit)) return -limit;
  return BigInt(Math.trunc(value));
}

/** What two numbers are computed as: the wider of the two, at least an int. */
function common(left: PrimitiveValue, right: PrimitiveValue): 'I' | 'J' | 'F' | 'D' {
  const tags = [left.tag, right.tag];
  if (tags.includes('Z') || tags.includes('V')) throw new ExpressionError('a boolean is no number');
  return tags.includes('D') ? 'D' : tags.includes('F') ? 'F' : tags.includes('J') ? 'J' : 'I';
}

export function boolean(value: boolean): PrimitiveValue {
  return { tag: 'Z', value };
}

export function compare(operator: string, left: PrimitiveValue, right: PrimitiveValue): PrimitiveValue {
  if (left.tag === 'Z' && right.tag === 'Z') {
    if (operator === '==') return boolean(left.value === right.value);
    if (operator === '!=') return boolean(left.value !== right.value);
    throw new ExpressionError(`'${operator}' does not compare booleans`);
  }
  const kind = common(left, right);
  const [a, b] = [converted(left, kind).value, converted(right, kind).value];
  switch (operator) {
    case '==':
      return boolean(a === b);
    case '!=':
      return boolean(a !== b);
    case '<':
      return boolean(a < b);
    case '>':
      return boolean(a > b);
    case '<=':
      return boolean(a <= b);
    default:
      return boolean(a >= b);
  }
}

export function compute(operator: string, left: PrimitiveValue, right: PrimitiveValue): PrimitiveValue {
  if (left.tag === 'Z' && right.tag === 'Z') return logical(operator, Boolean(left.value), Boolean(right.value));
  if (['<<', '>>', '>>>'].includes(operator)) return shifted(operator, left, right);
  const kind = common(left, right);
  const [a, b] = [converted(left, kind).value, converted(right, kind).value];
  if (typeof a === 'bigint' && typeof b === 'bigint')
    return { tag: 'J', value: BigInt.asIntN(64, whole(operator, a, b)) };
  if (kind === 'I') return { tag: 'I', value: Number(BigInt.asIntN(32, whole(operator, BigInt(a), BigInt(b)))) };
  const value = floating(operator, Number(a), Number(b));
  return kind === 'F' ? { tag: 'F', value: Math.fround(value) } : { tag: 'D', value };
}

function logical(operator: string, a: boolean, b: boolean): PrimitiveValue {
  if (operator === '&') return boolean(a && b);
  if (operator === '|') return boolean(a || b);
  if (operator === '^') return boolean(a !== b);
  throw new ExpressionError(`'${operator}' does not take booleans`);
}

function whole(operator: string, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
    case '%':
      if (b === 0n) throw new ExpressionError('ArithmeticException: / by zero');
      return operator === '/' ? a / b : a % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    default:
      return a ^ b;
  }
}

function floating(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    default:
      throw new ExpressionError(`'${operator}' takes whole numbers only`);
  }
}

function shifted(operator: string, left: PrimitiveValue, right: PrimitiveValue): PrimitiveValue {
  const isLong = left.tag === 'J';
  const value = BigInt(converted(left, isLong ? 'J' : 'I').value);
  const bits = isLong ? 64 : 32;
  const by = BigInt(Number(converted(right, 'J').value) & (bits - 1));
  const result = operator === '<<' ? value << by : operator === '>>' ? value >> by : BigInt.asUintN(bits, value) >> by;
  const wrapped = BigInt.asIntN(bits, result);
  return isLong ? { tag: 'J', value: wrapped } : { tag: 'I', value: Number(wrapped) };
}

export function negated(operator: '+' | '-' | '!' | '~', operand: PrimitiveValue): PrimitiveValue {
  if (operator === '!') {
    if (operand.tag !== 'Z') throw new ExpressionError("'!' takes a boolean");
    return boolean(operand.value !== true);
  }
  const zero: PrimitiveValue = { tag: 'I', value: 0 };
  if (operator === '+') return compute('+', zero, operand);
  if (operator === '~') return compute('^', operand, { tag: 'I', value: -1 });
  // Zero keeps its sign among floating numbers.
  if (operand.tag === 'D' || operand.tag === 'F') return { tag: operand.tag, value: -Number(operand.value) };
  return compute('-', zero, operand);
}
