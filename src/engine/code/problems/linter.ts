import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Provision } from '../../provision/provision.ts';
import type { Project } from '../../workspace/project.ts';
import type { LintFinding } from './lintOutput.ts';

/** A linter that projects use: how it is found and asked, and how its answer is read. */
export interface LinterRules {
  name: string;
  /** Files that show that the project uses it. */
  configuration: readonly string[];
  /** What such a file must contain, where it is everybody's. */
  sections?: Readonly<Record<string, string>>;
  extensions: RegExp;
  locate(project: Project, provision: Provision | undefined): Promise<string | undefined>;
  arguments(paths: readonly string[]): string[];
  parse(output: string, root: string): LintFinding[];
  /** What its columns count. */
  columns: 'utf16' | 'utf8' | 'codePoints';
  /** How to fix every problem of one kind in a text given on stdin, for linters that do not tell their fixes. */
  fixArguments?(path: string, code: string): string[] | undefined;
  /** Its fixes are told by it as a language server. */
  tellsFixesAsServer?: boolean;
}

/** Finds a program among the packages of a project. */
export function inModules(program: string): LinterRules['locate'] {
  return async (project) => {
    const path = join(project.root, 'node_modules', '.bin', program);
    return existsSync(path) ? path : undefined;
  };
}
