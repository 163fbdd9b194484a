import { FailureReader } from './failures.ts';
import type { NotRun, RunCounts, RunProblem, TestEvent, TestRef, TestResult } from './model.ts';

interface OpenTest {
  test: TestRef;
  startedAt?: number;
  result?: TestResult;
  /** Why it will have none. */
  lost?: Pick<NotRun, 'reason' | 'why'>;
}

/** How the runner's process ended, for what the events leave open. */
interface RunEnd {
  stopped: boolean;
  code: number | null;
  signal: string | null;
}

/** All that a run has told so far. Nothing that was to be run is ever lost from it: what has no result is counted as not run. */
export class RunLog {
  readonly #failures: FailureReader;
  readonly #tests = new Map<string, OpenTest>();
  readonly #files = new Set<string>();
  readonly #filesStarted = new Set<string>();
  readonly #filesEnded = new Set<string>();
  readonly problems: RunProblem[] = [];
  available: readonly string[] | undefined;
  runner: string | undefined;
  runnerVersion: string | undefined;
  isOver = false;
  #why: string | undefined;
  #expected = 0;
  #fileCount = 0;
  #deselected = 0;

  constructor(root: string, cwd: string) {
    this.#failures = new FailureReader(root, cwd);
  }

  // eslint-disable-next-line complexity -- one case for each event
  apply(event: TestEvent): void {
    switch (event.type) {
      case 'runner':
        this.runner = event.runner;
        this.runnerVersion = event.version;
        return;
      case 'collected':
        this.#entry(event.id, event.test);
        return;
      case 'expected':
        this.#expected = event.count;
        return;
      case 'files':
        for (const file of event.files) this.#files.add(file);
        return;
      case 'fileCount':
        this.#fileCount = event.count;
        return;
      case 'fileStarted':
        this.#filesStarted.add(event.file);
        return;
      case 'fileEnded':
        this.#filesEnded.add(event.file);
        return;
      case 'started':
        this.#entry(event.id, event.test).startedAt ??= Date.now();
        return;
      case 'ended':
        this.#end(event);
        return;
      case 'dropped':
        this.#tests.delete(event.id);
        return;
      case 'lost':
        this.#lose(event);
        return;
      case 'problem':
        this.problems.push(this.#failures.problem(event.problem));
        return;
      case 'deselected':
        this.#deselected += event.count;
        return;
      case 'available':
        this.available = event.names;
        return;
      case 'over':
        this.isOver = true;
        this.#why = event.why;
        return;
    }
  }

  get results(): TestResult[] {
    return [...this.#tests.values()].flatMap(({ result }) => (result === undefined ? [] : [result]));
  }

  get counts(): RunCounts {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const { result } of this.#tests.values()) if (result !== undefined) count[result.status]++;
    const ended = count.passed + count.failed + count.skipped;
    const expected = Math.max(this.#tests.size, this.#expected);
    return {
      expected,
      ran: count.passed + count.failed,
      ...count,
      notRun: expected - ended,
      ...(this.#deselected === 0 ? {} : { deselected: this.#deselected }),
    };
  }

  /** Tests that have started and not ended. */
  get running(): (TestRef & { forMs: number })[] {
    const now = Date.now();
    return [...this.#tests.values()].flatMap(({ test, startedAt, result }) =>
      startedAt === undefined || result !== undefined ? [] : [{ ...test, forMs: now - startedAt }],
    );
  }

  /** Files that were begun and have told no test yet. */
  get loading(): string[] {
    const known = this.#knownFiles();
    return [...this.#filesStarted].filter((file) => !this.#filesEnded.has(file) && !known.has(file));
  }

  /** What was to be run and has no result, with why; for a run that has ended. */
  notRun(end: RunEnd): NotRun[] {
    const groups = new Map<string, NotRun & { tests: TestRef[] }>();
    const add = (reason: NotRun['reason'], why: string, tests: readonly TestRef[], files: readonly string[] = []) => {
      const key = `${reason} ${why}`;
      const group = groups.get(key) ?? { reason, why, tests: [], count: 0 };
      group.tests.push(...tests);
      group.count += tests.length;
      if (files.length > 0) group.files = [...(group.files ?? []), ...files];
      groups.set(key, group);
    };
    const known = this.#knownFiles();
    for (const { kind, file, message } of this.problems) {
      const isFile = file !== undefined && !known.has(file);
      if (kind === 'collection' || (kind === 'crash' && isFile))
        add(kind, firstLines(message), [], file === undefined ? [] : [file]);
    }
    for (const { test, startedAt, result, lost } of this.#tests.values())
      if (result === undefined) {
        const { reason, why } = lost ?? this.#whyNot(test, startedAt !== undefined, end);
        add(reason, why, [test]);
      }
    const unloaded = this.#unloaded();
    if (unloaded.count > 0) {
      const { reason, why } = this.#whyNot({ suite: [], name: '' }, false, end);
      add(reason, why, [], unloaded.files);
    }
    const unnamed = this.#expected - this.#tests.size;
    if (unnamed > 0) {
      const { reason, why } = this.#whyNot({ suite: [], name: '' }, false, end);
      add(reason, why, []);
      const group = groups.get(`${reason} ${why}`);
      if (group !== undefined) group.count += unnamed;
    }
    return [...groups.values()];
  }

  #entry(id: string, test: TestRef): OpenTest {
    const known = this.#tests.get(id);
    if (known === undefined) {
      const entry: OpenTest = { test };
      this.#tests.set(id, entry);
      return entry;
    }
    // Later words know more: suites and lines are often told only at the end.
    known.test = { ...known.test, ...test };
    return known;
  }

  #end({ id, test, status, failures, type: _type, ...more }: TestEvent & { type: 'ended' }): void {
    const entry = this.#entry(id, test);
    entry.result = {
      ...entry.test,
      ...more,
      status,
      ...(failures === undefined ? {} : { failures: failures.map((each) => this.#failures.failure(each)) }),
    };
    if (status === 'failed' && entry.result.line === undefined)
      entry.result = { ...entry.result, ...this.#failures.writtenAt(entry.result) };
  }

  #lose({ id, reason, why }: TestEvent & { type: 'lost' }): void {
    const entry = this.#tests.get(id);
    if (entry !== undefined) entry.lost = { reason, why };
  }

  #knownFiles(): Set<string> {
    return new Set([...this.#tests.values()].flatMap(({ test }) => test.file ?? []));
  }

  #unloaded(): { count: number; files: string[] } {
    const known = this.#knownFiles();
    const broken = new Set(this.problems.flatMap(({ file }) => file ?? []));
    const isMissing = (file: string) => !this.#filesEnded.has(file) && !known.has(file) && !broken.has(file);
    const files = [...this.#files, ...this.#filesStarted].filter(isMissing);
    const unnamed = this.#fileCount - this.#filesEnded.size - files.length;
    return { count: files.length + Math.max(unnamed, 0), files: [...new Set(files)] };
  }

  #whyNot(test: TestRef, hasStarted: boolean, end: RunEnd): Pick<NotRun, 'reason' | 'why'> {
    const during = hasStarted ? ' while it ran' : '';
    if (end.stopped) return { reason: 'stopped', why: `the run was stopped${during}` };
    const problem = this.#problemOf(test);
    if (problem !== undefined)
      return { reason: problem.kind === 'hook' ? 'hook' : 'crash', why: firstLines(problem.message) };
    if (!this.isOver) {
      const how =
        end.signal === null ? `the runner ended with code ${end.code}` : `the runner was ended by ${end.signal}`;
      return { reason: end.signal === null ? 'crash' : 'killed', why: `${how}${during}` };
    }
    if (this.#why !== undefined) return { reason: 'stopped', why: this.#why };
    return { reason: 'unknown', why: 'the runner ended without a result for it' };
  }

  /** What kept a test from being run: something in its own file, else a worker that died before the file was done. */
  #problemOf({ file }: TestRef): RunProblem | undefined {
    const stopping = this.problems.filter(({ kind }) => kind === 'hook' || kind === 'crash');
    const own = file === undefined ? undefined : stopping.find((problem) => problem.file === file);
    if (own !== undefined) return own;
    const isDone = file !== undefined && this.#filesEnded.has(file);
    return stopping.find((problem) => problem.file === undefined && (problem.kind === 'hook' || !isDone));
  }
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 3).join(' ').slice(0, 300);
}
