import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const execute = promisify(execFile);

const testOf = (name: string) => `import test from 'node:test';
import { ${name} } from './index.js';
test('${name}', () => {
  ${name}('x');
});
`;

/** Every test imports all of it through one file; who calls what is another matter. */
const project = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'index.js': "export { greet, shout } from './words.js';\nexport { count } from './count.js';\n",
  'words.js': `import { count } from './count.js';
function trimmed(text) {
  return text.trim();
}
export function greet(name) {
  return 'hello ' + trimmed(name);
}
export function shout(text) {
  return text.toUpperCase() + count(text);
}
`,
  'count.js': 'export function count(text) {\n  return text.length;\n}\n',
  'greet.test.js': testOf('greet'),
  'shout.test.js': testOf('shout'),
  'count.test.js': testOf('count'),
};

let ide: RunningSightline;
let agent: TestClient;

beforeAll(async () => {
  ide = await startSightline({ project });
  agent = await ide.connect({ face: 'workspace' });
  const git = (...args: string[]) =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: ide.root });
  await git('init', '-q');
  await git('add', '-A');
  await git('commit', '-qm', 'all');
  // On a busy machine the index takes longer to begin than a run of tests waits for it.
  const reader = await ide.connect({ face: 'index' });
  await reader.data('ide_call_hierarchy', { symbol: 'greet' });
}, 60_000);
afterAll(() => ide.dispose());

/** The tests that run when so much of a file is changed, then it is as before. */
async function ranAfter(file: keyof typeof project, from: string, to: string) {
  const path = join(ide.root, file);
  expect(await readFile(path, 'utf8')).toContain(from);
  await writeFile(path, project[file].replace(from, to));
  try {
    const data = await agent.data('run_tests', { changed_since: 'HEAD' });
    const { tests } = (await agent.data('get_test_results', { test: '' })) as { tests: { test: string }[] };
    return { tests: tests.map(({ test }) => test).toSorted(), notes: JSON.stringify(data) };
  } finally {
    await writeFile(path, project[file]);
  }
}

it('runs the tests that call what changed, through others too, and names those that only import it', async () => {
  // A function that nobody outside sees: its caller is what a test calls.
  const inner = await ranAfter('words.js', 'text.trim()', 'text.trimEnd()');
  expect(inner.tests).toEqual(['greet']);
  expect(inner.notes).not.toContain('By imports');
  expect(inner.notes).toMatch(
    /import what changed but call none of it: (count|shout)\.test\.js, (count|shout)\.test\.js/,
  );
  const shared = await ranAfter('count.js', 'text.length', 'text.length + 0');
  expect(shared.tests).toEqual(['count', 'shout']);
  // Lines that were only taken away leave their neighbours.
  const less = await ranAfter('count.js', '  return text.length;\n', '');
  expect(less.tests).toEqual(['count', 'shout']);
}, 90_000);

it('runs all that import a file whose change is in no function', async () => {
  const top = await ranAfter(
    'words.js',
    "import { count } from './count.js';",
    "import { count } from './count.js';\nlet calls = 0;",
  );
  expect(top.tests).toEqual(['count', 'greet', 'shout']);
  expect(top.notes).toContain('By imports, not callers (what changed is in no function');
  expect(top.notes).toContain('every test that imports words.js');
}, 90_000);
