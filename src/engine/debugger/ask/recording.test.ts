import { expect, test } from 'vitest';
import { compareRuns } from './compare.ts';
import { unevenCalls, wrongFragments } from './derived.ts';
import { explainFailure, missingIn } from './explain.ts';
import { failureOf } from './failure.ts';
import { condensed, historyOf } from './history.ts';
import type { RecorderEvent } from './model.ts';
import { originOf, suppliersOf } from './origin.ts';
import { outline } from './outline.ts';
import { readRecording } from './recording.ts';
import { verdictOf } from './verdicts.ts';

/** Events of a run, written as `enter(name, ...args)`, `leave(value)`. */
class Script {
  readonly events: RecorderEvent[] = [{ event: 'start', pid: 1 }];
  readonly #names: string[] = [];
  readonly #stack: number[] = [];
  #id = 0;
  #seq = 0;

  enter(name: string, ...args: string[]): this {
    let fn = this.#names.indexOf(name) + 1;
    if (fn === 0) {
      fn = this.#names.push(name);
      this.events.push({ event: 'function', id: fn, name, file: '/a.js', line: fn, params: ['x'] });
    }
    const parent = this.#stack.at(-1);
    this.#stack.push(++this.#id);
    this.events.push({
      event: 'call',
      seq: ++this.#seq,
      id: this.#id,
      fn,
      args: args.map((text) => ({ text })),
      ...(parent === undefined ? {} : { parent, from: 5 }),
    });
    return this;
  }

  leave(text = 'undefined'): this {
    this.events.push({ event: 'return', seq: ++this.#seq, id: this.#stack.pop() ?? 0, value: { text } });
    return this;
  }

  throws(text: string): this {
    this.events.push({ event: 'return', seq: ++this.#seq, id: this.#stack.pop() ?? 0, threw: { text } });
    return this;
  }

  write(target: string, old: string, text: string, line: number): this {
    const call = this.#stack.at(-1) ?? 0;
    const place = { file: '/a.js', line, call };
    this.events.push({
      event: 'write',
      seq: ++this.#seq,
      watch: 'w',
      target,
      old: { text: old },
      new: { text },
      kind: 'assign',
      ...place,
    });
    return this;
  }

  sample(text: string): this {
    this.events.push({ event: 'sample', seq: ++this.#seq, probe: 'h', values: [{ text }], file: '/a.js', line: 3 });
    return this;
  }

  get text(): string {
    return this.events.map((event) => JSON.stringify(event)).join('\n');
  }
}

function drawn(script: Script, maxLines = 50): string[] {
  return outline(readRecording([script.text]).roots, maxLines).map((item) =>
    item.kind === 'call'
      ? `${' '.repeat(item.depth)}${item.call.fn.name}(${item.call.args.map(({ text }) => text).join()})${item.hidden > 0 ? ` +${item.hidden}` : ''}`
      : `${' '.repeat(item.depth)}×${item.count} ${item.names.join()}`,
  );
}

test('loops of calls are folded to the first and the last, also when several calls repeat', () => {
  const script = new Script().enter('main');
  for (let i = 0; i < 400; i++) script.enter('a', String(i)).leave().enter('b', String(i)).leave();
  script.enter('c').leave().leave();
  expect(drawn(script)).toEqual(['main()', ' a(0)', ' b(0)', ' ×400 a,b', ' a(399)', ' b(399)', ' c()']);
});

test('what threw is shown before what is only earlier, and is never folded away', () => {
  const script = new Script().enter('main');
  for (let i = 0; i < 6; i++) script.enter('step', String(i)).enter('inner').leave().leave();
  script.enter('step', '6').enter('check').throws('Error: no').throws('Error: no').throws('Error: no');
  expect(drawn(script, 6)).toEqual(['main()', ' step(0) +1', ' ×6 step', ' step(5) +1', ' step(6)', '  check()']);
});

test('a call whose end was not written, and a line that was cut off, are no trouble', () => {
  const { calls } = readRecording([`${new Script().enter('main').text}\n{"event":"call","se`]);
  expect(calls).toMatchObject([{ id: 'n1', end: undefined, fn: { name: 'main' } }]);
});

test('the history of a value has a row for each place in turn', () => {
  const script = new Script()
    .enter('main')
    .write('c.n', '0', '1', 4)
    .write('c.n', '1', '2', 4)
    .write('c.n', '2', '0', 9);
  const rows = condensed(historyOf(readRecording([script.leave().text]), 'w'));
  expect(rows.map(({ old, new: now, line, more }) => `${old?.text}→${now?.text} :${line} +${more}`)).toEqual([
    '0→2 :4 +1',
    '2→0 :9 +0',
  ]);
});

test('two runs part where the same call first gives another result', () => {
  const run = (result: string, next: string) =>
    readRecording([
      new Script()
        .enter('main')
        .enter('parse', '"1"')
        .leave('1')
        .enter('round', '1')
        .leave(result)
        .enter(next, result)
        .leave()
        .leave().text,
    ]);
  const { differences, same } = compareRuns(run('1', 'show'), run('2', 'show'));
  expect(differences.map(({ kind, a }) => `${kind} ${a?.fn.name}`)).toEqual(['result round', 'arguments show']);
  expect(same).toBe(1);
  expect(compareRuns(run('1', 'show'), run('1', 'hide')).differences).toMatchObject([
    { kind: 'path', a: { fn: { name: 'show' } }, b: { fn: { name: 'hide' } }, inA: { fn: { name: 'main' } } },
  ]);
});

test('hypotheses are confirmed, rejected with the first counterexample, or never reached', () => {
  const recording = readRecording([new Script().sample('1').sample('1').sample('0').text]);
  expect(verdictOf(recording, { id: 'h', expression: 'x' })).toMatchObject({
    verdict: 'rejected',
    holds: 2,
    fails: 1,
    example: { values: [{ text: '0' }] },
  });
  expect(verdictOf(recording, { id: 'h', expression: 'x < 2', expect: '1' }).verdict).toBe('rejected');
  expect(verdictOf(recording, { id: 'g', expression: 'x' }).verdict).toBe('never reached');
});

test('a wrong value is followed back through results and arguments to the call that made it', () => {
  const script = new Script()
    .enter('it("totals")')
    .enter('total', '3')
    .enter('rate')
    .leave('"long enough text"')
    .enter('round', '"long enough text"');
  const recording = readRecording([script.leave('7').leave('7').throws('AssertionError: 7 is not 8').text]);
  const explanation = explainFailure(recording, {}, ({ name }) => name.startsWith('it('));
  expect(explanation).toMatchObject({
    failure: { root: { fn: { name: 'it("totals")' } } },
    wrong: undefined,
    origin: [],
  });
  const [root] = recording.roots;
  if (root === undefined) throw new Error('no root');
  const origin = originOf(recording, { text: '7' }, { call: root, seq: 99 });
  expect(origin.map(({ kind, call }) => `${kind} ${call?.fn.name}`)).toEqual(['returned total', 'made round']);
  const maker = origin.at(-1)?.call ?? root;
  expect(suppliersOf(recording, maker)).toMatchObject([{ name: 'x', call: { fn: { name: 'rate' } } }]);
});

test.each([
  [
    "TypeError: Cannot read properties of undefined (reading 'name')",
    '  return this.user.name;',
    'undefined',
    'this.user',
  ],
  ["TypeError: Cannot read properties of null (reading 'length')", 'if (list.length > 0)', 'null', 'list'],
  ["AttributeError: 'NoneType' object has no attribute 'id'", '    return user.id', 'None', 'user'],
  ['TypeError: this.render is not a function', '', 'undefined', 'this.render'],
])('what is missing is told from %s', (message, line, text, name) => {
  expect(missingIn(message, line)).toEqual({ text, name });
});

test('what a test works out itself is followed to what it was worked out from', () => {
  const script = new Script().enter('test("splits")').enter('split', '"a;b"').enter('level', '";"').leave('0');
  const { events } = script.leave('["a;b"]').write('rows', 'undefined', '["a;b"]', 5).throws('AssertionError: 1 == 2');
  const sided = events.map((event) =>
    event.event === 'return' && event.threw !== undefined
      ? { ...event, line: 6, sides: { actual: { text: '1' }, expected: { text: '2' } } }
      : event,
  );
  const recording = readRecording([sided.map((event) => JSON.stringify(event)).join('\n')]);
  const facts = { lineText: 'assert.equal(rows.length, 2);', testName: 'splits' };
  const found = explainFailure(recording, facts, ({ name }) => name.startsWith('test('));
  expect(found?.wrong).toMatchObject({ name: 'rows', value: { text: '["a;b"]' } });
  expect(found?.origin.map(({ kind, call }) => `${kind} ${call?.fn.name ?? ''}`)).toEqual(['made split']);
});

function failedComparing(script: Script, actual: string, expected: string) {
  const events = script
    .throws('AssertionError')
    .events.map((event) =>
      event.event === 'return' && event.threw?.text === 'AssertionError'
        ? { ...event, line: 6, sides: { actual: { text: actual }, expected: { text: expected } } }
        : event,
    );
  const recording = readRecording([events.map((event) => JSON.stringify(event)).join('\n')]);
  const found = explainFailure(recording, { testName: 'renders' }, ({ name }) => name.startsWith('test('));
  return { ...found, names: found?.suspects.map(({ fn }) => fn.name) };
}

test('of a wrong text, who first had the piece that differs is suspected, and who called it; not who handed it on', () => {
  const script = new Script().enter('test("renders")').enter('convert', "'<!x>'").enter('declaration', "'x'");
  script.enter('comment', "'value'").enter('store', "'<!--value-->'").leave().leave().leave();
  script.enter('unstash', '0').leave("'<!--value-->'").leave("'<!--value-->'");
  const { firstShown, names } = failedComparing(script, "'<!--value-->'", "'<p>value</p>'");
  expect(firstShown).toMatchObject({ fragment: '!--value--', into: 'store', call: { fn: { name: 'comment' } } });
  expect(names?.slice(0, 2)).toEqual(['comment', 'declaration']);
});

test('what is missing in a text is followed to the last call that was given it', () => {
  const script = new Script().enter('test("renders")').enter('convert', "'<a>one</a><b>second</b>'");
  script.enter('extract', "'<a>one</a><b>second</b>'").enter('element', "'one'").leave().enter('element', "'second'");
  script.leave().leave("'<a>one</a>'").leave("'<a>one</a>'");
  const { losers } = failedComparing(script, "'<a>one</a>'", "'<a>one</a><b>second</b>'");
  expect(losers?.map(({ call }) => `${call.fn.name} ${call.args[0]?.text}`)).toEqual([
    "element 'second'",
    "extract '<a>one</a><b>second</b>'",
  ]);
});

test('an exception that is caught and thrown again began where it was thrown first', () => {
  const script = new Script().enter('Suite.test_a').enter('render').enter('parse').throws('E: no').enter('rethrow');
  const recording = readRecording([script.throws('E: no').throws('E: no').throws('E: no').text]);
  expect(failureOf(recording, 'Suite > test_a[1]')?.call.fn.name).toBe('parse');
});

test('what a runner calls and catches is not the failure', () => {
  const script = new Script().enter('mod.__getattr__').throws('AttributeError: x').enter('Suite.test_a');
  const recording = readRecording([script.throws('E: no').text]);
  expect(failureOf(recording, 'Suite > test_a[1]')?.root.fn.name).toBe('Suite.test_a');
  expect(failureOf(recording)?.root.fn.name).toBe('Suite.test_a');
});

test('the pieces of a wrong text that were not expected', () => {
  const lines = ['"plain"', '"a"', '"_"'].map((actual, index) => ({ path: ` line ${index + 1}`, actual }));
  expect(wrongFragments(lines, undefined, undefined)).toEqual([
    String.raw`plain\na\n_`,
    String.raw`plain\na`,
    String.raw`a\n_`,
    'plain',
  ]);
  expect(wrongFragments([], "'<p>one seven</p>'", "'<p>one three</p>'")).toEqual(['seven']);
  expect(wrongFragments([], '1', '2')).toEqual([]);
});

test('who answered otherwise than it mostly does', () => {
  const script = new Script().enter('run');
  for (const value of ['0', '0', '0', '0', '1', '0']) script.enter('level', value).leave(value);
  const { calls } = readRecording([
    script
      .leave()
      .events.map((event) => JSON.stringify(event))
      .join('\n'),
  ]);
  expect(unevenCalls(calls, 1000).map(({ call, usual }) => [call.fn.name, call.end?.value?.text, usual])).toEqual([
    ['level', '1', '0'],
  ]);
});
