import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { foreignCompilers, foreignRunners, installed } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';

const cart = (types: boolean) => `export class Cart {
  #total = 0;
  constructor(${types ? 'private items: { price: number; qty?: number }[]' : 'items'}) {
    ${types ? '' : 'this.items = items;'}
  }
  total(rate${types ? ': number' : ''})${types ? ': number' : ''} {
    for (const item of this.items) this.add(item);
    return round(this.#total * rate);
  }
  add({ price, qty = 1 }${types ? ': { price: number; qty?: number }' : ''}) {
    this.#total += price * qty;
  }
}
const round = (value${types ? ': number' : ''}) => Math.floor(value * 100) / 100;
export async function load(id${types ? ': number' : ''}) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return { price: id };
}
`;

const body = `async () => {
  const cart = new Cart([{ price: 2.5, qty: 3 }, await load(5)]);
  SAME(cart.total(1.19), 14.88);
}`;

const same = (text: string) => body.replace(/SAME\((.*), (.*)\)/, text);
const expectSame = same('expect($1).toBe($2)');

interface Project {
  name: string;
  test: string;
  packages?: () => Promise<string> | string;
  files: Record<string, string>;
}

const ownPackages = () => resolve('node_modules');
const projects: readonly Project[] = [
  {
    name: 'vitest, TypeScript',
    test: 'cart.test.ts::totals',
    packages: ownPackages,
    files: {
      'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
      'cart.ts': cart(true),
      'cart.test.ts': `import { expect, test } from 'vitest';\nimport { Cart, load } from './cart';\ntest('totals', ${expectSame});`,
    },
  },
  {
    name: 'jest, CommonJS',
    test: 'cart.test.js::totals',
    packages: () => installed(foreignRunners),
    files: {
      'package.json': '{"devDependencies":{"jest":"*"}}',
      'cart.js': `${cart(false).replaceAll('export ', '')}module.exports = { Cart, load };`,
      'cart.test.js': `const { Cart, load } = require('./cart.js');\n\ntest('totals', ${expectSame});`,
    },
  },
  {
    name: 'mocha, ES modules',
    test: 'cart.test.mjs::totals',
    packages: () => installed(foreignRunners),
    files: {
      'package.json': '{"type":"module","devDependencies":{"mocha":"*"}}',
      'cart.js': cart(false),
      'cart.test.mjs': `import { expect } from 'chai'; const test = it;\nimport { Cart, load } from './cart.js';\ntest('totals', ${same('expect($1).to.equal($2)')});`,
    },
  },
  {
    name: 'node:test',
    test: 'cart.test.mjs::totals',
    files: {
      'package.json': '{"type":"module"}',
      'cart.js': cart(false),
      'cart.test.mjs': `import test from 'node:test'; import assert from 'node:assert/strict';\nimport { Cart, load } from './cart.js';\ntest('totals', ${same('assert.equal($1, $2)')});`,
    },
  },
  {
    name: 'node:test by tsx',
    test: 'cart.test.ts::totals',
    packages: () => installed(foreignCompilers),
    files: {
      'package.json': '{"type":"module"}',
      'cart.ts': cart(true),
      'cart.test.ts': `import test from 'node:test'; import assert from 'node:assert/strict';\nimport { Cart, load } from './cart.ts';\ntest('totals', ${same('assert.equal($1, $2)')});`,
    },
  },
];

const tree = (extension: string) => [
  expect.stringMatching(/^test\("totals"\) ✗ threw .*(14\.88|equal).* at :5 {2}\[cart\.test\.\w+:3\]$/),
  `  :4 async load(id=5) → {price: 5}  [cart.${extension}:15]`,
  `  :4 Cart.constructor(items=[{price: 2.5, qty: 3}, {price: 5}])  [cart.${extension}:3]`,
  `  :5 Cart.total(rate=1.19) → 14.87  [cart.${extension}:6]`,
  `    :7 Cart.add(price=2.5, qty=3) → undefined  [cart.${extension}:10]`,
  '    :7 Cart.add(price=5, qty=1) → undefined',
  `    :8 round(value=14.875) → 14.87  [cart.${extension}:14]`,
];

describe.each(projects)('a trace of a test run by $name', ({ test, files, packages }) => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await builtProgram();
    ide = await startSightline({ project: files });
    if (packages !== undefined) await symlink(await packages(), join(ide.root, 'node_modules'));
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('shows each call with its arguments and result, in the lines of the source', async () => {
    const [outcome, ...calls] = (await agent.text('debug_trace', { test })).split('\n');
    expect(outcome).toBe('exit code 1; 8 calls of 7 functions');
    expect(calls).toEqual(tree('cart.ts' in files ? 'ts' : 'js'));
  });
});

const hard = `'use strict';
class Node { constructor(value, next) { this.value = value; this.next = next; } }
const list = (n) => (n === 0 ? null : new Node(n, list(n - 1)));
function sum(node) { return node === null ? 0 : node.value + sum(node.next); }
function* evens(max) { for (let i = 0; i < max; i += 2) yield half(i); }
const half = (n) => n / 2;
function risky(n) { if (n > 2) throw new RangeError('too big: ' + n); return n; }
function guarded(n) { try { return risky(n); } catch (error) { throw new Error('wrapped', { cause: error }); } }
function fill(target) { target.push(1); target.name = 'x'; }
async function slow(n) { await null; return half(n); }
function later(done) { setTimeout(() => done(half(8)), 1); }
function main() {
  sum(list(3));
  [...evens(6)];
  try { guarded(5); } catch {}
  fill([]);
  for (let i = 0; i < 500; i++) half(i);
  later((n) => console.log('later', n));
  return Promise.all([slow(2), slow(4)]);
}
if (String(half) !== '(n) => n / 2') throw new Error('the text of a function changed');
main().then(() => { console.log('done'); process.exitCode = 3; });
`;

describe('a trace of a program', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await builtProgram();
    ide = await startSightline({
      project: {
        'hard.js': hard,
        'many.js': `function tiny(n) { return n & 1; }\nlet odd = 0;\nfor (let i = 0; i < 10_000_000; i++) odd += tiny(i);\nconsole.log(odd);\n`,
        'endless.js': `function tick(n) { if (n === 2) console.log('two'); setTimeout(tick, 20, n + 1); }\ntick(0);\n`,
        'busy.js': `function spin(n) { return n + 1; }\nlet n = 0;\nfor (;;) n = spin(n) % 1000;\n`,
        'threads.js': `const { Worker, isMainThread } = require('node:worker_threads');
const { execFileSync } = require('node:child_process');
const work = (where) => where.length;
if (process.argv[2]) work('child'); else if (isMainThread) { new Worker(__filename); execFileSync(process.execPath, [__filename, 'child']); work('main'); } else work('worker');
`,
      },
    });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('shows recursion, generators, exceptions on their way, changed arguments, callbacks, and folds loops', async () => {
    const text = await agent.text('debug_trace', {
      program: 'hard.js',
      focus: { functions: ['main', 'sum', 'evens', 'half', 'risky', 'guarded', 'fill', 'slow'] },
    });
    expect(text.split('\n')).toEqual([
      'exit code 3; 517 calls of 8 functions',
      'main() → Promise  [hard.js:12]',
      '  :13 sum(node=Node {value: 3, next: Node {value: 2, next: Node {value: 1, next: null}}}) → 6  [hard.js:4]',
      '    :4 sum(node=Node {value: 2, next: Node {value: 1, next: null}}) → 3',
      '      :4 sum(node=Node {value: 1, next: null}) → 1',
      '        :4 sum(node=null) → 0',
      '  :14 generator evens(max=6) → undefined (3 yields)  [hard.js:5]',
      '    :5 half(n=0) → 0  [hard.js:6]',
      '    … ×3 half (hidden ones from n8); the last:',
      '    :5 half(n=4) → 2',
      '  :15 guarded(n=5) ✗ threw Error: wrapped at :8  [hard.js:8]',
      '    :8 risky(n=5) ✗ threw RangeError: too big: 5 at :7  [hard.js:7]',
      '  :16 fill(target=[]) → undefined; target[0] = 1, target.name = "x"  [hard.js:9]',
      '  :17 half(n=0) → 0',
      expect.stringMatching(/^ {2}… ×\d+ half \(hidden ones from n\d+\); the last:$/),
      '  :17 half(n=499) → 249.5',
      '  :19 async slow(n=2) → 1  [hard.js:10]',
      '    :10 half(n=2) → 1',
      '  :19 async slow(n=4) → 2',
      '    :10 half(n=4) → 2',
      'half(n=8) → 4',
      'Output: done',
      'later 4',
    ]);
    expect(encode(text).length).toBeLessThan(1500);
  });

  it('expands a call of the kept recording', async () => {
    const text = await agent.text('debug_trace_node', { id: 'n2' });
    expect(text).toContain('in main (n1)');
    expect(text).toContain('sum(node=null) → 0');
  });

  it('only counts what is called millions of times', async () => {
    const text = await agent.text('debug_trace', { program: 'many.js' });
    expect(text).toContain('exit code 0; 10000000 calls of 1 function');
    expect(text).toContain('Output: 5000000');
  });

  it('tells what is known of a program that never ends, idle or busy', async () => {
    const idle = await agent.text('debug_trace', { program: 'endless.js', wait_ms: 1000 });
    expect(idle).toMatch(/^still running after 1\.\d s, ended; at least \d+ calls of 1 function/);
    expect(idle).toContain('tick(n=0) → undefined');
    expect(await agent.text('debug_trace', { program: 'busy.js', wait_ms: 1500 })).toContain('spin(n=0) → 1');
  });

  it('records worker threads and child processes', async () => {
    const text = await agent.text('debug_trace', { program: 'threads.js' });
    for (const where of ['child', 'main', 'worker']) expect(text).toContain(`work(where="${where}")`);
  });

  it('says what is wrong with a question', async () => {
    const codes = [
      await agent.call('debug_trace', { program: 'hard.js', focus: { files: ['nowhere.js'] } }),
      await agent.call('debug_trace', {}),
      await agent.call('debug_trace_node', { id: 'n99999' }),
    ].map(({ text }) => /\((\w+)\)/.exec(text)?.[1]);
    expect(codes).toEqual(['file_not_found', 'invalid_arguments', 'invalid_arguments']);
  });
});
