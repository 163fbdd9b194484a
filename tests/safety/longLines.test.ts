import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Redactor } from '../../src/base/text/redact.ts';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { plausibleArguments } from '../support/toolArguments.ts';

/**
 * No pattern of ours makes the process stand still over what a project contains: every kind of file that is read, filled with the lines on
 * which careless regular expressions take for ever.
 */
const length = 10_000;
const lines = [
  ' ',
  'a',
  'a ',
  'a.',
  'a-',
  'a=',
  '(',
  '[',
  '{',
  '<',
  '<a ',
  '"',
  "'",
  '"a" ',
  '/*',
  '\\',
  '#',
  ',',
  ':',
  '::',
  'a,b,',
  '\t',
  '${',
  'import ',
  'def f(',
  'eyJ-',
  '-----BEGIN ',
  'https://a',
].map((unit) => unit.repeat(Math.ceil(length / unit.length)));

const files = [
  ...['package.json', 'tsconfig.json', 'pyproject.toml', 'requirements.txt', 'setup.cfg', 'setup.py', 'build.gradle'],
  ...['pom.xml', 'Cargo.toml', 'go.mod', 'package-lock.json', 'yarn.lock', 'Cargo.lock', 'gradle/libs.versions.toml'],
  ...[
    '.vscode/launch.json',
    '.vscode/tasks.json',
    '.idea/runConfigurations/x.xml',
    '.sightline.json',
    'Makefile',
    'Dockerfile',
  ],
  ...[
    'py',
    'js',
    'ts',
    'go',
    'rs',
    'java',
    'c',
    'cpp',
    'cs',
    'rb',
    'php',
    'sql',
    'swift',
    'dart',
    'proto',
    'graphql',
  ].map((extension) => `src/a.${extension}`),
  ...['kt', 'scala', 'lua', 'ex', 'sh', 'css', 'html', 'vue', 'svelte', 'md', 'yaml', 'json'].map(
    (extension) => `src/b.${extension}`,
  ),
];

let bench: TestBench;
beforeAll(async () => {
  bench = await testBench({
    files: Object.fromEntries(
      files.map((file, index) => [file, `x\n${lines.map((_, at) => lines[(at + index) % lines.length]).join('\n')}\n`]),
    ),
  });
});
afterAll(() => bench.dispose());

test('no file makes the process stand still', async () => {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const slow: string[] = [];
  const look = async (what: string, work: () => Promise<unknown>) => {
    delay.reset();
    delay.enable();
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    if (delay.max / 1e6 > 1500) slow.push(`${what}: ${Math.round(delay.max / 1e6)} ms`);
  };
  const ofProject = ['list_run_configurations', 'ide_list_dependencies', 'get_project_info', 'ide_project_structure'];
  const ofFiles = ['get_file_outline'];
  for (const tool of allTools.filter(({ name }) => [...ofProject, ...ofFiles, 'search_symbols'].includes(name))) {
    const perFile = ofFiles.includes(tool.name);
    for (const file of perFile ? files : ['']) {
      const hints = { wait_ms: 50, file, file_path: file, line: 2, column: 1, query: 'aaaab', symbol: 'a', limit: 5 };
      await look(`${tool.name} ${file}`, () => bench.call(tool.name, plausibleArguments(tool, hints, perFile)));
    }
  }
  expect(slow).toEqual([]);
}, 240_000);

test('what is kept is searched for secrets in time that grows with its length', () => {
  const redactor = new Redactor();
  const began = performance.now();
  for (const line of [...lines, 'password='.repeat(100_000), 'a'.repeat(5_000_000)]) redactor.text(line.repeat(20));
  expect(performance.now() - began).toBeLessThan(5000);
});
