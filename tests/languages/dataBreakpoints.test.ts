import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';

const projects = {
  'box.cpp': `#include <cstdio>
struct Box { int size; long sum; };
static void add(Box &box, int number) {
  box.size = box.size;
  box.sum += number;
}
static int scaled(int number) {
  int twice = number;
  twice = twice * 2; // @local
  return twice;
}
int main() {
  Box box{0, 0};
  for (int number = 0; number < 3; number++) add(box, number); // @loop
  int end = scaled(21);
  std::printf("%ld %d\\n", box.sum, end);
}
`,
  'box.rs': `struct Holder { sum: i64 }
fn add(holder: &mut Holder, number: i64) {
    holder.sum += number;
}
fn main() {
    let mut holder = Holder { sum: 1 };
    println!("ready"); // @loop
    for number in 0..3 { add(&mut holder, number); }
    println!("{}", holder.sum);
}
`,
  'Box.java': `public class Box {
  int size;
  long sum;
  void add(int number) {
    size = size + 0;
    sum += number;
  }
  public static void main(String[] args) {
    Box other = new Box();
    Box box = new Box();
    for (int number = 0; number < 3; number++) { // @loop
      other.add(5);
      box.add(number);
    }
    System.out.println(box.sum + other.sum);
  }
}
`,
  'go/main.go': `package main

func main() {
	sum := 0
	sum += 2 // @loop
	println(sum)
}
`,
  'go/go.mod': 'module example.com/box\n\ngo 1.21\n',
  'box.js': `let sum = 0;
sum += 2; // @loop
console.log(sum);
`,
};

describe('stopping when a value changes', { timeout: 180_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('gdb');
    await ensureEngine('dlv');
    ide = await startSightline({ project: projects });
    agent = await ide.connect({ face: 'debugger', output: 'both' });
  }, 400_000);
  afterAll(() => ide.dispose());

  const at = (file: string, mark = 'loop') =>
    readFileSync(join(ide.root, file), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(`@${mark}`)) + 1;
  const stopped = async (program: string, file = program, mark = 'loop') => {
    const breakpoint = { file, line: at(file, mark), hit_condition: '1' };
    const started = await agent.data('start_debug_session', { program, breakpoints: [breakpoint], wait_ms: 40_000 });
    expect(started).toMatchObject({ state: 'paused' });
    for (const { id, type } of (await agent.data('list_breakpoints'))['breakpoints'] as { id: string; type: string }[])
      if (type === 'line') await agent.data('remove_breakpoint', { breakpoint_id: id });
  };
  const watch = (variable: string) => agent.data('set_breakpoint', { variable });
  const next = () => agent.data('resume_execution', { wait_ms: 30_000 });
  const changed = (description: string) => ({ stop: { reason: 'data breakpoint', description } });

  it('C++: a field of an object, told with both values and the line that wrote it', async () => {
    await stopped('box.cpp');
    const { breakpointId } = await watch('box.sum');
    expect(await next()).toMatchObject(changed('box.sum changed from 0 to 1, written by line 5 of box.cpp'));
    expect(await next()).toMatchObject(changed('box.sum changed from 1 to 3, written by line 5 of box.cpp'));
    expect(await agent.data('list_breakpoints', { type: 'data' })).toMatchObject({
      breakpoints: [{ id: breakpointId, variable: 'box.sum', hitCount: 2, verified: true }],
    });
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
    expect(await next()).toMatchObject({ state: 'stopped', exitCode: 0 });
    expect(await agent.data('list_breakpoints', { type: 'data' })).toMatchObject({ count: 0 });
  });

  it('C++: a local variable, until its call returns; what has no place is refused', async () => {
    await stopped('box.cpp', 'box.cpp', 'local');
    const { error } = await agent.call('set_breakpoint', { variable: 'twice * 2' });
    expect(error).toMatchObject({ name: 'breakpoint_error' });
    await watch('twice');
    expect(await next()).toMatchObject(changed('twice changed from 21 to 42, written by line 9 of box.cpp'));
    expect(await next()).toMatchObject(changed('twice is gone, its call has returned; it was 42'));
    expect(await next()).toMatchObject({ state: 'stopped', exitCode: 0 });
    expect(await agent.data('list_breakpoints', { type: 'data' })).toMatchObject({ count: 0 });
  });

  it('Rust: a field', async () => {
    await stopped('box.rs');
    await watch('holder.sum');
    expect(await next()).toMatchObject(changed('holder.sum changed from 1 to 2, written by line 3 of box.rs'));
    await agent.data('stop_debug_session');
  });

  it('Java: a field of this one object, when it really changes; a local variable is refused', async () => {
    await stopped('Box.java');
    const { error } = await agent.call('set_breakpoint', { variable: 'box' });
    expect(error?.message).toContain('watches fields only');
    await watch('box.sum');
    await watch('box.size');
    expect(await next()).toMatchObject({ ...changed('box.sum changes from 0 to 1'), stop: { location: { line: 6 } } });
    expect(await next()).toMatchObject(changed('box.sum changes from 1 to 3'));
    expect(await next()).toMatchObject({ state: 'stopped', exitCode: 0 });
  });

  it('Go and JavaScript say that they cannot, and nothing is watched without a stop', async () => {
    for (const program of ['go/main.go', 'box.js']) {
      await stopped(program);
      expect((await agent.call('set_breakpoint', { variable: 'sum' })).error).toMatchObject({ name: 'unsupported' });
      await agent.data('stop_debug_session');
    }
    expect((await agent.call('set_breakpoint', { variable: 'sum' })).error).toMatchObject({ name: 'not_paused' });
  });
});
