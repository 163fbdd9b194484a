import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import type { EventReader, ReportedFailure, TestEvent, TestRef } from '../../tests/model.ts';
import { unbuilt } from './cargoEvents.ts';
import { compilerProblem, testArtifact } from './cargoMessages.ts';
import { rustFailure } from './rustFailure.ts';
import { nextestSuites, nextestWord, type NextestWord } from './nextestMessages.ts';
import { findTest, ignoredBecause, type RustFunction } from './rustSource.ts';

/** Before a line of ours among what is told. */
export const mark = '@sightline@';

/** Reads `cargo nextest`: Cargo's messages, the list of tests, each test as it begins and ends, and at the end what nextest says of all. */
export class NextestEvents implements EventReader {
  readonly #root: string;
  readonly #results: string;
  readonly #source: readonly RustFunction[];
  readonly #isChosen: (name: string) => boolean;
  /** The file that each crate with tests begins with, by its binary. */
  readonly #sources = new Map<string, string>();
  /** Binaries, by what nextest calls them: a library and a program can have the same name. */
  readonly #binaries = new Map<string, { path: string; kind: string }[]>();
  readonly #tests = new Map<string, TestRef>();
  /** Tests that are ignored and have no result yet: where no other was chosen, nextest says nothing of them. */
  readonly #ignored = new Set<string>();
  readonly #codes = new Map<string, number>();
  #hasBegun = false;
  #isOver = false;
  #isBroken = false;

  /** `results` is the file that nextest writes; `source` what is written and to be run, for when nothing can be built. */
  constructor(root: string, results: string, source: readonly RustFunction[], isChosen: (name: string) => boolean) {
    this.#root = root;
    this.#results = results;
    this.#source = source;
    this.#isChosen = isChosen;
  }

  line(text: string): TestEvent[] {
    const begin: TestEvent[] = this.#hasBegun ? [] : [{ type: 'runner', runner: 'cargo nextest' }];
    this.#hasBegun = true;
    return [...begin, ...this.#line(text)];
  }

  async end(): Promise<TestEvent[]> {
    const text = await readFile(this.#results, 'utf8').catch(() => '');
    const events = [...this.#told(text)];
    for (const id of this.#isOver ? this.#ignored : []) {
      const test = this.#tests.get(id);
      if (test !== undefined) events.push(this.#ended(id, test, { type: 'test', event: 'ignored' }, 0));
    }
    if (this.#isBroken) events.push(...unbuilt(this.#source));
    return this.#isOver || this.#isBroken ? [...events, { type: 'over' }] : events;
  }

  #line(text: string): TestEvent[] {
    if (text.startsWith('{"reason":')) return this.#message(parsed(text));
    if (text.startsWith('{"rust-build-meta"')) return this.#listed(parsed(text));
    const [, word, code, binary = '', name = ''] = /^@sightline@ (\w+) (\d+)(?: (.*)\t(.*))?$/.exec(text) ?? [];
    if (word === 'over') this.#isOver = true;
    const id = `${binary} ${name}`;
    const test = this.#tests.get(id);
    if (test === undefined) return [];
    if (word === 'started') return [{ type: 'started', id, test }];
    if (word !== 'ended') return [];
    // A test of several attempts ends as often; the last is what counts.
    this.#codes.set(id, Number(code));
    return [{ type: 'ended', id, test, status: code === '0' ? 'passed' : 'failed' }];
  }

  #message(message: unknown): TestEvent[] {
    const artifact = testArtifact(message);
    if (artifact?.srcPath !== undefined) this.#sources.set(artifact.executable, artifact.srcPath);
    const problem = compilerProblem(message, this.#root);
    if (problem === undefined) return [];
    this.#isBroken = true;
    return [{ type: 'problem', problem }];
  }

  #listed(message: unknown): TestEvent[] {
    const events: TestEvent[] = [];
    let leftOut = 0;
    for (const { called, kind, binary, tests } of nextestSuites(message)) {
      this.#binaries.set(called, [...(this.#binaries.get(called) ?? []), { path: binary, kind }]);
      for (const { name, match } of tests) {
        // Of one that is ignored nextest does not say whether it would have been chosen.
        if (match !== 'chosen' && !(match === 'ignored' && this.#isChosen(name))) {
          leftOut++;
          continue;
        }
        const id = `${binary} ${name}`;
        const test = this.#ref(binary, name);
        this.#tests.set(id, test);
        if (match === 'ignored') this.#ignored.add(id);
        events.push({ type: 'collected', id, test });
      }
    }
    return leftOut === 0 ? events : [...events, { type: 'deselected', count: leftOut }];
  }

  *#told(text: string): Iterable<TestEvent> {
    let kind = '';
    for (const line of text.split('\n')) {
      const word = nextestWord(parsed(line));
      if (word === undefined) continue;
      const { type, event, name = '' } = word;
      if (type === 'suite' && event === 'started') kind = word.kind ?? '';
      if (type !== 'test' || event === 'started') continue;
      const [, called = '', own = '', attempt = '1'] = /^([^$]*)\$(.*?)(?:#(\d+))?$/.exec(name) ?? [];
      const ids = (this.#binaries.get(called) ?? [])
        .toSorted((a, b) => Number(b.kind === kind) - Number(a.kind === kind))
        .map(({ path }) => `${path} ${own}`);
      const id = ids.find((each) => this.#tests.has(each)) ?? '';
      const test = this.#tests.get(id);
      if (test !== undefined) yield this.#ended(id, test, word, Number(attempt) - 1);
    }
  }

  #ended(id: string, test: TestRef, word: NextestWord, retries: number): TestEvent {
    this.#ignored.delete(id);
    const { event, seconds, stdout = '', reason } = word;
    const status = event === 'ok' ? 'passed' : event === 'ignored' ? 'skipped' : 'failed';
    const printed = stdout.split(/^thread '.*' (?:\(\d+\) )?panicked at/m, 1)[0]?.trim() ?? '';
    const why = status === 'skipped' ? ignoredBecause(test) : undefined;
    return {
      type: 'ended',
      id,
      test,
      status,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
      ...(status === 'failed' ? { failures: [this.#failure(id, stdout, reason)] } : {}),
      ...(why === undefined ? {} : { reason: why }),
      ...(status === 'failed' && printed !== '' && printed !== stdout.trim() ? { output: printed } : {}),
      ...(retries > 0 ? { retries } : {}),
    };
  }

  #failure(id: string, stdout: string, reason: string | undefined): ReportedFailure {
    if (reason !== undefined) return { message: `${reason} (nextest ended it)`, frames: [] };
    const code = this.#codes.get(id) ?? 0;
    if (code <= 128 || /panicked at/.test(stdout)) return rustFailure(stdout);
    const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
    return { message: `Its process was ended by ${signal ?? `signal ${code - 128}`}.\n${stdout}`.trim(), frames: [] };
  }

  #ref(binary: string, name: string): TestRef {
    const path = name.split('::');
    const source = this.#sources.get(binary);
    return {
      suite: path.slice(0, -1),
      name: path.at(-1) ?? name,
      ...(source === undefined ? {} : findTest(source, path)),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
