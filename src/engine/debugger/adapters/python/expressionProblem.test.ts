import { describe, expect, it } from 'vitest';
import { expressionProblem } from './expressionProblem.ts';

describe('a Python expression', () => {
  it.each([
    'i == 3',
    'i != 3 and not done',
    'name == "a = b"',
    "x in ('it''s', \"!\", '&&')",
    '[n for n in items if n >= 2]',
    'f(a=1, b=2)',
    '{"a": 1}["a"] <= 2',
    'lambda x=1: x',
    '(y := 5) > 3',
    'not ready',
    'a is not None',
    '"""multi"""',
    '-x + ~y',
    'x[1:-1]',
    'order.items[2].qty > 1',
    '...',
  ])('%s is fine', (expression) => {
    expect(expressionProblem(expression)).toBeUndefined();
  });

  it.each([
    ['i = 3', "'=' assigns"],
    ['i === 3', "'==='"],
    ['a && b', "'and'"],
    ['a || b', "'or'"],
    ['!done', "'not'"],
    ['i ==', 'ends with an operator'],
    ['a and', 'ends with an operator'],
    ['(a', "')' is missing"],
    ['a)', "')' closes nothing"],
    ['f(a]', "']' closes nothing"],
    ['"abc', 'not closed'],
    ['if x: y', 'statement'],
    ['x += 1', "'=' assigns"],
    ['a; b', "';'"],
    ['', 'empty'],
  ])('%s is not: %s', (expression, says) => {
    expect(expressionProblem(expression)).toContain(says);
  });
});
