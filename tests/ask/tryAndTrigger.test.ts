import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pythonEnvironment } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';
import { ensureEngine } from '../support/engines.ts';

const cartJs = `export function total(items, rate) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum * rate;
}
`;
const cartTestJs = `import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from './cart.mjs';
test('totals', () => {
  assert.equal(total([{ price: 2 }, { price: 3 }], 1), 10);
});
`;
const cartPy = `def total(items, rate):
    sum = 0
    for item in items:
        sum += item
    return sum * rate
`;
const cartTestPy = `from cart import total


def test_totals():
    assert total([2, 3], 1) == 10
`;
const serverJs = `const server = require('http').createServer((request, response) => {
  const n = new URL(request.url, 'http://x').searchParams.get('n');
  if (n === 'die') process.exit(3);
  if (n === '5') {
    response.statusCode = 201;
  }
  response.end('n=' + n);
});
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
process.stdin.on('data', (line) => {
  const text = String(line).trim();
  console.log('heard ' + text);
});
`;
const serverPy = `import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        answer = self.path.encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)


server = HTTPServer(("127.0.0.1", 0), Handler)
print("port", server.server_port, flush=True)
server.serve_forever()
`;
const askPy = `name = input("name? ")
greeting = "hello " + name
print(greeting)
`;

let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  await builtProgram();
  ide = await startSightline({
    project: {
      'package.json': '{"type":"commonjs","devDependencies":{"vitest":"*"}}',
      'cart.mjs': cartJs,
      'cart.test.mjs': cartTestJs,
      'cart.py': cartPy,
      'test_cart.py': cartTestPy,
      'server.js': serverJs,
      'server.py': serverPy,
      'ask.py': askPy,
      'jump.py': `def twice(n):\n    all = n\n    all *= 2\n    return all\n\n\ndef main():\n    print(twice(4))\n\n\nmain()\n`,
      'kinds.ts': [
        'export interface Box { n: number }',
        'export const three: number[] = [1, 2, 3];',
        'const doubled = three.map((n: number) =>',
        '  n * 2);',
        'export function run(box: Box): number {',
        '  for (const n of doubled)',
        '    if (n > 2) box.n += n;',
        '  return box.n;',
        '}',
        'export function never(): void {',
        '  three.push(1);',
        '}',
        '',
      ].join('\n'),
      'kinds.test.ts': `import { expect, test } from 'vitest';\nimport { run } from './kinds';\ntest('runs', () => {\n  expect(run({ n: 0 })).toBe(10);\n});\n`,
      'late.js': `function negative(n) {\n  let all = n;\n  all *= 2;\n  const y = -all;\n  return y;\n}\nconsole.log(negative(4));\n`,
      'again.js': `function twice(n) {\n  let all = n;\n  all *= 2;\n  return all;\n}\nconsole.log(twice(4));\n`,
    },
  });
  await symlink(resolve('node_modules'), join(ide.root, 'node_modules'));
  const python = (await ensureEngine('python')).path;
  await symlink(await pythonEnvironment(python, 'pytest', ['pytest==9.2.0']), join(ide.root, '.venv'));
  agent = await ide.connect({ face: 'probe' });
});
afterAll(() => ide.dispose());

describe('what if', () => {
  it.each([
    { test: 'cart.test.mjs', file: 'cart.mjs', line: 6, source: cartJs },
    { test: 'test_cart.py', file: 'cart.py', line: 5, source: cartPy },
  ])('$file: a variable set at a line makes the test pass, and no file is edited', async ({ source, ...wanted }) => {
    const at = { file: wanted.file, line: wanted.line };
    const passes = (await agent.text('debug_try', { test: wanted.test, at, set: { rate: '2' } })).split('\n');
    expect(passes.slice(0, 3)).toEqual([
      'passes with it',
      `${wanted.file}:${wanted.line} rate: 1 -> 2`,
      'Program ended with exit code 0.',
    ]);
    const fails = await agent.text('debug_try', { test: wanted.test, at, set: { rate: 'rate + 2', sum: '0' } });
    expect(fails).toMatch(/^fails with it\n/);
    expect(fails).toContain(`${wanted.file}:${wanted.line} rate: 1 -> 3, sum: 5 -> 0`);
    expect(fails).toContain('AssertionError');
    expect(await readFile(join(ide.root, wanted.file), 'utf8')).toBe(source);
  });

  it('an expression is evaluated each time the line is reached, or only where a condition holds', async () => {
    const test = 'cart.test.mjs';
    const each = await agent.text('debug_try', { test, at: { file: 'cart.mjs', line: 4 }, call: 'item.price *= 2' });
    expect(each.split('\n').slice(0, 3)).toEqual([
      'passes with it (tried 2 times)',
      'cart.mjs:4 item.price *= 2 => 4',
      'cart.mjs:4 item.price *= 2 => 6',
    ]);
    const at = { file: 'cart.mjs', line: 4, condition: 'item.price === 3' };
    const one = await agent.text('debug_try', { test, at, set: { 'item.price': '8' } });
    expect(one.split('\n').slice(0, 2)).toEqual(['passes with it', 'cart.mjs:4 item.price: 3 -> 8']);
  });

  it('says what cannot be tried, and that nothing was when the line is not reached', async () => {
    const test = 'cart.test.mjs';
    const at = { file: 'cart.mjs', line: 6 };
    expect((await agent.call('debug_try', { test, at })).text).toContain('Exactly one of set and call is tried.');
    expect((await agent.call('debug_try', { at, call: '1' })).text).toContain(
      'Exactly one of test and program is run.',
    );
    const unknown = await agent.call('debug_try', { test, at, set: { nothing: '1' } });
    expect(unknown.text).toMatch(/At cart\.mjs:6: .*nothing is not defined/);
    expect((await agent.call('debug_try', { test, at: { file: 'gone.mjs', line: 1 }, call: '1' })).error).toBeDefined();
    const never = await agent.text('debug_try', { program: 'again.js', at, call: '1' });
    expect(never).toMatch(/^no verdict: cart\.mjs:6 was never reached, so nothing was tried\.\n/);
    const program = await agent.text('debug_try', {
      program: 'again.js',
      at: { file: 'again.js', line: 4 },
      set: { all: '1' },
    });
    expect(program).toMatch(/^exit code 0 with it\nagain\.js:4 all: 8 -> 1\n[^]*\b1\b/);
    const late = await agent.text('debug_try', {
      program: 'late.js',
      at: { file: 'late.js', line: 4 },
      set: { all: '1' },
    });
    expect(late).toMatch(/The line before assigns all, so V8 may have read it already/);
    expect(late).toContain('-8');
    expect(await agent.text('debug_stack').catch(String)).toMatch(/no .*session|not/i);
  });
});

describe('set off a stop', () => {
  afterEach(() => agent.call('debug_stop'));

  /** Starts it with a breakpoint and lets it run until it has printed. */
  const running = async (program: string, line: number, printed: RegExp): Promise<string> => {
    await agent.text('debug_launch', { program });
    await agent.text('debug_breakpoint', { file: program, line });
    let text = '';
    await expect
      .poll(async () => (text += await agent.text('debug_continue', { wait_ms: 300 })), { timeout: 20_000 })
      .toMatch(printed);
    return printed.exec(text)?.[1] ?? '';
  };

  it.each([
    { program: 'server.js', line: 5, path: '/?n=5', value: "n = '5'" },
    { program: 'server.py', line: 8, path: '/5', value: "answer: bytes = b'/5'" },
  ])('$program: a request, with the stop it leads to', async ({ program, line, path, value }) => {
    const port = await running(program, line, /port (\d+)/);
    const url = `http://127.0.0.1:${port}${path}`;
    const stop = await agent.text('debug_trigger', { http_request: { url } });
    expect(stop).toMatch(new RegExp(`^Stopped \\(breakpoint\\) at ${program}:${line}`));
    expect(stop.replaceAll('"', "'")).toContain(value);
    expect(stop).toMatch(/No answer from .* yet\. http_request \{"request_id"/);
    const refused = await agent.call('debug_trigger', { http_request: { url } });
    expect(refused.text).toMatch(/Nothing was sent: the program of session\S* is paused/);
  });

  it('a request or command that stops nothing gives its answer at once; one that ends the program, its end', async () => {
    const port = await running('server.js', 5, /port (\d+)/);
    const url = `http://127.0.0.1:${port}/?n=`;
    const asked = Date.now();
    const answer = await agent.text('debug_trigger', { http_request: { url: `${url}7` } });
    expect(answer).toMatch(/^Running/);
    expect(answer).toMatch(/200 OK [^]*n=7$/);
    const command = `node -e "fetch('${url}8').then(r => r.text()).then(console.log)"`;
    expect(await agent.text('debug_trigger', { command })).toMatch(/^Running[^]*exited with code 0[^]*n=8/);
    expect(Date.now() - asked).toBeLessThan(15_000);
    const stop = await agent.text('debug_trigger', { command: command.replace('n=8', 'n=5') });
    expect(stop).toMatch(/^Stopped \(breakpoint\) at server\.js:5[^]*running for [^]*wait_job/);
    await agent.text('debug_continue', { wait_ms: 300 });
    const end = await agent.text('debug_trigger', { http_request: { url: `${url}die` } });
    expect(end).toMatch(/^Program ended with exit code 3[^]*No answer: /);
  });

  it.each([
    { program: 'server.js', line: 12, printed: /port (\d+)/, value: 'text = ' },
    { program: 'ask.py', line: 2, printed: /(name\?)/, value: 'name = ' },
  ])('$program: input, with the stop it leads to', async ({ program, line, printed, value }) => {
    await running(program, line, printed);
    const stop = await agent.text('debug_trigger', { input: 'Ann\n' });
    expect(stop).toMatch(new RegExp(`^Stopped \\(breakpoint\\) at ${program}:${line}`));
    expect(stop.replaceAll('"', "'")).toContain(`${value}'Ann'`);
    expect(stop).toContain('Sent to its standard input: "Ann\\n"');
  });

  it('refuses what it cannot do before anything is sent', async () => {
    expect((await agent.call('debug_trigger', { input: 'x' })).error).toBeDefined();
    await running('server.js', 5, /port (\d+)/);
    const both = await agent.call('debug_trigger', { input: 'x', command: 'true' });
    expect(both.text).toContain('Exactly one of http_request, command and input is sent.');
    const far = await agent.call('debug_trigger', { http_request: { url: 'http://192.0.2.1/' } });
    expect(far.error?.name ?? far.text).toMatch(/policy_denied|not this machine/);
    const nowhere = await agent.call('debug_trigger', { input: 'x', terminal_id: 'none' });
    expect(nowhere.text).toMatch(/terminal/);
  });
});

describe('going back within a stop', () => {
  let person: TestClient;
  beforeAll(async () => {
    person = await ide.connect({ face: 'debugger' });
  });
  afterEach(() => person.call('stop_debug_session'));
  const stopAt = async (file: string, line: number): Promise<void> => {
    const { breakpointId } = await person.data('set_breakpoint', { file_path: file, line });
    expect(await person.data('start_debug_session', { program: file })).toMatchObject({ state: 'paused' });
    await person.data('remove_breakpoint', { breakpoint_id: breakpointId });
  };
  const lineOf = (answer: Record<string, unknown>) => JSON.stringify(answer['stop']).match(/"line":(\d+)/)?.[1];

  it('Node: a frame begins again, with a changed argument; there are no jumps', async () => {
    await stopAt('again.js', 4);
    const jump = await person.call('jump_to_line', { file_path: 'again.js', line: 2 });
    expect(jump.error).toMatchObject({ name: 'unsupported', hint: expect.stringContaining('restart_frame') });
    await person.data('set_variable', { variable_path: 'n', value: '50' });
    const restarted = await person.data('restart_frame', {});
    expect(restarted).toMatchObject({ status: 'restarted', state: 'paused', stop: { reason: 'step' } });
    expect(lineOf(restarted)).toBe('2');
    const outermost = await person.call('restart_frame', { frame_index: 99 });
    expect(outermost.error?.message).toContain('There is no frame 99');
    expect((await person.data('resume_execution', {}))['output']).toContain('100\n');
  });

  it('Python: a line is made the next one; a line of another function is refused, and the program stands', async () => {
    await stopAt('jump.py', 4);
    const restart = await person.call('restart_frame', {});
    expect(restart.error).toMatchObject({ name: 'unsupported', hint: expect.stringContaining('jump_to_line') });
    const away = await person.call('jump_to_line', { file_path: 'jump.py', line: 8 });
    expect(away.error?.message).toContain('There was no jump');
    expect(await person.data('get_debug_session_status', {})).toMatchObject({ state: 'paused' });
    const back = await person.data('jump_to_line', { file_path: 'jump.py', line: 3 });
    expect(back).toMatchObject({ status: 'jumped', state: 'paused' });
    expect(lineOf(back)).toBe('3');
    expect((await person.data('resume_execution', {}))['output']).toContain('16\n');
  });
});

describe('which lines ran', () => {
  it('is refused before lines were counted', async () => {
    const reader = await ide.connect({ face: 'all' });
    const refused = await reader.call('read_file', { file_path: 'cart.mjs', overlay: true });
    expect(refused.text).toMatch(
      /No run whose lines were counted is kept[^]*debug_trace \{test or program, lines: true\}/,
    );
  });

  it.each([
    {
      test: 'cart.test.mjs',
      file: 'cart.mjs',
      lines: ['1\t\texport', '2\t×1\t  let sum', '3\t×1\t', '4\t×2\t    sum +=', '5\t\t  }', '6\t×1\t', '7\t\t}'],
    },
    {
      test: 'test_cart.py',
      file: 'cart.py',
      lines: ['1\t×1\tdef', '2\t×1\t    sum', '3\t×3\t', '4\t×2\t        sum', '5\t×1\t    return'],
    },
  ])('$file: how often, beside each line', async ({ test, file, lines }) => {
    const reader = await ide.connect({ face: 'all' });
    expect(await agent.text('debug_trace', { test, lines: true })).toContain('total(');
    const [head, ...shown] = (await reader.text('read_file', { file_path: file, overlay: true })).split('\n');
    expect(head).toMatch(/with how often each statement began in /);
    lines.forEach((line, index) => expect(shown[index]?.slice(0, line.length)).toBe(line));
    expect(shown.at(-1)).toMatch(/^last written: .*:4 sum = \d/);
    const context = { file_path: file, line: 4, context_lines: 0, overlay: true };
    const around = (await reader.text('get_source_context', context)).split('\n');
    expect(around[1]).toMatch(/^>>> 4 \| {3}×2 \| {5,9}sum \+=/);
    expect(around.slice(2)).toEqual([
      expect.stringMatching(/^×: how often each statement began in /),
      expect.stringMatching(/^last written: :4 sum = \d/),
    ]);
    const { content } = await (await ide.connect({ face: 'workspace' })).data('read_file', { file_path: file });
    await writeFile(join(ide.root, file), `\n${String(content)}`);
    expect(await reader.text('read_file', { file_path: file, overlay: true })).toContain('changed after that run');
  });

  it('counts exports, arrows, bare bodies, code that did not run and code that is compiled', async () => {
    const reader = await ide.connect({ face: 'all' });
    await agent.text('debug_trace', { test: 'kinds.test.ts', lines: true });
    const shown = (await reader.text('read_file', { file_path: 'kinds.ts', overlay: true })).split('\n').slice(1);
    expect(shown.pop()).toBe('last written: :2 three = [1, 2, 3]; :3 doubled = [2, 4, 6]; :7 box.n = 10');
    const defined = await reader.text('ide_find_definition', {
      file: 'kinds.ts',
      line: 5,
      text: 'run',
      overlay: true,
    });
    expect(defined).toMatch(/^7\t×3\t {4}if \(n > 2\) box\.n \+= n;$/m);
    expect(defined).toMatch(/^last written: .*:7 box\.n = 10$/m);
    const test = await reader.text('read_file', { file_path: 'kinds.test.ts', overlay: true });
    expect(test).toContain("3\t×1\ttest('runs'");
    const counts = shown.map((line) => line.split('\t')[1]);
    expect(counts).toEqual(['', '×1', '×1', '×3', '', '×1', '×3', '×1', '', '', '', '', undefined]);
  });
});
