import { compileFunction } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LoopProgram } from './program.ts';
import { LoopTrial } from './trial.ts';

const maxPasses = 400;

/**
 * Runs a function whose loop has HERE at the beginning of a pass, and looks at every pass as the debugger would. LEFT marks where the
 * loop has been left for certain. The text that is judged has neither.
 */
async function run(text: string, args: readonly unknown[] = [], rest = ''): Promise<{ told?: string; ended: boolean }> {
  const source = `${rest}\nreturn async function (a, b, list, words) {${text}\n};`;
  const judged = source.replace('HERE', ' '.repeat(4)).replace('LEFT', ' '.repeat(4));
  const anchor = source.indexOf('HERE') + 5;
  const program = LoopProgram.of(judged);
  const [loop] = program?.loopsAround(anchor) ?? [];
  if (program === undefined || loop === undefined) throw new Error('no loop');
  let trial = new LoopTrial(program, loop);
  let told: string | undefined;
  let passes = 0;
  const here = async (evaluate: (expression: string) => unknown) => {
    const ask = (expression: string) => {
      try {
        return Promise.resolve(evaluate(expression));
      } catch {
        return Promise.resolve(undefined);
      }
    };
    told ??= (await trial.visit(ask, anchor))?.why;
    if (++passes > maxPasses) throw new Error('cut');
  };
  const left = () => (trial = new LoopTrial(program, loop));
  const hooked = source.replace('HERE', 'await $here((e) => eval(e));').replace('LEFT', '$left();');
  const made: unknown = Reflect.apply(compileFunction(hooked, ['$here', '$left']), undefined, [here, left]);
  if (typeof made !== 'function') throw new Error('no function');
  const ended = await Promise.resolve(Reflect.apply(made, undefined, [...args])).then(
    () => true,
    (error: unknown) => !(error instanceof Error && error.message === 'cut'),
  );
  return { ...(told === undefined ? {} : { told }), ended };
}

it.each([
  [
    'counts the wrong way',
    'for (let i = 0; i < a; i--) { HERE if (list[i] !== list.at(-i - 1)) b++; }',
    /i only goes down/,
  ],
  [
    'collects while it counts the wrong way',
    'const ns = []; for (let i = 0; i < a; i--) { HERE if (i % 11 == 0) ns.push(i); }',
    /i only goes down/,
  ],
  [
    'does not move',
    'let lo = 0, hi = 7; while (lo < hi) { HERE const mid = Math.floor((lo + hi) / 2); if (mid >= 0) lo = lo; else hi = mid; }',
    /changes nothing/,
  ],
  ['forgets to count', 'let i = 0; while (i < list.length) { HERE b += list[i]; }', /nothing/],
  ['has a fixed point', 'let x = a; while (x) { HERE x ^= x - 1; b += 1; }', /changes nothing.*x/],
  ['goes in a circle', 'let x = 1; while (x !== 5) { HERE x = (x * 2) % 7; }', /after 3 passes/],
  [
    'follows a ring',
    'const n = { next: null }; n.next = { next: n }; let at = n; while (at.next !== null) { HERE at = at.next; }',
    /at/,
  ],
  ['looks for what is not there', 'while (words.includes("x")) { HERE words.indexOf("x"); }', /nothing/],
  ['puts back what it takes', 'while (list.length > 0) { HERE const x = list.shift(); list.push(x); }', /list/],
  [
    'calls its own functions',
    'let n = 10; while (n > 1) { HERE n = step(n); }',
    /changes nothing/,
    'const step = (x) => (x > 3 ? x : x - 1);',
  ],
  ['has no way out', 'while (true) { HERE a = b + 1; }', /nothing in it can end it/],
  ['swaps for ever', 'while (a !== b) { HERE [a, b] = [b, a]; }', /as before|changes nothing/],
])('a loop that %s is told', async (_, text, why, rest = '') => {
  const { told, ended } = await run(text, [4, 9, [1, 2, 3], ['x', 'y']], rest);
  expect(told).toMatch(why);
  expect(ended).toBe(false);
});

it.each([
  ['asks for the time', 'const end = Date.now() + 1e9; while (Date.now() < end) { HERE b = b; }'],
  ['asks for chance', 'while (Math.random() >= 0) { HERE b = b; }'],
  ['calls what it was given', 'while (words() !== 1) { HERE b = b; }'],
  ['waits', 'while (a) { HERE await null; }'],
  ['reads a getter', 'const box = { get n() { return ++b; } }; while (box.n < 1e9) { HERE a = a; }'],
  [
    'reads through a proxy',
    'let n = 0; const box = new Proxy({}, { get: () => ++n }); while (box.n < 1e9) { HERE a = a; }',
  ],
  ['goes through an iterator', 'const it = list.values(); while (!it.next().done) { HERE list.push(1); }'],
  ['counts in an object', 'const o = { n: 0 }; while (o.n < 1e9) { HERE o.n++; }'],
  ['fails in the end', 'let n = 0; while (true) { HERE if (++n > 1e6) throw new Error("x"); }'],
  [
    'fails at the end of a list',
    'let n = 0; const rows = Array.from({ length: 1e6 }, () => [1]); while (true) { HERE rows[n++].length; }',
  ],
  ['has a number that becomes too large to count on', 'let n = 1n; while (n < 10n ** 500n) { HERE n *= 2n; }'],
  ['catches', 'let n = 0; while (true) { HERE try { n++; if (n > 1e6) throw n; } catch { break; } }'],
  ['writes to a constant in the end', 'const c = 1; let n = 0; while (true) { HERE if (n++ > 1e6) c = 2; }'],
])('a loop that %s is not', async (_, text) => {
  const { told } = await run(text, [4, 9, [1, 2, 3], ['x', 'y']]);
  expect(told).toBeUndefined();
});

/** Statements and conditions over a few variables, most of them harmless, some of them moving towards an end. */
const name = fc.constantFrom('a', 'b', 'c', 'd');
const small = fc.integer({ min: -3, max: 9 }).map(String);
const value = fc.oneof(
  name,
  small,
  fc
    .tuple(name, fc.constantFrom('+', '-', '*', '%', '&', '^', '|'), fc.oneof(name, small))
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'list.length',
    'list[a]',
    'list.at(-1)',
    'words[b]',
    'words.length',
    'o.n',
    'o.inner.k',
    'text.length',
    'Math.abs(c)',
    'Math.floor(d / 2)',
    'twice(a)',
    'bump()',
  ),
);
const condition = fc.oneof(
  fc
    .tuple(name, fc.constantFrom('<', '<=', '>', '>=', '!==', '===', '!=', '=='), value)
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'list.length < 12',
    'list.includes(a)',
    'text.length < 9',
    'o.n < 7',
    'words.indexOf("y") >= 0',
    'a',
    '!b',
    'seen.has(c)',
    'list.some((x) => x === d)',
  ),
);
const simple = fc.oneof(
  fc.tuple(name, fc.constantFrom('=', '+=', '-=', '^='), value).map((parts) => `${parts.join(' ')};`),
  name.map((each) => `${each}++;`),
  name.map((each) => `${each}--;`),
  fc.constantFrom(
    'list.push(a);',
    'list.pop();',
    'list.shift();',
    'text += "x";',
    'o.n++;',
    'o.inner = { k: a };',
    '[a, b] = [b, c];',
    'seen.add(c);',
    'words.reverse();',
    'list.sort();',
    'o = { n: b, inner: o.inner };',
    'for (const x of list) c += x;',
    '{ const [p, q] = words; d = p === q ? 1 : d; }',
    'counter += 1;',
  ),
);
const statement = fc.oneof(
  { weight: 4, arbitrary: simple },
  {
    weight: 1,
    arbitrary: fc.tuple(condition, simple, simple).map(([test, yes, no]) => `if (${test}) { ${yes} } else { ${no} }`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(condition, fc.constantFrom('break;', 'continue;', 'return a;', 'throw new Error(String(a));'))
      .map(([test, jump]) => `if (${test}) ${jump}`),
  },
);
const loop = fc.oneof(
  fc
    .tuple(condition, fc.array(statement, { minLength: 1, maxLength: 5 }))
    .map(([test, body]) => `while (${test}) { HERE ${body.join(' ')} }`),
  fc
    .tuple(
      fc.constantFrom('i < a', 'i < 9', 'i >= 0', 'i !== b', 'i <= list.length'),
      fc.constantFrom('i++', 'i--', 'i += 2', 'i -= c'),
      fc.array(statement, { minLength: 1, maxLength: 4 }),
    )
    .map(([test, update, body]) => `for (let i = 0; ${test}; ${update}) { HERE ${body.join(' ')} }`),
  fc
    .tuple(condition, condition, fc.array(statement, { minLength: 1, maxLength: 3 }))
    .map(
      ([outer, inner, body]) =>
        `for (let k = 0; k < 40 && ${outer}; k++) { LEFT while (${inner} && k < 39) { HERE ${body.join(' ')} } }`,
    ),
);

it('what ends by itself is never called endless', async () => {
  const counts = { told: 0, ended: 0, cut: 0 };
  await fc.assert(
    fc.asyncProperty(
      loop,
      fc.array(fc.integer({ min: -4, max: 12 }), { minLength: 2, maxLength: 4 }),
      async (text, list) => {
        const head = 'let c = 2, d = 5, text = "", o = { n: 0, inner: { k: 1 } }; const seen = new Set([2]);';
        const rest = 'let counter = 0; const twice = (x) => x * 2; const bump = () => { counter++; return counter; };';
        const { told, ended } = await run(`${head} ${text}`, [list[0], list[1], list, ['x', 'y']], rest);
        counts[told !== undefined ? 'told' : ended ? 'ended' : 'cut']++;
        expect(told !== undefined && ended, `${told ?? ''}: ${text} with ${JSON.stringify(list)}`).toBe(false);
      },
    ),
    { numRuns: 250 },
  );
  // The property says something only if each of them is there.
  expect(counts.told).toBeGreaterThan(10);
  expect(counts.ended).toBeGreaterThan(10);
});
