// Whether `debug_probe {test: FILE}` gives the verdict of the runner itself, file by file, over the tests of a project that is checked out
// and installed; one process serves all of them.
//
//   npm run bench -- verdicts --project DIR --runner 'node --test' --tests '^test/.*\.test\.js$' [--sample 20] [--seed 1]
//
// A false failure is a file that passes and is told to fail, a false success the other way round. A file whose own verdict changes from
// run to run is counted apart.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, report } from './support/measure.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const engines = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sightline-bench', 'engines');
const project = resolve(option('--project') ?? '.');
const runner = (option('--runner') ?? 'node --test').split(' ');
const limitMs = 120_000;

const scratch = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
const counts = { same: 0, falseFailure: 0, falseSuccess: 0, none: 0, unsteady: 0 };
const client = new LineClient(
  process.execPath,
  [join(repository, 'dist/sightline.js'), 'stdio', '--embedded', '--face', 'probe'],
  {
    cwd: project,
    env: {
      ...process.env,
      SIGHTLINE_HOME: join(scratch, 'home'),
      SIGHTLINE_CACHE: process.env.SIGHTLINE_CACHE ?? engines,
    },
  },
);
try {
  await client.initialize();
  for (const file of chosen()) await compare(file);
} finally {
  await client.end();
  rmSync(scratch, { recursive: true, force: true });
}
report([
  { what: 'files with the verdict of the runner', value: counts.same, unit: '' },
  { what: 'false failures', value: counts.falseFailure, unit: '', atMost: 0 },
  { what: 'false successes', value: counts.falseSuccess, unit: '', atMost: 0 },
  { what: 'no verdict', value: counts.none, unit: '', atMost: 0 },
  { what: 'verdict of the runner itself changes', value: counts.unsteady, unit: '' },
]);

function chosen() {
  const pattern = new RegExp(option('--tests') ?? String.raw`\.test\.[cm]?[jt]sx?$`);
  const files = filesBelow('').filter((file) => pattern.test(file));
  const size = Number(option('--sample')) || files.length;
  let state = Number(option('--seed')) || 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return files
    .map((file) => ({ file, order: size === files.length ? 0 : random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, size)
    .map(({ file }) => file);
}

function filesBelow(folder) {
  const entries = readdirSync(join(project, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return /^(?:node_modules|\..*|fixtures?|dist)$/.test(entry.name) ? [] : filesBelow(path);
  });
}

async function compare(file) {
  const bare = bareVerdict(file);
  let probed = await probedVerdict(file);
  if (probed.verdict !== bare) {
    if (bareVerdict(file) !== bare) return count('unsteady', file);
    const first = probed;
    probed = await probedVerdict(file);
    if (probed.verdict === bare) console.log(`  ${file}: once ${first.verdict}\n${indented(first.text)}`);
  }
  if (probed.verdict === bare) return count('same', file, bare);
  const kind = probed.verdict === 'fail' ? 'falseFailure' : probed.verdict === 'pass' ? 'falseSuccess' : 'none';
  count(kind, file);
  console.log(indented(probed.text));
}

function count(kind, file, verdict = '') {
  counts[kind]++;
  console.log(`${kind.padEnd(12)} ${file} ${verdict}`);
}

function indented(text) {
  return text
    .slice(0, 1500)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

function bareVerdict(file) {
  const local = [join(project, 'node_modules/.bin'), join(project, '.venv/bin')].filter((each) => existsSync(each));
  const env = { ...process.env, PATH: [...local, process.env.PATH].join(delimiter) };
  const { status } = spawnSync(runner[0], [...runner.slice(1), file], {
    cwd: project,
    env,
    stdio: 'ignore',
    timeout: limitMs,
  });
  return status === 0 ? 'pass' : 'fail';
}

async function probedVerdict(file) {
  const { result } = await client.request('tools/call', {
    name: 'debug_probe',
    arguments: { test: file, wait_ms: 40_000 },
  });
  const text = result.content[0].text;
  if (result.isError) return { verdict: 'none', text };
  if (/^Stopped \(exception|exit code [1-9]|by signal/m.test(text)) return { verdict: 'fail', text };
  return { verdict: /exit code 0/.test(text) ? 'pass' : 'none', text };
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
