import { constants } from 'node:os';
import { join, relative } from 'node:path';
import type { EventReader, TestEvent, TestRef } from '../../tests/model.ts';
import { compilerProblem, testArtifact, type TestArtifact } from './cargoMessages.ts';
import { libtestLine } from './libtestLines.ts';
import { rustFailure } from './rustFailure.ts';
import { findTest, type RustFunction } from './rustSource.ts';

/** Before a line of ours in what `cargo test` prints. */
export const mark = '@sightline@';

/** One process of tests: a binary, or rustdoc with the examples of a crate. */
interface Section {
  /** Undefined of rustdoc. */
  artifact?: TestArtifact;
  phase: 'list' | 'run';
  isPlain?: true;
  names: Set<string>;
  open: Set<string>;
  failed: string[];
  details: Map<string, string[]>;
  reading?: string;
}

/** Reads `cargo test`: Cargo's messages, then for each binary its list of tests and what libtest says of them. */
export class CargoEvents implements EventReader {
  readonly #root: string;
  readonly #source: readonly RustFunction[];
  readonly #artifacts = new Map<string, TestArtifact>();
  #section: Section | undefined;
  #tests = 0;
  #hasBegun = false;
  #isBuilt = false;
  #isBroken = false;

  /** `root` is where Cargo runs the compiler, the workspace's; `source` what is written and to be run, for when nothing can be built. */
  constructor(root: string, source: readonly RustFunction[]) {
    this.#root = root;
    this.#source = source;
  }

  line(text: string): TestEvent[] {
    const begin: TestEvent[] = this.#hasBegun ? [] : [{ type: 'runner', runner: 'cargo test' }];
    this.#hasBegun = true;
    if (text.startsWith('{"reason":')) return [...begin, ...this.#message(text)];
    const [, word, value = ''] = new RegExp(`^${mark} (binary|plain|run|end) ?(.*)$`).exec(text) ?? [];
    if (word === 'binary') this.#section = section(this.#artifacts.get(value) ?? { executable: value });
    else if (word === 'plain') return [...begin, ...this.#plain(value)];
    else if (word === 'run' && this.#section !== undefined) this.#section.phase = 'run';
    else if (word === 'end') return this.#close(Number(value));
    else return [...begin, ...this.#output(text)];
    return begin;
  }

  async end(exit: { code: number | null; signal: string | null }): Promise<TestEvent[]> {
    const open = this.#section?.artifact === undefined ? this.#close(0) : [];
    if (exit.signal !== null) return open;
    // 101: tests failed, or what the compiler said. Before any of that, Cargo itself could not go on.
    if (this.#isBuilt) return [...open, { type: 'over' }];
    return this.#isBroken ? [...open, ...unbuilt(this.#source), { type: 'over' }] : open;
  }

  /** A target with a `main` of its own: all that is known of it is how it ends. */
  #plain(executable: string): TestEvent[] {
    const of = section(this.#artifacts.get(executable) ?? { executable });
    this.#section = { ...of, phase: 'run', isPlain: true };
    this.#tests++;
    const one = { id: idOf(of, 'main'), test: this.#ref(of, 'main') };
    return [
      { type: 'collected', ...one },
      { type: 'started', ...one },
    ];
  }

  #message(text: string): TestEvent[] {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return [];
    }
    const artifact = testArtifact(message);
    if (artifact !== undefined) this.#artifacts.set(artifact.executable, artifact);
    if (text.startsWith('{"reason":"build-finished"')) this.#isBuilt = text.includes('"success":true');
    const problem = compilerProblem(message, this.#root);
    if (problem === undefined) return [];
    this.#isBroken = true;
    return [{ type: 'problem', problem }];
  }

  #output(text: string): TestEvent[] {
    const of = this.#section;
    if (of?.phase === 'list') {
      const name = /^(.*): test$/.exec(text)?.[1];
      if (name === undefined) return [];
      of.names.add(name);
      of.open.add(name);
      this.#tests++;
      return [{ type: 'collected', id: idOf(of, name), test: this.#ref(of, name) }];
    }
    return this.#result(text);
  }

  #result(text: string): TestEvent[] {
    const isDoc = this.#section?.artifact === undefined;
    const of = (this.#section ??= section(undefined));
    const found = libtestLine(text, (name) => isDoc || of.names.has(name));
    if (found.kind === 'count' && isDoc) return [{ type: 'expected', count: this.#tests + found.count }];
    if (found.kind === 'slow') return [{ type: 'started', id: idOf(of, found.name), test: this.#ref(of, found.name) }];
    if (found.kind === 'details') of.details.set((of.reading = found.name), []);
    else if (found.kind === 'failures' || found.kind === 'summary') {
      of.reading = undefined;
      if (found.kind === 'summary' || of.details.size > 0) return this.#failures(of, found.kind === 'summary');
    } else if (of.reading !== undefined) of.details.get(of.reading)?.push(text);
    else if (found.kind === 'verdict') {
      if (isDoc) this.#tests++;
      of.open.delete(found.name);
      if (found.status === 'failed') of.failed.push(found.name);
      return [this.#ended(of, found.name, found.status, found.reason)];
    }
    return [];
  }

  /** The words of failures come after all results: each is told again with them. */
  #failures(of: Section, isLast: boolean): TestEvent[] {
    const events = of.failed.map((name) => this.#ended(of, name, 'failed', undefined));
    of.failed = [];
    if (isLast && of.artifact === undefined) this.#section = undefined;
    return events;
  }

  #ended(of: Section, name: string, status: 'passed' | 'failed' | 'skipped', reason: string | undefined): TestEvent {
    const captured = of.details.get(name)?.join('\n') ?? '';
    const printed = captured.split(/^thread '.*' (?:\(\d+\) )?panicked at/m, 1)[0]?.trim() ?? '';
    const isFailure = status === 'failed';
    return {
      type: 'ended',
      id: idOf(of, name),
      test: this.#ref(of, name),
      status,
      ...(isFailure ? { failures: [rustFailure(captured)] } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(isFailure && printed !== '' && printed !== captured.trim() ? { output: printed } : {}),
    };
  }

  #close(code: number): TestEvent[] {
    const of = this.#section;
    this.#section = undefined;
    if (of === undefined) return [];
    if (of.isPlain === true) return [this.#ended(of, 'main', code === 0 ? 'passed' : 'failed', undefined)];
    const told = this.#failures(of, false);
    if (of.open.size === 0 || of.artifact === undefined) return told;
    const { srcPath, executable } = of.artifact;
    const shown = srcPath === undefined ? executable : relative(this.#root, srcPath);
    const how = code > 128 ? `was ended by ${signalName(code - 128)}` : `ended with code ${code}`;
    const message = `The process with the tests of ${shown} ${how} before all had a result.`;
    return [
      ...told,
      { type: 'problem', problem: { kind: 'crash', message, ...(srcPath === undefined ? {} : { file: srcPath }) } },
      ...[...of.open].map((name) => ({
        type: 'lost' as const,
        id: idOf(of, name),
        reason: 'crash' as const,
        why: message,
      })),
    ];
  }

  #ref(of: Section, name: string): TestRef {
    if (of.artifact === undefined) {
      // `src/lib.rs - module::add (line 5)`, relative to the package.
      const [, file = '', item = '', line] = /^(\S+) - (?:(.*) )?\(line (\d+)\)$/.exec(name) ?? [];
      if (file === '') return { suite: ['doc'], name };
      return {
        suite: ['doc'],
        name: `${item} (line ${line})`.trim(),
        file: join(this.#root, file),
        line: Number(line),
      };
    }
    const path = name.split('::');
    const { srcPath } = of.artifact;
    return {
      suite: path.slice(0, -1),
      name: path.at(-1) ?? name,
      ...(srcPath === undefined ? {} : findTest(srcPath, path)),
    };
  }
}

/** What is written and cannot be run: it does not compile. */
export function unbuilt(source: readonly RustFunction[]): TestEvent[] {
  return source.flatMap(({ path, file, line }): TestEvent[] => {
    const id = `${file} ${path.join('::')}`;
    const test = { suite: path.slice(0, -1), name: path.at(-1) ?? '', file, line };
    return [
      { type: 'collected', id, test },
      { type: 'lost', id, reason: 'collection', why: 'it does not compile' },
    ];
  });
}

function section(artifact: TestArtifact | undefined): Section {
  return {
    ...(artifact === undefined ? {} : { artifact }),
    phase: artifact === undefined ? 'run' : 'list',
    names: new Set(),
    open: new Set(),
    failed: [],
    details: new Map(),
  };
}

function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}

function idOf(of: Section, name: string): string {
  return `${of.artifact?.executable ?? 'doc'} ${name}`;
}
