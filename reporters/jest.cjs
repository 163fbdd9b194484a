'use strict';
// Tells a jest run as events.
const { emit, failureOf, plain } = require('./events.cjs');

module.exports = class EventReporter {
  #ended = new Map();
  #counts = new Map();
  #leftOutNames = [];
  #hasChosen = false;
  #configuration;
  #version;

  constructor(configuration) {
    this.#configuration = configuration;
    try {
      this.#version = require(
        require.resolve('jest/package.json', { paths: [process.cwd(), process.argv[1]] }),
      ).version;
    } catch {
      this.#version = undefined;
    }
  }

  onRunStart(results) {
    emit({ type: 'runner', runner: 'jest', version: this.#version });
    emit({ type: 'fileCount', count: results.numTotalTestSuites });
  }

  onTestFileStart({ path }) {
    emit({ type: 'fileStarted', file: path });
  }

  onTestCaseStart({ path }, info) {
    const test = refOf(path, info);
    emit({ type: 'started', id: this.#idOf('start', test), test });
  }

  onTestCaseResult({ path }, result) {
    this.#tell(path, result);
    const told = this.#ended.get(path) ?? new Map();
    told.set(keyOf(result), (told.get(keyOf(result)) ?? 0) + 1);
    this.#ended.set(path, told);
  }

  /** Tests that no event told of (other runners than circus, skipped ones) are told when their file has ended. */
  onTestFileResult({ path }, result) {
    const told = this.#ended.get(path) ?? new Map();
    for (const each of result.testResults) {
      const left = told.get(keyOf(each)) ?? 0;
      if (left > 0) told.set(keyOf(each), left - 1);
      else this.#tell(path, each);
    }
    this.#ended.delete(path);
    if (result.testExecError) emit({ type: 'problem', problem: problemOf(path, result) });
    emit({ type: 'fileEnded', file: path, durationMs: (result.perfStats?.end ?? 0) - (result.perfStats?.start ?? 0) });
  }

  /** Before jest 25 the two had these names; later ones ask for the new names first. */
  onTestStart(test) {
    this.onTestFileStart(test);
  }

  onTestResult(test, result) {
    this.onTestFileResult(test, result);
  }

  onRunComplete(_contexts, results) {
    if (results.runExecError)
      emit({ type: 'problem', problem: { kind: 'unhandled', message: plain(results.runExecError.message) } });
    if (!this.#hasChosen && this.#leftOutNames.length > 0)
      emit({ type: 'available', names: this.#leftOutNames.slice(0, 5000) });
    emit({ type: 'over', ...(results.wasInterrupted ? { why: 'interrupted (bail, or a signal)' } : {}) });
  }

  #tell(path, result) {
    const test = refOf(path, result);
    // With -t, jest calls all other tests of its files pending.
    if (result.status === 'pending' && !this.#isChosen(test)) {
      this.#leftOutNames.push([...test.suite, test.name].join(' > '));
      emit({ type: 'deselected', count: 1 });
      return;
    }
    this.#hasChosen = true;
    const status = { passed: 'passed', failed: 'failed' }[result.status] ?? 'skipped';
    emit({
      type: 'ended',
      id: this.#idOf('end', test),
      test,
      status,
      durationMs: result.duration ?? undefined,
      ...(status === 'failed' ? { failures: failuresOf(result) } : {}),
      ...(result.status === 'todo' ? { reason: 'todo' } : {}),
      ...(result.invocations > 1 ? { retries: result.invocations - 1 } : {}),
    });
  }

  #isChosen({ suite, name }) {
    const pattern = this.#configuration?.testNamePattern;
    return !pattern || new RegExp(pattern, 'i').test([...suite, name].join(' '));
  }

  /** Two tests of one name in a file are two. */
  #idOf(kind, { file, suite, name }) {
    const key = JSON.stringify([file, suite, name]);
    const count = (this.#counts.get(kind + key) ?? 0) + 1;
    this.#counts.set(kind + key, count);
    return `${key}#${count}`;
  }
};

function refOf(file, { ancestorTitles = [], title, location }) {
  return { suite: ancestorTitles, name: title, file, ...(location ? { line: location.line } : {}) };
}

function keyOf({ ancestorTitles = [], title }) {
  return JSON.stringify([ancestorTitles, title]);
}

/** Messages are texts with the stack below; details, where jest keeps them, have both sides of the assertion. */
function failuresOf({ failureMessages = [], failureDetails = [] }) {
  return failureMessages.map((text, index) => {
    const message = plain(text);
    const detail = failureDetails[index];
    const at = message.search(/\n\s+at /);
    const { matcherResult } = detail ?? {};
    const error = matcherResult ?? (detail && 'expected' in detail && 'actual' in detail ? detail : undefined);
    const sides = error === undefined ? {} : failureOf({ ...error, message: '', stack: undefined });
    const [, type, rest] =
      /^(?:([\w$.]*(?:Error|Exception)[\w$.]*)(?: \[\w+\])?: )?([^]*)$/.exec(
        at === -1 ? message : message.slice(0, at),
      ) ?? [];
    return {
      ...(type === undefined ? {} : { type }),
      message: (rest ?? message).trim().slice(0, 8000),
      ...('expected' in sides && matcherResult?.pass !== true
        ? { expected: sides.expected, actual: sides.actual }
        : {}),
      ...(at === -1 ? {} : { stack: message.slice(at + 1, at + 8000) }),
    };
  });
}

function problemOf(file, { testExecError, failureMessage }) {
  const message = plain(failureMessage ?? testExecError.message ?? String(testExecError));
  const isCrash = /jest worker process .*(was terminated|crashed)|SIGSEGV|SIGKILL|exitCode/i.test(message);
  // The bullet line only says that the suite failed.
  const told = message.replace(/^\s*●.*\n+/, '').replace(/^\s*\n/, '');
  const at = told.search(/\n\s+at |\n\s*>?\s*\d+ \|/);
  return {
    kind: isCrash ? 'crash' : 'collection',
    file,
    message: (at === -1 ? told : told.slice(0, at)).trim().slice(0, 4000),
    ...(at === -1 ? {} : { stack: told.slice(at, at + 4000) }),
  };
}
