// Builds a CMake project and runs its tests, telling each step as a line of JSON. CTest has a list and a report for machines, but which
// tests there are is known only when they are built, and by then somebody has to choose.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { cmake, ctest, source, build, settings, chosen, filter, scratch, isList } = JSON.parse(
  process.env.SIGHTLINE_CTEST,
);

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

/** What it prints is told line by line and goes to the job's output, too. */
async function run(step, command, args, env = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      process.stderr.write(`${line}\n`);
      tell({ step, line });
    }
  });
  const code = await new Promise((resolve) =>
    child.once('close', (value) => resolve(value ?? 1)).once('error', () => resolve(127)),
  );
  await Promise.all(streams);
  tell({ step, code });
  return code;
}

const output = (command, args, options = {}) =>
  spawnSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, timeout: 30_000, ...options }).stdout ??
  '';

function property({ properties = [] }, name) {
  return properties.find((each) => each.name === name)?.value;
}

/** A program of GoogleTest that is one test to CTest: the tests in it. Anything else is never asked, since it might run. */
function inside(test) {
  const [program, ...args] = test.command ?? [];
  if (program === undefined || args.some((arg) => arg.startsWith('--gtest_filter='))) return undefined;
  try {
    if (!/InitGoogleTest|gtest_list_tests/.test(readFileSync(program, 'latin1'))) return undefined;
  } catch {
    return undefined;
  }
  const set = Object.fromEntries((property(test, 'ENVIRONMENT') ?? []).map((each) => each.split(/=(.*)/s).slice(0, 2)));
  const env = { ...process.env, ...set, ...(filter === undefined ? {} : { GTEST_FILTER: filter }) };
  const listed = output(program, [...args, '--gtest_list_tests'], {
    cwd: property(test, 'WORKING_DIRECTORY') ?? build,
    env,
  });
  let suite = '';
  const names = [];
  for (const line of listed.split('\n').map((each) => each.replace(/\s*#.*$/, '').trimEnd()))
    if (/^\S+\.$/.test(line)) suite = line;
    else if (suite !== '' && /^ {2}\S+$/.test(line)) names.push(suite + line.trim());
  return names;
}

if ((await run('configure', cmake, ['-S', source, '-B', build, ...settings])) !== 0) process.exit(1);
if ((await run('build', cmake, ['--build', build, '--parallel', '2'])) !== 0) process.exit(1);
const listed = JSON.parse(output(ctest, ['--test-dir', build, '--show-only=json-v1']) || '{"tests":[]}');
const tests = listed.tests.map((test, index) => {
  const gtest = (test.command ?? []).find((arg) => arg.startsWith('--gtest_filter='))?.slice('--gtest_filter='.length);
  const cases = inside(test);
  return {
    number: index + 1,
    name: test.name,
    program: test.command?.[0],
    ...(gtest ? { gtest } : {}),
    ...(cases ? { cases } : {}),
  };
});
const wanted = chosen === undefined ? undefined : new RegExp(chosen);
const isChosen = ({ name, gtest, cases }) =>
  wanted === undefined ||
  wanted.test(name) ||
  (gtest !== undefined && wanted.test(gtest)) ||
  (cases ?? []).some((each) => wanted.test(each));
const ours = tests.filter(isChosen);
tell({ step: 'list', tests: ours, others: tests.filter((test) => !isChosen(test)).map(({ name }) => name) });
if (isList || ours.length === 0) process.exit(0);
const [first, ...others] = ours.map(({ number }) => number);
const code = await run(
  'test',
  ctest,
  ['--test-dir', build, '--output-junit', `${scratch}/ctest.xml`, '-I', [first, first, 1, ...others].join(',')],
  {
    GTEST_OUTPUT: `xml:${scratch}/googletest/`,
    GTEST_COLOR: 'no',
    ...(filter === undefined ? {} : { GTEST_FILTER: filter }),
  },
);
process.exit(code === 8 ? 0 : code);
