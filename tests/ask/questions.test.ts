import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';

const app = `export function buildRouterOptions(options, defaults) {
  const router = options.routerOptions;
  for (const key of Object.keys(defaults)) {
    if (router[key] === undefined) router[key] = defaults[key];
  }
  return router;
}
export class App {
  #hits = 0;
  constructor(options) {
    this.options = { ...options };
    this.routes = [];
    this.router = buildRouterOptions(this.options, { caseSensitive: true, maxParam: 100 });
  }
  on(path) {
    this.routes.push(path);
    this.#hits++;
    Object.assign(this.options, { last: path });
    return this;
  }
  reset() {
    delete this.options.last;
    this.#hits = 0;
  }
}
`;

const appTest = `import test from 'node:test';
import assert from 'node:assert/strict';
import { App } from './app.mjs';
test('apps do not share', () => {
  const shared = { routerOptions: { caseSensitive: false } };
  const one = new App(shared);
  one.on('/a').on('/b');
  one.reset();
  new App(shared);
  assert.deepEqual(shared.routerOptions, { caseSensitive: false });
});
`;

const store = `const users = new Map([[1, { name: 'Ann', mail: { host: 'x.org' } }]]);
export function find(id) {
  return users.get(id);
}
export async function load(id) {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const user = find(id);
  return user;
}
export function label(user) {
  return user.name + '@' + user.mail.host;
}
export async function labels(ids) {
  const out = [];
  for (const id of ids) {
    const user = await load(id);
    out.push(label(user));
  }
  return out;
}
`;

const storeTest = `import test from 'node:test';
import assert from 'node:assert/strict';
import { labels } from './store.mjs';
test('one', async () => {
  assert.deepEqual(await labels([1]), ['Ann@x.org']);
});
test('two', async () => {
  assert.deepEqual(await labels([1, 2]), ['Ann@x.org', 'Bob@y.org']);
});
`;

const prices = `export interface Item { price: number; qty?: number }

export class Cart {
  private sum: number = 0;
  constructor(private readonly items: Item[]) {}
  total(rate: number): number {
    for (const item of this.items) this.sum += price(item);
    return round(this.sum * rate);
  }
}
const price = (item: Item): number => item.price * (item.qty ?? 1);
const round = (value: number): number => Math.floor(value * 100) / 100;
`;

const pricesTest = `import { expect, test } from 'vitest';
import { Cart } from './prices';
test('totals', () => {
  const cart = new Cart([{ price: 2.5, qty: 3 }, { price: 5 }]);
  expect(cart.total(1.19)).toBe(14.88);
});
test('nothing', () => {
  expect(new Cart([]).total(2)).toBe(0);
});
`;

const lines = (text: string, after: string): string[] => {
  const all = text.split('\n');
  return all.slice(all.indexOf(after) + 1);
};

describe('questions to a run', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await builtProgram();
    ide = await startSightline({
      project: {
        'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
        'app.mjs': app,
        'app.test.mjs': appTest,
        'store.mjs': store,
        'store.test.mjs': storeTest,
        'prices.ts': prices,
        'prices.test.ts': pricesTest,
        'busy.js': `function spin(end) {\n  for (let n = 0; Date.now() < end; n++);\n  process.stdout.write('.');\n}\nsetInterval(() => spin(Date.now() + 200), 1);\n`,
        'fine.mjs': `console.log('fine');\n`,
        'cause.mjs': `function load(text) {\n  try {\n    return JSON.parse(text);\n  } catch (error) {\n    throw new Error('no settings', { cause: error });\n  }\n}\nload('{');\n`,
      },
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: ide.root });
    git('init', '-q');
    await writeFile(join(ide.root, '.gitignore'), 'node_modules\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    await symlink(resolve('node_modules'), join(ide.root, 'node_modules'));
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  describe('who changed', () => {
    const ask = async (expression: string) =>
      (await agent.text('debug_who_changed', { test: 'app.test.mjs', expression })).split('\n').slice(2);

    it('finds the write through another name of the object, with who asked for it', async () => {
      expect(await ask('options.routerOptions')).toEqual([
        'options.routerOptions: 2 writes, last first:',
        'router["maxParam"] inside it: = 100  app.mjs:4 buildRouterOptions ← App.constructor :13 ← test("apps do not share") :6',
        'routerOptions: = {caseSensitive: false}  app.test.mjs:5 test("apps do not share")',
      ]);
    });

    it('follows private fields and tells a loop once', async () => {
      expect(await ask('this.#hits')).toEqual([
        'this.#hits: 5 writes, last first:',
        '#hits: = 0  app.mjs:9',
        'this.#hits: 2 → 0  app.mjs:23 App.reset ← test("apps do not share") :8',
        'this.#hits: 0 → 2 (in 2 writes)  app.mjs:17 App.on ← test("apps do not share") :7',
        '#hits: = 0  app.mjs:9',
      ]);
    });

    it('tells deletions and writes by Object.assign', async () => {
      const rows = await ask('options.last');
      expect(rows[1]).toBe(
        'this.options.last (of #1): "/b" → deleted  app.mjs:22 App.reset ← test("apps do not share") :8',
      );
      expect(rows[2]).toBe('this.options.last (of #1): "/a" → "/b"  app.mjs:18 App.on ← test("apps do not share") :7');
    });

    it('notices that a variable was changed inside by whoever it was passed to', async () => {
      expect((await ask('shared'))[1]).toBe(
        'shared: changed inside #1: caseSensitive: false ⇒ caseSensitive: false, maxParam: 100  app.mjs:6 buildRouterOptions ← App.constructor :13 ← test("apps do not share") :6 (changed since :5)',
      );
    });

    it('says so when nothing wrote it, and what a question may look like', async () => {
      expect(await ask('nobody.home')).toEqual(
        [
          expect.stringMatching(/^nobody\.home: nothing in the project's code wrote it/),
          expect.stringMatching(/^Output:/),
        ].slice(0, 1),
      );
      const { error } = await agent.call('debug_who_changed', { test: 'app.test.mjs', expression: 'a + b' });
      expect(error).toMatchObject({ name: 'invalid_arguments' });
    });
  });

  describe('explain', () => {
    it('follows a wrong number back to the call that made it, in TypeScript', async () => {
      const text = await agent.text('debug_explain', { test: 'prices.test.ts::totals' });
      expect(text).toMatch(/^Stopped \(exception\) at prices\.test\.ts:5/);
      expect(lines(text, 'Where it comes from, backwards:')).toEqual([
        '  prices.test.ts:5 has 14.87, expected 14.88',
        '  ← returned by Cart.total(rate=1.19) at prices.ts:8',
        '  ← made by round(value=14.875) → 14.87 at prices.ts:12',
        'Suspects:',
        '  1. round  prices.ts:12: made the wrong value',
        '  2. Cart.total  prices.ts:6: handed it on, its result was checked',
      ]);
    });

    it('follows undefined back through an argument and an await', async () => {
      const text = await agent.text('debug_explain', { test: 'store.test.mjs::two' });
      expect(lines(text, 'Where it comes from, backwards:').slice(0, 6)).toEqual([
        '  store.mjs:11 has user = undefined',
        '  ← passed as user to label at store.mjs:17',
        '  ← returned into user by async load(id=2) at store.mjs:8',
        '  ← made by find(id=2) → undefined at store.mjs:3',
        'Suspects:',
        '  1. find  store.mjs:2: made the wrong value',
      ]);
    });

    it('names the line that changed a shared object', async () => {
      const text = await agent.text('debug_explain', { test: 'app.test.mjs' });
      expect(text).toContain(
        '← router["maxParam"] = 100 at app.mjs:4 in buildRouterOptions ← App.constructor :13 ← test("apps do not share") :6',
      );
      expect(text).toMatch(/1\. buildRouterOptions.*app\.mjs:1: assigned the wrong value/);
    });

    it('tells what caused an exception', async () => {
      expect(await agent.text('debug_explain', { program: 'cause.mjs' })).toMatch(
        /^Error: no settings\n {2}caused by SyntaxError: .*JSON/m,
      );
    });

    it('has nothing to add to a program that is well', async () => {
      expect(await agent.text('debug_explain', { program: 'fine.mjs' })).not.toContain('Suspects');
    });
  });

  describe('several questions to one run', () => {
    it('are answered for TypeScript from the run that explains the failure', async () => {
      const text = await agent.text('debug_explain', {
        test: 'prices.test.ts::totals',
        questions: [
          { who_changed: 'this.sum' },
          { trace: 'round' },
          { until: 'value > 14' },
          { hypothesis: 'value < 14', at: { function: 'round' } },
          { values: ['this.sum', 'rate'], at: { file: 'prices.ts', line: 8 } },
          { compare: 'price' },
        ],
      });
      const answers = text.split('\n').filter((line) => /^(\d\.| {3}\S)/.test(line));
      expect(answers).toEqual([
        '1. this.sum: 3 writes, last first:',
        '   this.sum: 0 → 12.5 (in 2 writes)  prices.ts:7 Cart.total ← test("totals") :5',
        '   this.sum: = 0  prices.ts:4 Cart.constructor ← test("totals") :4',
        '2. calls of round:',
        '   :8 round(value=14.875) → 14.87  [prices.ts:12]',
        '3. value > 14 is first true after prices.ts:12 round ← Cart.total :8',
        '4. REJECTED  value < 14: 1 of 1 not; first false at prices.ts:12 round ← Cart.total :8 ← test("totals") :5 (value=14.875)',
        '5. this.sum, rate at prices.ts:8: once',
        '   this.sum = 12.5, rate = 1.19  in Cart.total ← test("totals") :5',
        '6. calls 1 (a) and 2 (b) of price:',
        '   first call with other arguments:  [prices.ts:11]',
      ]);
      expect(text).toMatch(/^ {5}a: price\(item=\{price: 2\.5, qty: 3\}\) → 7\.5/m);
      expect(text).toMatch(/^ {5}b: price\(item=\{price: 5\}\) → 5/m);
    });

    it('go with a probe: one recorded run shows the failure and answers', async () => {
      const text = await agent.text('debug_probe', {
        test: 'store.test.mjs::two',
        questions: [{ trace: 'find' }, { values: ['user'], at: { function: 'label' } }],
      });
      expect(text).toMatch(/^Stopped \(exception\) at store\.mjs:11/);
      expect(text).toContain('1. calls of find:\n');
      expect(text).toMatch(/^2\. user at label: 2 times\n.*\n {3}user = undefined/m);
      expect(text).not.toContain('Run twice');
      const stopped = await agent.text('debug_probe', {
        test: 'store.test.mjs::two',
        breakpoints: [{ file: 'store.mjs', line: 7 }],
        questions: [{ trace: 'find' }],
      });
      expect(stopped).toMatch(/^--- hit 1\nStopped \(breakpoint\) at store\.mjs:7/);
      expect(stopped).toContain('1. calls of find:\n');
      expect(stopped).toContain('Run twice: recorded for the questions, and under the debugger.');
    });

    it('go with the first moment and with a comparison', async () => {
      const moment = await agent.text('debug_until', {
        test: 'store.test.mjs::two',
        expression: 'id > 1',
        questions: [{ compare: 'load' }, { compare: 'nobody' }],
      });
      expect(moment).toContain('id > 1 is first true after store.mjs:');
      expect(moment).toMatch(/^1\. calls 1 \(a\) and 2 \(b\) of load:\n {3}first call with other arguments:/m);
      expect(moment).toContain('2. nobody was called 0 times: no two calls to compare.');
      const parted = await agent.text('debug_compare', {
        a: { test: 'store.test.mjs::one' },
        b: { test: 'store.test.mjs::two' },
        questions: [{ values: ['id'], at: { function: 'find' } }],
      });
      expect(parted).toMatch(/^In a:\n1\. id at find: once\n.*\nIn b:\n1\. id at find: 2 times$/m);
    });
  });

  it('says what an edit changed in the answer to a question that was asked before', async () => {
    const file = join(ide.root, 'rounding.mjs');
    const source = 'export const cents = (euros) => Math.floor(euros * 100);\nexport const twice = (n) => 2 * n;\n';
    await writeFile(file, source);
    await writeFile(
      join(ide.root, 'rounding.test.mjs'),
      `import test from 'node:test';
import assert from 'node:assert/strict';
import { cents, twice } from './rounding.mjs';
test('cents', () => assert.equal(cents(2.3) + twice(1), 232));
`,
    );
    const explain = () => agent.text('debug_explain', { test: 'rounding.test.mjs' });
    const trace = () => agent.text('debug_trace', { test: 'rounding.test.mjs' });
    expect(await explain()).not.toContain('rounding.mjs changed');
    expect(await explain()).not.toContain('rounding.mjs changed');
    await trace();
    await writeFile(file, `// whole cents\n${source.replace('floor', 'round')}`);
    expect(lines(await trace(), 'What is different since rounding.mjs changed:')).toEqual([
      expect.stringMatching(/^- .*threw AssertionError/),
      expect.stringMatching(/^- .*cents\(euros=2\.3\) → 229/),
      expect.stringMatching(/^\+ .*test\("cents"\)/),
      expect.stringMatching(/^\+ .*cents\(euros=2\.3\) → 230/),
    ]);
    const mended = lines(await explain(), 'What is different since rounding.mjs changed:');
    expect(mended[0]).toMatch(/^- AssertionError/);
    expect(mended.at(-1)).toBe('+ nothing fails');
    await writeFile(file, `// whole cents, rounded\n${source.replace('floor', 'round')}`);
    expect(await trace()).toContain('The same answer as before rounding.mjs changed.');
  });

  it('says of each hypothesis whether it holds', async () => {
    const text = await agent.text('debug_hypotheses', {
      test: 'store.test.mjs',
      probes: [
        { id: 'found', at: { file: 'store.mjs', line: 8 }, expression: 'user !== undefined' },
        { id: 'ann', at: { function: 'label' }, expression: 'user.name', expect: 'Ann' },
        { id: 'nowhere', at: { function: 'nobody' }, expression: 'true' },
        { id: 'some', at: { file: 'store.mjs', line: 14 }, expression: 'ids.length > 0' },
      ],
    });
    expect(text.split('\n').slice(1)).toEqual([
      'found: REJECTED  user !== undefined: 1 of 3 not; first false at store.mjs:8 load ← labels :16 ← test("two") :8 (id=2)',
      'ann: REJECTED  user.name = Ann: 1 of 3 not; first <TypeError: Cannot read properties of undefined (reading \'name\')> at store.mjs:10 label ← labels :17 ← test("two") :8 (user=undefined)',
      'nowhere: NEVER REACHED  true',
      'some: CONFIRMED  ids.length > 0, 2 times; first true at store.mjs:14 labels ← test("one") :5',
    ]);
  });

  it('finds the first moment at which an expression becomes true', async () => {
    const text = await agent.text('debug_until', {
      test: 'store.test.mjs',
      expression: 'out.length > 0 && user === undefined',
      focus: { functions: ['labels'] },
    });
    expect(text.split('\n').slice(1)).toEqual([
      'out.length > 0 && user === undefined is first true after store.mjs:16 labels ← test("two") :8',
      'before, since store.mjs:14 labels ← test("one") :5: false',
      '  in async labels(ids=[1, 2]), called at :8',
      '  in test("two")',
    ]);
  });

  it('shows where two tests, and two commits, part', async () => {
    const tests = await agent.text('debug_compare', {
      a: { test: 'store.test.mjs::one' },
      b: { test: 'store.test.mjs::two' },
    });
    expect(tests).toContain('b: async load(id=2) → undefined, called at store.mjs:16 by labels');
    const file = join(ide.root, 'store.mjs');
    await writeFile(file, store.replace("'@'", "'#'"));
    const commits = await agent.text('debug_compare', { a: { commit: 'HEAD' }, b: {}, test: 'store.test.mjs::one' });
    await writeFile(file, store);
    expect(commits.split('\n').slice(2, 6)).toEqual([
      'The first 3 calls to end went the same. In the order of running:',
      'same arguments, same calls inside, another result:  [store.mjs:10]',
      '  a: label(user={name: "Ann", mail: {host: "x.org"}}) → "Ann@x.org", called at store.mjs:17 by labels',
      '  b: label(user={name: "Ann", mail: {host: "x.org"}}) → "Ann#x.org", called at store.mjs:17 by labels',
    ]);
    const worktrees = execFileSync('git', ['worktree', 'list'], { cwd: ide.root, encoding: 'utf8' });
    expect(worktrees.trim().split('\n')).toHaveLength(1);
  });

  it('says what a running process does, and lets it go on', async () => {
    const child = spawn(process.execPath, ['busy.js'], { cwd: ide.root, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      const text = await agent.text('debug_stuck', { pid: child.pid });
      expect(text).toContain('spin');
      expect(text).toContain('busy.js:2');
      // It prints on: nothing holds it.
      await once(child.stdout, 'data');
    } finally {
      child.kill('SIGKILL');
    }
    const { error } = await agent.call('debug_stuck', {});
    expect(error).toMatchObject({ name: 'no_session' });
  });

  it('leaves no file behind, and those of the project as they were', async () => {
    expect(await readFile(join(ide.root, 'app.mjs'), 'utf8')).toBe(app);
    const folders = (await readdir(tmpdir())).filter((name) => /^sightline-(record|commit)-/.test(name));
    const orders = await Promise.all(
      folders.map((name) => readFile(join(tmpdir(), name, 'orders.json'), 'utf8').catch(() => '')),
    );
    const left = orders.filter((text) => text.includes(ide.root));
    expect(left).toEqual([]);
  });
});
