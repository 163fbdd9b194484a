import { basename, extname, relative, resolve } from 'node:path';
import { toolRunner } from '../../../provision/runTool.ts';
import type { Project } from '../../../workspace/project.ts';
import { compilerProblems } from './compilerProblems.ts';
import type { NativeBuild } from './cppProgram.ts';
import { isFolder } from './sourceFiles.ts';
import { escapeRegExp } from '../../../../base/text/escapeRegExp.ts';

/** Builds as the Makefile says. Which program that makes of a source is read from what make would do. */
export async function makeBuild(project: Project, folder: string, source: string): Promise<NativeBuild | undefined> {
  const run = toolRunner(project.env);
  const dry = await run(['make', '--dry-run', '--always-make', '--no-print-directory'], { cwd: folder });
  if (dry.code !== 0) return undefined;
  const output = linkedFrom(dry.stdout, isFolder(source) ? undefined : relative(folder, source), folder);
  if (output === undefined) return undefined;
  return {
    output,
    step: {
      title: `make (${relative(project.root, folder) || '.'})`,
      command: ['make', '--no-print-directory'],
      cwd: folder,
      problems: (text) => compilerProblems(text, folder),
    },
  };
}

/** The program whose link command names the source or what was compiled from it; without a source the first. */
function linkedFrom(commands: string, source: string | undefined, folder: string): string | undefined {
  const lines = commands.replaceAll('\\\n', ' ').split(/\n|&&|;/);
  const links = lines.flatMap((line) => {
    const output = /\s-o\s*(\S+)/.exec(line)?.[1];
    const isLink = output !== undefined && !/\s-c(\s|$)/.test(line) && !/\.(o|a|so|d)$/.test(output);
    return isLink ? [{ line, output }] : [];
  });
  if (source === undefined) return links[0] === undefined ? undefined : resolve(folder, links[0].output);
  const stem = basename(source, extname(source));
  const names = new RegExp(`(?:^|[\\s/])${escapeRegExp(stem)}(?:\\.\\w+)?\\.?(?:o|c|cc|cpp|cxx)(?=\\s|$)`);
  const link = links.find(({ line }) => names.test(line));
  return link === undefined ? undefined : resolve(folder, link.output);
}
