import { basename, dirname, extname, join, relative } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import type { Project } from '../../../workspace/project.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { BuildStep, LaunchSpec } from '../../model.ts';
import type { ProgramRequest } from '../../target.ts';
import { cmakeBuild } from './cmake.ts';
import { compilerProblems } from './compilerProblems.ts';
import { makeBuild } from './make.ts';
import { folderWith, hasMain, isFolder, isSource, sourcesOf } from './sourceFiles.ts';

export interface NativeBuild {
  step: BuildStep;
  /** The program that it makes. */
  output: string;
}

/** Of a source, a folder with a build file, or a compiled program. */
export async function programLaunch(request: ProgramRequest): Promise<LaunchSpec> {
  const { project, program, args, env, stopOnEntry } = request;
  const base: LaunchSpec = {
    language: 'cpp',
    name: relative(project.root, program) || basename(program),
    kind: 'program',
    program,
    args,
    cwd: request.cwd ?? project.root,
    env,
    stopOnEntry,
  };
  if (!isSource(program) && !isFolder(program)) return base;
  const { step, output } = await buildOf(project, program, request.runtimeArgs ?? []);
  return { ...base, program: output, build: step };
}

/** How a source, or what a folder holds, is compiled: as CMake or make say, else by itself. */
export async function buildOf(project: Project, source: string, flags: readonly string[]): Promise<NativeBuild> {
  const folder = isFolder(source) ? source : dirname(source);
  const cmake = folderWith(['CMakeLists.txt'], folder, project.root);
  if (cmake !== undefined) {
    const built = await cmakeBuild(project, cmake, source);
    if (built !== undefined) return built;
  }
  const make = folderWith(['Makefile', 'makefile', 'GNUmakefile'], folder, project.root);
  if (make !== undefined) {
    const built = await makeBuild(project, make, source);
    if (built !== undefined) return built;
  }
  if (isFolder(source))
    throw new ToolError(
      'launch_failed',
      `${relative(project.root, source) || '.'} has no CMakeLists.txt or Makefile.`,
      {
        hint: 'Pass the source with main, or a compiled program.',
      },
    );
  return plainBuild(source, flags);
}

async function plainBuild(source: string, flags: readonly string[]): Promise<NativeBuild> {
  const scratch = await scratchFolder('debug');
  const folder = dirname(source);
  const sources = sourcesOf(source).map((file) => relative(folder, file));
  const texts = sources.map((file) => readText(join(folder, file)) ?? '');
  const isC = sources.every((file) => extname(file) === '.c');
  const output = join(scratch, basename(source, extname(source)));
  const compiler = isC ? 'gcc' : 'g++';
  const step: BuildStep = {
    title: `${compiler} -g -O0 ${sources.join(' ')}`,
    command: [compiler, '-g', '-O0', '-pthread', ...flags, '-o', output, ...sources, ...libraries(texts, isC)],
    cwd: folder,
    scratch,
    problems: (text) => compilerProblems(text, folder),
  };
  return { step, output };
}

function libraries(texts: readonly string[], isC: boolean): string[] {
  const uses = (header: RegExp) => texts.some((text) => header.test(text));
  const googleTest = uses(/#\s*include\s*<g(?:test|mock)\/g(?:test|mock)\.h>/);
  const main = texts.some(hasMain) ? [] : ['-lgtest_main'];
  return [...(googleTest ? [...main, '-lgtest'] : []), ...(isC ? ['-lm'] : [])];
}
