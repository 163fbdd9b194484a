import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { listFiles } from '../../fileListing.ts';
import type { EventReader, RunPlan, RunRequest, SuiteRunner, TestEvent } from '../../tests/model.ts';
import { emptyPlan } from '../emptyPlan.ts';
import { buildPackageOf, buildPackages, filesAround, gradleTool } from './buildFolders.ts';
import { JavaReports, reportTimes, type ReportTimes } from './javaReports.ts';
import { allNames, javaAffected, javaChoice, javaTestsInFile, type JavaChoice } from './javaSelection.ts';

const reportGlob = '**/build/test-results/**/*.xml';

/** JUnit and TestNG through Gradle: the XML in `build/test-results` is the results. */
export const gradle: SuiteRunner = {
  id: 'gradle',
  packages: (_project, files) => buildPackages(gradleTool, files),
  packageOf: (project, file) => buildPackageOf(gradleTool, project, file, filesAround(project, file, existsSync)),
  plan: async (request) => {
    const { folder } = request.package;
    const choice = await javaChoice(request);
    if (choice.tests.length === 0 && choice.isNarrow) return emptyPlan(folder, await allNames(request));
    const projects = projectsOf(folder, choice);
    const coverage = request.coverage === true ? await jacocoReports(request) : [];
    const tasks = projects.flatMap((path) => [
      // Results that are up to date would be told as if they were of this run.
      `${path}cleanTest`,
      `${path}test`,
      ...(choice.isNarrow ? testArguments(folder, path, choice) : []),
      ...(coverage.length === 0 ? [] : [`${path}jacocoTestReport`]),
    ]);
    return {
      // The compiler's errors come on the other stream.
      command: [
        'sh',
        '-c',
        'exec "$@" 2>&1',
        'sh',
        await request.locate('gradle'),
        ...tasks,
        '--continue',
        '--console=plain',
      ],
      cwd: folder,
      stdoutIsEvents: true,
      reader: new GradleEvents(request, choice, await reportTimes(request.project, folder, reportGlob)),
      ...(coverage.length === 0 ? {} : { coverage: coverage.map((path) => ({ format: 'jacoco', path })) }),
    } satisfies RunPlan;
  },
  affectedTests: javaAffected,
  testsInFile: (_project, file) => javaTestsInFile(file),
};

/** `:core:` for the tests below core; empty for the whole build. */
function projectsOf(folder: string, { tests, isNarrow }: JavaChoice): string[] {
  return isNarrow ? [...new Set(tests.map(({ file }) => projectOf(folder, file)))] : [''];
}

function projectOf(folder: string, file: string): string {
  const [module = folder] = file.split('/src/');
  const inside = relative(folder, module);
  return inside === '' ? ':' : `:${inside.replaceAll('/', ':')}:`;
}

function testArguments(folder: string, path: string, { tests }: JavaChoice): string[] {
  return tests
    .filter(({ file }) => projectOf(folder, file) === path)
    .flatMap(({ className, method }) => ['--tests', `${className}.${method}`]);
}

async function jacocoReports({ project, package: { folder } }: RunRequest): Promise<string[]> {
  const { files } = await listFiles(project, { folder, globs: ['**/build.gradle', '**/build.gradle.kts'] });
  const builds = files.map((file) => join(project.root, file));
  const measured = builds.filter((build) => /\bjacoco\b/.test(readFileSync(build, 'utf8')));
  if (measured.length === 0)
    throw new ToolError('unsupported', 'This build does not apply JaCoCo, which measures coverage of Java.', {
      hint: "Apply the plugin 'jacoco' and let jacocoTestReport write XML, or run without coverage.",
    });
  return builds.map((build) => join(dirname(build), 'build', 'reports', 'jacoco', 'test', 'jacocoTestReport.xml'));
}

/** Reads what Gradle prints with `--console=plain`, for why there are no reports. */
export class GradleEvents implements EventReader {
  readonly #request: Pick<RunRequest, 'project' | 'package'>;
  readonly #reports: JavaReports;
  readonly #wrong: string[] = [];
  readonly #broken = new Set<string>();
  #isFirst = true;
  #hasTested = false;
  #inWrong = false;

  constructor(request: Pick<RunRequest, 'project' | 'package'>, choice: JavaChoice, before: ReportTimes) {
    this.#request = request;
    this.#reports = new JavaReports(choice, before);
  }

  line(text: string): TestEvent[] {
    const begin: TestEvent[] = this.#isFirst
      ? [{ type: 'runner', runner: 'gradle' }, ...this.#reports.collected()]
      : [];
    this.#isFirst = false;
    if (/^> Task :.*\btest(?: FAILED)?$/.test(text) || /There were failing tests/.test(text)) this.#hasTested = true;
    if (text === '* What went wrong:') this.#inWrong = true;
    else if (text.startsWith('* ')) this.#inWrong = false;
    else if (this.#inWrong) this.#wrong.push(text);
    // Old versions print the task and what its compiler says in one line: `:compileJava/src/Calc.java:2: error: …`.
    const place =
      /^(?::[\w:-]+?)?(?:e: )?(?:file:\/\/)?(\/.*\.(?:java|kt|groovy|scala)):(\d+)(?::\d+)?:? (?:error: )?(.*)$/.exec(
        text,
      );
    if (place === null || /: warning: /.test(text)) return begin;
    const [, file = '', line, message = ''] = place;
    this.#broken.add(file);
    return [...begin, { type: 'problem', problem: { kind: 'collection', file, line: Number(line), message } }];
  }

  async end(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]> {
    const {
      project,
      package: { folder },
    } = this.#request;
    const reports = await reportTimes(project, folder, reportGlob);
    const isWhole = exit.code === 0 || (this.#hasTested && this.#broken.size === 0);
    const why = this.#wrong.slice(0, 3).join(' ').trim() || 'Gradle failed';
    const ended = await this.#reports.ended(reports, {
      isWhole: isWhole && exit.signal === null,
      reason: exit.signal === null ? 'collection' : 'killed',
      why: exit.signal === null ? why : `Gradle was ended by ${exit.signal}`,
    });
    if (exit.signal !== null) return ended;
    const isTold = isWhole || this.#broken.size > 0;
    return [
      ...ended,
      ...(isTold ? [] : [{ type: 'problem', problem: { kind: 'configuration', message: why } } as const]),
      { type: 'over' },
    ];
  }
}
