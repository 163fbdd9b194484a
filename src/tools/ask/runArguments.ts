import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import type { FocusWish } from '../../engine/debugger/ask/askEngine.ts';
import type { RunLimits } from '../../engine/debugger/ask/recordRun.ts';
import type { StartRequest } from '../../engine/debugger/launching.ts';
import type { ToolCall } from '../defineTool.ts';

/** What is run for a question: a test (file, file::name) or a program. */
export const runShape = {
  test: z.string().optional(),
  program: z.string().optional(),
  args: z.array(z.string()).optional(),
  module: z.string().optional(),
  language: z.string().optional(),
  runtime: z.string().optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  wait_ms: z.int().min(0).max(40_000).optional(),
};

export const rareRunParameters = ['module', 'language', 'runtime', 'cwd', 'env', 'wait_ms'];

export const focusShape = z
  .object({
    files: z.array(z.string()).optional(),
    functions: z.array(z.string()).optional(),
    symbol: z.string().optional(),
  })
  .optional();

export interface RunArguments {
  test?: string | undefined;
  program?: string | undefined;
  args?: string[] | undefined;
  module?: string | undefined;
  language?: string | undefined;
  runtime?: string | undefined;
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  wait_ms?: number | undefined;
}

export function startRequest({ wait_ms: _wait, ...wanted }: RunArguments): StartRequest {
  const named = [wanted.test, wanted.program, wanted.module].filter((each) => each !== undefined);
  if (named.length !== 1)
    throw new ToolError('invalid_arguments', 'Exactly one of test and program is run.', {
      hint: 'test: "tests/cart.test.js::adds", or program: "app.js".',
    });
  const { test, program, args, module, language, runtime, cwd, env } = wanted;
  return {
    ...(test === undefined ? {} : { test }),
    ...(program === undefined ? {} : { program }),
    ...(args === undefined ? {} : { args }),
    ...(module === undefined ? {} : { module }),
    ...(language === undefined ? {} : { language }),
    ...(runtime === undefined ? {} : { runtime }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  };
}

export function runLimits(args: RunArguments, call: ToolCall): RunLimits {
  return { waitMs: Math.min(args.wait_ms ?? 20_000, call.patienceMs - 3000), signal: call.signal };
}

export function focusWish(
  focus: { files?: string[] | undefined; functions?: string[] | undefined; symbol?: string | undefined } | undefined,
): FocusWish | undefined {
  if (focus === undefined) return undefined;
  const functions = [...(focus.functions ?? []), ...(focus.symbol === undefined ? [] : [focus.symbol])];
  return { files: focus.files, functions };
}

/** The test's own name, without its file and suites. */
export function testNameOf({ test }: RunArguments): string | undefined {
  const [, name] = test === undefined ? [] : splitTest(test);
  return name?.split(/ > |::/).at(-1);
}

export function splitTest(test: string): [string, string?] {
  const match = /^(.*?)(?:::| > )(.+)$/s.exec(test);
  return match === null ? [test.replace(/:\d+$/, '')] : [match[1] ?? test, match[2]];
}
