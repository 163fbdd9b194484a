// Tells a vitest run as events. Methods of both forms of vitest's reporters are here: of 3 and later, and of those before.
import { createRequire } from 'node:module';

const { emit, lastOf, plain } = createRequire(import.meta.url)('./events.cjs');

export default class EventReporter {
  #context;
  #isNew = false;
  #output = new Map();
  #told = new Set();
  #leftOutNames = [];
  #hasChosen = false;

  onInit(context) {
    this.#context = context;
    emit({ type: 'runner', runner: 'vitest', version: context.version });
  }

  onTestRunStart(specifications) {
    this.#isNew = true;
    emit({ type: 'files', files: [...new Set(specifications.map(({ moduleId }) => moduleId))] });
  }

  onTestModuleQueued({ moduleId }) {
    emit({ type: 'fileStarted', file: moduleId });
  }

  onTestModuleCollected(module) {
    let leftOut = 0;
    for (const test of module.children.allTests()) {
      if (this.#isChosen(test.fullName)) {
        emit({ type: 'collected', id: test.id, test: refOf(test) });
        continue;
      }
      this.#leftOutNames.push(test.fullName);
      leftOut++;
    }
    if (leftOut > 0) emit({ type: 'deselected', count: leftOut });
  }

  onTestCaseReady(test) {
    if (this.#isChosen(test.fullName)) emit({ type: 'started', id: test.id, test: refOf(test) });
  }

  onTestCaseResult(test) {
    // What was skipped is told when its module ends: only then it shows whether a failed hook was the reason.
    if (test.result().state === 'passed' || test.result().state === 'failed') this.#result(test);
  }

  #result(test) {
    if (this.#told.has(test.id) || !this.#isChosen(test.fullName)) return;
    this.#ended(test.id, refOf(test), test.result(), test.diagnostic(), test.options.mode);
  }

  onTestModuleEnd(module) {
    for (const error of module.errors()) this.#problem(module.moduleId, error);
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) emitError('hook', module.moduleId, error, `in ${suite.fullName}: `);
    for (const test of module.children.allTests()) if (!isBelowFailedHook(test)) this.#result(test);
    emit({ type: 'fileEnded', file: module.moduleId, durationMs: module.diagnostic().duration });
  }

  onTestRunEnd(_modules, errors, reason) {
    for (const error of errors) this.#problem(undefined, error, 'unhandled');
    this.#tellNames();
    emit({ type: 'over', ...(reason === 'interrupted' ? { why: 'interrupted' } : {}) });
  }

  onUserConsoleLog({ taskId, content }) {
    if (taskId === undefined) return;
    this.#output.set(taskId, lastOf((this.#output.get(taskId) ?? '') + plain(content)));
  }

  // Before 3.
  onCollected(files = []) {
    if (this.#isNew) return;
    for (const test of files.flatMap(testsOf)) {
      if (this.#isChosen(oldNameOf(test))) emit({ type: 'collected', id: test.id, test: oldRefOf(test) });
    }
  }

  onTaskUpdate(packs) {
    if (this.#isNew) return;
    for (const [id, result] of packs) {
      const task = this.#context.state.idMap.get(id);
      if (task?.type !== 'test' && task?.type !== 'custom') continue;
      if (!this.#isChosen(oldNameOf(task))) continue;
      if (result?.state === 'run') emit({ type: 'started', id, test: oldRefOf(task) });
      else if (result?.state === 'pass' || result?.state === 'fail') this.#oldEnded(task);
    }
  }

  onFinished(files = [], errors = []) {
    if (this.#isNew) return;
    for (const file of files) {
      for (const error of file.result?.errors ?? []) emitError('collection', file.filepath, error);
      for (const suite of suitesOf(file))
        for (const error of suite.result?.errors ?? []) emitError('hook', file.filepath, error, `in ${suite.name}: `);
      const tests = testsOf(file);
      for (const test of tests) this.#oldEnded(test);
      // One that has no result although it was to be run: its worker died.
      if (tests.every((test) => test.result !== undefined || test.mode !== 'run' || isBelowFailedSuite(test)))
        emit({ type: 'fileEnded', file: file.filepath });
    }
    for (const error of errors) this.#problem(undefined, error, 'unhandled');
    this.#tellNames();
    emit({ type: 'over' });
  }

  #oldEnded(task) {
    if (this.#told.has(task.id) || !this.#isChosen(oldNameOf(task))) return;
    if (task.mode === 'run' && !['pass', 'fail', 'skip'].includes(task.result?.state)) return;
    if (isBelowFailedSuite(task)) return;
    const state = { pass: 'passed', fail: 'failed' }[task.result?.state] ?? 'skipped';
    this.#ended(
      task.id,
      oldRefOf(task),
      { state, errors: task.result?.errors, note: task.result?.note },
      { duration: task.result?.duration, retryCount: task.result?.retryCount },
      task.mode,
    );
  }

  /** What -t leaves out vitest calls skipped; for whoever chose it is not part of the run. */
  #isChosen(fullName) {
    const pattern = this.#context.config.testNamePattern;
    return pattern === undefined || pattern === null || new RegExp(pattern).test(fullName.replaceAll(' > ', ' '));
  }

  #tellNames() {
    if (!this.#hasChosen && this.#leftOutNames.length > 0)
      emit({ type: 'available', names: this.#leftOutNames.slice(0, 5000) });
  }

  #ended(id, test, result, diagnostic, mode) {
    this.#told.add(id);
    this.#hasChosen = true;
    const status = result.state === 'passed' || result.state === 'failed' ? result.state : 'skipped';
    const output = this.#output.get(id);
    emit({
      type: 'ended',
      id,
      test,
      status,
      durationMs: diagnostic?.duration,
      ...(status === 'failed' ? { failures: (result.errors ?? []).map(failureOf) } : {}),
      ...(status === 'skipped' ? { reason: result.note ?? (mode === 'todo' ? 'todo' : undefined) } : {}),
      ...(output === undefined ? {} : { output }),
      ...(diagnostic?.retryCount > 0 ? { retries: diagnostic.retryCount } : {}),
    });
    this.#output.delete(id);
  }

  #problem(file, error, kind = 'collection') {
    const isCrash = /vitest-pool|worker|terminated|exited unexpectedly/i.test(`${error.name} ${error.message}`);
    emitError(isCrash ? 'crash' : kind, file, error);
  }
}

function isBelowFailedHook(test) {
  if (test.options.mode === 'skip' || test.options.mode === 'todo') return false;
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent)
    if (parent.errors().length > 0) return true;
  return test.module.errors().length > 0 && test.result().state !== 'passed' && test.result().state !== 'failed';
}

function emitError(kind, file, error, before = '') {
  const { type, message, frames, stack } = failureOf(error);
  const named = type === undefined || type === 'Error' || message.startsWith(type) ? message : `${type}: ${message}`;
  const cause = typeof error.cause?.message === 'string' ? ` (${plain(error.cause.message)})` : '';
  emit({
    type: 'problem',
    problem: { kind, ...(file === undefined ? {} : { file }), message: before + named + cause, frames, stack },
  });
}

/** Errors come out of workers as plain objects whose frames vitest has mapped to the sources already. */
function failureOf(error) {
  const hasSides = error.expected !== undefined || error.actual !== undefined;
  return {
    type: error.name,
    message: plain(error.message ?? String(error)).slice(0, 8000),
    ...(hasSides ? { expected: sideOf(error.expected), actual: sideOf(error.actual) } : {}),
    ...(error.stacks?.length > 0
      ? {
          frames: error.stacks.map(({ file, line, column, method }) => ({
            file,
            line,
            column,
            function: method || undefined,
          })),
        }
      : { stack: plain(error.stack ?? error.stackStr ?? '').slice(0, 8000) }),
  };
}

function sideOf(value) {
  return (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? String(value))).slice(0, 4000);
}

function refOf(test) {
  const suite = [];
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) suite.unshift(parent.name);
  return {
    suite,
    name: test.name,
    file: test.module.moduleId,
    ...(test.location === undefined ? {} : { line: test.location.line }),
  };
}

function testsOf(task) {
  if (task.type === 'test' || task.type === 'custom') return [task];
  return (task.tasks ?? []).flatMap(testsOf);
}

function suitesOf(task) {
  return (task.tasks ?? []).filter(({ type }) => type === 'suite').flatMap((suite) => [suite, ...suitesOf(suite)]);
}

function isBelowFailedSuite(task) {
  if (task.result?.state === 'pass' || task.result?.state === 'fail') return false;
  for (let parent = task.suite; parent; parent = parent.suite) if (parent.result?.errors?.length > 0) return true;
  return false;
}

function oldNameOf(task) {
  const { suite, name } = oldRefOf(task);
  return [...suite, name].join(' > ');
}

function oldRefOf(task) {
  const suite = [];
  for (let parent = task.suite; parent && parent.filepath === undefined && parent.name !== ''; parent = parent.suite)
    suite.unshift(parent.name);
  return {
    suite,
    name: task.name,
    file: task.file?.filepath,
    ...(task.location === undefined ? {} : { line: task.location.line }),
  };
}
