import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorMessage } from '../../../../base/errors.ts';
import { listFiles } from '../../fileListing.ts';
import type { Project } from '../../project.ts';
import { readJunitXml, type JunitCase } from '../../tests/formats/junitXml.ts';
import type { NotRunReason, TestEvent, TestRef } from '../../tests/model.ts';
import { javaFailure } from './javaFailure.ts';
import { refOf } from './javaSelection.ts';
import type { JavaTest } from './javaSource.ts';

/** Reports with the time of their last change. */
export type ReportTimes = ReadonlyMap<string, number>;

export async function reportTimes(project: Project, folder: string, glob: string): Promise<ReportTimes> {
  const { files } = await listFiles(project, { folder, globs: [glob], includeIgnored: true });
  const dated = await Promise.all(
    files.map(async (file) => {
      const path = join(project.root, file);
      return [path, (await stat(path).catch(() => undefined))?.mtimeMs ?? 0] as const;
    }),
  );
  return new Map(dated);
}

/** How a build came to its end. */
interface BuildEnd {
  /** It ran the tests that it wanted to run, whatever their results. */
  isWhole: boolean;
  reason: NotRunReason;
  why: string;
}

export interface JavaSources {
  /** Tests that are to be run, as far as the source tells. */
  tests: readonly JavaTest[];
  /** All source files, absolute. */
  files: readonly string[];
}

/** The tests of a build that leaves JUnit XML: what the source promises, and what the reports of this run hold. */
export class JavaReports {
  readonly #tests: readonly JavaTest[];
  readonly #files = new Map<string, string[]>();
  readonly #before: ReportTimes;

  constructor({ tests, files }: JavaSources, before: ReportTimes) {
    this.#tests = tests;
    this.#before = before;
    for (const file of files) {
      const known = this.#files.get(basename(file));
      if (known === undefined) this.#files.set(basename(file), [file]);
      else known.push(file);
    }
  }

  collected(): TestEvent[] {
    return this.#tests.map((test) => ({ type: 'collected', id: idOf(test.className, test.method), test: refOf(test) }));
  }

  /** The file of a class as runners print its name. */
  fileOfClass(className: string): string | undefined {
    return this.#tests.find((each) => each.className === className)?.file;
  }

  async ended(after: ReportTimes, end: BuildEnd): Promise<TestEvent[]> {
    const events: TestEvent[] = [];
    const seen = new Set<string>();
    for (const [path, time] of after) {
      // What lay there before is of another run.
      if (this.#before.get(path) === time) continue;
      try {
        const report = readJunitXml(await readFile(path, 'utf8'), basename(path));
        for (const each of report.cases) events.push(...this.#case(each, seen));
        for (const { suite, message, text } of report.suiteErrors)
          events.push({ type: 'problem', problem: { kind: 'hook', message: `${suite}: ${message}`, stack: text } });
      } catch (error) {
        events.push({ type: 'problem', problem: { kind: 'crash', message: errorMessage(error) } });
      }
    }
    for (const test of this.#tests) {
      const id = idOf(test.className, test.method);
      if (seen.has(id)) continue;
      // A build that ran all it wanted leaves out what its configuration excludes.
      events.push(end.isWhole ? { type: 'dropped', id } : { type: 'lost', id, reason: end.reason, why: end.why });
    }
    return events;
  }

  #case(each: JunitCase, seen: Set<string>): TestEvent[] {
    const className = each.className ?? each.suites.at(-1) ?? '';
    const { method, parameters } = nameParts(each.name);
    const source = this.#tests.find((test) => test.className === className && test.method === method);
    const base = idOf(className, method);
    const id = parameters === undefined ? base : `${base}[${parameters}]`;
    const isFirst = !seen.has(base);
    seen.add(base);
    const test: TestRef = {
      ...refOf(source ?? { className, method, file: '', line: 0 }),
      ...(parameters === undefined ? {} : { name: `${method}[${parameters}]`, parameters }),
    };
    if (source === undefined) {
      const file = this.#fileOf(className.split('.').slice(0, -1).join('.'), `${topClass(className)}.java`);
      test.file = file;
      test.line = undefined;
    }
    const isFailure = each.status === 'failed' || each.status === 'error';
    const output = [each.stdout, each.stderr].filter((part) => part !== undefined).join('\n');
    return [
      ...(id !== base && isFirst && source !== undefined ? [{ type: 'dropped', id: base } as const] : []),
      {
        type: 'ended',
        id,
        test,
        status: isFailure ? 'failed' : each.status === 'skipped' ? 'skipped' : 'passed',
        ...(each.durationMs === undefined ? {} : { durationMs: each.durationMs }),
        ...(isFailure ? { failures: [javaFailure(each, (name, file) => this.#fileOf(name, file))] } : {}),
        ...(each.status === 'skipped' && each.message !== undefined ? { reason: each.message } : {}),
        ...(output === '' ? {} : { output }),
        ...(each.retries === undefined ? {} : { retries: each.retries }),
      },
    ];
  }

  #fileOf(packageName: string, file: string): string | undefined {
    const end = `/${[...packageName.split('.').filter((part) => part !== ''), file].join('/')}`;
    return this.#files.get(file)?.find((path) => path.endsWith(end));
  }
}

function topClass(className: string): string {
  return className.split('.').at(-1)?.split('$', 1)[0] ?? className;
}

/** `many(int)[1]`, `many(int)`, `adds()`, `many{int}[2]`. */
function nameParts(name: string): { method: string; parameters?: string } {
  const match = /^([\w$]+)(?:\([^)]*\)|\{[^}]*\})?(\[.*\])?(?:\s.*)?$/.exec(name);
  if (match === null) return { method: name };
  const [, method = name, parameters] = match;
  return { method, ...(parameters === undefined ? {} : { parameters: parameters.slice(1, -1) }) };
}

function idOf(className: string, method: string): string {
  return `${className}#${method}`;
}
