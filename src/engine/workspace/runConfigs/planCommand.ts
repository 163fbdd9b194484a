import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isTypescriptFile } from '../../../base/languages/byPath.ts';
import { ToolError } from '../../../base/errors.ts';
import type { LaunchPlan } from './model.ts';

/** The programs that run a language here, as found by provisioning. */
export interface Runtimes {
  node: string;
  nodeVersion?: string;
  python?: string;
  go?: string;
}

/** The command line that runs a plan without a debugger. */
export function planCommand(plan: LaunchPlan, runtimes: Runtimes, root: string): string[] {
  if (plan.form === 'command') {
    const [first = '', ...rest] = plan.command ?? [];
    const isPython = plan.language === 'python' && /^python3?$/.test(first);
    return [isPython ? (runtimes.python ?? first) : first, ...rest, ...plan.args];
  }
  const target = plan.form === 'module' ? (plan.module ?? '') : (plan.program ?? '');
  const runtimeArgs = plan.runtimeArgs ?? [];
  switch (plan.language) {
    case 'node':
      return [...nodeRuntime(plan, target, runtimes, root), target, ...plan.args];
    case 'python': {
      const python = plan.runtime ?? runtimes.python;
      if (python === undefined) throw missing('Python');
      const how = plan.form === 'module' ? ['-m', target] : [target];
      return [python, ...runtimeArgs, ...how, ...plan.args];
    }
    case 'go': {
      if (runtimes.go === undefined) throw missing('Go');
      return plan.isTest === true
        ? [runtimes.go, 'test', ...runtimeArgs, target]
        : [runtimes.go, 'run', ...runtimeArgs, target, ...plan.args];
    }
    default:
      return [target, ...plan.args];
  }
}

function nodeRuntime(plan: LaunchPlan, program: string, runtimes: Runtimes, root: string): string[] {
  const node = [plan.runtime ?? runtimes.node, ...(plan.runtimeArgs ?? [])];
  const hasLoader = (plan.runtimeArgs ?? []).some((word) =>
    /tsx|ts-node|swc|strip-types|--import|--loader|-r|--require/.test(word),
  );
  if (!isTypescriptFile(program) || hasLoader || plan.runtime !== undefined) return node;
  const tsx = join(root, 'node_modules', '.bin', 'tsx');
  if (existsSync(tsx)) return [tsx, ...(plan.runtimeArgs ?? [])];
  if (stripsTypes(runtimes.nodeVersion ?? process.versions.node)) return node;
  throw new ToolError('launch_failed', `${basename(program)} is TypeScript, and this project has no way to run it.`, {
    hint: 'Install tsx (npm i -D tsx), or start the compiled file.',
  });
}

/** Node runs TypeScript by itself from this version on. */
function stripsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function missing(title: string): ToolError {
  return new ToolError('engine_missing', `${title} was not found, so this configuration cannot be run.`, {
    hint: 'sightline doctor shows what is there.',
  });
}
