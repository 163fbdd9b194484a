import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import typescript from 'typescript-classic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const typed = `interface Item { name: string; qty: number }

function count(items: Item[], bonus: number): number {
  let sum = bonus;
  for (const item of items) {
    sum += item.qty;
  }
  return sum;
}
function main(): void {
  console.log(count([{ name: 'pen', qty: 2 }, { name: 'cup', qty: 1 }], 1));
}
main();
`;
const options = { target: typescript.ScriptTarget.ES2022, module: typescript.ModuleKind.CommonJS, sourceMap: true };
const compiled = typescript.transpileModule(typed, { compilerOptions: options, fileName: 'typed.ts' });

const languages = [
  {
    name: 'JavaScript',
    program: 'plain.js',
    source: 'plain.js',
    line: 5,
    files: {
      'throws.js': 'for (let i = 0; i < 3; i++) {\n  console.log(i);\n}\nthrow new Error("end");\n',
      'plain.js': `const items = [{ name: 'pen', qty: 2 }, { name: 'cup', qty: 1 }];
function count(items, bonus) {
  let sum = bonus;
  for (const item of items) {
    sum += item.qty;
  }
  return sum;
}
function main() {
  console.log(count(items, 1));
}
main();
`,
    },
  },
  {
    name: 'TypeScript',
    program: 'out/typed.js',
    source: 'typed.ts',
    line: 6,
    files: {
      'typed.ts': typed,
      'out/typed.js': compiled.outputText,
      'out/typed.js.map': (compiled.sourceMapText ?? '').replace('"typed.ts"', '"../typed.ts"'),
    },
  },
  {
    name: 'Python',
    program: 'app.py',
    source: 'app.py',
    line: 4,
    files: {
      'app.py': `def count(items, bonus):
    total = bonus
    for item in items:
        total += item["qty"]
    return total


def main():
    print(count([{"name": "pen", "qty": 2}, {"name": "cup", "qty": 1}], 1))


main()
`,
    },
  },
];

describe('from nothing to a breakpoint with its locals', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    const project = Object.assign({}, ...languages.map(({ files }) => files)) as Record<string, string>;
    ide = await startSightline({ project, env: { SIGHTLINE_CACHE: testCacheDir } });
  });
  afterAll(() => ide.dispose());

  it.each(languages)('takes two calls on the debugger face: $name', async ({ program, source, line }) => {
    const agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: source, line });
    const started = await agent.data('start_debug_session', { program });
    expect(started).toMatchObject({ state: 'paused', stop: { reason: 'breakpoint', location: { line } } });
    const { variables } = started['stop'] as { variables: { name: string; value: string }[] };
    expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(['items', 'bonus', 'item']));
    await agent.data('stop_debug_session');
  });

  it.each(languages)('takes one with debug_probe, in at most 250 tokens: $name', async ({ program, source, line }) => {
    for (const face of ['probe', 'default'] as const) {
      const agent = await ide.connect({ face });
      const text = await agent.text('debug_probe', {
        program,
        breakpoints: [{ file: source, line }],
        max_hits: 1,
      });
      expect(text).toMatch(new RegExp(`^Stopped \\(breakpoint\\) at ${source}:${line} in count`));
      expect(text.match(/^(>>>| {3}) +\d+ \|/gm)).toHaveLength(5);
      for (const name of ['items', 'bonus', 'item']) expect(text).toMatch(new RegExp(`^  ${name} = `, 'm'));
      expect(text).toMatch(/^Stack: count .* < main .* < <module>/m);
      expect(encode(text).length).toBeLessThanOrEqual(250);
    }
  });

  it.each(languages)('and a step from there says as much as shortly: $name', async ({ program, source, line }) => {
    const agent = await ide.connect({ face: 'probe' });
    await agent.text('debug_launch', { program });
    await agent.text('debug_breakpoint', { file: source, line });
    for (const text of [await agent.text('debug_continue'), await agent.text('debug_step', { kind: 'over' })]) {
      expect(text).toMatch(/^  items = /m);
      expect(text).toContain('Stack: ');
      expect(encode(text).length).toBeLessThanOrEqual(250);
    }
    await agent.text('debug_stop');
  });

  it('a session starts with its breakpoints in one call', async () => {
    const agent = await ide.connect({ face: 'debugger' });
    const breakpoints = [{ file: 'plain.js', line: 10 }];
    const { stop } = await agent.data('start_debug_session', { program: 'plain.js', breakpoints });
    expect(stop).toMatchObject({ reason: 'breakpoint', location: { line: 10 } });
    await agent.data('stop_debug_session');
  });

  it('log points alone never pause, not even at what is thrown', async () => {
    const agent = await ide.connect({ face: 'probe' });
    const breakpoints = [{ file: 'throws.js', line: 2, log_message: 'i is {i}' }];
    const text = await agent.text('debug_probe', { program: 'throws.js', breakpoints });
    expect(text).toMatch(/^Program ended with exit code 1/);
    expect(text).toContain('logged 3 times');
    expect(text).not.toContain('Stopped');
  });
});
