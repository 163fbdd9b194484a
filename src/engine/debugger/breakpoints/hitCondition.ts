import { ToolError } from '../../../base/errors.ts';
import type { HitCondition, HitOperator } from '../model.ts';

/** Reads `5`, `==5`, `>=5`, `> 5`, `%5`. */
export function parseHitCondition(text: string): HitCondition {
  const match = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d+)\s*$/.exec(text);
  const count = Number(match?.[2]);
  if (match === null || !Number.isSafeInteger(count) || (count === 0 && match[1] !== '>' && match[1] !== '>='))
    throw new ToolError('breakpoint_error', `The hit condition "${text}" is not understood.`, {
      hint: 'Use 5 (the fifth hit only), >=5 (from the fifth on) or %5 (every fifth).',
    });
  const written = match[1];
  const operator = written === undefined || written === '=' ? '==' : (written as HitOperator);
  return { operator, count };
}

export function isMet({ operator, count }: HitCondition, hits: number): boolean {
  switch (operator) {
    case '==':
      return hits === count;
    case '>=':
      return hits >= count;
    case '>':
      return hits > count;
    case '<':
      return hits < count;
    case '<=':
      return hits <= count;
    case '%':
      return hits % count === 0;
  }
}
