import typescript from 'typescript-classic';

/**
 * The same small program three times. What the steps need to know of a language stands here, so that the steps themselves and what
 * is expected of them are written once. `// @name` marks a line.
 */
export interface MatrixLanguage {
  name: string;
  /** What the model calls it: also the name of the golden files. */
  id: string;
  /** What a session says of itself. */
  language: string;
  /** Where breakpoints are set. */
  source: string;
  /** What is started. */
  program: string;
  loop: string;
  files: Record<string, string>;
  /** The name of module-level code on a stack. */
  module: string;
  /** Expressions that are not written the same in each. */
  mapQuantities: string;
  missing: { expression: string; error: RegExp };
  zero: { expression: string; answer: RegExp };
  endless: string;
  notEqual: string;
  badCondition: string;
  several: { expression: string; value: string };
  quoted: (text: string) => string;
  typeOf: { list: string; integer: string; text: string };
  exception: string;
  /** After the last line of a function a step out stops on the line of the call, or already behind it. */
  outStopsAt: 'call' | 'next';
}

const javascript = `class Item {
  constructor(name, qty) {
    this.name = name;
    this.qty = qty;
  }
}
function count(items) {
  let n = 0;
  for (const item of items) {
    n += item.qty; // @sum
  }
  return n; // @counted
}
function greet(name) {
  const text = 'hello ' + name; // @greet
  return text;
}
function risky(n) {
  throw new RangeError('too many: ' + n); // @throw
}
function main(order) {
  const total = count(order.items); // @count
  const greeting = greet(order.owner); // @hello
  console.log(greeting, total); // @print
  try {
    risky(total); // @risk
  } catch (error) {
    console.log('handled'); // @handled
  }
  return total;
}
main({ owner: 'Ann', items: [new Item('tea', 2), new Item('jam', 1), new Item('oil', 4)] }); // @main
`;

const typed = `interface Order {
  owner: string;
  items: Item[];
}

class Item {
  constructor(
    public name: string,
    public qty: number,
  ) {}
}

function count(items: Item[]): number {
  let n: number = 0;
  for (const item of items) {
    n += item.qty; // @sum
  }
  return n; // @counted
}

function greet(name: string): string {
  const text = 'hello ' + name; // @greet
  return text;
}

function risky(n: number): never {
  throw new RangeError('too many: ' + n); // @throw
}

function main(order: Order): number {
  const total = count(order.items); // @count
  const greeting = greet(order.owner); // @hello
  console.log(greeting, total); // @print
  try {
    risky(total); // @risk
  } catch (error) {
    console.log('handled'); // @handled
  }
  return total;
}

main({ owner: 'Ann', items: [new Item('tea', 2), new Item('jam', 1), new Item('oil', 4)] }); // @main
`;

const python = `class Item:
    def __init__(self, name, qty):
        self.name = name
        self.qty = qty


class Order:
    def __init__(self, owner, items):
        self.owner = owner
        self.items = items


def count(items):
    n = 0
    for item in items:
        n += item.qty  # @sum
    return n  # @counted


def greet(name):
    text = "hello " + name  # @greet
    return text


def risky(n):
    raise ValueError("too many: " + str(n))  # @throw


def main(order):
    total = count(order.items)  # @count
    greeting = greet(order.owner)  # @hello
    print(greeting, total)  # @print
    try:
        risky(total)  # @risk
    except ValueError:
        print("handled")  # @handled
    return total


main(Order("Ann", [Item("tea", 2), Item("jam", 1), Item("oil", 4)]))  # @main
`;

const loops = {
  javascript: `function spin() {
  let rounds = 0;
  while (true) rounds++; // @round
}
console.log('spinning');
spin();
`,
  typed: `function spin(): never {
  let rounds: number = 0;
  while (true) rounds++; // @round
}
console.log('spinning');
spin();
`,
  python: `def spin():
    rounds = 0
    while True:
        rounds += 1  # @round


print("spinning", flush=True)
spin()
`,
};

const onNode = {
  language: 'node',
  module: '<module>',
  mapQuantities: 'items.map((each) => each.qty)',
  missing: { expression: 'nothing', error: /^ReferenceError: nothing is not defined$/ },
  zero: { expression: '1 / 0', answer: /^Infinity$/ },
  endless: 'while (true) {}',
  badCondition: 'n ===',
  notEqual: "item.name === 'jam'",
  several: { expression: 'const twice = n * 2;\ntwice + 1', value: '5' },
  quoted: (text: string) => `"${text}"`,
  typeOf: { list: 'Array(3)', integer: 'number', text: 'string' },
  exception: 'RangeError',
  outStopsAt: 'next' as const,
};

export const languages: readonly MatrixLanguage[] = [
  {
    ...onNode,
    name: 'JavaScript',
    id: 'javascript',
    source: 'js/app.js',
    program: 'js/app.js',
    loop: 'js/loop.js',
    files: { 'js/app.js': javascript, 'js/loop.js': loops.javascript },
  },
  {
    ...onNode,
    name: 'TypeScript',
    id: 'typescript',
    source: 'src/app.ts',
    program: 'dist/app.js',
    loop: 'dist/loop.js',
    files: { ...compiled('app', typed), ...compiled('loop', loops.typed) },
  },
  {
    name: 'Python',
    id: 'python',
    language: 'python',
    source: 'py/app.py',
    program: 'py/app.py',
    loop: 'py/loop.py',
    files: { 'py/app.py': python, 'py/loop.py': loops.python },
    module: '<module>',
    mapQuantities: '[each.qty for each in items]',
    missing: { expression: 'nothing', error: /^NameError: name 'nothing' is not defined$/ },
    zero: { expression: '1 / 0', answer: /^ZeroDivisionError: division by zero$/ },
    endless: 'while True: pass',
    badCondition: 'n ==',
    notEqual: 'item.name == "jam"',
    several: { expression: 'twice = n * 2\ntwice + 1', value: '5' },
    quoted: (text) => `'${text}'`,
    typeOf: { list: 'list', integer: 'int', text: 'str' },
    exception: 'ValueError',
    outStopsAt: 'call',
  },
];

/** The line that is marked so, 1-based. */
export function lineOf(text: string, mark: string): number {
  const index = text.split('\n').findIndex((line) => line.endsWith(`@${mark}`));
  if (index < 0) throw new Error(`No line is marked @${mark}.`);
  return index + 1;
}

/** The source, and beside it what the TypeScript compiler makes of it, with a map. */
export function compiled(name: string, source: string): Record<string, string> {
  const { outputText, sourceMapText } = typescript.transpileModule(source, {
    fileName: `${name}.ts`,
    compilerOptions: {
      module: typescript.ModuleKind.CommonJS,
      target: typescript.ScriptTarget.ES2022,
      sourceMap: true,
      sourceRoot: '../src',
      removeComments: true,
    },
  });
  return {
    [`src/${name}.ts`]: source,
    [`dist/${name}.js`]: outputText,
    [`dist/${name}.js.map`]: sourceMapText ?? '',
  };
}
