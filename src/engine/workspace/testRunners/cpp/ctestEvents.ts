import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { errorMessage } from '../../../../base/errors.ts';
import { asRecord } from '../../runConfigs/projectText.ts';
import { readJunitXml, type JunitCase } from '../../tests/formats/junitXml.ts';
import type { EventReader, ReportedFailure, TestEvent, TestRef } from '../../tests/model.ts';
import type { GoogleTest } from './googleTests.ts';

/** A test as CTest lists it once everything is built. */
interface ListedTest {
  number: number;
  name: string;
  /** The program that it runs. */
  program?: string;
  /** The one test of GoogleTest that it runs. */
  gtest?: string;
  /** The tests of GoogleTest in its program, where it runs them all. */
  cases?: readonly string[];
}

/** Reads what `reporters/ctest.mjs` tells, then the reports: CTest's own, and those that GoogleTest writes of each program. */
export class CtestEvents implements EventReader {
  readonly #written: readonly GoogleTest[];
  readonly #scratch: string;
  readonly #source: string;
  #tests = new Map<number, ListedTest>();
  #hasBegun = false;
  #isBroken = false;
  #isListed = false;
  #configuring: string[] = [];

  /** `written` is what the source promises, for when nothing can be built. */
  constructor(source: string, scratch: string, written: readonly GoogleTest[]) {
    this.#source = source;
    this.#scratch = scratch;
    this.#written = written;
  }

  line(text: string): TestEvent[] {
    const begin: TestEvent[] = this.#hasBegun ? [] : [{ type: 'runner', runner: 'ctest' }];
    this.#hasBegun = true;
    return [...begin, ...this.#told(parsed(text))];
  }

  async end(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]> {
    const reports = this.#isListed ? await this.#reports() : [];
    if (exit.signal !== null) return reports;
    if (this.#isBroken) return [...this.#unbuilt(), { type: 'over' }];
    return this.#isListed ? [...reports, { type: 'over' }] : reports;
  }

  #told(told: Record<string, unknown>): TestEvent[] {
    const { step, line, code } = told;
    if (step === 'list') return this.#listed(told);
    if (typeof line === 'string') {
      if (step === 'build') return this.#compilerLine(line);
      if (step === 'test') return this.#testLine(line);
      if (step === 'configure') this.#configuring.push(line);
      return [];
    }
    if (typeof code !== 'number' || code === 0 || step === 'test') return [];
    if (step === 'configure')
      return [{ type: 'problem', problem: configureProblem(this.#configuring.join('\n'), this.#source) }];
    const known = this.#isBroken;
    this.#isBroken = true;
    return known ? [] : [{ type: 'problem', problem: { kind: 'collection', message: 'The build failed.' } }];
  }

  #listed({ tests, others }: Record<string, unknown>): TestEvent[] {
    this.#isListed = true;
    // Our own program wrote it.
    const listed = (Array.isArray(tests) ? tests : []) as ListedTest[];
    this.#tests = new Map(listed.map((test) => [test.number, test]));
    const left = Array.isArray(others) ? others.map(String) : [];
    const names = listed.flatMap((test) => test.cases ?? [test.gtest ?? test.name]);
    return [
      ...names.map((name) => ({ type: 'collected' as const, id: name, test: this.#ref(name) })),
      ...(left.length === 0 ? [] : [{ type: 'deselected' as const, count: left.length }]),
      ...(names.length === 0 ? [{ type: 'available' as const, names: left }] : []),
    ];
  }

  #compilerLine(line: string): TestEvent[] {
    const [, file = '', at, message = ''] = /^(\S.*?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$/.exec(line) ?? [];
    if (file === '') return [];
    this.#isBroken = true;
    const problem = { kind: 'collection' as const, file: resolve(this.#source, file), line: Number(at), message };
    return [{ type: 'problem', problem }];
  }

  /** Only for what is under way: results come from the reports. */
  #testLine(line: string): TestEvent[] {
    const number = /^\s+Start\s+(\d+): /.exec(line)?.[1];
    const test = number === undefined ? undefined : this.#tests.get(Number(number));
    if (test !== undefined)
      return (test.cases ?? [test.gtest ?? test.name]).map((id) => ({ type: 'started', id, test: this.#ref(id) }));
    const ended = /^\s*\d+\/\d+ Test\s+#(\d+): .*?\s(Passed|\*\*\*Failed)\s+[\d.]+ sec$/.exec(line);
    const over = ended === null ? undefined : this.#tests.get(Number(ended[1]));
    if (over === undefined || over.cases !== undefined) return [];
    const id = over.gtest ?? over.name;
    const status = ended?.[2] === 'Passed' ? 'passed' : 'failed';
    return [{ type: 'ended', id, test: this.#ref(id), status }];
  }

  async #reports(): Promise<TestEvent[]> {
    const googleCases = await this.#googleCases();
    const report = join(this.#scratch, 'ctest.xml');
    if (!existsSync(report)) return [...googleCases.values()].map((each) => this.#googleEnd(each));
    let cases: readonly JunitCase[];
    try {
      cases = readJunitXml(await readFile(report, 'utf8'), 'the report of CTest').cases;
    } catch (error) {
      return [{ type: 'problem', problem: { kind: 'crash', message: errorMessage(error) } }];
    }
    const byName = new Map([...this.#tests.values()].map((test) => [test.name, test]));
    return cases.flatMap((each) => {
      const test = byName.get(each.name);
      return test === undefined ? [] : this.#testEnded(test, each, googleCases);
    });
  }

  #testEnded(test: ListedTest, report: JunitCase, google: ReadonlyMap<string, JunitCase>): TestEvent[] {
    const printed = report.stdout ?? '';
    if (test.cases !== undefined) return this.#programEnded(test, test.cases, report, google);
    const id = test.gtest ?? test.name;
    const own = test.gtest === undefined ? undefined : google.get(test.gtest);
    if (own !== undefined) return [this.#googleEnd(own)];
    if (report.message === 'Unable to find executable')
      return [{ type: 'lost', id, reason: 'collection', why: printed.trim() }];
    const isFailure = report.status === 'failed' || report.status === 'error';
    return [
      {
        type: 'ended',
        id,
        test: this.#ref(id),
        status: isFailure ? 'failed' : report.status === 'skipped' ? 'skipped' : 'passed',
        ...(report.durationMs === undefined ? {} : { durationMs: report.durationMs }),
        ...(isFailure ? { failures: [{ message: lastLines(printed) }] } : {}),
        ...(report.status === 'skipped' ? { reason: report.message ?? printed.trim() } : {}),
        ...(printed === '' ? {} : { output: printed }),
      },
    ];
  }

  /** A program of GoogleTest writes its report when it ends; one that dies has only what it printed. */
  #programEnded(
    { name }: ListedTest,
    ids: readonly string[],
    { stdout = '' }: JunitCase,
    google: ReadonlyMap<string, JunitCase>,
  ): TestEvent[] {
    const isWhole = ids.some((id) => google.has(id));
    if (isWhole || ids.length === 0)
      return ids.flatMap((id) => {
        const found = google.get(id);
        return found === undefined ? [] : [this.#googleEnd(found)];
      });
    const passed = new Set([...stdout.matchAll(/^\[ {7}OK \] (\S+)/gm)].map(([, id = '']) => id));
    const failed = new Set([...stdout.matchAll(/^\[ {2}FAILED {2}\] (\S+) \(/gm)].map(([, id = '']) => id));
    const running = [...stdout.matchAll(/^\[ RUN {6}\] (\S+)/gm)].at(-1)?.[1];
    const where = running === undefined || passed.has(running) || failed.has(running) ? '' : ` while ${running} ran`;
    const message = `The program of ${name} died${where}.`;
    return [
      { type: 'problem', problem: { kind: 'crash', message, output: lastLines(stdout) } },
      ...ids.map((id): TestEvent => {
        const test = this.#ref(id);
        if (passed.has(id)) return { type: 'ended', id, test, status: 'passed' };
        if (failed.has(id)) return { type: 'ended', id, test, status: 'failed', failures: [{ message: 'It failed.' }] };
        return { type: 'lost', id, reason: 'crash', why: message };
      }),
    ];
  }

  #googleEnd(report: JunitCase): TestEvent {
    const id = googleName(report);
    const isFailure = report.status === 'failed' || report.status === 'error';
    const { file, line } = report;
    return {
      type: 'ended',
      id,
      test: { ...this.#ref(id), ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) },
      status: isFailure ? 'failed' : report.status === 'skipped' ? 'skipped' : 'passed',
      ...(report.durationMs === undefined ? {} : { durationMs: report.durationMs }),
      ...(isFailure ? { failures: [googleFailure(report.text ?? report.message ?? '')] } : {}),
      ...(report.status === 'skipped' ? { reason: skipReason(report) } : {}),
    };
  }

  async #googleCases(): Promise<Map<string, JunitCase>> {
    const folder = join(this.#scratch, 'googletest');
    const found = new Map<string, JunitCase>();
    if (!existsSync(folder)) return found;
    for (const name of readdirSync(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      // One that was being written when everything ended is none.
      try {
        for (const each of readJunitXml(text, basename(name)).cases) found.set(googleName(each), each);
      } catch {
        continue;
      }
    }
    return found;
  }

  #unbuilt(): TestEvent[] {
    return this.#written.flatMap(({ suite, name }) => {
      const id = `${suite}.${name}`;
      return [
        { type: 'collected', id, test: this.#ref(id) },
        { type: 'lost', id, reason: 'collection', why: 'it does not compile' },
      ];
    });
  }

  /** `Instance/Suite.Name/0` is the written `Suite.Name`. */
  #ref(id: string): TestRef {
    const [, suite = '', name = ''] = /^([^.\s]+)\.([^.\s]+)$/.exec(id) ?? [];
    const bare = (part: string) => part.split('/');
    const written = this.#written.find(
      (each) => bare(suite).includes(each.suite) && bare(name)[0] === each.name && name !== '',
    );
    if (written === undefined && suite === '') return { suite: [], name: id };
    return {
      suite: [suite],
      name,
      ...(written === undefined ? {} : { file: written.file, line: written.line }),
    };
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

function googleName({ className = '', name }: JunitCase): string {
  return `${className}.${name}`;
}

function skipReason({ text, message = '', name }: JunitCase): string {
  if (name.startsWith('DISABLED_')) return 'disabled';
  return (text ?? message).replace(/^\S+:\d+\n/, '').trim();
}

/** `file:5\nExpected equality of these values:\n  f(9)\n    Which is: 3\n  4`. */
function googleFailure(text: string): ReportedFailure {
  const [, file, line, rest = text] = /^(\/.*?):(\d+)\n([\s\S]*)$/.exec(text) ?? [];
  const message = rest.replace(/^unknown file\n/, '');
  return { message, ...(file === undefined ? {} : { frames: [{ file, line: Number(line) }] }) };
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-12).join('\n') || 'It failed without a word.';
}

function configureProblem(
  text: string,
  source: string,
): { kind: 'configuration'; message: string; file?: string; line?: number } {
  const [, file, line, message] = /^CMake Error(?: at (.*?):(\d+))?[^\n]*\n((?:[ \t]+.*\n?|\n)*)/m.exec(text) ?? [];
  return {
    kind: 'configuration',
    message: (message ?? text).trim().replaceAll(/\s+/g, ' ').slice(0, 600) || 'CMake could not configure the project.',
    ...(file === undefined ? {} : { file: resolve(source, file), line: Number(line) }),
  };
}
