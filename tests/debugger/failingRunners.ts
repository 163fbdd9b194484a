/** The same four failures, written for six test runners; each looks different to whoever has to explain it. */

const shopJs = `class OutOfStock extends Error {
  constructor(sku, wanted, left) {
    super('not enough of ' + sku);
    this.name = 'OutOfStock';
    this.shelf = { sku, wanted, left };
  }
}
function summary(items, customer) {
  const total = items.reduce((sum, item) => sum + item.price * item.qty, 0) - 1;
  return { customer: { name: customer, address: { city: 'Berlin', lines: ['Unter den Linden 1', '2. Hof'] } }, items, total };
}
function report(items) {
  return ['REPORT', ...items.map((item) => item.sku.padEnd(8) + item.qty), 'thank you'].join('\\n');
}
function reserve(stock, sku, wanted) {
  const left = stock[sku] ?? 0;
  if (left < wanted) throw new OutOfStock(sku, wanted, left);
  stock[sku] = left - wanted;
}
function checkout(stock, items, customer) {
  for (const item of items) reserve(stock, item.sku, item.qty);
  return customer;
}
function check(row) {
  if (row.qty < 0) throw new RangeError('negative quantity ' + row.qty);
}
function validate(rows) {
  const errors = [];
  for (const row of rows) {
    try {
      check(row);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'invalid rows');
}
const items = () => [
  { sku: 'apple', price: 1.5, qty: 3 },
  { sku: 'pear', price: 2.25, qty: 2 },
];
`;
const shopNames = '{ summary, report, checkout, validate, items }';

interface Words {
  head: string;
  same: (actual: string, expected: string) => string;
  alike: (actual: string, expected: string) => string;
}

function testsJs({ head, same, alike }: Words): string {
  return `${head}
test('differs deep inside', () => {
  const got = summary(items(), 'Ann');
  ${alike(
    'got',
    `{
    customer: { name: 'Ann', address: { city: 'Berlin', lines: ['Unter den Linden 1', '2. Hof links'] } },
    items: items(),
    total: 9,
  }`,
  )}
});
test('differs in one line of text', () => {
  const text = report(items());
  ${same('text', "'REPORT\\napple   3\\npear    3\\nthank you'")}
});
test('throws three calls down', () => {
  const stock = { apple: 10, pear: 1 };
  console.log('stock before', stock);
  checkout(stock, items(), 'Ann');
});
test('throws a group', () => {
  validate([{ qty: 1 }, { qty: -3 }]);
});
`;
}

const expectJs: Omit<Words, 'head'> = {
  same: (actual, expected) => `expect(${actual}).toBe(${expected});`,
  alike: (actual, expected) => `expect(${actual}).toEqual(${expected});`,
};
const shopModule = { 'shop.mjs': `${shopJs}export ${shopNames};\n` };
const importShop = `import ${shopNames} from './shop.mjs';`;

const shopPy = `class OutOfStock(Exception):
    def __init__(self, sku, wanted, left):
        super().__init__("not enough of " + sku)
        self.shelf = {"sku": sku, "wanted": wanted, "left": left}


class ConfigError(Exception):
    pass


def summary(items, customer):
    total = sum(item["price"] * item["qty"] for item in items) - 1
    lines = ["Unter den Linden 1", "2. Hof"]
    return {"customer": {"name": customer, "address": {"city": "Berlin", "lines": lines}}, "items": items, "total": total}


def report(items):
    return "\\n".join(["REPORT"] + ["%-8s%d" % (item["sku"], item["qty"]) for item in items] + ["thank you"])


def reserve(stock, sku, wanted):
    left = stock.get(sku, 0)
    if left < wanted:
        raise OutOfStock(sku, wanted, left)
    stock[sku] = left - wanted


def checkout(stock, items, customer):
    for item in items:
        reserve(stock, item["sku"], item["qty"])
    return customer


def rate(config):
    try:
        return config["rates"]["EUR"]
    except KeyError as error:
        raise ConfigError("bad config") from error


def items():
    return [{"sku": "apple", "price": 1.5, "qty": 3}, {"sku": "pear", "price": 2.25, "qty": 2}]
`;

const wantedPy = `{
            "customer": {"name": "Ann", "address": {"city": "Berlin", "lines": ["Unter den Linden 1", "2. Hof links"]}},
            "items": items(),
            "total": 9.0,
        }`;

/** `names`: as the runner knows the four tests. */
export interface FailingRunner {
  name: string;
  files: Record<string, string>;
  names: readonly string[];
}

const namesJs = ['differs deep inside', 'differs in one line of text', 'throws three calls down', 'throws a group'];

export const failingRunners: readonly FailingRunner[] = [
  {
    name: 'vitest',
    files: {
      ...shopModule,
      'package.json': '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"*"}}',
      'shop.test.mjs': testsJs({ head: `import { expect, test } from 'vitest';\n${importShop}`, ...expectJs }),
    },
    names: namesJs.map((name) => `shop.test.mjs::${name}`),
  },
  {
    name: 'jest',
    files: {
      'package.json': '{"scripts":{"test":"jest"},"devDependencies":{"jest":"*"}}',
      'shop.js': `${shopJs}module.exports = ${shopNames};\n`,
      'shop.test.js': testsJs({ head: `const ${shopNames} = require('./shop.js');`, ...expectJs }),
    },
    names: namesJs.map((name) => `shop.test.js::${name}`),
  },
  {
    name: 'node',
    files: {
      ...shopModule,
      'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
      'shop.test.mjs': testsJs({
        head: `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${importShop}`,
        same: (actual, expected) => `assert.equal(${actual}, ${expected});`,
        alike: (actual, expected) => `assert.deepEqual(${actual}, ${expected});`,
      }),
    },
    names: namesJs.map((name) => `shop.test.mjs::${name}`),
  },
  {
    name: 'mocha',
    files: {
      ...shopModule,
      'package.json': '{"type":"module","scripts":{"test":"mocha"},"devDependencies":{"mocha":"*"}}',
      'shop.test.mjs': testsJs({
        head: `import { expect } from 'chai';\n${importShop}\nconst test = it;`,
        same: (actual, expected) => `expect(${actual}).to.equal(${expected});`,
        alike: (actual, expected) => `expect(${actual}).to.deep.equal(${expected});`,
      }),
    },
    names: namesJs.map((name) => `shop.test.mjs::${name}`),
  },
  {
    name: 'pytest',
    files: {
      'shop.py': shopPy,
      'test_shop.py': `from shop import checkout, items, rate, report, summary


def test_deep():
    got = summary(items(), "Ann")
    assert got == ${wantedPy}


def test_text():
    text = report(items())
    assert text == "REPORT\\napple   3\\npear    3\\nthank you"


def test_throws():
    stock = {"apple": 10, "pear": 1}
    print("stock before", stock)
    checkout(stock, items(), "Ann")


def test_cause():
    assert rate({"rates": {"USD": 1.1}}) == 1.0
`,
    },
    names: ['test_deep', 'test_text', 'test_throws', 'test_cause'].map((name) => `test_shop.py::${name}`),
  },
  {
    name: 'unittest',
    files: {
      'shop.py': shopPy,
      'test_shop.py': `import unittest
from shop import checkout, items, rate, report, summary


class ShopTest(unittest.TestCase):
    def test_deep(self):
        got = summary(items(), "Ann")
        self.assertEqual(got, ${wantedPy}, "the summary")

    def test_text(self):
        text = report(items())
        self.assertEqual(text, "REPORT\\napple   3\\npear    3\\nthank you")

    def test_throws(self):
        stock = {"apple": 10, "pear": 1}
        checkout(stock, items(), "Ann")

    def test_cause(self):
        self.assertEqual(rate({"rates": {"USD": 1.1}}), 1.0)
`,
    },
    names: ['test_deep', 'test_text', 'test_throws', 'test_cause'].map((name) => `test_shop.py::ShopTest::${name}`),
  },
];
