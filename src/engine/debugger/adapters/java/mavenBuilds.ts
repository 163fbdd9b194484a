import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { BuildProblem, BuildStep } from '../../model.ts';
import { newestChange, type JavaRun } from './javaProgram.ts';

interface Built {
  startedAt: number;
  classPath: readonly string[];
}

/**
 * What Maven compiled, and the class path it used. Only its own words name that, so it is asked to log them; as long as no source and no
 * pom.xml has changed since, it need not run again.
 */
export class MavenBuilds {
  readonly #maven: (project: Project) => Promise<string>;
  readonly #built = new Map<string, Built>();
  readonly #started = new Map<string, { module: string; startedAt: number }>();

  constructor(maven: (project: Project) => Promise<string>) {
    this.#maven = maven;
  }

  async step(project: Project, module: string): Promise<{ run: Partial<JavaRun>; step?: BuildStep }> {
    const built = this.#built.get(module);
    if (built !== undefined && existsSync(join(module, 'target', 'classes')) && !(await this.#isStale(project, built)))
      return { run: { classPath: built.classPath } };
    const scratch = await scratchFolder('debug');
    const log = join(scratch, 'maven.log');
    const reactor = reactorOf(project, module);
    this.#started.set(log, { module, startedAt: Date.now() });
    const step: BuildStep = {
      title: 'mvn test-compile',
      command: [
        await this.#maven(project),
        '--batch-mode',
        '--no-transfer-progress',
        '-X',
        '-l',
        log,
        ...reactor.args,
        'test-compile',
      ],
      cwd: reactor.folder,
      scratch,
      problems: () => mavenProblems(readText(log) ?? ''),
    };
    return { run: { maven: log }, step };
  }

  /** After the build: the class path that its log names. */
  classPath(log: string): readonly string[] {
    const started = this.#started.get(log);
    this.#started.delete(log);
    const classPath = classPathIn(readFileSync(log, 'utf8'));
    if (started === undefined || classPath === undefined)
      throw new ToolError('launch_failed', 'Maven did not say which class path the program needs.', {
        hint: 'Start it with its jar, or attach to it by its debug port.',
      });
    this.#built.set(started.module, { startedAt: started.startedAt, classPath });
    return classPath;
  }

  async #isStale(project: Project, { startedAt }: Built): Promise<boolean> {
    const { files } = await listFiles(project, { globs: ['**/pom.xml', '**/src/**'] });
    return newestChange(files.map((file) => join(project.root, file))) > startedAt;
  }
}

/** That of the tests holds everything that runs, and their own folder besides. */
function classPathIn(log: string): string[] | undefined {
  const lists = [...log.matchAll(/\([fs]\) (?:testPath|compilePath|(?:test)?[cC]lasspathElements) = \[(.*)\]/g)].map(
    ([, list = '']) => list.split(', '),
  );
  return lists.at(-1)?.filter((path) => path !== '');
}

/** `[ERROR] /p/src/A.java:[5,9] cannot find symbol`, which Maven says twice. */
export function mavenProblems(output: string): BuildProblem[] {
  const found = new Map<string, BuildProblem>();
  for (const [text, file = '', line, column, message = ''] of output.matchAll(
    /^\[ERROR\] (?:file:\/\/)?(\/.*\.\w+):\[(\d+),(\d+)\] (?:error: )?(.*(?:\n\s+(?:symbol|location):.*)*)/gm,
  ))
    found.set(text, {
      file,
      line: Number(line),
      column: Number(column),
      message: message.replaceAll(/\s*\n\s*/g, '; '),
    });
  if (found.size > 0) return [...found.values()];
  const goal = /^\[ERROR\] (Failed to execute goal .*?)(?: -> \[Help \d+\])?$/m.exec(output)?.[1];
  return goal === undefined ? [] : [{ message: goal }];
}

/** Where Maven is started for a module: at the build that lists it, which also makes the modules it needs. */
export function reactorOf(project: Project, module: string): { folder: string; args: string[] } {
  let outermost = module;
  for (let folder = module; isInside(project.root, folder); folder = dirname(folder)) {
    if (folder !== module && (readText(join(folder, 'pom.xml')) ?? '').includes('<modules>')) outermost = folder;
    if (folder === project.root) break;
  }
  if (outermost === module) return { folder: module, args: [] };
  return { folder: outermost, args: ['--projects', relative(outermost, module), '--also-make'] };
}
