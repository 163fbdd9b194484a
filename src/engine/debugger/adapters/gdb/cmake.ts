import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { toolRunner } from '../../../provision/runTool.ts';
import type { Project } from '../../../workspace/project.ts';
import { ownCmakeFolder, ownFolder } from '../../../workspace/nativeBuilds.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import { compilerProblems } from './compilerProblems.ts';
import type { NativeBuild } from './cppProgram.ts';
import { isFolder } from './sourceFiles.ts';

const configureMs = 40_000;

interface CmakeTarget {
  name: string;
  sources: readonly string[];
  output: string;
}

/** Builds the target that a source belongs to, in the person's own build folder if it is one for debugging, else in one of ours. */
export async function cmakeBuild(project: Project, folder: string, source: string): Promise<NativeBuild | undefined> {
  const root = topFolder(project, folder);
  const build = buildFolder(project, root);
  const targets = await configured(project, root, build);
  const chosen = isFolder(source)
    ? targets.filter((target) => target.sources.some((file) => isInside(source, file)))
    : targets.filter((target) => target.sources.includes(source));
  if (chosen.length > 1)
    throw new ToolError('launch_failed', `${relative(project.root, source) || '.'} belongs to several programs.`, {
      hint: `Pass a source that only one of them has: ${chosen.map(({ name }) => name).join(', ')}.`,
    });
  const [target] = chosen;
  if (target === undefined) return undefined;
  return {
    output: target.output,
    step: {
      title: `cmake --build ${shownFolder(project, build)} --target ${target.name}`,
      command: ['cmake', '--build', build, '--target', target.name, '--parallel', '2'],
      cwd: root,
      problems: (text) => compilerProblems(text, build),
    },
  };
}

/** The CMakeLists.txt that begins the project: the outermost around one. */
function topFolder(project: Project, folder: string): string {
  let top = folder;
  for (
    let place = folder;
    isInside(project.root, place) && place !== resolve(place, '..');
    place = resolve(place, '..')
  )
    if (existsSync(join(place, 'CMakeLists.txt'))) top = place;
  return top;
}

/** A build folder of the person's that is for debugging, else one of ours that stays for the next time. */
function buildFolder(project: Project, root: string): string {
  return (project.trusted ? ownCmakeFolder(root) : undefined) ?? ownFolder('cmake', root);
}

async function configured(project: Project, root: string, build: string): Promise<CmakeTarget[]> {
  const query = join(build, '.cmake/api/v1/query/client-sightline');
  mkdirSync(query, { recursive: true, mode: 0o700 });
  writeFileSync(join(query, 'codemodel-v2'), '');
  const isNew = !existsSync(join(build, 'CMakeCache.txt'));
  const settings = isNew ? ['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'] : [];
  const run = toolRunner(project.env);
  const command = ['cmake', '-S', root, '-B', build, ...settings];
  const result = await run(command, { cwd: root, timeoutMs: configureMs });
  if (result.code !== 0) throw configureFailed(result.stderr || result.stdout, root, result.timedOut);
  return targetsOf(build);
}

function configureFailed(text: string, root: string, timedOut: boolean): ToolError {
  const places = [...text.matchAll(/^CMake Error(?: at (.*?):(\d+))?[^\n]*\n((?:[ \t]+.*\n?|\n)*)/gm)];
  const problems = places.map(([, file, line, message = '']) => ({
    ...(file === undefined ? {} : { file: relative(root, resolve(root, file)), line: Number(line) }),
    message: message.trim().replaceAll(/\s+/g, ' '),
  }));
  const told = problems.map((each) => `${each.file === undefined ? '' : `${each.file}:${each.line}: `}${each.message}`);
  const why = timedOut ? 'it took too long' : told.join('\n') || text.trim().slice(-800);
  return new ToolError('launch_failed', `CMake could not configure the project, so nothing was started:\n${why}`, {
    data: { problems },
  });
}

/** From CMake's file API: programs with their sources. */
function targetsOf(build: string): CmakeTarget[] {
  const reply = join(build, '.cmake/api/v1/reply');
  return readdirSync(reply)
    .filter((name) => name.startsWith('target-') && name.endsWith('.json'))
    .flatMap((name): CmakeTarget[] => {
      const told = JSON.parse(readFileSync(join(reply, name), 'utf8')) as TargetReply;
      const artifact = told.artifacts?.[0]?.path;
      if (told.type !== 'EXECUTABLE' || artifact === undefined) return [];
      const sources = (told.sources ?? []).map(({ path }) => resolve(sourceFolder(build), path));
      return [{ name: told.name, sources, output: resolve(build, artifact) }];
    });
}

interface TargetReply {
  name: string;
  type: string;
  artifacts?: { path: string }[];
  sources?: { path: string }[];
}

function sourceFolder(build: string): string {
  return /^CMAKE_HOME_DIRECTORY:\w+=(.*)$/m.exec(readText(join(build, 'CMakeCache.txt')) ?? '')?.[1] ?? build;
}

function shownFolder(project: Project, build: string): string {
  return isInside(project.root, build) ? relative(project.root, build) : build;
}
