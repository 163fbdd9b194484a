import { execFileSync } from 'node:child_process';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;

const calc = `export function divide(a, b) {
  if (b === 0) {
    throw new Error('by zero');
  }
  return a / b;
}

export const half = (a) => divide(a, 2);
`;

beforeAll(async () => {
  ide = await startSightline({
    project: {
      'src/calc.js': calc,
      'src/full.js': 'export const one = 1;\n',
      'core/src/main/java/demo/Calc.java':
        'package demo;\nclass Calc {\n  int one() { return 1; }\n  int two() { return 2; }\n}\n',
      '.gitignore': 'coverage/\ntarget/\n',
    },
  });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  agent = await ide.connect({ face: 'workspace' });
});

afterAll(() => ide.dispose());

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: ide.root });
}

async function write(name: string, content: string, at?: Date): Promise<void> {
  await mkdir(dirname(join(ide.root, name)), { recursive: true });
  await writeFile(join(ide.root, name), content);
  if (at !== undefined) await utimes(join(ide.root, name), at, at);
}

test('without a run and without a report the answer says how to get one', async () => {
  const { error } = await agent.call('get_coverage');
  expect(error).toMatchObject({
    name: 'file_not_found',
    hint: expect.stringContaining('run_tests {"coverage": true}'),
  });
});

test('the newest report is found: totals, lines that did not run with their text, changed lines first', async () => {
  // Another machine's path, a file that is not here, and one in which everything ran.
  await write(
    'coverage/lcov.info',
    ['/ci/build/src/calc.js|2,3 3,0 5,3 8,0', 'src/full.js|1,1', 'src/gone.js|1,0']
      .map((record) => {
        const [name = '', lines = ''] = record.split('|');
        return `TN:\nSF:${name}\n${lines
          .split(' ')
          .map((each) => `DA:${each}\n`)
          .join('')}end_of_record\n`;
      })
      .join(''),
  );
  const data = await agent.data('get_coverage');
  expect(data).toMatchObject({
    format: 'lcov',
    report: 'coverage/lcov.info',
    total: { lines: 5, covered: 3, percent: 60, files: 2 },
    changed: { commit: 'HEAD', lines: 0 },
    fullyCovered: 1,
    unknownFiles: ['src/gone.js'],
    files: [
      {
        file: 'src/calc.js',
        lines: 4,
        covered: 2,
        percent: 50,
        uncovered: '3, 8',
        uncoveredLines: [
          { line: 3, text: "    throw new Error('by zero');" },
          { line: 8, text: 'export const half = (a) => divide(a, 2);' },
        ],
      },
    ],
  });
});

test('changed lines: against HEAD or a commit; a file that changed after its measurement is stale and its text left out', async () => {
  await write('src/calc.js', calc.replace("'by zero'", "'division by zero'"), new Date(Date.now() - 60_000));
  await write('src/untested.mjs', 'export const two = 2;\n');
  const changed = await agent.data('get_coverage', { changed_only: true });
  expect(changed).toMatchObject({
    changed: { commit: 'HEAD', lines: 1, covered: 0, files: 1, unmeasured: ['src/untested.mjs'] },
    files: [{ uncovered: '3', changed: { lines: 1, covered: 0 }, uncoveredLines: [{ line: 3, changed: true }] }],
  });
  await write('src/calc.js', `// new\n${calc}`, new Date(Date.now() + 60_000));
  const text = await (await ide.connect({ face: 'all' })).text('get_coverage', { files: ['src'] });
  expect(text).toContain('src/calc.js [stale]: 2 of 4 (50 %)');
  expect(text).toContain('run_tests {"coverage": true} measures again');
  expect(text).not.toContain('by zero');
  const { error } = await agent.call('get_coverage', { changed_since: 'nowhere' });
  expect(error).toMatchObject({ name: 'git_error' });
});

test('a report that is named: JaCoCo by package, which file and line', async () => {
  await write(
    'core/target/site/jacoco/jacoco.xml',
    '<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="core"><package name="demo"><sourcefile name="Calc.java"><line nr="3" mi="0" ci="2"/><line nr="4" mi="2" ci="0"/></sourcefile></package></report>',
  );
  const file = 'core/src/main/java/demo/Calc.java';
  const data = await agent.data('get_coverage', {
    report: 'core/target/site/jacoco/jacoco.xml',
    files: [file],
    line: 3,
  });
  expect(data).toMatchObject({
    format: 'jacoco',
    files: [{ file, uncovered: '4', uncoveredLines: [{ line: 4, text: '  int two() { return 2; }' }] }],
    line: { file, line: 3, ran: true, text: 'int one() { return 1; }' },
  });
});

test('bad input: no report, a file that was not measured, a line of no file, a report outside', async () => {
  await write('coverage/notes.txt', 'nothing');
  const answers = await Promise.all([
    agent.call('get_coverage', { report: 'coverage/notes.txt' }),
    agent.call('get_coverage', { files: ['.gitignore'], report: 'coverage/lcov.info' }),
    agent.call('get_coverage', { line: 3 }),
    agent.call('get_coverage', { report: '../x.info' }),
  ]);
  expect(answers.map(({ error }) => error?.name)).toEqual([
    'invalid_arguments',
    'file_not_found',
    'invalid_arguments',
    'path_outside_project',
  ]);
});
