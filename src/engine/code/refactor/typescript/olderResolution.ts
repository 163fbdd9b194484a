import { basename } from 'node:path';
import type { SearchedProject } from '../../../workspace/ripgrep.ts';
import { filesContaining } from '../../sourceFiles.ts';
import { compiler } from './compiler.ts';

/**
 * Whether a configuration of the project finds modules by `baseUrl`. The native server no longer knows it: it would not see who imports
 * a file that way, nor what that brings.
 */
export async function resolvesByBaseUrl(project: SearchedProject, signal?: AbortSignal): Promise<boolean> {
  const mentioning = await filesContaining(project, '"baseUrl"', ['json'], signal);
  return mentioning.some((path) => /^[jt]sconfig\b.*\.json$/.test(basename(path)) && hasBaseUrl(path));
}

/** It stands in a comment of many configurations. */
function hasBaseUrl(path: string): boolean {
  const tsc = compiler();
  const { config } = tsc.readConfigFile(path, (file) => tsc.sys.readFile(file)) as {
    config?: { compilerOptions?: { baseUrl?: unknown } };
  };
  return typeof config?.compilerOptions?.baseUrl === 'string';
}
