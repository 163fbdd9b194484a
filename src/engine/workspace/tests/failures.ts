import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isInside, uriToPath } from '../../../base/paths.ts';
import { lineDiff } from './lineDiff.ts';
import { scriptTests } from '../testRunners/names.ts';
import type { ReportedFailure, RunProblem, TestFailure, TestFrame, TestRef } from './model.ts';

const maxFrames = 8;
/** Code of packages, of the language and of ours. */
const foreign =
  /[\\/](node_modules|site-packages|dist-packages|\.venv|venv|\.tox|\.nox)[\\/]|[\\/]lib[\\/]python\d|^node:|<frozen|^<|[\\/]_sightline_/;

/** Turns what reporters send into failures: frames of the user's own, the line that failed with its text, the difference. */
export class FailureReader {
  readonly #root: string;
  readonly #cwd: string;
  readonly #lines = new Map<string, readonly string[]>();

  constructor(root: string, cwd: string) {
    this.#root = root;
    this.#cwd = cwd;
  }

  failure(reported: ReportedFailure): TestFailure {
    const { stack: _stack, frames: _frames, ...rest } = reported;
    const frames = this.#userFrames(reported);
    const [first] = frames;
    const text = first === undefined ? undefined : this.#lineText(first);
    const { expected, actual } = reported;
    const diff =
      reported.diff ?? (expected === undefined || actual === undefined ? undefined : lineDiff(expected, actual));
    return {
      ...rest,
      message: reported.message.trim(),
      frames,
      ...(diff === undefined ? {} : { diff }),
      ...(first === undefined ? {} : { place: { ...first, ...(text === undefined ? {} : { text }) } }),
    };
  }

  problem({ stack, ...problem }: RunProblem & { stack?: string }): RunProblem {
    const frames = this.#userFrames({ ...(stack === undefined ? {} : { stack }), ...problem });
    const [first] = frames;
    const place = problem.line === undefined && first !== undefined && (problem.file ?? first.file) === first.file;
    return { ...problem, frames, ...(place ? { file: first.file, line: first.line } : {}) };
  }

  #userFrames({ frames, stack }: { frames?: readonly TestFrame[]; stack?: string }): TestFrame[] {
    const all = frames ?? (stack === undefined ? [] : stackFrames(stack));
    return all
      .filter(({ file }) => !/^(?:node:|internal\/|native )/.test(file))
      .map((frame) => ({ ...frame, file: isAbsolute(frame.file) ? frame.file : resolve(this.#cwd, frame.file) }))
      .filter(({ file }) => isInside(this.#root, file) && !foreign.test(file.slice(this.#root.length)))
      .slice(0, maxFrames);
  }

  /** The line of a test that its runner does not tell: where its name is written. */
  writtenAt({ file, suite, name }: TestRef): { line?: number } {
    if (file === undefined) return {};
    const tests = scriptTests(this.#linesOf(file).join('\n'));
    const named = tests.filter((test) => test.name === name && !test.isSuite);
    const found =
      named.find((test) => test.suite.join() === suite.join()) ?? (named.length === 1 ? named[0] : undefined);
    return found === undefined ? {} : { line: found.line };
  }

  #lineText({ file, line }: TestFrame): string | undefined {
    return this.#linesOf(file)[line - 1]?.trim();
  }

  #linesOf(file: string): readonly string[] {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      try {
        lines = readFileSync(file, 'utf8').split('\n');
      } catch {
        lines = [];
      }
      this.#lines.set(file, lines);
    }
    return lines;
  }
}

/** Names that the runner's own objects give to a call. */
const namesRunner = /<anonymous>|^(?:Object|Context|TestContext|Test|Suite\w*|Promise)\.|^to[A-Z]|\[as /;

/** Frames of a V8 stack: `at name (file:1:2)`, `at async file:///x.js:1:2`. */
function stackFrames(stack: string): TestFrame[] {
  return [
    ...stack.matchAll(/^\s+at (?:async )?(?:(.*?) \()?((?:file:\/\/)?[^\s()][^\n()]*?):(\d+):(\d+)\)?\s*$/gm),
  ].map(([, name, place = '', line, column]) => {
    const path = place.startsWith('file:') ? (uriToPath(place) ?? place) : place;
    const plain = name === undefined || namesRunner.test(name) ? undefined : name.replace(/^(?:new|async) /, '');
    return {
      // Loaders add what makes a module new again.
      file: path.replace(/\?.*$/, ''),
      line: Number(line),
      column: Number(column),
      ...(plain === undefined ? {} : { function: plain }),
    };
  });
}
