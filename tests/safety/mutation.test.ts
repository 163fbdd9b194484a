import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/base/errors.ts';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { mutatedArguments, type ArgumentHints } from '../support/toolArguments.ts';

/**
 * One bad request never takes the process down: every tool that exists is called with arguments nobody should send. Each call
 * must be answered, in time, with data or with an error that has a name; a bug of ours (`internal_error`) is a failure.
 */
const seed = Number(process.env['MUTATION_SEED'] ?? 20261115);
/** Tools whose purpose is a shell. */
const shells = new Set(['run_command', 'run_in_terminal', 'write_terminal_input']);
const answerWithinMs = 15_000;

let bench: TestBench;
let canary: string;
let hints: ArgumentHints;

beforeAll(async () => {
  bench = await testBench({
    files: {
      'package.json': '{"name": "victim", "type": "module"}',
      'tsconfig.json': '{"compilerOptions": {"strict": true}, "include": ["src"]}',
      'src/app.ts': 'export function add(a: number, b: number) {\n  return a + b;\n}\nconsole.log(add(1, 2));\n',
      'src/run.js': 'const a = 1;\nconsole.log(a);\n',
    },
    env: { SIGHTLINE_POLICY_DESTRUCTIVE: 'deny' },
  });
  canary = join(bench.root, '..', 'canary');
  hints = {
    file_path: 'src/app.ts',
    file: 'src/app.ts',
    directory: 'src',
    program: 'src/run.js',
    line: 1,
    column: 1,
    wait_ms: 100,
    limit: 5,
  };
});

afterAll(() => bench.dispose());

describe.each(allTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test(
    'answers whatever it is sent',
    async () => {
      const count = tool.effect === 'execute' ? 15 : 40;
      const problems: string[] = [];
      for (const args of mutatedArguments(tool, hints, canary, seed, count)) {
        const started = performance.now();
        const answer = await bench.sightline.backend.callTool({
          tool: name,
          args: withShortWait(args),
          client: bench.client,
        });
        const took = performance.now() - started;
        const shown = `${JSON.stringify(args)?.slice(0, 300)} (seed ${seed})`;
        if (took > answerWithinMs) problems.push(`${Math.round(took)} ms for ${shown}`);
        if (answer.error !== undefined && !errorCodes.includes(answer.error.code))
          problems.push(`unknown error for ${shown}`);
        if (answer.error?.code === 'internal_error') problems.push(`a bug: ${answer.text} for ${shown}`);
        if (answer.text.length > 250_000) problems.push(`${answer.text.length} characters for ${shown}`);
        if (!shells.has(name) && existsSync(canary)) problems.push(`a shell ran for ${shown}`);
        rmSync(canary, { force: true });
      }
      expect(problems).toEqual([]);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
    40 * answerWithinMs,
  );
});

test('afterwards everything still works', async () => {
  expect(await bench.data('read_file', { file_path: 'src/run.js' })).toMatchObject({ totalLines: 2 });
  const { lines } = await bench.data('read_ide_log', { level: 'error', lines: 20 });
  expect(lines).toEqual([]);
});

/** Waiting is tested elsewhere; here it would only make the time long. And no stranger's process is to be attached to. */
function withShortWait(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const wait = 'wait_ms' in args && typeof args.wait_ms === 'number' && args.wait_ms > 500 ? { wait_ms: 100 } : {};
  const pid = 'pid' in args && Number(args.pid) > 1 ? { pid: 2 ** 31 - 1 } : {};
  return { ...args, ...wait, ...pid };
}
