import { execFileSync } from 'node:child_process';
import { writeFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const projects = join(dirname(fileURLToPath(import.meta.url)), 'projects');
const open: RunningSightline[] = [];
afterEach(async () => {
  for (const ide of open.splice(0)) await ide.dispose();
});

async function start(project: string | Record<string, string>): Promise<{ ide: RunningSightline; agent: TestClient }> {
  const ide = await startSightline({ project });
  open.push(ide);
  return { ide, agent: await ide.connect({ face: 'index' }) };
}

function git(root: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root, stdio: 'ignore' });
}

describe('projects as they really are', () => {
  it('a bare name means what the project can name, and the local of a function only when nothing else is called that', async () => {
    const { agent } = await start({
      'count.ts': 'export function counted(n: number): string {\n  return `${n}`;\n}\n',
      'use.ts':
        "import { counted } from './count.ts';\nexport function all(): string {\n  const sum = counted(1);\n  return sum;\n}\n",
      'other.ts': 'export function more(): number {\n  const counted = 1;\n  return counted;\n}\n',
      'both.ts':
        'export interface Sum {\n  total: number;\n}\nexport const total = ({ total }: Sum): number => total;\n',
    });
    const told = async (symbol: string) => (await agent.data('ide_find_references', { symbol }))['symbol'];
    expect(await told('counted')).toMatchObject({ file: 'count.ts', kind: 'function' });
    expect(await told('sum')).toMatchObject({ file: 'use.ts', line: 3 });
    expect(await told('more.counted')).toMatchObject({ file: 'other.ts', line: 2 });
    // In one file the whole path is what is declared at its top; elsewhere a member may be meant as well.
    expect(await told('both.ts#total')).toMatchObject({ file: 'both.ts', line: 4 });
    expect((await agent.call('ide_find_references', { symbol: 'total' })).error).toMatchObject({
      name: 'ambiguous_symbol',
    });
  });

  it('a function of CommonJS means what it is assigned to, not the name that only it can see', async () => {
    const { agent } = await start({
      'response.js':
        "var make = require('./make');\nvar res = (module.exports = Object.create(null));\nres.send = function send(body) {\n  return body;\n};\nres.json = function json(value) {\n  return this.send(JSON.stringify(value));\n};\nexports.tag = make('a');\n",
      'make.js': 'module.exports = function make(word) {\n  return word;\n};\n',
      'use.js': "var res = require('./response');\nfunction answer(any) {\n  any.send('x');\n}\nanswer(res);\n",
    });
    const lines = async (symbol: string) => {
      const { usages, index } = await agent.data('ide_find_references', { symbol });
      return { index, at: (usages as { file: string; line: number }[]).map(({ file, line }) => `${file}:${line}`) };
    };
    const sent = await lines('response.js#send');
    expect(new Set(sent.at)).toEqual(new Set(['response.js:3', 'response.js:7', 'use.js:3']));
    expect(sent.index).toMatchObject({ state: 'partial' });
    expect((await lines('response.js#tag')).at).toContain('response.js:9');
  });

  it('a checkout of another branch is in the next answer', async () => {
    const { ide, agent } = await start(join(projects, 'shop'));
    git(ide.root, 'init', '-b', 'main');
    git(ide.root, 'add', '.');
    git(ide.root, 'commit', '-m', 'one');
    const total = async () =>
      (await agent.data('ide_find_references', { symbol: 'src/pricing.ts#total' }))['totalCount'];
    expect(await total()).toBe(8);
    git(ide.root, 'checkout', '-b', 'other');
    await rm(join(ide.root, 'src/report.ts'));
    await writeFile(join(ide.root, 'src/more.ts'), "export { total as sum } from './pricing.ts';\n");
    await writeFile(
      join(ide.root, 'src/deeper.ts'),
      "import { sum } from './more.ts';\nexport const x = sum([]) + sum([]);\n",
    );
    git(ide.root, 'add', '-A');
    git(ide.root, 'commit', '-m', 'two');
    const onOther = await total();
    expect(onOther).not.toBe(8);
    git(ide.root, 'checkout', 'main');
    expect(await total()).toBe(8);
    expect(await agent.data('ide_analyze_code', {})).toMatchObject({ totalCount: 0, analysedFiles: 4 });
    git(ide.root, 'checkout', 'other');
    expect(await total()).toBe(onOther);
  });

  it('packages of a monorepo that import one another see one another, with and without project references', async () => {
    const tsconfig = (extra: object) =>
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          strict: true,
          composite: true,
          outDir: 'dist',
          types: [],
        },
        include: ['src'],
        ...extra,
      });
    const { agent } = await start({
      'package.json': '{"private":true,"workspaces":["packages/*"]}',
      'packages/core/package.json': '{"name":"core","type":"module"}',
      'packages/core/tsconfig.json': tsconfig({}),
      'packages/core/src/index.ts': 'export function helper(): number {\n  return 1;\n}\n',
      'packages/app/package.json': '{"name":"app","type":"module"}',
      'packages/app/tsconfig.json': tsconfig({ references: [{ path: '../core' }] }),
      'packages/app/src/main.ts': "import { helper } from '../../core/src/index.js';\nhelper();\n",
      'packages/tool/package.json': '{"name":"tool","type":"module"}',
      'packages/tool/tsconfig.json': tsconfig({}),
      'packages/tool/src/tool.ts': "import { helper } from '../../core/src/index.js';\nexport const h = helper();\n",
    });
    const data = await agent.data('ide_find_references', {
      file: 'packages/core/src/index.ts',
      line: 1,
      text: 'helper',
    });
    expect(data).toMatchObject({
      totalCount: 5,
      index: { state: 'ready' },
      files: [
        { file: 'packages/core/src/index.ts', count: 1 },
        { file: 'packages/app/src/main.ts', count: 2 },
        { file: 'packages/tool/src/tool.ts', count: 2 },
      ],
    });
  });

  it('a broken tsconfig is a problem that is shown, and the code is still understood', async () => {
    const { ide, agent } = await start(join(projects, 'shop'));
    await writeFile(
      join(ide.root, 'tsconfig.json'),
      '{ "compilerOptions": { "target": "nonsense" }, "include": ["src"] }',
    );
    expect(await agent.data('ide_find_references', { symbol: 'src/pricing.ts#total' })).toMatchObject({
      totalCount: 8,
    });
    const problems = (await agent.data('ide_analyze_code', {}))['problems'] as { file: string; message: string }[];
    expect(problems.filter((item) => item.file === 'tsconfig.json').map((item) => item.message)).toEqual([
      expect.stringContaining('target'),
    ]);
  });

  it('a syntax error in a file does not hide the rest', async () => {
    const { ide, agent } = await start(join(projects, 'shop'));
    await writeFile(
      join(ide.root, 'src/report.ts'),
      "import { total } from './pricing.ts';\nexport const x = total([\n",
    );
    expect(await agent.data('ide_find_references', { symbol: 'src/pricing.ts#total' })).toMatchObject({
      totalCount: 9,
    });
    const data = await agent.data('ide_analyze_code', { file: 'src/report.ts' });
    expect((data['problems'] as { code: string }[]).map((item) => item.code)).toContain('1005');
  });

  it('a file of 20,000 lines', async () => {
    const lines = Array.from({ length: 20_000 }, (_unused, index) => `export const value${index} = helper(${index});`);
    const { agent } = await start({
      'package.json': '{"type":"module"}',
      'big.ts': `export function helper(n: number): number { return n; }\n${lines.join('\n')}\n`,
    });
    const data = await agent.data('ide_find_references', { symbol: 'helper' });
    expect(data).toMatchObject({ totalCount: 20_001, nextOffset: 25 });
    expect(await agent.data('ide_find_definition', { file: 'big.ts', line: 20_001, text: 'helper' })).toMatchObject({
      line: 1,
    });
  });

  it('CRLF, a byte order mark and characters outside of the basic plane keep columns right', async () => {
    const { agent } = await start({
      'package.json': '{"type":"module"}',
      'a.ts':
        '\uFEFFexport const 変数 = "😀😀"; export const after = 変数.length;\r\nexport const third = after + 1;\r\n',
    });
    const data = await agent.data('ide_find_references', { file: 'a.ts', line: 2, text: 'after' });
    expect((data['usages'] as { line: number; column: number }[]).map((item) => `${item.line}:${item.column}`)).toEqual(
      ['1:40', '2:22'],
    );
  });

  it('a server that keeps dying is given up with a clear word, and other languages go on', async () => {
    const { ide, agent } = await start(join(projects, 'shop'));
    const { pool } = ide.sightline.engines.code;
    for (let death = 0; death < 5; death++) {
      await agent.data('ide_find_definition', { symbol: 'src/pricing.ts#total' });
      const [server] = pool.servers;
      process.kill(server?.pid ?? 0, 'SIGKILL');
      await expect.poll(() => pool.servers.length).toBe(0);
    }
    const { error } = await agent.call('ide_find_definition', { symbol: 'src/pricing.ts#total' });
    expect(error).toMatchObject({
      name: 'engine_failed',
      message: expect.stringContaining('died 5 times within three minutes'),
    });
    expect(await agent.data('ide_index_status')).toMatchObject({ state: 'unavailable' });
  });
});
