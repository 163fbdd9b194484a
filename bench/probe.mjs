// What `debug_probe {test}` costs beside the bare runner on the same test file: whole runs, the process already running, without a
// breakpoint and with one that is hit once. Python tests are those of cattrs, from its sdist; vitest runs one of ours; the other
// runners run a small file of their own.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, median, report } from './support/measure.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sightline-bench');
const runs = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 5;
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1].split(',') : undefined;

const scratch = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
const rows = [];
try {
  const cases = [...pythonCases(), ...scriptCases()].filter(({ name }) => only === undefined || only.includes(name));
  for (const each of cases) await measure(each);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
report(rows);

async function measure({ name, root, test, bare, breakpoint }) {
  const client = new LineClient(process.execPath, [join(repository, 'dist/sightline.js'), 'stdio', '--embedded'], {
    cwd: root,
    env: { ...process.env, SIGHTLINE_HOME: join(scratch, 'home'), SIGHTLINE_CACHE: join(cache, 'engines') },
  });
  await client.initialize();
  const probe = async (args) => {
    const { result } = await client.request('tools/call', {
      name: 'debug_probe',
      arguments: { test, wait_ms: 40_000, ...args },
    });
    const text = result.content[0].text;
    if (result.isError || !/exit code 0|max_hits is/.test(text)) throw new Error(`${name}: ${text}`);
  };
  const times = { bare: [], plain: [], stopped: [] };
  const timed = async (kind, run) => {
    const began = performance.now();
    await run();
    times[kind].push(performance.now() - began);
  };
  await probe({});
  for (let round = 0; round < runs; round++) {
    await timed('bare', () => execFileSync(bare[0], bare.slice(1), { cwd: root, stdio: 'ignore' }));
    await timed('plain', () => probe({}));
    if (breakpoint !== undefined) await timed('stopped', () => probe({ breakpoints: [breakpoint] }));
  }
  await client.end();
  const base = median(times.bare);
  rows.push({ what: `${name}: bare`, value: base, unit: ' ms' });
  rows.push({ what: `${name}: probe / bare`, value: median(times.plain) / base, unit: ' x', atMost: 1.3 });
  if (breakpoint !== undefined)
    rows.push({
      what: `${name}: probe with one breakpoint / bare`,
      value: median(times.stopped) / base,
      unit: ' x',
      atMost: 1.3,
    });
}

/** pytest under each Python there is of these, and unittest. */
function pythonCases() {
  const found = ['3.11', '3.12', '3.13'].filter((version) => canRun(`python${version}`));
  return found.flatMap((version) => {
    const environment = join(cache, `cattrs-${version}`);
    const python = join(environment, 'bin/python');
    if (!existsSync(join(environment, 'ready'))) {
      rmSync(environment, { recursive: true, force: true });
      execFileSync(`python${version}`, ['-m', 'venv', environment]);
      execFileSync(
        python,
        [
          '-m',
          'pip',
          'install',
          '-q',
          'pytest==8.4.2',
          'cattrs==25.2.0',
          'hypothesis',
          'immutables',
          'pytest-benchmark',
          'pytest-xdist',
        ],
        { stdio: 'inherit' },
      );
      execFileSync(
        python,
        ['-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', ':all:', 'cattrs==25.2.0', '-d', environment],
        { stdio: 'inherit' },
      );
      const archive = readdirSync(environment).find((file) => file.endsWith('.tar.gz'));
      execFileSync('tar', ['xzf', archive, '--strip-components=1', '--one-top-level=source'], { cwd: environment });
      writeFileSync(join(environment, 'ready'), '');
    }
    const root = join(scratch, `cattrs-${version}`);
    cpSync(join(environment, 'source'), root, { recursive: true });
    symlinkSync(environment, join(root, '.venv'));
    const test = 'tests/test_copy.py';
    return [{ name: `pytest, Python ${version}`, root, test, bare: [python, '-m', 'pytest', '-q', test] }];
  });
}

function scriptCases() {
  const root = join(scratch, 'scripts');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true }));
  const body = (each, equal) => `
function sum(n) { let total = 0; for (let i = 0; i <= n; i++) total += i; return total; }
${Array.from({ length: 100 }, (_, n) => `${each}('adds up to ${n}', () => { ${equal(`sum(${n * 1000})`, (n * 1000 * (n * 1000 + 1)) / 2)} });`).join('\n')}
`;
  writeFileSync(
    join(root, 'node.test.js'),
    `const test = require('node:test'); const assert = require('node:assert');${body('test', (a, b) => `assert.equal(${a}, ${b})`)}`,
  );
  const breakpoint = { file: 'node.test.js', line: 2, hit_condition: '1' };
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  return [
    { name: 'node:test', root, test: 'node.test.js', bare: [process.execPath, '--test', 'node.test.js'], breakpoint },
    {
      name: 'vitest',
      root: repository,
      test: 'src/base/text/lineSplitter.test.ts',
      bare: [process.execPath, vitest, 'run', 'src/base/text/lineSplitter.test.ts'],
      breakpoint: { file: 'src/base/text/lineSplitter.ts', line: 20 },
    },
  ];
}

function canRun(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
