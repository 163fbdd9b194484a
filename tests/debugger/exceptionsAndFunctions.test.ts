import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const files = {
  'throws.js': `class AppError extends Error {}
class NotFound extends AppError {
  constructor(id) {
    super('no ' + id);
    this.code = id > 1 ? 'GONE' : 'NEVER';
  }
}
function find(id) {
  if (id === 3) throw new RangeError('three');
  throw new NotFound(id);
}
for (const id of [1, 2, 3, 2]) {
  try {
    find(id);
  } catch (error) {
    console.log(error.message);
  }
}
throw new NotFound(9);
`,
  'shapes.cjs': `function Old() {}
Old.prototype.area = function () {
  return 1;
};
exports.helper = function () {
  return [1].map((n) => n + 1);
};
const api = {
  get(id) { return id; },
  nested: { deep: () => 2 },
};
class Shape {
  static make() { return new Shape(); }
  #secret() { return 3; }
  area() { return this.#secret(); }
}
new Old().area();
exports.helper();
api.get(4);
api.nested.deep();
Shape.make().area();
`,
  'src/main.ts': `import { total as totalOf } from './lib.ts';
function total(n: number): number {
  return n * 2;
}
console.log(total(1) + totalOf(2));
`,
  'src/lib.ts': `export function total(price: number): number {
  return price + 1;
}
`,
};

describe('breakpoints that name no line', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    ide = await startSightline({ project: files });
    agent = await ide.connect({ face: 'debugger' });
    await build({
      entryPoints: [join(ide.root, 'src/main.ts')],
      bundle: true,
      platform: 'node',
      sourcemap: true,
      outfile: join(ide.root, 'dist/main.js'),
    });
  });
  afterAll(() => ide.dispose());

  /** Runs to the end and notes what each stop says. */
  async function stops(program: string): Promise<{ line: number; why: unknown; id: unknown; output?: unknown }[]> {
    const seen: { line: number; why: unknown; id: unknown }[] = [];
    let answer = await agent.data('start_debug_session', { program });
    for (; answer['state'] === 'paused'; answer = await agent.data('resume_execution')) {
      const stop = answer['stop'] as {
        location: { line: number; methodName: string };
        exception?: { type: string; message: string };
        breakpointId: string;
      };
      const why = stop.exception === undefined ? stop.location.methodName : stop.exception.message;
      seen.push({ line: stop.location.line, why, id: stop.breakpointId });
    }
    return seen;
  }

  async function withBreakpoint(tool: string, args: Record<string, unknown>, program: string): Promise<unknown[]> {
    const { breakpointId } = await agent.data(tool, args);
    const seen = await stops(program);
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
    return seen.filter((stop) => String(stop.id).split(', ').includes(String(breakpointId))).map((stop) => stop.why);
  }

  it('stop at a class of exceptions and those below it, each time one is thrown', async () => {
    const args = { exception_class: 'AppError', caught: true, uncaught: false };
    expect(await withBreakpoint('set_exception_breakpoint', args, 'throws.js')).toEqual(['no 1', 'no 2', 'no 2']);
  });

  it('stop only at uncaught ones when told so', async () => {
    const args = { exception_class: 'NotFound', caught: false, uncaught: true };
    expect(await withBreakpoint('set_exception_breakpoint', args, 'throws.js')).toEqual(['no 9']);
  });

  it('stop when the condition holds for what was thrown, in the frame that threw it', async () => {
    const args = { caught: true, uncaught: true, condition: "error.code === 'GONE' && id === 2" };
    expect(await withBreakpoint('set_exception_breakpoint', args, 'throws.js')).toEqual(['no 2', 'no 2']);
  });

  it('say once that a condition fails, and refuse one that is none', async () => {
    const set = await agent.data('set_exception_breakpoint', { caught: true, condition: 'error.status.length > 3' });
    const id = String(set['breakpointId']);
    let all = '';
    let answer = await agent.data('start_debug_session', { program: 'throws.js' });
    for (; answer['state'] === 'paused'; answer = await agent.data('resume_execution'))
      all += JSON.stringify(answer['output'] ?? '');
    all += JSON.stringify(answer['output'] ?? '');
    expect(all.match(new RegExp(`the condition of ${id} failed: TypeError`, 'g'))).toHaveLength(1);
    await agent.data('remove_breakpoint', { breakpoint_id: id });
    const { error } = await agent.call('set_exception_breakpoint', { condition: 'error.' });
    expect(error).toMatchObject({ code: -32004, name: 'breakpoint_error' });
  });

  it('check a condition for the language that will evaluate it, and no other', async () => {
    // What another language forbids (Python its module `code`) is no concern here.
    const args = { caught: true, uncaught: false, condition: "error.code?.startsWith('GO')" };
    expect(await withBreakpoint('set_exception_breakpoint', args, 'throws.js')).toEqual(['no 2', 'no 2']);
    // Harmless in some language, so it is kept; Node does not bind it and says why.
    const { breakpointId } = await agent.data('set_breakpoint', { function: 'find', condition: 'fetch("x")' });
    await agent.data('start_debug_session', { program: 'throws.js', stop_on_entry: true });
    const refused = await agent.call('set_breakpoint', { function: 'other', condition: 'fetch("y")' });
    expect(refused.error).toMatchObject({ name: 'evaluation_blocked' });
    const answer = await agent.data('resume_execution');
    expect(answer['neverHit']).toEqual([
      { breakpointId, at: 'find()', reason: expect.stringContaining('"fetch" is blocked') },
    ]);
    await agent.data('remove_breakpoint', { breakpoint_id: breakpointId });
  });

  it.each([
    ['area', ['Old.area', 'area']],
    ['Old.area', ['Old.area']],
    ['Shape.area', ['area']],
    ['Shape.make', ['make']],
    ['helper', ['exports.helper']],
    ['api.get', ['get']],
    ['nested.deep', ['deep']],
    ['Shape.#secret', ['#secret']],
  ])('stop in the function %s', async (name, expected) => {
    expect(await withBreakpoint('set_breakpoint', { function: name }, 'shapes.cjs')).toEqual(expected);
  });

  it('find functions by the names of the source in a bundle that renamed them', async () => {
    expect(await withBreakpoint('set_breakpoint', { function: 'total' }, 'dist/main.js')).toEqual(['total', 'total']);
  });
});
