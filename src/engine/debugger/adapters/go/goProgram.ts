import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import type { Project } from '../../../workspace/project.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { BuildProblem, BuildStep, LaunchSpec } from '../../model.ts';
import type { ProgramRequest } from '../../target.ts';

/** Brings what debugging Go needs: the path of `go`, and where to build. */
export type GoTools = (
  project: Project,
  progress?: (message: string) => void,
) => Promise<{ go: string; builds: GoBuilds }>;

/** A package is built at the same place each time: what has not changed is not even linked again. */
export class GoBuilds {
  readonly #folders = new Map<string, Promise<string>>();

  folderFor(key: string): Promise<string> {
    const known = this.#folders.get(key) ?? scratchFolder('debug');
    this.#folders.set(key, known);
    return known;
  }

  async dispose(): Promise<void> {
    const folders = await Promise.all(this.#folders.values());
    this.#folders.clear();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** A package (its folder, or one of its files), a file of its own, or a compiled program. */
export async function programLaunch(request: ProgramRequest, tools: GoTools): Promise<LaunchSpec> {
  const { project, program, args, env, stopOnEntry, progress } = request;
  const found = await tools(project, progress);
  const base: LaunchSpec = {
    language: 'go',
    name: relative(project.root, program) || basename(program),
    kind: 'program',
    program,
    args,
    cwd: request.cwd ?? project.root,
    env,
    stopOnEntry,
  };
  const isFolder = statSync(program).isDirectory();
  if (!isFolder && !program.endsWith('.go')) return base;
  const folder = isFolder ? program : dirname(program);
  const own = isFolder ? [] : filesToBuild(program);
  const build = await buildStep({ ...found, project, folder, files: own, flags: request.runtimeArgs ?? [] });
  return { ...base, program: build.output, build: build.step };
}

interface Wanted {
  go: string;
  builds: GoBuilds;
  project: Project;
  /** Of the package. */
  folder: string;
  /** These instead of the whole package. */
  files?: readonly string[];
  isTest?: boolean;
  /** The person's own, such as `-tags`. */
  flags: readonly string[];
}

export async function buildStep(wanted: Wanted): Promise<{ step: BuildStep; output: string }> {
  const { go, builds, project, folder, files = [], isTest = false, flags } = wanted;
  const output = join(await builds.folderFor(JSON.stringify([folder, files])), isTest ? 'test' : 'program');
  const what = files.length > 0 ? files.map((file) => basename(file)) : ['.'];
  const verb = isTest ? ['test', '-c'] : ['build'];
  const shown = files.length > 0 ? what.join(' ') : `./${relative(project.root, folder)}`;
  const unoptimised = '-N -l';
  const step: BuildStep = {
    title: `go ${verb.join(' ')} ${shown}`,
    command: [
      go,
      ...verb,
      '-buildvcs=false',
      // Only the project's own code: compiling the standard library once more takes half a minute.
      `-gcflags=${unoptimised}`,
      ...ownModules(project, folder).map((path) => `-gcflags=${path}/...=${unoptimised}`),
      ...flags,
      '-o',
      output,
      ...what,
    ],
    cwd: folder,
    problems: (text) => compilerProblems(text, folder),
  };
  return { step, output };
}

/**
 * A file whose package has no other `main` stands for its package. One of several programs in a folder is built alone, and so is what
 * is left out of packages.
 */
function filesToBuild(file: string): string[] {
  const text = readText(file) ?? '';
  const others = goFiles(dirname(file)).filter((each) => each !== file && hasMain(readText(each) ?? ''));
  if (/^\/\/go:build ignore\s*$/m.test(text) || (hasMain(text) && others.length > 0)) return [file];
  if (moduleFile(dirname(file)) !== undefined) return [];
  return hasMain(text)
    ? goFiles(dirname(file)).filter((each) => each === file || samePackage(text, readText(each) ?? ''))
    : [];
}

function hasMain(text: string): boolean {
  return /^package\s+main\b/m.test(text) && /^func\s+main\s*\(\s*\)/m.test(text);
}

function samePackage(text: string, other: string): boolean {
  const name = (source: string) => /^package\s+(\w+)/m.exec(source)?.[1];
  return name(text) === name(other);
}

function goFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
    .map((name) => join(folder, name));
}

function moduleFile(folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const text = readText(join(place, 'go.mod'));
    if (text !== undefined) return text;
    if (place === dirname(place)) return undefined;
  }
}

/** The paths of the modules whose code is the project's own: that of the package, and those that its workspace uses. */
function ownModules(project: Project, folder: string): string[] {
  const paths = [moduleFile(folder)];
  for (let place = folder; isInside(project.root, place); place = dirname(place)) {
    const work = readText(join(place, 'go.work'));
    const used = [...(work ?? '').matchAll(/^\s*(?:use\s+)?(\.{1,2}(?:\/\S*)?)\s*$/gm)].map(([, path = '']) => path);
    paths.push(...used.map((path) => readText(join(resolve(place, path), 'go.mod'))));
    if (place === dirname(place)) break;
  }
  const names = paths.flatMap((text) => /^module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1] ?? []);
  return [...new Set(names)];
}

/** `./main.go:5:2: undefined: x`, with what is indented below it. */
function compilerProblems(output: string, folder: string): BuildProblem[] {
  const places = output.matchAll(/^(?!#)(\S.*?\.(?:go|mod|work)):(\d+)(?::(\d+))?: (.*(?:\n[ \t].*)*)/gm);
  const found = [...places].map(([, file = '', line, column, message = '']): BuildProblem => ({
    file: resolve(folder, file),
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    message: message.trim(),
  }));
  if (found.length > 0) return found;
  const said = output.replace(/^go: downloading .*\n?/gm, '').trim();
  return said === '' ? [] : [{ message: said.slice(0, 1500) }];
}

export function isGoFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory() && goFiles(path).length > 0;
  } catch {
    return false;
  }
}

const maxBinaryBytes = 300_000_000;

/** Whether a file is a program that Go's linker wrote. */
export function isGoBinary(path: string): boolean {
  try {
    const { size } = statSync(path);
    if (!statSync(path).isFile() || size > maxBinaryBytes) return false;
    accessSync(path, constants.X_OK);
    return readFileSync(path).includes('\xff Go buildinf:', 0, 'latin1');
  } catch {
    return false;
  }
}
