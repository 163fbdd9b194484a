// What run_tests costs beside the bare runner with its own JSON reporter: 500 small tests in ten files, three of them failing, and what
// the answer costs to read.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { LineClient, median, report } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const rounds = 7;
const filesPerProject = 10;
const testsPerFile = 50;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const env = { PATH: process.env.PATH, HOME: process.env.HOME, SIGHTLINE_HOME: home };

const isUnlucky = (file, test) => test === 7 && file < 3;
const script = (head, same) => (file) => {
  const tests = Array.from({ length: testsPerFile }, (_, test) => {
    const expected = isUnlucky(file, test) ? test : test * 2;
    return `test('doubles ${test}', () => {\n  ${same(`${test} * 2`, expected)}\n});\n`;
  });
  return `${head}\n${tests.join('')}`;
};

const projects = [
  {
    name: 'vitest',
    files: { 'package.json': '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"*"}}' },
    test: 'file%.test.js',
    text: script("import { expect, test } from 'vitest';", (a, b) => `expect(${a}).toBe(${b});`),
    bare: (folder) => [process.execPath, join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json'],
    prepare: (folder) => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')),
  },
  {
    name: 'node:test',
    files: { 'package.json': '{"type":"module","scripts":{"test":"node --test"}}' },
    test: 'file%.test.js',
    text: script(
      "import test from 'node:test';\nimport assert from 'node:assert/strict';",
      (a, b) => `assert.equal(${a}, ${b});`,
    ),
    bare: () => [process.execPath, '--test', '--test-reporter=tap'],
    prepare: () => undefined,
  },
  {
    name: 'pytest',
    files: { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
    test: 'test_file%.py',
    text: (file) =>
      Array.from({ length: testsPerFile }, (_, test) => {
        const expected = isUnlucky(file, test) ? test : test * 2;
        return `def test_doubles_${test}():\n    assert ${test} * 2 == ${expected}\n`;
      }).join('\n\n'),
    bare: (folder) => [pythonOf(folder), '-m', 'pytest', '-q', `--junit-xml=${join(home, 'junit.xml')}`],
    prepare: () => undefined,
  },
];

try {
  await measure();
} finally {
  spawnSync(process.execPath, [program, 'stop'], { cwd: home, env });
  rmSync(home, { recursive: true, force: true });
}

async function measure() {
  const rows = [];
  for (const project of projects) {
    const folder = made(project);
    spawnSync(process.execPath, [program, 'trust', folder], { cwd: folder, env });
    const client = new LineClient(process.execPath, [program, 'stdio'], { cwd: folder, env });
    await client.initialize();
    const times = { bare: [], ours: [] };
    let text = '';
    // The first of each warms what the system caches.
    for (let round = 0; round <= rounds; round++) {
      for (const kind of round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare']) {
        const startedAt = performance.now();
        if (kind === 'bare') runBare(project, folder);
        else text = await runOurs(client);
        if (round > 0) times[kind].push(performance.now() - startedAt);
      }
    }
    await client.end();
    if (!/of 500 tests 3 failed, 497 passed/.test(text)) throw new Error(`${project.name}: ${text}`);
    rows.push(
      { what: `${project.name}: bare runner, its own report`, value: median(times.bare), unit: ' ms' },
      { what: `${project.name}: run_tests`, value: median(times.ours), unit: ' ms' },
      { what: '  ratio', value: median(times.ours) / median(times.bare), unit: '', atMost: 1.1 },
      { what: '  tokens of the answer: 3 of 500 fail', value: encode(text).length, unit: '', atMost: 900 },
    );
  }
  report(rows);
}

function made({ name, files, test, text, prepare }) {
  const folder = join(home, name.replace(':', '-'));
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  for (let file = 0; file < filesPerProject; file++) writeFileSync(join(folder, test.replace('%', file)), text(file));
  prepare(folder);
  return folder;
}

function runBare({ bare }, folder) {
  const [command, ...args] = bare(folder);
  const { status } = spawnSync(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'ignore'] });
  if (status !== 1) throw new Error(`${command} ended with ${status}`);
}

async function runOurs(client) {
  const { result } = await client.request('tools/call', { name: 'run_tests', arguments: {} });
  return result.content[0].text;
}

/** The interpreter that Sightline takes, too: an environment beside the tests, or the first on PATH. */
function pythonOf(folder) {
  const own = join(folder, '.venv', 'bin', 'python');
  if (existsSync(own)) return own;
  return 'python3';
}
