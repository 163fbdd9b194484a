'use strict';
// Tells a mocha run as events. The list of tests is whole when the run starts, except with --parallel.
const { emit, failureOf } = require('./events.cjs');

module.exports = class EventReporter {
  #retries = new Map();

  constructor(runner) {
    runner.once('start', () => {
      emit({ type: 'runner', runner: 'mocha', version: versionOf() });
      const leftOut = [];
      let chosen = 0;
      runner.suite.eachTest?.((test) => {
        if (runner._grep === undefined || runner._grep.test(test.fullTitle()) !== (runner._invert ?? false)) {
          chosen++;
          emitTest('collected', test);
        } else leftOut.push(test.titlePath().join(' > '));
      });
      if (leftOut.length > 0) emit({ type: 'deselected', count: leftOut.length });
      if (leftOut.length > 0 && chosen === 0) emit({ type: 'available', names: leftOut.slice(0, 5000) });
    });
    runner.on('test', (test) => emitTest('started', test));
    runner.on('retry', (test) => this.#retries.set(keyOf(test), (this.#retries.get(keyOf(test)) ?? 0) + 1));
    runner.on('pass', (test) => this.#end(test, 'passed'));
    runner.on('pending', (test) => this.#end(test, 'skipped'));
    runner.on('fail', (test, error) => {
      if (test.type === 'hook') emit({ type: 'problem', problem: hookProblem(test, error) });
      else this.#end(test, 'failed', error);
    });
    runner.once('end', () => emit({ type: 'over' }));
  }

  #end(test, status, error) {
    emitTest('ended', test, {
      status,
      durationMs: test.duration,
      ...(error === undefined ? {} : { failures: [error, ...(error.multiple ?? [])].map(failureOf) }),
      ...(this.#retries.has(keyOf(test)) ? { retries: this.#retries.get(keyOf(test)) } : {}),
    });
  }
};

function emitTest(type, test, more = {}) {
  const path = test.titlePath();
  emit({
    type,
    id: keyOf(test),
    test: { suite: path.slice(0, -1), name: path.at(-1), ...(test.file ? { file: test.file } : {}) },
    ...more,
  });
}

const seen = new WeakMap();
const counts = new Map();

/** Two tests of one name are two: the second gets a number. With --parallel each event brings an object of its own. */
function keyOf(test) {
  const original = test.retriedTest?.() ?? test;
  const known = seen.get(original);
  if (known !== undefined) return known;
  const name = JSON.stringify([test.file, test.titlePath()]);
  if (typeof test.fn !== 'function' && !test.pending && test.fn !== undefined) return name;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  const key = count === 1 || test.fn === undefined ? name : `${name}#${count}`;
  seen.set(original, key);
  return key;
}

function hookProblem(hook, error) {
  const { type, message, stack } = failureOf(error);
  return {
    kind: 'hook',
    ...(hook.file ? { file: hook.file } : {}),
    message: `${hook.fullTitle()}: ${type === undefined || type === 'Error' ? '' : `${type}: `}${message}`,
    stack,
  };
}

function versionOf() {
  try {
    return require(require.resolve('mocha/package.json', { paths: [process.cwd(), process.argv[1]] })).version;
  } catch {
    return undefined;
  }
}
