import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { foreignRunners, installed } from '../harness/foreignTool.ts';
import { startSightline, type RunningSightline } from '../harness/harness.ts';

const run = promisify(execFile);

/** In every package: one test that passes, one whose objects differ, one that throws two calls down, one skipped, two behind a broken hook. */
const shop = `function price(item) {
  if (item.price < 0) throw new RangeError('negative price of ' + item.name);
  return item.price;
}
function total(items) {
  return items.reduce((sum, item) => sum + price(item), 0);
}
`;

function scriptTests(head: string, same: (actual: string, expected: string) => string, hook: string): string {
  return `${head}
describe('total', () => {
  it('adds', () => {
    ${same('total([{ name: "a", price: 1 }, { name: "b", price: 2 }])', '3')}
  });
  it('keeps names', () => {
    const got = { names: ['apple', 'pear'], total: total([]) };
    ${same('got', "{ names: ['apple', 'plum'], total: 0 }")}
  });
  it('refuses', () => {
    total([{ name: 'debt', price: -1 }]);
  });
  it.skip('later', () => {});
});
describe('database', () => {
  ${hook}(() => {
    throw new Error('no database');
  });
  it('reads', () => {});
  it('writes', () => {});
});
`;
}

const expectEqual = (actual: string, expected: string) => `expect(${actual}).toEqual(${expected});`;
const assertEqual = (actual: string, expected: string) => `assert.deepEqual(${actual}, ${expected});`;

export const packages: Readonly<Record<string, string>> = {
  'package.json': '{"private":true,"scripts":{"test":"npm run test --workspaces"}}',
  'vi/package.json': '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"*"}}',
  'vi/shop.js': `${shop}export { total };\n`,
  'vi/shop.test.js': scriptTests(
    "import { beforeAll, describe, expect, it } from 'vitest';\nimport { total } from './shop.js';",
    expectEqual,
    'beforeAll',
  ),
  'vi/broken.test.js': "import './missing.js';\n",
  'je/package.json': '{"scripts":{"test":"jest"},"devDependencies":{"jest":"*"}}',
  'je/shop.js': `${shop}module.exports = { total };\n`,
  'je/shop.test.js': scriptTests("const { total } = require('./shop.js');", expectEqual, 'beforeAll'),
  'je/broken.test.js': "require('./missing.js');\n",
  'mo/package.json': '{"type":"module","scripts":{"test":"mocha test"},"devDependencies":{"mocha":"*"}}',
  'mo/shop.js': `${shop}export { total };\n`,
  'mo/test/shop.js': scriptTests(
    "import assert from 'node:assert/strict';\nimport { total } from '../shop.js';",
    assertEqual,
    'before',
  ),
  'no/package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'no/node_modules/other/package.json': '{"scripts":{"test":"mocha"}}',
  'no/shop.js': `${shop}export { total };\n`,
  'no/shop.test.js': scriptTests(
    "import assert from 'node:assert/strict';\nimport { before, describe, it } from 'node:test';\nimport { total } from './shop.js';",
    assertEqual,
    'before',
  ),
  'no/broken.test.js': "import './missing.js';\n",
  'py/pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-ra"\n',
  'py/shop.py': `def price(item):
    if item["price"] < 0:
        raise ValueError("negative price of " + item["name"])
    return item["price"]


def total(items):
    return sum(price(item) for item in items)
`,
  'py/test_shop.py': `import pytest

from shop import total


class TestTotal:
    def test_adds(self):
        assert total([{"name": "a", "price": 1}, {"name": "b", "price": 2}]) == 3

    def test_keeps_names(self):
        got = {"names": ["apple", "pear"], "total": total([])}
        try:
            assert got == {"names": ["apple", "plum"], "total": 0}
        finally:
            got.clear()

    def test_refuses(self):
        total([{"name": "debt", "price": -1}])

    @pytest.mark.skip(reason="not yet")
    def test_later(self):
        pass


@pytest.mark.parametrize("price", [1, 2])
def test_one(price):
    assert total([{"name": "a", "price": price}]) == price
`,
  'py/test_broken.py': 'import missing_here\n',
  'unit/setup.py': '',
  'unit/shop.py': `def price(item):
    if item["price"] < 0:
        raise ValueError("negative price of " + item["name"])
    return item["price"]


def total(items):
    return sum(price(item) for item in items)
`,
  'unit/test_shop.py': `import unittest

from shop import total


class TotalTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([{"name": "a", "price": 1}, {"name": "b", "price": 2}]), 3)

    def test_keeps_names(self):
        got = {"names": ["apple", "pear"], "total": total([])}
        self.assertEqual(got, {"names": ["apple", "plum"], "total": 0})

    def test_refuses(self):
        total([{"name": "debt", "price": -1}])

    @unittest.skip("not yet")
    def test_later(self):
        pass


class DatabaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no database")

    def test_reads(self):
        pass

    def test_writes(self):
        pass
`,
  'unit/test_broken.py': 'import missing_here\n',
};

/** A project with a package for each runner, each with what its runner needs. */
export async function startWithPackages(more: Readonly<Record<string, string>> = {}): Promise<RunningSightline> {
  const ide = await startSightline({ project: { ...packages, ...more } });
  const foreign = await installed(foreignRunners);
  await Promise.all([
    symlink(resolve('node_modules'), join(ide.root, 'vi', 'node_modules')),
    symlink(foreign, join(ide.root, 'je', 'node_modules')),
    symlink(foreign, join(ide.root, 'mo', 'node_modules')),
    // An interpreter without pytest.
    run('python3', ['-m', 'venv', '--without-pip', join(ide.root, 'unit', '.venv')]),
  ]);
  return ide;
}
