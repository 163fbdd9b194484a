import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isHarmless } from '../../src/engine/debugger/targets/node/purity/proof.ts';
import { CdpSession } from '../../src/protocol/cdp/cdpSession.ts';

const library = `
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
function words(text) { return text.split(' ').filter((word) => word !== '').map((word) => word.toUpperCase()); }
function count(text) { const seen = {}; for (const c of text) seen[c] = (seen[c] || 0) + 1; return seen; }
function unique(list) { return Array.from(new Set(list)).sort((a, b) => a - b); }
function bubble(list) { for (let i = 0; i < list.length; i++) for (let j = 0; j + 1 < list.length; j++) if (list[j] > list[j + 1]) [list[j], list[j + 1]] = [list[j + 1], list[j]]; return list; }
function lcs(a, b) { const t = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0)); for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) t[i][j] = a[i - 1] === b[j - 1] ? t[i - 1][j - 1] + 1 : Math.max(t[i - 1][j], t[i][j - 1]); return t[a.length][b.length]; }
const vowels = ['a', 'e'];
function countVowels(text) { let n = 0; for (const c of text) if (vowels.includes(c)) n++; return n; }
function sortedCopy(list) { const copy = list.slice(); copy.sort(); return copy; }
function* upTo(n) { for (let i = 0; i < n; i++) yield i; }
const spread = (n) => [...upTo(n)];
const strict = /^[a-z]+$/;
const isWord = (text) => strict.test(text) && text.length > 1;
const tools = { double: (n) => [n].map((x) => x * 2)[0] };
function byCompare(list, compare) { return [...list].sort(compare); }
const down = (a, b) => b - a;
const sortedDown = (list) => [...list].sort(down);
const numbers = (text) => text.split(',').map(Number);

let calls = 0;
const cache = {};
const log = [];
const global = /a/g;
const data = { items: [3, 1, 2], nested: { deep: [1] } };
class Account { constructor() { this.total = 1; } add(n) { this.total += n; return this.total; } get peek() { calls++; return 1; } }
const account = new Account();
const trap = new Proxy({ a: 1 }, { get(target, key) { if (key === 'b') calls++; return target[key]; } });
const getting = { get size() { calls++; return 1; } };
const counts = (n) => { calls++; for (const c of 'ab') n += c; return n; };
const memo = (n) => { if (cache[n] === undefined) cache[n] = [...String(n)].join(''); return cache[n]; };
const logs = (n) => { log.push([...'' + n]); return n; };
const leaks = (n) => { leaked = [...'' + n]; return n; };
const prints = (n) => { console.log([...'' + n]); return n; };
const sorts = (list) => list.sort((a, b) => [...'' + a].length - b);
const deepPush = (object) => { object.nested.deep.push(...'ab'); return 1; };
const aliased = () => { const mine = data.items; mine.push(...'a'); return 1; };
const viaSlice = () => { const mine = [data].slice(); mine[0].items.push(...'a'); return 1; };
const viaParameter = (list = data.items) => { list.push(...'a'); return 1; };
const viaCallback = () => { [data.items].forEach((list) => list.push(...'a')); return 1; };
const viaReturn = () => { const give = () => data.items; give().push(...'a'); return 1; };
const viaLoop = () => { for (data.now of 'ab'); return 1; };
const viaPattern = () => { [data.now] = 'ab'; return 1; };
const viaProto = (key) => { const o = {}; for (const c of key) o[key][c] = 1; return 1; };
const viaProto2 = () => { const key = '__pro' + 'to__'; const o = {}; const p = o[key]; p.polluted = [...'a']; return 1; };
const viaConstructor = () => { [].constructor.polluted = [...'a']; return 1; };
const viaFunction = () => { const key = 'construc' + 'tor'; const f = fib[key]; return f('return calls = 9')(...'a'); };
const viaThis = function () { for (const c of 'a') this.polluted = c; return 1; };
const viaThisArgument = (key) => { [...'ab'].forEach([][key], data.items); return 1; };
const viaOwnName = () => { fib.calls = [...'a']; return 1; };
const viaArgument = (f) => { f.calls = [...'a']; return 1; };
const viaAssign = () => { Object.assign(data, { now: [...'a'] }); return 1; };
const viaDelete = () => { delete data.items; return [...'a'].length; };
const viaGlobalRegExp = () => { for (const c of 'a') global.test(c); return 1; };
const viaRandom = () => Math.random() + [...'a'].length;
const viaTime = () => new Date() + [...'a'];
const viaEval = () => eval('calls++; [...\`a\`].length');
const viaAsync = async () => { for (const c of 'a') await c; };
const viaTag = () => { const t = (s) => s; const s = t\`a\`; for (const c of 'a') s[0] = c; return 1; };
const viaApply = () => { Array.prototype.push.apply(data.items, [...'a']); return 1; };
const viaDefault = () => { const f = (x, y = (calls = [...'a'].length)) => { var calls; return calls; }; return f(1); };
const viaHidden = () => { const o = {}; const k = 'sl' + 'ice'; o[k] = () => data.items; const mine = o.slice(); mine.push(...'a'); return 1; };
const viaReplaced = () => { let f = () => 1; f = counts; return f(...'a'); };
const viaSwitch = (x) => { switch (x) { case 1: let calls = 1; for (const c of 'a') calls += c; } for (const c of 'a') calls++; return 1; };
const closure = (() => { let n = 0; return () => { for (const c of 'a') n++; return n; }; })();
const bound = counts.bind(null);
const replacer = (key) => JSON.stringify(data, [][key]) + [...'a'];
const viaUpdate = () => { for (const c of 'a') data.items[0]++; return 1; };
const viaLength = () => { data.items.length = [...'a'].length; return 1; };
const viaKeys = () => { for (const key in data) data[key] = [...'a']; return 1; };
const viaTaken = () => { const { push } = []; return push.name + [...'a']; };
const viaMember = () => { const o = { list: data.items }; o.list.push(...'a'); return 1; };
const viaSpread = () => { const o = { ...data }; o.items.push(...'a'); return 1; };
const viaMap = () => { const m = new Map([['a', data.items]]); m.get('a').push(...'a'); return 1; };
const viaFind = () => { [data.items].find(() => true).push(...'a'); return 1; };
const viaGenerator = () => { for (const list of (function* () { yield data.items; })()) list.push(...'a'); return 1; };
const viaSetter = () => { const o = { set x(v) { data.now = v; } }; o.x = [...'a']; return 1; };
const viaGetter = () => { const o = { get x() { return (calls += 1); } }; return o.x + [...'a']; };
const viaToString = () => { const o = { toString: () => (calls += 1) }; return \`\${o}\` + [...'a']; };
const viaIterator = () => { const o = { [Symbol.iterator]: () => counts(1) }; return [...o]; };
const viaReduce = () => ['a'].reduce((list, c) => { list.push(...c); return list; }, data.items).length;
const viaSame = () => { let mine = [1]; if (mine.length) mine = data.items; mine.push(...'a'); return 1; };
const viaCatch = () => { try { throw data.items; } catch (list) { list.push(...'a'); } return 1; };
const viaArguments = function () { arguments[0].push(...'a'); return 1; };
const viaShadow = () => { { let calls = [...'a'].length; calls++; } calls++; return 1; };
const lengths = () => { const o = {}; o['len' + 'gth'] = '__proto__'; const p = {}; p[o.length].polluted = [...'a']; return 1; };
const world = () => JSON.stringify({ calls, cache, log, data, total: account.total, last: global.lastIndex, keys: Object.keys(globalThis), polluted: [{}.polluted, [].polluted, Object.polluted, Array.polluted, fib.calls, [].length], n: closure.toString() });
`;

const harmless = [
  'fib(10)',
  'words("a b  c")',
  'count("aab")',
  'unique([3, 1, 3])',
  'bubble([3, 1, 2])',
  'lcs("abcbdab", "bdcaba")',
  'countVowels("bake")',
  'sortedCopy(data.items)',
  'spread(4)',
  'isWord("ab" + [..."c"].join(""))',
  'tools.double(4)',
  'byCompare([1, 3, 2], (a, b) => b - a)',
  'sortedDown([1, 2])',
  'numbers("1,2")',
  '[...data.items].sort()',
  'data.items.filter((n) => [..."ab"].length > n)',
  'JSON.stringify([...data.items])',
];

const harmful = [
  'counts(1)',
  'memo(12)',
  'logs(1)',
  'leaks(1)',
  'prints(1)',
  'sorts(data.items)',
  'data.items.sort()',
  'deepPush(data)',
  'aliased()',
  'viaSlice()',
  'viaParameter()',
  'viaCallback()',
  'viaReturn()',
  'viaLoop()',
  'viaPattern()',
  'viaProto("__proto__")',
  'viaProto2()',
  'viaConstructor()',
  'viaFunction()',
  'viaThis()',
  'viaThisArgument("push")',
  'viaOwnName()',
  'viaArgument(fib)',
  'viaAssign()',
  'viaDelete()',
  'viaGlobalRegExp()',
  'viaRandom()',
  'viaTime()',
  'viaEval()',
  'viaAsync()',
  'viaTag()',
  'viaApply()',
  'viaDefault()',
  'viaHidden()',
  'viaReplaced()',
  'viaSwitch(2)',
  'closure()',
  'bound(1)',
  'replacer("push")',
  'lengths()',
  'viaUpdate()',
  'viaLength()',
  'viaKeys()',
  'viaTaken()',
  'viaMember()',
  'viaSpread()',
  'viaMap()',
  'viaFind()',
  'viaGenerator()',
  'viaSetter()',
  'viaGetter()',
  'viaToString()',
  'viaIterator()',
  'viaReduce()',
  'viaSame()',
  'viaCatch()',
  'viaArguments(data.items)',
  'viaShadow()',
  'account.add(1)',
  'account.peek + [..."a"]',
  'trap.b + [..."a"]',
  'Object.keys(trap).map((key) => trap[key])',
  'getting.size + [..."a"]',
  '[...log, log.push(1)]',
  'calls = 3',
  'undeclared([..."a"])',
];

describe('evaluating once more', () => {
  let folder: string;
  let child: ChildProcess;
  let session: CdpSession;
  let callFrameId = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-harmless-'));
    const file = join(folder, 'program.cjs');
    await writeFile(file, `${library}\nfunction stand() {\n  debugger;\n  return world();\n}\nstand();\n`);
    child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise<string>((resolve) => {
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /ws:\/\/\S+/.exec(said)?.[0];
        if (found !== undefined) resolve(found);
      });
    });
    session = await CdpSession.connect(url, 'the program');
    const stops: string[] = [];
    const stood = new Promise<void>((resolve) => {
      session.on('Debugger.paused', (event) => {
        callFrameId = event.callFrames[0]?.callFrameId ?? '';
        stops.push(event.callFrames[0]?.functionName ?? '');
        if (stops.at(-1) === 'stand') resolve();
        else void session.send('Debugger.resume', {});
      });
    });
    await session.send('Runtime.enable');
    await session.send('Debugger.enable', {});
    await session.send('Runtime.runIfWaitingForDebugger');
    await stood;
  });

  afterAll(async () => {
    session.close();
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const evaluate = async (expression: string) => {
    const answer = await session.send('Debugger.evaluateOnCallFrame', { callFrameId, expression, silent: true });
    return answer.result.value as unknown;
  };
  const shown = (expression: string) =>
    isHarmless(
      {
        session,
        sourceOf: async (scriptId) => (await session.send('Debugger.getScriptSource', { scriptId })).scriptSource,
      },
      callFrameId,
      expression,
    );

  it('is done where it can be shown that nothing changes, and then nothing does', async () => {
    const before = await evaluate('world()');
    const verdicts = await Promise.all(harmless.map(async (each) => [each, await shown(each)]));
    expect(verdicts).toEqual(harmless.map((each) => [each, true]));
    for (const each of harmless) await evaluate(each);
    expect(await evaluate('world()')).toBe(before);
  });

  it('is not done with anything that could change something, however it is hidden', async () => {
    const verdicts = await Promise.all(harmful.map(async (each) => [each, await shown(each)]));
    expect(verdicts).toEqual(harmful.map((each) => [each, false]));
  });

  it('is not done once the program has changed what the language brings along', async () => {
    for (const [change, back] of [
      ['Array.prototype.own = () => calls++', 'delete Array.prototype.own'],
      [
        'kept = String.prototype.split; String.prototype.split = function () { calls++; return [] }',
        'String.prototype.split = kept',
      ],
      ['kept = Math.max; Math.max = counts.bind(null)', 'Math.max = kept'],
      [
        'Object.defineProperty(Object.prototype, "x", { get() { calls++ }, configurable: true })',
        'delete Object.prototype.x',
      ],
    ] as const) {
      await evaluate(change);
      expect([change, await shown('words("a b")')]).toEqual([change, false]);
      await evaluate(back);
    }
    expect(await shown('words("a b")')).toBe(true);
  });
});
