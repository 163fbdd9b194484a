import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import { readArchiveMember } from '../../../workspace/archives.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import { nearestNames } from '../../../workspace/testRunners/names.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { BuildProblem, BuildStep, LaunchSpec } from '../../model.ts';
import type { ModuleRequest, ProgramRequest } from '../../target.ts';
import { packageIn } from '../../targets/jvm/sources.ts';
import type { MavenBuilds } from './mavenBuilds.ts';

/** A Java installation, by its home. */
interface Jdk {
  home: string;
  java: string;
}

export type FindJdk = (project: Project, progress?: (message: string) => void) => Promise<Jdk>;

/** What is run, as the command line needs it. */
export interface JavaRun {
  jdk: Jdk;
  classPath: readonly string[];
  mainClass?: string;
  jar?: string;
  /** A log of the build that names the class path. */
  maven?: string;
}

/** A source file with `main`, or a jar. */
export async function programLaunch(
  request: ProgramRequest,
  findJdk: FindJdk,
  builds: MavenBuilds,
): Promise<LaunchSpec> {
  const { project, program, progress } = request;
  const jdk = await findJdk(project, progress);
  if (program.endsWith('.jar')) {
    const run: JavaRun = { jdk, classPath: [], jar: program, mainClass: await mainClassOf(program) };
    return { ...baseSpec(request, basename(program)), program, extra: { run } };
  }
  const text = readText(program) ?? '';
  const mainClass = mainClassIn(text, basename(program, '.java'));
  if (mainClass === undefined)
    throw new ToolError('launch_failed', `${relative(project.root, program)} has no main method.`, {
      hint: 'Give a file with a main method, a jar, or a test.',
    });
  const packageName = packageIn(text);
  const run = { jdk, mainClass: packageName === '' ? mainClass : `${packageName}.${mainClass}` };
  const base = { ...baseSpec(request, basename(program)), program };
  const module = moduleOf(project, program);
  if (module !== undefined) {
    const built = await builds.step(project, module);
    return {
      ...base,
      extra: { run: { ...run, ...built.run } },
      ...(built.step === undefined ? {} : { build: built.step }),
    };
  }
  const { step, classes, jars } = await plainBuild(project, [program], jdk);
  const classPath = [classes, ...resourceFolders(program), ...jars];
  return { ...base, extra: { run: { ...run, classPath } }, build: step };
}

/** A main class by its name, wherever its source is. */
export async function moduleLaunch(request: ModuleRequest, findJdk: FindJdk, builds: MavenBuilds): Promise<LaunchSpec> {
  const { project, module } = request;
  const { files } = await listFiles(project, { globs: ['**/*.java'] });
  const named = files.map((file) => ({ file, name: classNameOf(join(project.root, file)) }));
  const found = named.find(({ name }) => name === module) ?? named.find(({ name }) => name.endsWith(`.${module}`));
  if (found !== undefined)
    return programLaunch({ ...request, program: join(project.root, found.file) }, findJdk, builds);
  const nearest = nearestNames(
    module,
    named.map(({ name }) => name),
  );
  throw new ToolError('file_not_found', `No source file of the project has a class ${module}.`, {
    hint: nearest.length === 0 ? 'There is no Java source in the project.' : `There are: ${nearest.join(', ')}.`,
    data: { nearest },
  });
}

function classNameOf(file: string): string {
  const packageName = packageIn(readText(file) ?? '');
  const name = basename(file, '.java');
  return packageName === '' ? name : `${packageName}.${name}`;
}

function baseSpec(request: ProgramRequest | ModuleRequest, name: string): LaunchSpec {
  const runtimeArgs = 'runtimeArgs' in request ? request.runtimeArgs : undefined;
  return {
    language: 'java',
    name,
    kind: 'program',
    args: request.args,
    cwd: request.cwd ?? request.project.root,
    env: request.env,
    stopOnEntry: request.stopOnEntry,
    ...(runtimeArgs === undefined ? {} : { runtimeArgs }),
  };
}

/** The folder of the Maven module that a file belongs to. */
export function moduleOf(project: Project, file: string): string | undefined {
  for (let folder = dirname(file); isInside(project.root, folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'pom.xml'))) return folder;
    if (folder === project.root) break;
  }
  return undefined;
}

/** The folder below which the packages are. */
function sourceRoot(file: string): string {
  const packageName = packageIn(readText(file) ?? '');
  const folder = dirname(file);
  const suffix = packageName === '' ? '' : `/${packageName.replaceAll('.', '/')}`;
  return suffix !== '' && folder.endsWith(suffix) ? folder.slice(0, -suffix.length) : folder;
}

/** Files of a tree without a build: compiled with what they need of it, into a folder of ours. */
export async function plainBuild(
  project: Project,
  files: readonly string[],
  jdk: Jdk,
): Promise<{ step: BuildStep; classes: string; jars: string[] }> {
  const javac = join(jdk.home, 'bin', 'javac');
  if (!existsSync(javac))
    throw new ToolError('engine_missing', `${jdk.home} has no compiler (javac): it is a runtime, not a JDK.`, {
      hint: 'Install a JDK, such as openjdk-17-jdk, or name one in JAVA_HOME.',
    });
  const scratch = await scratchFolder('debug');
  const roots = [...new Set(files.flatMap((file) => [sourceRoot(file), ...siblingRoots(sourceRoot(file))]))];
  const jars = jarsOf(project, files[0] ?? project.root);
  const step: BuildStep = {
    title: `javac ${files.map((file) => relative(project.root, file)).join(' ')}`,
    command: [
      javac,
      // It runs for a second: compiling it well, or collecting its garbage in parallel, would cost more than it gives.
      '-J-XX:TieredStopAtLevel=1',
      '-J-XX:+UseSerialGC',
      '-g',
      '-nowarn',
      '-encoding',
      'UTF-8',
      ...(jars.length === 0 ? ['-proc:none'] : ['-cp', jars.join(delimiter)]),
      '-sourcepath',
      roots.join(delimiter),
      '-d',
      scratch,
      ...files,
    ],
    cwd: project.root,
    scratch,
    problems: (output) => compilerProblems(output, project.root),
  };
  return { step, classes: scratch, jars };
}

/** Tests of the usual layout use the sources beside them. */
function siblingRoots(root: string): string[] {
  const main = root.replace(/\/src\/test\/java$/, '/src/main/java');
  return main !== root && existsSync(main) ? [main] : [];
}

function resourceFolders(file: string): string[] {
  const folder = join(sourceRoot(file), '..', 'resources');
  return existsSync(folder) ? [folder] : [];
}

/** Jars that lie in a folder `lib` or `libs` beside or above the file. */
function jarsOf(project: Project, file: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(file); isInside(project.root, folder); folder = dirname(folder)) {
    for (const name of ['lib', 'libs'])
      try {
        const jars = readdirSync(join(folder, name)).filter(
          (each) => each.endsWith('.jar') && !/-(sources|javadoc)\.jar$/.test(each),
        );
        found.push(...jars.map((each) => join(folder, name, each)));
      } catch {
        // There is no such folder.
      }
    if (folder === project.root) break;
  }
  return found;
}

/** `src/A.java:5: error: cannot find symbol`, the line, a mark below the column, and more about it. */
function compilerProblems(output: string, folder: string): BuildProblem[] {
  const lines = output.split('\n');
  return lines.flatMap((text, index): BuildProblem[] => {
    const match = /^(.+\.java):(\d+): error: (.*)$/.exec(text);
    if (match === null) return [];
    const [, file = '', line = '', message = ''] = match;
    const rest = lines.slice(index + 1, index + 8);
    const end = rest.findIndex((each) => /\.java:\d+: |^\d+ errors?$/.test(each));
    const own = end < 0 ? rest : rest.slice(0, end);
    const column = own.find((each) => /^\s*\^\s*$/.test(each))?.indexOf('^');
    const more = own
      .filter((each) => /^\s+(symbol|location|required|found|reason):/.test(each))
      .map((each) => each.trim().replace(/\s+/g, ' '));
    return [
      {
        file: resolve(folder, file),
        line: Number(line),
        ...(column === undefined ? {} : { column: column + 1 }),
        message: [message, ...more].join('; '),
      },
    ];
  });
}

/** The class at the top of a file whose `main` runs; files of the newest kind need no class around it. */
function mainClassIn(text: string, fileName: string): string | undefined {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g, (skipped) =>
    skipped.replaceAll(/[^\n]/g, ' '),
  );
  const main = /\bvoid\s+main\s*\(/.exec(code);
  if (main === null) return undefined;
  let name: string | undefined;
  let depth = 0;
  for (const match of code
    .slice(0, main.index)
    .matchAll(/[{}]|\b(?:class|record|enum|interface)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu)) {
    if (match[0] === '{') depth++;
    else if (match[0] === '}') depth--;
    else if (depth === 0) name = match[1];
  }
  return depth === 0 ? fileName : name;
}

async function mainClassOf(jar: string): Promise<string | undefined> {
  try {
    const manifest = await readArchiveMember(readFileSync(jar), jar, 'META-INF/MANIFEST.MF');
    return /^Main-Class:\s*(\S+)/m.exec(manifest.toString('utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** When something in the folder was last changed, in milliseconds. */
export function newestChange(files: readonly string[]): number {
  return Math.max(0, ...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
