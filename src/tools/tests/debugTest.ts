import { z } from 'zod';
import { isPythonFile } from '../../base/languages/byPath.ts';
import type { TextBudget } from '../../base/text/textBudget.ts';
import { interpreter } from '../../engine/workspace/testRunners/pythonSuite.ts';
import type { TestRun } from '../../engine/workspace/tests/model.ts';
import type { ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { debugProbe } from '../probe/debugProbe.ts';

/** What debug_probe answers about the test. */
export const debuggedShape = z.looseObject({ test: z.string(), exitCode: z.int().optional() });

export interface DebuggedTest {
  file: string;
  /** As its runner takes it. */
  name: string;
  folder: string;
}

export function firstFailed(runs: readonly TestRun[]): DebuggedTest | undefined {
  for (const { results, folder } of runs) {
    const test = results.find(({ status, file, failures }) => {
      // A test that failed only by its subtests stops in them, not in itself.
      return status === 'failed' && file !== undefined && failures?.[0]?.type !== 'subtests';
    });
    if (test?.file !== undefined) {
      const separator = isPythonFile(test.file) ? '::' : ' > ';
      return { file: test.file, name: [...test.suite, test.name].join(separator), folder };
    }
  }
  return undefined;
}

/** Runs one test under the debugger to its failure and the breakpoints, as debug_probe does. */
export async function debugTest(
  engines: Engines,
  { file, name, folder }: DebuggedTest,
  breakpoints: readonly Record<string, unknown>[] | undefined,
  call: ToolCall,
): Promise<z.output<typeof debuggedShape>> {
  const locate = (id: string) => engines.tests.locate(id, call.project);
  const python = isPythonFile(file) ? { runtime: await interpreter(call.project, folder, locate), cwd: folder } : {};
  const test = `${file}::${name}`;
  const args = debugProbe.input.parse({
    test,
    ...python,
    ...(breakpoints === undefined ? {} : { breakpoints }),
    // Runners take their time to start: all that the call has left.
    wait_ms: Math.max(1000, Math.min(40_000, Math.floor(call.patienceMs) - 2000)),
  });
  const data = await debugProbe.run(engines, args, call);
  return debuggedShape.parse({ ...data, test: name });
}

export function renderDebugged(data: z.output<typeof debuggedShape>, budget: TextBudget, root: string): string {
  return `Under the debugger, ${data.test}:\n${debugProbe.render?.(data, budget, root) ?? ''}`;
}
