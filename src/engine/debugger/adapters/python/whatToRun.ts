import { ToolError } from '../../../../base/errors.ts';
import type { LaunchSpec } from '../../model.ts';

/** What our starters inside the interpreter (`python/launch.py`, `python/record.py`) are to run. */
export function whatToRun(spec: LaunchSpec): { kind: 'file' | 'module' | 'test'; target: string; test?: unknown } {
  if (spec.kind === 'test') return { kind: 'test', target: spec.program ?? '', test: spec.extra?.['test'] };
  if (spec.module !== undefined) return { kind: 'module', target: spec.module };
  if (spec.program !== undefined) return { kind: 'file', target: spec.program };
  throw new ToolError('launch_failed', 'A Python launch needs a program or a module.');
}
