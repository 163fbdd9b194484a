import { compiled, languages, lineOf } from './languages.ts';

/** Programs that make it hard, three times each: name -> what is started and where its marked lines are. */
export interface HardLanguage {
  name: string;
  id: string;
  isNode: boolean;
  files: Record<string, string>;
  /** The file to set breakpoints in. */
  source: (program: string) => string;
  /** The file to start. */
  start: (program: string) => string;
  at: (program: string, mark: string) => number;
  words: Words;
}

interface Words {
  zero: RegExp;
  raise: { expression: string; error: string };
  endless: string;
  /** Takes 300 ms. */
  slow: string;
  badCondition: string;
  /** What is awaited, and what comes of it. */
  awaited: readonly (readonly [string, RegExp])[];
  several: string;
  uncaught: { type: string; message: string };
  failingCondition: RegExp;
  text: (count: number) => RegExp;
  list: RegExp;
  /** Safety: what the block list refuses, what a read-only engine refuses and what it allows. */
  dangerous: string;
  write: string;
  call: string;
  read: { expression: string; value: string };
  harmlessText: { expression: string; value: string };
}

const node: Record<string, string> = {
  looping: `function total(prices, rate) {
  let sum = 0;
  for (const [index, price] of prices.entries()) {
    const taxed = price * rate;
    sum += taxed + index; // @sum
  }
  return sum;
}
console.log('total', total([10, 20], 2));
setInterval(() => {}, 1000);
`,
  quick: `// nothing here
const done = true; // @done
// only a comment behind it
`,
  failing: `function divide(parts, by) {
  if (by === 0) throw new RangeError('by zero'); // @throw
  return parts / by;
}
const half = divide(10, 2);
divide(half, 0); // @call
`,
  rejecting: `async function load(id) {
  const status = 500;
  throw new RangeError('status ' + status); // @throw
}
load(7);
`,
  big: `const list = new Array(1_000_000).fill(7);
const text = 'x'.repeat(1_000_000);
const huge = 'y'.repeat(10_000_000);
console.log(list.length + text.length + huge.length); // @look
`,
  stubborn: `const { spawn } = require('node:child_process');
process.on('SIGTERM', () => {});
const child = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
const children = [true, false].map((detached) => spawn(process.execPath, ['-e', child], { detached, stdio: 'ignore', env: {} }));
console.log('pids ' + JSON.stringify([process.pid, ...children.map((each) => each.pid)]));
setInterval(() => {}, 50);
`,
  asking: `console.log('name?');
process.stdin.once('data', (data) => {
  const name = String(data).trim();
  console.log('got ' + name.toUpperCase()); // @got
  process.exit(0);
});
`,
  counting: `function add(sum, i) {
  return sum + i; // @add
}
let seen = 0;
for (let i = 1; i <= 12; i++) {
  seen = add(seen, i); // @each
}
console.log('sum', seen); // @sum
`,
  evaluating: `let touched = 0;
function touch(by) {
  touched += by; // @touch
  return touched;
}
function main() {
  const order = { items: [{ qty: 1 }, { qty: 2 }, { qty: 3 }] };
  const label = 'process.exit';
  let rounds = 0;
  while (rounds < 1e12) {
    rounds += 1; // @round
  }
  return [order, label, touch];
}
if (touched === 0) main();
`,
};

const python: Record<string, string> = {
  looping: `import time


def total(prices, rate):
    sum = 0
    for index, price in enumerate(prices):
        taxed = price * rate
        sum += taxed + index  # @sum
    return sum


print("total", total([10, 20], 2))
time.sleep(1000)
`,
  quick: `# nothing here
done = True  # @done
# only a comment behind it
`,
  failing: `def divide(parts, by):
    if by == 0:
        raise ValueError("by zero")  # @throw
    return parts / by


half = divide(10, 2)
divide(half, 0)  # @call
`,
  rejecting: `import asyncio


async def load(id):
    status = 500
    raise ValueError("status " + str(status))  # @throw


asyncio.run(load(7))
`,
  big: `def look():
    list = [7] * 1_000_000
    text = "x" * 1_000_000
    huge = "y" * 10_000_000
    print(len(list) + len(text) + len(huge))  # @look


look()
`,
  stubborn: `import json, os, signal, subprocess, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
children = [subprocess.Popen([sys.executable, "-c", code], start_new_session=away) for away in (True, False)]
print("pids " + json.dumps([os.getpid(), *(each.pid for each in children)]), flush=True)
while True:
    time.sleep(0.05)
`,
  asking: `print("name?", flush=True)
name = input()
print("got " + name.upper())  # @got
`,
  counting: `def add(sum, i):
    return sum + i  # @add


seen = 0
for i in range(1, 13):
    seen = add(seen, i)  # @each
print("sum", seen)  # @sum
`,
  evaluating: `import os

touched = 0


def touch(by):
    global touched
    touched += by  # @touch
    return touched


class Part:
    def __init__(self, **fields):
        self.__dict__.update(fields)


def main():
    order = Part(items=[Part(qty=1), Part(qty=2), Part(qty=3)])
    label = "os.system"
    rounds = 0
    while rounds < 1e12:
        rounds += 1  # @round
    return order, label


main()
`,
};

const onNode: Words = {
  zero: /^Infinity$/,
  raise: { expression: "(() => { throw new TypeError('no way'); })()", error: 'TypeError: no way' },
  endless: 'for (;;) {}',
  slow: "const until = Date.now() + 300; while (Date.now() < until); 'slow'",
  badCondition: 'rounds ===',
  awaited: [
    ['await Promise.resolve(order.items.length)', /^3$/],
    ["await Promise.reject(new Error('late'))", /late/],
  ],
  several: 'const a = 20;\nconst b = a + 1;\na + b',
  uncaught: { type: 'RangeError', message: 'by zero' },
  failingCondition: /ReferenceError: nothing is not defined/,
  text: (count) => new RegExp(`^"(x|y){160}"… \\(${count} chars\\)$`),
  list: /^\[7, 7, 7, 7, 7, 7, 7, 7, … \+999992\]$/,
  dangerous: "require('node:child_process').execSync('true')",
  write: 'rounds = 5',
  call: 'touch(1)',
  read: { expression: 'order.items.map((each) => each.qty * 2)', value: '[2, 4, 6]' },
  harmlessText: { expression: '"child_process" + label', value: '"child_processprocess.exit"' },
};

const onPython: Words = {
  zero: /^ZeroDivisionError: division by zero$/,
  raise: { expression: '[].pop()', error: 'IndexError: pop from empty list' },
  endless: 'while True: pass',
  slow: 'time.sleep(0.3)\n"slow"',
  badCondition: 'rounds ==',
  awaited: [],
  several: 'a = 20\nb = a + 1\na + b',
  uncaught: { type: 'ValueError', message: 'by zero' },
  failingCondition: /NameError: name 'nothing' is not defined/,
  text: (count) => new RegExp(`^'(x|y){160}'… \\(${count} chars\\)$`),
  list: /^\[7, 7, 7, 7, 7, 7, 7, 7, …\] \(1000000\)$/,
  dangerous: 'os.system("true")',
  write: 'rounds = 5',
  call: 'touch(1)',
  read: { expression: '[each.qty * 2 for each in order.items]', value: '[2, 4, 6]' },
  harmlessText: { expression: '"subprocess" + label', value: "'subprocessos.system'" },
};

/** Types that are erased push every line of the source down. */
const typed = (text: string) => `interface Erased {\n  field: string;\n}\n${text}`;

export const hardLanguages: readonly HardLanguage[] = languages.map(({ name, id }) => {
  const texts = id === 'python' ? python : node;
  const files = Object.entries(texts).map(([program, text]) =>
    id === 'typescript'
      ? compiled(`${program}`, typed(text))
      : { [`${id === 'python' ? 'py' : 'js'}/${program}.${id === 'python' ? 'py' : 'js'}`]: text },
  );
  const source = (program: string) =>
    id === 'python' ? `py/${program}.py` : id === 'typescript' ? `src/${program}.ts` : `js/${program}.js`;
  return {
    name,
    id,
    isNode: id !== 'python',
    files: Object.assign({}, ...files) as Record<string, string>,
    source,
    start: (program) => (id === 'typescript' ? `dist/${program}.js` : source(program)),
    at: (program, mark) => lineOf(id === 'typescript' ? typed(texts[program] ?? '') : (texts[program] ?? ''), mark),
    words: id === 'python' ? onPython : onNode,
  };
});
