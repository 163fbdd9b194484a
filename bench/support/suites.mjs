// The test suites of three real packages, run bare and traced: the same results, or the recorder has changed what a program does. The packages
// are fetched from their registries at bench time.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const suites = [
  { name: 'minimist@1.2.8', kind: 'npm', needs: ['tape@5.9.0'], tests: 'test' },
  { name: 'more-itertools==10.5.0', kind: 'pip', tests: 'tests/test_recipes.py' },
  { name: 'toolz==1.0.0', kind: 'pip', tests: 'toolz/tests' },
];

/** Without counts there is nothing to compare. Calls `judge(name, bare, traced)` for each; `trace(root, arguments)` answers the text of `debug_trace`. */
export async function compareSuites(scratch, python, trace, judge) {
  for (const suite of suites) {
    const root = join(scratch, suite.name.replace(/[@=].*/, ''));
    mkdirSync(root, { recursive: true });
    const run = suite.kind === 'npm' ? nodeSuite(root, suite) : pythonSuite(root, suite, python);
    const { stdout, status } = spawnSync(run.command, run.args, { cwd: run.cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
    const text = await trace(run.cwd, run.traced);
    if (countsIn(stdout) === '') throw new Error(`${suite.name}: its suite did not run: ${stdout.slice(-400)}`);
    judge(
      suite.name,
      `exit code ${status}; ${countsIn(stdout)}`,
      `${/^exit code \d+/.exec(text)?.[0]}; ${countsIn(text)}`,
    );
  }
}

/** `# pass 12`, or `12 passed, 1 skipped`: without how long it took. */
function countsIn(text) {
  const tap = [...text.matchAll(/^# (tests|pass|fail) +\d+/gm)].map(([line]) => line.replaceAll(/ +/g, ' '));
  return tap.length > 0
    ? tap.join(', ')
    : (/(\d+ (?:passed|failed|skipped|xfailed|error)[^\n]*?) in [\d.]+s/.exec(text)?.[1] ?? '');
}

function nodeSuite(root, { name, needs, tests }) {
  const npm = (cwd, ...args) =>
    execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' });
  const file = npm(root, 'pack', name).trim().split('\n').at(-1);
  execFileSync('tar', ['xzf', file], { cwd: root });
  const cwd = join(root, 'package');
  writeFileSync(join(root, 'package.json'), '{}');
  npm(root, 'install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...needs);
  const all = readdirSync(join(cwd, tests)).map((each) => `require('./${tests}/${each}');\n`);
  writeFileSync(join(cwd, 'all.js'), all.join(''));
  return { command: process.execPath, args: ['all.js'], cwd, traced: { program: 'all.js' } };
}

function pythonSuite(root, { name, tests }, python) {
  execFileSync(python, ['-m', 'venv', join(root, '.venv')]);
  const own = join(root, '.venv', 'bin', 'python');
  const pip = (...args) =>
    execFileSync(own, ['-m', 'pip', 'install', '--quiet', ...args], { cwd: root, stdio: 'ignore' });
  pip('pytest');
  execFileSync(own, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', name], { cwd: root });
  execFileSync('tar', ['xzf', readdirSync(root).find((each) => each.endsWith('.tar.gz'))], { cwd: root });
  const cwd = join(
    root,
    readdirSync(root).find((each) => /-\d[\d.]*$/.test(each)),
  );
  const args = ['-q', '-p', 'no:cacheprovider', tests];
  return { command: own, args: ['-m', 'pytest', ...args], cwd, traced: { module: 'pytest', args, runtime: own } };
}
