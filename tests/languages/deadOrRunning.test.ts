import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const crashC = `#include <stddef.h>
struct box { int size; int *numbers; };
static int third(struct box *box) {
  return box->numbers[2];
}
int main(void) {
  struct box box = {3, NULL};
  return third(&box);
}
`;
const clockC = `#include <stdio.h>
#include <unistd.h>
struct clock { long ticks; const char *name; };
static long tick(struct clock *clock) {
  clock->ticks++;
  usleep(1000);
  return clock->ticks;
}
int main(void) {
  struct clock clock = {0, "wall"};
  puts("ready");
  fflush(stdout);
  while (tick(&clock) > 0) {}
}
`;
const crashRust = `struct Holder { numbers: Vec<i32>, name: Option<String> }
fn third(holder: &Holder) -> i32 {
    if holder.numbers.len() < 3 { std::process::abort(); }
    holder.numbers[2]
}
fn main() {
    let holder = Holder { numbers: vec![1, 2], name: Some("x".to_string()) };
    println!("{} {:?}", third(&holder), holder.name);
}
`;
const crashGo = `package main

type Box struct{ Numbers []int }

func third(box *Box) int {
	return box.Numbers[2]
}

func main() {
	println(third(&Box{Numbers: []int{1, 2}}))
}
`;

describe('programs that died, and programs that run already', { timeout: 180_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let gdb: string;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    gdb = (await ensureEngine('gdb')).path;
    await ensureEngine('dlv');
    ide = await startSightline({
      project: {
        'crash.c': crashC,
        'clock.c': clockC,
        'crash.rs': crashRust,
        'go/main.go': crashGo,
        'go/go.mod': 'module example.com/crash\n\ngo 1.21\n',
      },
    });
    agent = await ide.connect({ face: 'debugger', output: 'both' });
  }, 400_000);
  afterAll(async () => {
    for (const program of running) program.kill('SIGKILL');
    await ide.dispose();
  });

  const run = (command: string, args: string[], cwd = ide.root) =>
    execFileSync(command, args, { cwd, stdio: 'ignore', env: { ...process.env, GOTRACEBACK: 'crash' } });
  /** The memory of a program at the moment it dies, whatever this machine does with such. */
  const core = (program: string) =>
    run(gdb, [
      '-nx',
      '-q',
      '-batch',
      '-ex',
      'run',
      '-ex',
      `generate-core-file ${program}.core`,
      join(ide.root, program),
    ]);
  const opened = async (program: string) => {
    core(program);
    return agent.data('start_debug_session', { program, core: `${program}.core`, wait_ms: 30_000 });
  };

  it('looks at the memory of a dead process of C, Rust and Go, and says that it cannot run', async () => {
    run('gcc', ['-g', '-O0', '-o', 'crash', 'crash.c']);
    expect(await opened('crash')).toMatchObject({
      stop: {
        location: { line: 4, methodName: 'third' },
        exception: { type: 'SIGSEGV', message: 'null pointer access, address 0x8' },
      },
    });
    expect(await agent.data('evaluate_expression', { expression: 'box.size + 1', frame_index: 1 })).toMatchObject({
      result: { value: '4' },
    });
    expect((await agent.call('resume_execution')).error).toMatchObject({ name: 'unsupported' });
    expect(await agent.data('get_debug_session_status')).toMatchObject({ state: 'paused' });
    await agent.data('stop_debug_session');

    run('rustc', ['-g', '-o', 'holder', 'crash.rs']);
    const rust = await opened('holder');
    expect(rust).toMatchObject({ stop: { location: { line: 3 }, exception: { type: 'SIGABRT' } } });
    expect(JSON.stringify(rust)).toContain('{numbers: [1, 2], name: Some(\\"x\\")}');
    await agent.data('stop_debug_session');

    run('go', ['build', '-gcflags=-N -l', '-o', join(ide.root, 'gocrash'), '.'], join(ide.root, 'go'));
    const go = await opened('gocrash');
    expect(go).toMatchObject({ stop: { location: { line: 6, methodName: 'main.third' } } });
    expect(JSON.stringify(go)).toContain('Numbers: [1, 2]');
    await agent.data('stop_debug_session');
  });

  it('joins a running program of C, stops it on a condition, jumps back, and leaves it running', async () => {
    run('gcc', ['-g', '-O0', '-o', 'clock', 'clock.c']);
    const program = spawn(join(ide.root, 'clock'), { stdio: ['ignore', 'pipe', 'ignore'] });
    running.push(program);
    await once(program.stdout, 'data');
    const stuck = await agent.text('debug_stuck', { pid: program.pid });
    expect(stuck).toContain('clock.c:');
    await agent.data('start_debug_session', { pid: program.pid, wait_ms: 0 });
    await agent.data('set_breakpoint', { file_path: 'clock.c', line: 7, condition: 'clock->ticks % 50 == 0' });
    expect(await agent.data('get_debug_session_status', { wait_ms: 30_000 })).toMatchObject({
      state: 'paused',
      currentLocation: { line: 7 },
    });
    expect(await agent.data('jump_to_line', { file_path: 'clock.c', line: 5 })).toMatchObject({
      stop: { location: { line: 5 } },
    });
    const { error } = await agent.call('jump_to_line', { file_path: 'clock.c', line: 12 });
    expect(error?.message).toContain('is not part of tick');
    await agent.data('stop_debug_session');
    expect(program.exitCode ?? program.signalCode).toBeNull();
  });
});
