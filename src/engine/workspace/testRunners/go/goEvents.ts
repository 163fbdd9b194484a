import { join, resolve } from 'node:path';
import type { EventReader, NotRunReason, ReportedFailure, TestEvent, TestRef } from '../../tests/model.ts';
import { goEvent, type GoEvent } from './goEvent.ts';
import { goFailure, goPanic, sortedOutput, testOutput } from './goFailure.ts';
import type { GoFunction } from './goSource.ts';

/** What is to be run, as far as the source tells. */
interface GoExpectation {
  /** The folder with go.mod, where `go test` runs. */
  folder: string;
  modulePath: string;
  functions: readonly GoFunction[];
  /** Names of every function there is, for when none was chosen. */
  available: readonly string[];
}

interface OpenPackage {
  output: string[];
  running: Map<string, string[]>;
  /** Top-level functions that were begun. */
  seen: Set<string>;
  failed: Set<string>;
  /** What ended its process in the middle. */
  panic?: string;
  failedBuild?: string;
}

/** Reads `go test -json`. */
export class GoEvents implements EventReader {
  readonly #expected: GoExpectation;
  readonly #packages = new Map<string, OpenPackage>();
  readonly #builds = new Map<string, string[]>();
  readonly #lines = new Map<string, GoFunction>();
  #isFirst = true;
  #count = 0;
  #plain: string[] = [];

  constructor(expected: GoExpectation) {
    this.#expected = expected;
    for (const each of expected.functions) this.#lines.set(`${this.#packageOf(each)} ${each.name}`, each);
  }

  line(text: string): TestEvent[] {
    const begin = this.#isFirst ? this.#collected() : [];
    this.#isFirst = false;
    const event = goEvent(text);
    if (event === undefined) {
      this.#plain.push(text);
      return begin;
    }
    return [...begin, ...this.#read(event)];
  }

  async end(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]> {
    const begin = this.#isFirst ? this.#collected() : [];
    const open = [...this.#packages.keys()];
    // Before Go 1.24 what the compiler said was plain text.
    const build = this.#plain.length === 0 ? [] : this.#buildProblems(this.#plain);
    if (exit.signal !== null) return [...begin, ...build];
    const ended = open.flatMap((name) => this.#packageEnded(name, true));
    const isEmpty = this.#count === 0 && this.#expected.functions.length === 0;
    const available: TestEvent[] = isEmpty ? [{ type: 'available', names: this.#expected.available }] : [];
    const understood = exit.code === 0 || exit.code === 1;
    return [...begin, ...build, ...ended, ...available, ...(understood ? [{ type: 'over' } as const] : [])];
  }

  #collected(): TestEvent[] {
    return [
      { type: 'runner', runner: 'go test' },
      ...this.#expected.functions.map((each) => ({
        type: 'collected' as const,
        id: idOf(this.#packageOf(each), each.name),
        test: { suite: [], name: each.name, file: each.file, line: each.line },
      })),
    ];
  }

  #read({ action, packageName, test, output, elapsed, importPath, failedBuild }: GoEvent): TestEvent[] {
    if (action === 'build-output') {
      const known = this.#builds.get(importPath) ?? [];
      this.#builds.set(importPath, [...known, output]);
      return [];
    }
    if (action === 'build-fail') return this.#buildProblems(this.#builds.get(importPath) ?? []);
    if (packageName === '') return [];
    const of = this.#package(packageName);
    if (action === 'output') {
      (of.running.get(test) ?? of.output).push(output);
      return [];
    }
    if (test === '') {
      if (failedBuild !== '') of.failedBuild = failedBuild;
      return action === 'pass' || action === 'fail' || action === 'skip'
        ? this.#packageEnded(packageName, action === 'fail')
        : [];
    }
    if (action === 'run') {
      this.#count++;
      of.running.set(test, []);
      of.seen.add(test.split('/', 1)[0] ?? test);
      return [{ type: 'started', id: idOf(packageName, test), test: this.#ref(packageName, test) }];
    }
    return isVerdict(action) ? [this.#testEnded(packageName, of, test, action, elapsed)] : [];
  }

  #testEnded(
    packageName: string,
    of: OpenPackage,
    test: string,
    action: 'pass' | 'fail' | 'skip',
    seconds: number,
  ): TestEvent {
    const output = testOutput(of.running.get(test) ?? []);
    of.running.delete(test);
    const reason = /^\s+\S+\.go:\d+: ([\s\S]*)/.exec(output)?.[1]?.trim();
    const failure = action === 'fail' ? this.#failure(packageName, of, test, output) : undefined;
    const isSaid = failure === undefined || failure.type !== undefined || failure.actual !== undefined;
    const printed = action === 'pass' ? output.trim() : isSaid && action === 'fail' ? '' : sortedOutput(output).printed;
    return {
      type: 'ended',
      id: idOf(packageName, test),
      test: this.#ref(packageName, test),
      status: action === 'pass' ? 'passed' : action === 'fail' ? 'failed' : 'skipped',
      durationMs: Math.round(seconds * 1000),
      ...(failure === undefined ? {} : { failures: [failure] }),
      ...(action === 'skip' && reason !== undefined ? { reason } : {}),
      ...(printed === '' ? {} : { output: printed }),
    };
  }

  #failure(packageName: string, of: OpenPackage, test: string, output: string): ReportedFailure {
    const inner = [...of.failed].filter((each) => each.startsWith(`${test}/`)).length;
    of.failed.add(test);
    // A test fails when one inside it does, and then has nothing of its own to say.
    if (output.trim() === '' && inner > 0)
      return { type: 'subtests', message: `${inner} inside it failed.`, frames: [] };
    const failure = goFailure(output, this.#folderOf(packageName));
    if (failure.type === 'panic' || failure.type === 'timeout') of.panic ??= failure.message;
    return failure;
  }

  /** What a package was to run and did not: left out by a build constraint, or lost with the process. */
  #packageEnded(packageName: string, failed: boolean): TestEvent[] {
    const of = this.#package(packageName);
    this.#packages.delete(packageName);
    const unseen = this.#expected.functions.filter(
      (each) => this.#packageOf(each) === packageName && !of.seen.has(each.name),
    );
    const lost = [...of.running.keys()];
    const isBroken = of.failedBuild !== undefined || /\[(?:build|setup) failed\]/.test(of.output.join(''));
    const died = isBroken ? undefined : this.#death(of);
    if (!isBroken && (!failed || (died === undefined && of.panic === undefined)))
      return unseen.map((each) => ({ type: 'dropped', id: idOf(packageName, each.name) }));
    const shown = this.#shown(packageName);
    const message = firstLine(died?.message ?? of.panic ?? '');
    const why = isBroken ? `${shown} does not compile` : `${shown}: ${message}`;
    const reason: NotRunReason = isBroken ? 'collection' : 'crash';
    const ids = [...lost, ...unseen.map(({ name }) => name)].map((name) => idOf(packageName, name));
    return [
      ...(died === undefined ? [] : [{ type: 'problem', problem: { kind: 'crash', ...died } } as const]),
      ...ids.map((id) => ({ type: 'lost' as const, id, reason, why })),
    ];
  }

  /** How the process of a package ended while a test ran, or outside of any. */
  #death(of: OpenPackage): { message: string; file?: string; line?: number } | undefined {
    const [running] = of.running;
    const output = testOutput(running?.[1] ?? of.output);
    const panic = goPanic(output);
    if (running === undefined) return panic === undefined ? undefined : { message: panic.message };
    const frame = panic?.frames?.find(({ file }) => file.startsWith(this.#expected.folder));
    const message = panic?.message ?? `the process ended while ${running[0]} ran`;
    return { message, ...(frame === undefined ? {} : { file: frame.file, line: frame.line }) };
  }

  #buildProblems(chunks: readonly string[]): TestEvent[] {
    const problems: TestEvent[] = [];
    const places = chunks.join('').matchAll(/^(?!#)(\S.*?\.go):(\d+)(?::(\d+))?: (.*(?:\n[ \t].*)*)/gm);
    for (const [, file = '', line, , message = ''] of places)
      problems.push({
        type: 'problem',
        problem: {
          kind: 'collection',
          file: resolve(this.#expected.folder, file),
          line: Number(line),
          message: message.trim(),
        },
      });
    if (problems.length > 0) return problems;
    const message = chunks.join('').trim();
    return message === '' ? [] : [{ type: 'problem', problem: { kind: 'collection', message } }];
  }

  #package(name: string): OpenPackage {
    let found = this.#packages.get(name);
    if (found === undefined)
      this.#packages.set(name, (found = { output: [], running: new Map(), seen: new Set(), failed: new Set() }));
    return found;
  }

  #ref(packageName: string, test: string): TestRef {
    const [top = '', ...inner] = test.split('/');
    const source = this.#lines.get(`${packageName} ${top}`);
    const names = [top, ...inner];
    return {
      suite: names.slice(0, -1),
      name: names.at(-1) ?? test,
      ...(source === undefined ? {} : { file: source.file, line: source.line }),
    };
  }

  #packageOf({ file }: GoFunction): string {
    const inside = file
      .slice(this.#expected.folder.length + 1)
      .split('/')
      .slice(0, -1);
    return [this.#expected.modulePath, ...inside].join('/');
  }

  #folderOf(packageName: string): string {
    return join(this.#expected.folder, packageName.slice(this.#expected.modulePath.length));
  }

  #shown(packageName: string): string {
    const inside = packageName.slice(this.#expected.modulePath.length + 1);
    return inside === '' ? packageName : inside;
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function isVerdict(action: string): action is 'pass' | 'fail' | 'skip' {
  return action === 'pass' || action === 'fail' || action === 'skip';
}

function idOf(packageName: string, test: string): string {
  return `${packageName} ${test}`;
}
