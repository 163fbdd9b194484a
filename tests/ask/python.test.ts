import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonEnvironment } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const hard = `import asyncio
import sys


class Node:
    def __init__(self, value, rest):
        self.value = value
        self.rest = rest


def total(node):
    return 0 if node is None else node.value + total(node.rest)


def evens(limit):
    for i in range(0, limit, 2):
        yield half(i)


def half(n):
    return n / 2


def risky(n):
    if n > 2:
        raise ValueError("too big: %d" % n)
    return n


def guarded(n):
    try:
        return risky(n)
    except ValueError as error:
        raise RuntimeError("wrapped") from error


def fill(target, *more, **options):
    target.append(1)


class Proxy:
    @property
    def __class__(self):
        raise SystemExit("code of the program was run")

    __repr__ = __eq__ = __hash__ = __len__ = __getattr__ = __class__.fget


async def slow(n):
    await asyncio.sleep(0)
    return half(n)


async def pair(proxy):
    return await asyncio.gather(slow(2), slow(4))


def main():
    total(Node(2, Node(1, None)))
    list(evens(6))
    try:
        guarded(5)
    except RuntimeError:
        pass
    fill([], key=1)
    for i in range(500):
        half(i)
    asyncio.run(pair(Proxy()))
    print("done", sys.argv[1:], __name__)
    sys.exit(3)


main()
`;

const threads = `import multiprocessing
import os
import subprocess
import sys
import threading


def work(where):
    return len(where)


def start():
    thread = threading.Thread(target=work, args=("thread",), name="helper")
    thread.start()
    thread.join()
    for way in ("fork", "spawn"):
        child = multiprocessing.get_context(way).Process(target=work, args=(way,))
        child.start()
        child.join()
    subprocess.run([sys.executable, __file__, "child"], check=True)
    print(sorted(name for name in os.environ if name.startswith(("SIGHTLINE_REC", "PYTHONPATH"))))
    return work("main")


if __name__ == "__main__":
    if sys.argv[1:]:
        work("child")
    else:
        start()
`;

const shop = `class Cart:
    def __init__(self, options):
        self.options = options
        self.items = []
        self._total = 0

    def add(self, price, qty=1):
        self.items.append((price, qty))
        self._total += price * qty
        return self

    def total(self, rate):
        return rounded(self._total * rate)


def rounded(value):
    return int(value * 100) / 100


def router_options(options, defaults):
    router = options["router"]
    for key in defaults:
        if key not in router:
            router[key] = defaults[key]
    return router


USERS = {1: {"name": "Ann"}}


def find(key):
    return USERS.get(key)


async def load(key):
    user = find(key)
    return user


def label(user):
    return user["name"].lower() + "@" + str(len(user))


async def labels(keys):
    out = []
    for key in keys:
        user = await load(key)
        out.append(label(user))
    return out
`;

const shopTest = `import asyncio

import pytest
from shop import Cart, labels, router_options


def test_total():
    cart = Cart({})
    cart.add(2.5, 3).add(5)
    assert cart.total(1.19) == 14.88


def test_nothing():
    assert Cart({}).total(2) == 0


def test_shared():
    shared = {"router": {"case": False}}
    router_options(shared, {"case": True, "limit": 100})
    alias = shared["router"]
    assert alias == {"case": False}


def test_labels():
    assert asyncio.run(labels([1])) == ["ann@1"]


def test_missing():
    assert asyncio.run(labels([1, 2])) == ["ann@1", "bob@1"]


@pytest.mark.skip(reason="later")
def test_later():
    raise AssertionError
`;

const unitTest = `import unittest

from shop import Cart


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart({})

    def test_total(self):
        self.cart.add(2.5, 3)
        self.assertEqual(self.cart.add(5).total(1.19), 14.88)


if __name__ == "__main__":
    unittest.main()
`;

const files = {
  'hard.py': hard,
  'threads.py': threads,
  'shop.py': shop,
  'test_shop.py': shopTest,
  'cleanup_case.py': `import unittest


class Pool:
    def __init__(self):
        self.items = [1, 2, 3]

    def take(self, n):
        try:
            picked = self.items[:n]
            if len(picked) < n:
                raise ValueError("not enough")
        finally:
            picked = None
            self.items.clear()


class PoolTest(unittest.TestCase):
    def test_take(self):
        Pool().take(5)
`,
  'kept.py': `from collections import OrderedDict


class Kept:
    def __init__(self):
        self._all = OrderedDict()

    def names(self):
        return list(self._all)

    def put(self, key, value):
        self._all[key] = value
`,
  'test_kept.py': `import pytest
from kept import Kept


def test_moves_to_the_end():
    kept = Kept()
    kept.put("a", 1)
    kept.put("b", 2)
    kept.put("a", 3)
    assert kept.names() == ["b", "a"]


def test_refuses():
    kept = Kept()
    kept.put("a", 1)
    with pytest.raises(ValueError):
        kept.put("", 1)
`,
  'cart_case.py': unitTest,
  'test_plain.py': `from shop import Cart\n\n\ndef test_total():\n    assert Cart({}).add(2.5, 3).add(5).total(1.19) == 14.88\n`,
  'stuck.py':
    'import threading\nimport time\n\nlock = threading.Lock()\n\n\ndef holder():\n    with lock:\n        time.sleep(60)\n\n\ndef waiter():\n    time.sleep(0.3)\n    print("ready", flush=True)\n    with lock:\n        pass\n\n\nthreading.Thread(target=holder, name="holder").start()\nthreading.Thread(target=waiter, name="waiter").start()\n',
  'many.py':
    'def tiny(n):\n    return n & 1\n\n\nodd = 0\nfor i in range(1_000_000):\n    odd += tiny(i)\nprint(odd)\n',
  'endless.py':
    'import time\n\n\ndef tick(n):\n    if n == 2:\n        print("two")\n    time.sleep(0.02)\n\n\nn = 0\nwhile True:\n    tick(n)\n    n += 1\n',
};

/** The interpreters of this machine: its own, and the oldest and newest beside it, for each of the two ways to record. */
function interpreters(): string[] {
  const folder = join(homedir(), '.pyenv', 'versions');
  const named = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'bin', 'python')) : [];
  const found = [...named, ...[8, 9, 10, 12, 13, 14].map((minor) => `/usr/bin/python3.${minor}`)].flatMap((path) => {
    if (!existsSync(path)) return [];
    const version = execFileSync(path, ['-c', 'import sys; print(sys.version_info[:2])'], { encoding: 'utf8' });
    const [major = 0, minor = 0] = version.match(/\d+/g)?.map(Number) ?? [];
    return major === 3 && minor >= 8 ? [{ path, minor }] : [];
  });
  const sorted = found.toSorted((a, b) => a.minor - b.minor).map(({ path }) => path);
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}

/** Of its own: other tests record at the same time. */
const temporary = mkdtempSync(join(tmpdir(), 'sightline-ask-python-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A project whose own interpreter is the one in that environment, or this one without any package. */
async function projectWith(environment: { folder: string } | { python: string }): Promise<RunningSightline> {
  const ide = await startSightline({ project: files, env: { TMPDIR: temporary } });
  const folder = join(ide.root, '.venv');
  if ('folder' in environment) await symlink(environment.folder, folder);
  else {
    await mkdir(join(folder, 'bin'), { recursive: true });
    await symlink(environment.python, join(folder, 'bin', 'python'));
    await writeFile(join(folder, 'pyvenv.cfg'), `home = ${join(environment.python, '..')}\n`);
  }
  return ide;
}

const tree = [
  'main() → <exits with 3>  [hard.py:58]',
  '  :59 Node.__init__(value=1, rest=None); self.value = 1; self.rest = None  [hard.py:6]',
  '  :59 Node.__init__(value=2, rest=Node(value=1, rest=None)); self.value = 2; self.rest = Node(value=1, rest=None)',
  '  :59 total(node=Node(value=2, rest=Node(value=1, rest=None))) → 3  [hard.py:11]',
  '    :12 total(node=Node(value=1, rest=None)) → 1',
  '      :12 total(node=None) → 0',
  '  :60 generator evens(limit=6) → None (3 yields)  [hard.py:15]',
  '    :17 half(n=0) → 0.0  [hard.py:20]',
  /^ {4}… ×3 half /,
  '    :17 half(n=4) → 2.0',
  '  :62 guarded(n=5) ✗ threw RuntimeError: wrapped at :34  [hard.py:30]',
  '    :32 risky(n=5) ✗ threw ValueError: too big: 5 at :26  [hard.py:24]',
  "  :65 fill(target=[], **options={'key': 1}) → None; target[0] = 1  [hard.py:37]",
  '  :67 half(n=0) → 0.0',
  /^ {2}… ×500 half /,
  '  :67 half(n=499) → 249.5',
  '  :68 async pair(proxy=Proxy()) → [1.0, 2.0]  [hard.py:54]',
  /^ {4}later async slow\(n=2\) → 1\.0 <.*> {2}\[hard\.py:49\]$/,
  /^ {6}:51 half\(n=2\) → 1\.0/,
  /^ {4}later async slow\(n=4\) → 2\.0/,
  /^ {6}:51 half\(n=4\) → 2\.0/,
  "Output: done ['a'] __main__",
].map((each) => (typeof each === 'string' ? each : expect.stringMatching(each)));

const plainPythons = interpreters();

describe.each(plainPythons.length === 0 ? ['python3'] : plainPythons)('recorded by %s', (python) => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await projectWith({ python: python === 'python3' ? (await ensureEngine('python')).path : python });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it('a program: recursion, generators, exceptions, changed arguments, tasks, nothing of its own code run', async () => {
    const text = await agent.text('debug_trace', { program: 'hard.py', args: ['a'] });
    expect(text.split('\n')[0]).toBe('exit code 3; 518 calls of 10 functions');
    expect(text.split('\n').slice(1)).toEqual(tree);
  });

  it('modules are run by name', async () => {
    const text = await agent.text('debug_trace', { module: 'unittest', args: ['cart_case'] });
    expect(text).toMatch(/^exit code 1;/);
    expect(text).toContain('CartTest.test_total() ✗ threw AssertionError: 14.87 != 14.88 at :12  [cart_case.py:10]');
  });

  it('threads, forked, spawned and started processes, each apart and with the environment as it was', async () => {
    const text = await agent.text('debug_trace', { program: 'threads.py' });
    for (const where of ['fork', 'spawn', 'child', 'main']) expect(text).toContain(`work(where='${where}')`);
    expect(text).toContain("later work(where='thread') → 6 <helper>");
    expect(text.split('\n').at(-1)).toBe('Output: []');
  });

  it('programs that call millions of times, or never end', async () => {
    const many = await agent.text('debug_trace', { program: 'many.py', wait_ms: 40_000 });
    expect(many).toMatch(/^exit code 0; (at least )?\d+ calls of 1 function/);
    expect(many).toContain('tiny(n=0) → 0');
    expect(many).toContain('Output: 500000');
    const endless = await agent.text('debug_trace', { program: 'endless.py', wait_ms: 1500 });
    expect(endless).toMatch(/^still running after .* s, ended; at least \d+ calls of 1 function/);
    expect(endless).toContain('tick(n=0) → None');
    expect(endless).toContain('Output: two');
  });

  it('explains a failing test without any runner, and one of unittest', async () => {
    for (const test of ['test_plain.py::test_total', 'cart_case.py::CartTest.test_total']) {
      const text = await agent.text('debug_explain', { test });
      expect(text).toContain('14.87, expected 14.88\n  ← returned by Cart.total(rate=1.19) at shop.py:13');
      expect(text).toContain('← made by rounded(value=14.875) → 14.87 at shop.py:17');
      expect(text).toContain('1. rounded  shop.py:16: made the wrong value');
      expect(text).not.toMatch(/^ {2}self = CartTest/m);
    }
  });

  it('shows values as they were at the raise, or says that cleanup has run since', async () => {
    const text = await agent.text('debug_probe', { test: 'cleanup_case.py::PoolTest.test_take' });
    expect(text).toContain('at cleanup_case.py:12 in ');
    const hasRaises = execFileSync(python, ['-c', 'import sys; print(hasattr(sys, "monitoring"))'], {
      encoding: 'utf8',
    });
    for (const words of hasRaises.startsWith('True')
      ? ['Stopped (exception) at', 'picked = [1, 2, 3]', 'self = Pool(items=[1, 2, 3])']
      : ['(exception: its finally at line 14 has run since, so values may be later ones)'])
      expect(text).toContain(words);
  });
});

describe('questions to tests of pytest', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    const python = (await ensureEngine('python')).path;
    ide = await projectWith({ folder: await pythonEnvironment(python, 'pytest', ['pytest==9.2.0']) });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  const changes = async (expression: string, test: string) =>
    (await agent.text('debug_who_changed', { test: `test_shop.py::${test}`, expression })).split('\n').slice(2);

  it('who changed an attribute, by whatever name its object has', async () => {
    expect(await changes('cart._total', 'test_total')).toEqual([
      'cart._total: 3 writes, last first:',
      'self._total: 0 → 12.5 (in 2 writes)  shop.py:9 Cart.add ← test_total :9',
      'self._total: = 0  shop.py:5 Cart.__init__ ← test_total :8',
    ]);
    expect(await changes('cart.items', 'test_total')).toEqual([
      'cart.items: 3 writes, last first:',
      'self.items: changed inside #1: (nothing) ⇒ (2.5, 3), (5, 1) (in 2 writes)  shop.py:8 Cart.add ← test_total :9',
      expect.stringMatching(/^self\.items: = \[\](?: #1)? {2}shop\.py:4 Cart\.__init__ ← test_total :8$/),
    ]);
  });

  it('who changed a dict through another name', async () => {
    expect((await changes('alias', 'test_shared'))[1]).toBe(
      "alias: = {'case': False, 'limit': 100}  test_shop.py:20 test_shared",
    );
    expect((await changes('router', 'test_shared')).slice(1)).toEqual([
      "router: changed inside #1: 'case': False ⇒ 'case': False, 'limit': 100  shop.py:24 router_options ← test_shared :19",
      "router: = {'case': False} #1  shop.py:21 router_options ← test_shared :19",
    ]);
  });

  it('explains a wrong number, a None from far away, and a shared dict', async () => {
    const total = await agent.text('debug_explain', { test: 'test_shop.py::test_total' });
    expect(total).toContain('← made by rounded(value=14.875) → 14.87 at shop.py:17');
    const missing = await agent.text('debug_explain', { test: 'test_shop.py::test_missing' });
    expect(missing).toContain('find(key=2) → None');
    expect(missing).toMatch(/Suspects:\n(.*\n)?.*\b(label|find) /);
    const shared = await agent.text('debug_explain', { test: 'test_shop.py::test_shared' });
    expect(shared).toContain('router_options');
  });

  it('explains a value that a method only reads, and an exception that did not come', async () => {
    const read = await agent.text('debug_explain', {
      test: 'test_kept.py::test_moves_to_the_end',
      questions: [
        { trace: 'put' },
        { values: ['key', 'value'], at: { function: 'put' } },
        { hypothesis: 'value < 3', at: { function: 'Kept.put' } },
      ],
    });
    expect(read).toMatch(/^1\. calls of put:\n {3}:7 Kept\.put\(key='a', value=1\) → None/m);
    expect(read).toMatch(
      /^2\. key, value at put: 3 times\n {3}key = 'a', value = 1 {2}in Kept\.put ← test_moves_to_the_end :7/m,
    );
    expect(read).toMatch(/^3\. REJECTED {2}value < 3: 1 of 3 not/m);
    expect(read).toContain("on the same object before: Kept.put(key='a', value=3) → None at test_kept.py:9");
    expect(read).toMatch(/Suspects:\n.*Kept\.put.*\n.*Kept\.names/);
    const missing = await agent.text('debug_explain', { test: 'test_kept.py::test_refuses' });
    expect(missing).toContain("ended without an exception: Kept.put(key='', value=1) → None");
    expect(missing).toMatch(/Suspects:\n {2}1\. Kept\.put.*: was to raise/);
  });

  it('hypotheses, the first moment, and a history', async () => {
    const text = await agent.text('debug_hypotheses', {
      test: 'test_shop.py::test_missing',
      probes: [
        { id: 'found', at: { file: 'shop.py', line: 37 }, expression: 'user is not None' },
        { id: 'ann', at: { function: 'label' }, expression: "any(key == 'name' for key in user)" },
        { id: 'nowhere', at: { function: 'nobody' }, expression: 'True' },
      ],
    });
    expect(text.split('\n').slice(1)).toEqual([
      'found: REJECTED  user is not None: 1 of 2 not; first False at shop.py:37 load ← labels :47 ← test_missing :29 (key=2)',
      expect.stringMatching(/^ann: REJECTED .*: 1 of 2 not; first <TypeError: .*> at shop\.py:40 label/),
      'nowhere: NEVER REACHED  True',
    ]);
    const moment = await agent.text('debug_until', {
      test: 'test_shop.py::test_missing',
      expression: 'len(out) > 0 and user is None',
      focus: { functions: ['labels'] },
    });
    expect(moment.split('\n')[1]).toBe(
      'len(out) > 0 and user is None is first True after shop.py:47 labels ← test_missing :29',
    );
    const history = await agent.text('debug_trace', {
      test: 'test_shop.py::test_total',
      expressions: ['self._total'],
    });
    expect(history).toContain(
      'self._total: 0 shop.py:5 Cart.__init__ ← test_total :8 | 0→7.5 :9 Cart.add ← test_total :9 | 7.5→12.5 :9 Cart.add ← test_total :9',
    );
  });

  it('two tests part where their calls do', async () => {
    const text = await agent.text('debug_compare', {
      a: { test: 'test_shop.py::test_labels' },
      b: { test: 'test_shop.py::test_missing' },
    });
    expect(text).toContain('b: async load(key=2) → None, called at shop.py:47 by labels');
  });

  it('what a running process waits for', async () => {
    const program = join(ide.root, 'stuck.py');
    const stuck = execFile(join(ide.root, '.venv', 'bin', 'python'), [program]);
    try {
      await new Promise((resolve) => stuck.stdout?.once('data', resolve));
      const { text, error } = await agent.call('debug_stuck', { pid: stuck.pid });
      // Where this machine's gdb cannot do it, that is said.
      const said =
        error === undefined
          ? ['waiter: waiting in `with lock` for a lock held by', 'at waiter stuck.py:15: with lock:']
          : ['so the program was not touched'];
      for (const words of said) expect(text).toContain(words);
      expect(stuck.exitCode).toBeNull();
    } finally {
      stuck.kill('SIGKILL');
    }
  });

  it('a skipped test is no failure, and nothing is left behind', async () => {
    const text = await agent.text('debug_trace', { test: 'test_shop.py::test_later' });
    expect(text).toMatch(/^exit code 0/);
    expect((await readdir(temporary)).filter((name) => name.startsWith('sightline-record-'))).toEqual([]);
  });
});
