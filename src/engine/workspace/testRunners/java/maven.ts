import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { listFiles } from '../../fileListing.ts';
import type { EventReader, RunPlan, RunRequest, SuiteRunner, TestEvent } from '../../tests/model.ts';
import { emptyPlan } from '../emptyPlan.ts';
import { buildPackageOf, buildPackages, filesAround, mavenTool } from './buildFolders.ts';
import { JavaReports, reportTimes, type ReportTimes } from './javaReports.ts';
import { allNames, javaAffected, javaChoice, javaTestsInFile, type JavaChoice } from './javaSelection.ts';
import type { JavaTest } from './javaSource.ts';

/** Of Surefire, and of Failsafe where a build runs that, too. */
const reportGlob = '**/*-reports/TEST-*.xml';

/** JUnit and TestNG through Maven: Surefire's reports are the results. */
export const maven: SuiteRunner = {
  id: 'maven',
  packages: (_project, files) => buildPackages(mavenTool, files),
  packageOf: (project, file) => buildPackageOf(mavenTool, project, file, filesAround(project, file, existsSync)),
  plan: async (request) => {
    const { folder } = request.package;
    const choice = await javaChoice(request);
    if (choice.tests.length === 0 && choice.isNarrow) return emptyPlan(folder, await allNames(request));
    const modules = modulesOf(folder, choice);
    const coverage = request.coverage === true ? await jacocoReports(request, modules) : [];
    return {
      command: [
        await request.locate('maven'),
        '--batch-mode',
        '--no-transfer-progress',
        // A module whose tests fail would keep those that depend on it from being tested at all.
        '-Dmaven.test.failure.ignore=true',
        ...(choice.isNarrow ? testArguments(choice.tests) : []),
        ...(modules.length === 0 ? [] : ['--projects', modules.join(','), '--also-make']),
        'test',
        ...(coverage.length === 0 ? [] : ['jacoco:report']),
      ],
      cwd: folder,
      stdoutIsEvents: true,
      reader: new MavenEvents(request, choice, await reportTimes(request.project, folder, reportGlob)),
      ...(coverage.length === 0 ? {} : { coverage: coverage.map((path) => ({ format: 'jacoco', path })) }),
    } satisfies RunPlan;
  },
  affectedTests: javaAffected,
  testsInFile: (_project, file) => javaTestsInFile(file),
};

function testArguments(tests: readonly JavaTest[]): string[] {
  const byClass = new Map<string, string[]>();
  for (const { className, method } of tests) byClass.set(className, [...(byClass.get(className) ?? []), method]);
  const names = [...byClass].map(([className, methods]) => `${className}#${[...new Set(methods)].join('+')}`);
  // Modules without any of them are no failure.
  return [`-Dtest=${names.join(',')}`, '-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false'];
}

/** The modules that hold what was selected; none when that is the build's own folder, or everything. */
function modulesOf(folder: string, { tests, isNarrow }: JavaChoice): string[] {
  if (!isNarrow) return [];
  const found = tests.map(({ file }) => {
    let module = dirname(file);
    while (module !== folder && !existsSync(join(module, 'pom.xml'))) module = dirname(module);
    return relative(folder, module);
  });
  return found.includes('') ? [] : [...new Set(found)];
}

/** Where JaCoCo will write, when the build has it. */
async function jacocoReports(
  { project, package: { folder } }: RunRequest,
  modules: readonly string[],
): Promise<string[]> {
  const { files } = await listFiles(project, { folder, globs: ['**/pom.xml'] });
  const poms = files.map((file) => join(project.root, file));
  if (!poms.some((pom) => readFileSync(pom, 'utf8').includes('jacoco-maven-plugin')))
    throw new ToolError('unsupported', 'This build does not configure JaCoCo, which measures coverage of Java.', {
      hint: 'Add jacoco-maven-plugin with the goal prepare-agent to pom.xml, or run without coverage.',
    });
  const wanted = modules.map((module) => join(folder, module));
  return poms
    .map((pom) => dirname(pom))
    .filter((each) => wanted.length === 0 || wanted.includes(each))
    .map((each) => join(each, 'target', 'site', 'jacoco', 'jacoco.xml'));
}

/** Maven's own words tell why there is no report; the reports tell the rest. */
class MavenEvents implements EventReader {
  readonly #request: RunRequest;
  readonly #reports: JavaReports;
  readonly #told = new Set<string>();
  readonly #errors: string[] = [];
  #isFirst = true;
  #isSuccess = false;
  #hasCrashed = false;

  constructor(request: RunRequest, choice: JavaChoice, before: ReportTimes) {
    this.#request = request;
    this.#reports = new JavaReports(choice, before);
  }

  line(text: string): TestEvent[] {
    const begin: TestEvent[] = this.#isFirst ? [{ type: 'runner', runner: 'maven' }, ...this.#reports.collected()] : [];
    this.#isFirst = false;
    return [...begin, ...this.#read(text)];
  }

  #read(text: string): TestEvent[] {
    if (text.startsWith('[INFO] BUILD SUCCESS')) this.#isSuccess = true;
    const running = /^\[INFO\] Running (\S+)/.exec(text)?.[1];
    const file = running === undefined ? undefined : this.#reports.fileOfClass(running);
    if (file !== undefined) return [{ type: 'fileStarted', file }];
    if (!text.startsWith('[ERROR]')) return [];
    if (/forked VM terminated|The forked VM|Crashed tests:/.test(text)) this.#hasCrashed = true;
    if (this.#errors.length < 20) this.#errors.push(text.slice('[ERROR] '.length));
    const place = /^\[ERROR\] (?:file:\/\/)?(\/.*\.\w+):\[?(\d+)[,:](\d+)\]? (?:error: )?(.*)$/.exec(text);
    // Maven says each twice: where it happens and at the end.
    if (place === null || this.#told.has(text)) return [];
    this.#told.add(text);
    const [, path = '', line, , message = ''] = place;
    return [{ type: 'problem', problem: { kind: 'collection', file: path, line: Number(line), message } }];
  }

  async end(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]> {
    const {
      project,
      package: { folder },
    } = this.#request;
    const reports = await reportTimes(project, folder, reportGlob);
    const why = this.#failure();
    const ended = await this.#reports.ended(reports, {
      isWhole: this.#isSuccess,
      reason: exit.signal !== null ? 'killed' : this.#hasCrashed ? 'crash' : 'collection',
      why: exit.signal === null ? why : `Maven was ended by ${exit.signal}`,
    });
    if (exit.signal !== null) return ended;
    const isTold = this.#isSuccess || this.#told.size > 0;
    const kind = this.#hasCrashed ? 'crash' : 'configuration';
    return [
      ...ended,
      ...(isTold ? [] : [{ type: 'problem', problem: { kind, message: why } } as const]),
      { type: 'over' },
    ];
  }

  /** What Maven gives as the cause, without its advice on how to ask it again. */
  #failure(): string {
    const words = this.#errors.filter(
      (line) =>
        line.trim() !== '' && !/^(?:-> )?\[Help|^To see the full|^Re-run Maven|^For more information/.test(line),
    );
    const at = words.findIndex((line) => line.startsWith('Failed to execute goal'));
    const goal = words[at];
    // Some plug-ins give their reason in the lines after it.
    const cause =
      goal === undefined || goal.trimEnd().endsWith(':') ? words.slice(Math.max(at, 0)).slice(0, 3) : [goal];
    return cause.map((line) => line.replace(/ -> \[Help \d+\]$/, '').trim()).join('\n') || 'Maven failed';
  }
}
