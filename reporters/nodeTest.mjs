// Tells a run of Node's own test runner as events. Some of its messages come when they happen (enqueue, dequeue, complete), the others
// in the order in which the tests are written; names of suites are known from the latter.
import { createRequire } from 'node:module';

const { emit, failureOf, lastOf, plain } = createRequire(import.meta.url)('./events.cjs');

class Occurrences {
  #counts = new Map();
  next(kind, data) {
    const place = JSON.stringify([data.file, data.line, data.column, data.nesting, data.name]);
    const key = kind + place;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return `${place}#${count}`;
  }
}

const occurrences = new Occurrences();
const paths = new Map();
const suites = new Set();
const fileProblems = [];
const leftOut = new Map();
let chosen = 0;

export default async function* report(source) {
  emit({ type: 'runner', runner: 'node:test', version: process.version });
  for await (const { type, data } of source) {
    if (data === undefined) continue;
    if (type === 'test:enqueue') enqueued(data);
    else if (type === 'test:dequeue') dequeued(data);
    else if (type === 'test:start') started(data);
    else if (type === 'test:complete') completed(data);
    else if (type === 'test:pass' || type === 'test:fail') ended(data, type === 'test:pass');
    else if (type === 'test:stdout' || type === 'test:stderr') printed(data);
  }
  // What a file has printed may come after its end.
  for (const tellProblem of fileProblems) tellProblem();
  if (leftOut.size > 0) emit({ type: 'deselected', count: leftOut.size });
  if (leftOut.size > 0 && chosen === 0) emit({ type: 'available', names: [...leftOut.values()].slice(0, 5000) });
  emit({ type: 'over' });
  yield '';
}

/** Node 20 wraps each file into a test of the file's own name, which is none. */
function isFile(data) {
  return (
    data.nesting === 0 && (data.line === undefined || data.line === 1) && data.file !== undefined && isPathOf(data)
  );
}

function isPathOf({ name, file }) {
  return name === file || file.endsWith(`/${name.replace(/^\.\//, '')}`);
}

function isSuite(data) {
  return (data.details?.type ?? data.type) === 'suite';
}

function enqueued(data) {
  if (isFile(data)) return;
  const id = occurrences.next('enqueue', data);
  if (isSuite(data)) suites.add(id);
  // Older versions do not say here what is a suite; those are taken back by their end.
  else if (data.type !== undefined) emit({ type: 'collected', id, test: refOf(data, []) });
}

function dequeued(data) {
  if (isFile(data)) {
    emit({ type: 'fileStarted', file: data.file });
    return;
  }
  const id = occurrences.next('dequeue', data);
  if (!suites.has(id)) emit({ type: 'started', id, test: refOf(data, []) });
}

function started(data) {
  if (isFile(data)) return;
  const path = paths.get(data.file) ?? [];
  path.length = data.nesting;
  path[data.nesting] = data.name;
  paths.set(data.file, path);
}

function completed(data) {
  if (isFile(data)) return;
  const id = occurrences.next('complete', data);
  if (isSuite(data)) emit({ type: 'dropped', id });
  else tell(id, data, data.details?.passed === true, []);
}

function ended(data, passed) {
  if (isFile(data)) return fileEnded(data, passed);
  const suite = (paths.get(data.file) ?? []).slice(0, data.nesting).filter((name) => name !== undefined);
  if (isSuite(data)) {
    const id = occurrences.next('end', data);
    emit({ type: 'dropped', id });
    const error = data.details?.error;
    if (!passed && error?.failureType !== 'subtestsFailed') problem('hook', data, `${data.name}: `);
    return;
  }
  tell(occurrences.next('end', data), data, passed, suite);
}

function fileEnded(data, passed) {
  emit({ type: 'fileEnded', file: data.file, durationMs: data.details?.duration_ms });
  if (passed) {
    if (process.env.SIGHTLINE_TEST_FILTERED === '1') return;
    // A file without tests that ended well: Node counts it as one test.
    tell(data.file, data, true, []);
    return;
  }
  fileProblems.push(() => problem(data.details?.error?.signal ? 'crash' : 'collection', data, ''));
}

function tell(id, data, passed, suite) {
  const skipped = data.skip !== undefined || data.todo !== undefined;
  const error = data.details?.error;
  if (data.skip === 'test name does not match pattern') {
    emit({ type: 'dropped', id });
    leftOut.set(id, [...suite, data.name].join(' > '));
    return;
  }
  chosen++;
  // Its suite's hook failed, or its file ended: it was never run.
  if (error?.failureType === 'cancelledByParent') {
    emit({ type: 'collected', id, test: refOf(data, suite) });
    return;
  }
  emit({
    type: 'ended',
    id,
    test: refOf(data, suite),
    status: skipped ? 'skipped' : passed ? 'passed' : 'failed',
    durationMs: data.details?.duration_ms,
    ...(skipped ? { reason: reasonOf(data) } : passed ? {} : { failures: [testFailure(error)] }),
  });
}

function reasonOf({ skip, todo }) {
  const [kind, value] = skip === undefined ? ['todo', todo] : [undefined, skip];
  return typeof value === 'string' && value !== '' ? [kind, value].filter(Boolean).join(': ') : kind;
}

/** The runner wraps what was thrown. */
function testFailure(error) {
  if (error === undefined) return { message: 'failed' };
  const { cause, failureType } = error;
  if (failureType === 'subtestsFailed') return { type: 'subtests', message: plain(error.message ?? cause) };
  if (cause !== null && typeof cause === 'object') return failureOf(cause);
  return { ...failureOf(error), message: plain(error.message ?? cause) };
}

function problem(kind, data, before) {
  const error = data.details?.error;
  const { message, stack } = testFailure(error);
  const end = error?.signal ? `ended by ${error.signal}` : error?.exitCode ? `ended with code ${error.exitCode}` : '';
  const said = lastOf(output.get(data.file) ?? '');
  const thrown = /^(?:\w*(?:Error|Exception)\b.*:.*)$/m.exec(said)?.[0];
  const whole = before + [thrown ?? (message === 'test failed' ? '' : message), end].filter(Boolean).join('; ');
  emit({
    type: 'problem',
    problem: {
      kind,
      file: data.file,
      message: whole,
      stack,
      ...(said && thrown === undefined && kind !== 'hook' ? { output: said } : {}),
    },
  });
}

const output = new Map();

function printed({ file, message }) {
  if (file === undefined) return;
  output.set(file, lastOf((output.get(file) ?? '') + plain(message)));
}

function refOf({ file, line, name }, suite) {
  return { suite, name, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}
