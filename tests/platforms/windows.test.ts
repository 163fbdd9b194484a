import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../harness/harness.ts';
import { builtProgram, eventually } from '../support/program.ts';
import { onWindows, Wine } from './wine.ts';

const program = `function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}
console.log(total([2, 3, 5]));
`;

let wine: Wine;
let folder: string;
let answers: Record<string, unknown>[];

beforeAll(async () => {
  await builtProgram();
  wine = await Wine.prepare();
  folder = await temporaryDirectory('w');
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"name": "sample"}');
  writeFileSync(join(project, 'total.js'), program);
  const entry = wine.install(join(folder, 'app'));
  const call = (name: string, args: Record<string, unknown>) => ({
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const clientInfo = { name: 'tests', version: '1' };
  writeFileSync(
    join(folder, 'steps.json'),
    JSON.stringify({
      args: ['stdio', '--embedded', '--face', 'all'],
      cwd: onWindows(project),
      // Nothing is on PATH but what Windows itself has: the Node that runs Sightline runs the program too.
      env: { SIGHTLINE_HOME: onWindows(join(folder, 'home')) },
      calls: [
        { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
        { method: 'tools/list', params: {} },
        call('start_debug_session', {
          program: 'total.js',
          breakpoints: [{ file: 'total.js', line: 4 }],
          wait_ms: 30_000,
        }),
        call('evaluate_expression', { expression: 'sum + prices.length' }),
        call('stop_debug_session', {}),
        call('search_symbols', { query: 'total' }),
      ],
    }),
  );
  const driver = onWindows(join(import.meta.dirname, 'windowsDriver.mjs'));
  const files = ['steps.json', 'answers.jsonl'].map((name) => onWindows(join(folder, name)));
  await wine.runNode(driver, onWindows(entry), ...files);
  answers = readFileSync(join(folder, 'answers.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}, 300_000);

afterAll(async () => {
  await wine?.dispose();
  await removeDirectory(folder);
});

test('the handshake is answered, and the tools are listed', () => {
  expect(answers[0]).toMatchObject({ result: { serverInfo: { name: 'sightline' } } });
  expect(JSON.stringify(answers[1])).toContain('"start_debug_session"');
});

test('a JavaScript program stops at a breakpoint, with its values', () => {
  expect(JSON.stringify(answers[2])).toContain('Stopped (breakpoint)');
  expect(JSON.stringify(answers[2])).toMatch(/sum\W+10/);
  expect(JSON.stringify(answers[3])).toContain('13');
  expect(answers[4]).not.toHaveProperty('result.isError');
});

test('an engine that cannot run here is told as such, never as a symbol that is not there', () => {
  // Wine lacks libraries that ripgrep for Windows needs.
  expect(JSON.stringify(answers[5])).toMatch(/ripgrep died with exit code \d+/);
  expect(answers[5]).toHaveProperty('result.isError', true);
});

test('it leaves in order when its input ends, and nothing of it is left', async () => {
  expect(answers.at(-1)).toMatchObject({ exit: 0 });
  expect(await eventually(() => processesIn(folder).length === 0, 5000), processesIn(folder).join('\n')).toBe(true);
});

/** Programs of Windows are processes of the system that hosts them; their command lines name our folder. */
function processesIn(place: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        return readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ');
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes('node.exe') && line.includes(place.replaceAll('/', '\\')));
}
