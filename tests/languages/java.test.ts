import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const shop = join(import.meta.dirname, 'projects/javaShop');
const main = 'src/shop/Main.java';

function lineOf(text: string): number {
  return (
    readFileSync(join(shop, main), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  );
}

describe('Java through the debug protocol of its virtual machine', { timeout: 180_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let reader: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: shop });
    agent = await ide.connect({ face: 'debugger' });
    reader = await ide.connect({ face: 'default' });
  });
  afterAll(() => ide.dispose());

  const value = async (expression: string) => {
    const { result } = (await agent.data('evaluate_expression', { expression })) as { result: { value: string } };
    return result.value;
  };

  it('compiles, stops, shows values as they are written, evaluates, changes, steps, and tells an exception with its cause', async () => {
    await agent.data('set_breakpoint', {
      file_path: main,
      line: lineOf('sum += item.price()'),
      condition: 'item.price() == 2',
    });
    const log = await agent.data('set_breakpoint', {
      file_path: main,
      line: lineOf('items.add(item)'),
      log_message: 'adds {item.name()} to {items.size()}',
      suspend_policy: 'none',
    });
    const started = await agent.data('start_debug_session', { program: main, args: ['--x', 'y z'], wait_ms: 40_000 });
    expect(started).toMatchObject({
      state: 'paused',
      stop: { reason: 'breakpoint', location: { file: `${ide.root}/${main}`, line: lineOf('sum += item.price()') } },
    });
    expect(started['output']).toContain('adds ink to 1');
    expect(await value('item')).toBe('Item[name="ink", price=2, kind=Kind.FLUID]');
    expect(await value('items.get(0).name() + ":" + (sum > 10 ? "much" : "little")')).toBe('"pen:much"');
    expect(await value('this')).toContain('owner="Ada"');
    expect(await value('Main.orders + 0x10L')).toBe('17');
    expect(await value('new Item("cap", 9, Kind.TOOL).price() / 2.0')).toBe('4.5');
    expect((await agent.call('evaluate_expression', { expression: 'item.nme' })).data).toMatchObject({
      result: { type: 'error', error: expect.stringContaining('it has name, price, kind') as string },
    });
    expect(await agent.data('set_variable', { variable_path: 'sum', value: '1000' })).toMatchObject({
      oldValue: '30',
      newValue: '1000',
    });
    // A log point that speaks during a step does not swallow it.
    expect(await agent.data('step_out')).toMatchObject({
      stop: { reason: 'step', location: { line: lineOf('int total = cart.total') } },
    });
    expect(await agent.data('step_over')).toMatchObject({ stop: { location: { line: lineOf('println("total') } } });
    const there = await agent.data('run_to_line', { file_path: main, line: lineOf('checkout(cart, stock);') });
    expect(there['output']).toContain('total 1020 --x,y z');
    const { variables } = (await agent.data('get_variables')) as { variables: { name: string; value: string }[] };
    const shown = Object.fromEntries(variables.map((each) => [each.name, each.value]));
    expect(shown).toMatchObject({
      args: 'String[2] ["--x", "y z"]',
      stock: 'HashMap(1) {"pen"=7}',
      sizes: 'TreeMap(2) {"a"=List(3) [1, 2, 3], "b"=List(1) [2]}',
      queue: 'ArrayDeque(2) ["x", "y"]',
      none: 'Optional.empty',
      numbers: 'long[2] [1, 2]',
      text: '"built"',
    });
    const { threads } = (await agent.data('list_threads')) as { threads: { name: string; state: string }[] };
    expect(threads).toContainEqual(expect.objectContaining({ name: 'worker', state: 'waiting' }));
    await agent.data('set_breakpoint', { function: 'Main.reserve' });
    expect(await agent.data('step_into')).toMatchObject({ stop: { location: { methodName: 'checkout' } } });
    expect(await agent.data('resume_execution')).toMatchObject({ stop: { location: { methodName: 'reserve' } } });
    await agent.data('remove_breakpoint', { breakpoint_id: String(log['breakpointId']) });
    await agent.data('resume_execution');
    const failed = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(failed).toMatchObject({
      stop: {
        reason: 'exception',
        exception: { type: 'IllegalStateException', message: 'cannot check out Ada' },
        location: { line: lineOf('throw new IllegalStateException') },
      },
    });
    expect(JSON.stringify(failed)).toContain('no ink');
    expect(await agent.data('resume_execution', { wait_ms: 20_000 })).toMatchObject({ state: 'stopped', exitCode: 1 });
    for (const each of ((await agent.data('list_breakpoints')) as { breakpoints: { id: string }[] }).breakpoints)
      await agent.call('remove_breakpoint', { breakpoint_id: each.id });
  });

  it('answers one question about a failing program in one short call', async () => {
    const text = await reader.text('debug_probe', { program: main });
    expect(text).toContain('IllegalStateException: cannot check out Ada');
    expect(text).toContain('IllegalArgumentException: no ink');
    expect(text).toContain(`Main.java:${lineOf('throw new IllegalStateException')}`);
    expect(text.length).toBeLessThan(1300);
  });

  it('tells what the calls returned that a main class checks by assertions without a message', async () => {
    writeFileSync(
      join(ide.root, 'Check.java'),
      `import java.util.*;

class Piles {
    List<Integer> pile(int n) {
        List<Integer> out = n == 0 ? new ArrayList<>() : pile(n - 1);
        out.add(n * 2);
        return out;
    }
}

public class Check {
    public static void main(String[] args) {
        Piles piles = new Piles();
        List<Boolean> correct = Arrays.asList(
            piles.pile(1).equals(List.of(0, 2)),
            piles.pile(2).subList(1, 3).equals(List.of(2, 5))
        );
        if (correct.contains(false)) throw new AssertionError();
    }
}
`,
    );
    const text = await reader.text('debug_probe', { program: 'Check.java' });
    expect(text).toContain(
      'Check.java:18 in Check.main\nAssertionError\n  line 15: pile(1) = [0, 2], line 16: pile(2) = [0, 2, 4]\n',
    );
    expect(text).toContain('correct = List(2) [true, false]');
    expect(text.length).toBeLessThan(1000);
  });

  it('stops where a field is written and at exceptions of a class', async () => {
    await agent.data('set_breakpoint', { function: 'Cart.changes', condition: 'items.size() == 2' });
    const started = await agent.data('start_debug_session', { program: main, wait_ms: 40_000 });
    expect(started).toMatchObject({ stop: { location: { line: lineOf('changes = changes + 1') } } });
    expect(JSON.stringify(started)).toContain('changes changes from 1 to 2');
    await agent.data('set_exception_breakpoint', { exception_class: 'IllegalArgumentException', caught: true });
    expect(await agent.data('resume_execution', { wait_ms: 20_000 })).toMatchObject({
      stop: { reason: 'exception', exception: { type: 'IllegalArgumentException', message: 'no ink' } },
    });
    await agent.data('stop_debug_session');
    for (const each of ((await agent.data('list_breakpoints')) as { breakpoints: { id: string }[] }).breakpoints)
      await agent.call('remove_breakpoint', { breakpoint_id: each.id });
  });

  it('tells what does not compile, and what has no main', async () => {
    const { error } = await agent.call('start_debug_session', { program: 'broken/Broken.java' });
    expect(error).toMatchObject({
      name: 'launch_failed',
      data: {
        problems: [
          expect.objectContaining({
            file: 'broken/Broken.java',
            line: 3,
            message: expect.stringContaining('incompatible types') as string,
          }),
          expect.objectContaining({ line: 4, message: expect.stringContaining('cannot find symbol') as string }),
        ],
      },
    });
  });

  it('replaces code while the program stands, refuses what the machine cannot take, and tells which frames are old', async () => {
    const source = (body: string, field = '') =>
      `public class Live {
    ${field}int count;
    int rate(int n) {
        ${body}
    }
    public static void main(String[] args) {
        Live live = new Live();
        for (int n = 1; n < 4; n++) live.count += live.rate(n);
        System.out.println("count " + live.count);
    }
}
`;
    const write = (text: string) => writeFileSync(join(ide.root, 'Live.java'), text);
    write(source('return n * 10;'));
    await agent.data('set_breakpoint', { file_path: 'Live.java', line: 4, hit_condition: '2' });
    expect(await agent.data('start_debug_session', { program: 'Live.java', wait_ms: 30_000 })).toMatchObject({
      stop: { location: { line: 4 } },
    });
    const texts = await ide.connect({ face: 'debugger', output: 'text' });
    expect(await texts.text('replace_code')).toBe('No class is other than the program has it.');
    write(source('return n * 10;', 'int other; '));
    expect((await agent.call('replace_code')).error).toMatchObject({
      name: 'unsupported',
      message: expect.stringMatching(/^Nothing was replaced: .*a field was added/),
    });
    write(source('return n * ;'));
    expect((await agent.call('replace_code')).error?.message).toContain('so nothing was replaced');
    write(source('return n * 1000;'));
    expect(await agent.data('replace_code')).toEqual({
      status: 'replaced',
      replaced: ['Live'],
      notLoadedYet: [],
      outdatedFrames: [{ thread: 'main', frameIndex: 0, className: 'Live' }],
    });
    expect(await agent.data('restart_frame')).toMatchObject({ stop: { location: { line: 4, methodName: 'rate' } } });
    const { breakpoints } = (await agent.data('list_breakpoints')) as { breakpoints: { id: string }[] };
    await agent.data('remove_breakpoint', { breakpoint_id: breakpoints[0]?.id ?? '' });
    const ended = await agent.data('resume_execution', { wait_ms: 20_000 });
    expect(ended['output']).toContain('count 5010');
  });

  it('attaches to a running program by its port and by its pid, pauses it, reads its values, and leaves it alone', async () => {
    const java = realpathSync(execFileSync('which', ['java'], { encoding: 'utf8' }).trim());
    const classes = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
    execFileSync(join(dirname(java), 'javac'), ['-g', '-d', classes, join(shop, 'src/tools/Loop.java')]);
    const agentArgument = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0';
    const program = spawn(java, [agentArgument, '-cp', classes, 'tools.Loop'], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const port = await new Promise<number>((resolve) => {
        let said = '';
        program.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString('utf8');
          const found = /address: (?:\S+:)?(\d+)[\s\S]*ready/.exec(said)?.[1];
          if (found !== undefined) resolve(Number(found));
        });
      });
      program.stdin.write('go\n');
      await agent.data('start_debug_session', { language: 'java', port, wait_ms: 0 });
      await agent.data('set_breakpoint', { file_path: 'src/tools/Loop.java', line: 12 });
      expect(await agent.data('get_debug_session_status', { wait_ms: 20_000 })).toMatchObject({
        state: 'paused',
        currentLocation: { file: `${ide.root}/src/tools/Loop.java`, line: 12 },
      });
      expect(await value('count > 0 && line.equals("go")')).toBe('true');
      await agent.data('stop_debug_session');
      expect(program.exitCode).toBeNull();
      const { error } = await agent.call('start_debug_session', { pid: process.pid, language: 'java' });
      expect(error).toMatchObject({ name: 'attach_failed' });
    } finally {
      program.kill('SIGKILL');
    }
  });

  it('tells a deadlock by who holds what, and leaves no machine behind', async () => {
    const text = await reader.text('debug_probe', { program: 'src/tools/Deadlock.java', wait_ms: 6000 });
    expect(text).toContain('deadlock');
    expect(text).toMatch(/main: waiting for a lock held by thread \S+ \(other\) at Deadlock\.take/);
    const started = await agent.data('start_debug_session', {
      program: 'src/tools/Loop.java',
      stop_on_entry: true,
      wait_ms: 40_000,
    });
    expect(started).toMatchObject({ stop: { reason: 'entry', location: { line: 7 } } });
    await agent.data('stop_debug_session');
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('tools.Loop'));
    expect(left).toEqual([]);
  });
});
