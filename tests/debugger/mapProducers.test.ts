import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignCompilers, installed } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const source = `interface Item {
  price: number;
  qty: number;
}

export function total(list: Item[], rate: number): number {
  let sum = 0;
  for (const item of list) {
    const amount: number = item.price * item.qty;
    sum += amount;
  }
  return sum * rate;
}

console.log(total([{ price: 2, qty: 3 }], 2));
`;

const unit = `import { expect, test } from 'vitest';
import { total } from './src/app.ts';
test('total', () => {
  expect(total([{ price: 2, qty: 3 }], 2)).toBe(12);
});
`;

const repository = join(import.meta.dirname, '../..');
const tsc = join(repository, 'node_modules/typescript/bin/tsc');

/** Each way from the source to a program that Node runs. */
const producers: Record<string, (root: string) => Promise<string>> = {
  'tsc, a map beside': (root) => compile(root, 'tsc-separate', 'commonjs', '--sourceMap'),
  'tsc, the map inside': (root) => compile(root, 'tsc-inline', 'commonjs', '--inlineSourceMap', '--inlineSources'),
  'tsc, sourceRoot': (root) => compile(root, 'tsc-root', 'commonjs', '--sourceMap', '--sourceRoot', join(root, 'src')),
  'tsc, ESM': (root) => compile(root, 'tsc-esm', 'esnext', '--sourceMap', '--rootDir', '.'),
  'esbuild, CJS': (root) => bundle(root, 'cjs', 'esbuild.cjs'),
  'esbuild, ESM': (root) => bundle(root, 'esm', 'esbuild.mjs'),
  'swc, CJS': (root) => swc(root, 'commonjs', 'swc.cjs', true),
  'swc, ESM': (root) => swc(root, 'es6', 'swc.mjs', 'inline'),
  Vite: (root) => viteBuild(root, false),
  'Vite, minified': (root) => viteBuild(root, true),
};

describe('a breakpoint in TypeScript that was compiled by', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let node22: string;
  beforeAll(async () => {
    ide = await startSightline({
      project: { 'src/app.ts': source, 'src/app.mts': source, 'unit.test.ts': unit, 'package.json': '{}' },
    });
    const { root } = ide;
    node22 = join(await installed('node@22'), '.bin/node');
    await mkdir(join(root, 'node_modules'));
    await symlink(join(repository, 'node_modules/vitest'), join(root, 'node_modules/vitest'));
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  async function stopsIn(file: string, start: Record<string, unknown>): Promise<void> {
    const at = { file_path: file, line: 10 };
    const set = await agent.data('set_breakpoint', { ...at, condition: 'item.qty === 3' });
    const stopped = await agent.data('start_debug_session', { ...start, wait_ms: 40_000 });
    expect(stopped).toMatchObject({
      state: 'paused',
      stop: {
        breakpointId: set['breakpointId'],
        location: { file: join(ide.root, file), line: 10, methodName: 'total' },
        variables: expect.arrayContaining([
          expect.objectContaining({ name: 'amount', value: '6' }),
          expect.objectContaining({ name: 'sum', value: '0' }),
        ]),
      },
    });
    expect((await agent.data('list_breakpoints', { file_path: file }))['breakpoints']).toMatchObject([
      { line: 10, verified: true },
    ]);
    expect(await agent.data('step_over')).toMatchObject({ stop: { location: { file: join(ide.root, file) } } });
    await agent.data('remove_breakpoint', { breakpoint_id: set['breakpointId'] });
    const ended = await agent.data('resume_execution');
    expect(ended).toMatchObject({ state: 'stopped', exitCode: 0 });
  }

  async function configure(name: string, more: Record<string, unknown>): Promise<void> {
    await mkdir(join(ide.root, '.vscode'), { recursive: true });
    const configuration = { type: 'node', request: 'launch', name, ...more };
    await writeFile(join(ide.root, '.vscode/launch.json'), JSON.stringify({ configurations: [configuration] }));
  }

  it.each(Object.entries(producers))('%s', async (_name, produce) => {
    await stopsIn('src/app.ts', { program: await produce(ide.root) });
  });

  it.each(['src/app.ts', 'src/app.mts'])("Node's own type stripping, %s", async (file) => {
    await configure('strip', { program: '${workspaceFolder}/' + file, runtimeExecutable: node22 });
    await stopsIn(file, { configuration_name: 'strip' });
  });

  it.each(['forks', 'threads'])('vitest with its pool of %s', async (pool) => {
    await configure('unit', {
      program: '${workspaceFolder}/node_modules/vitest/vitest.mjs',
      args: ['run', 'unit.test.ts', `--pool=${pool}`, '--no-file-parallelism', '--testTimeout=0'],
    });
    await stopsIn('src/app.ts', { configuration_name: 'unit' });
  });

  it.each(['src/app.ts', 'src/app.mts'])('tsx, %s', async (file) => {
    const modules = await installed(foreignCompilers);
    await symlink(join(modules, 'tsx'), join(ide.root, 'node_modules/tsx')).catch(() => undefined);
    await stopsIn(file, { program: file });
  });
});

async function compile(root: string, folder: string, module: string, ...flags: string[]): Promise<string> {
  const out = join('out', folder);
  const common = ['src/app.ts', '--outDir', out, '--module', module, '--target', 'es2022', '--types', ''];
  const resolution = module === 'commonjs' ? [] : ['--moduleResolution', 'bundler'];
  await promisify(execFile)(
    process.execPath,
    [tsc, ...common, ...resolution, ...flags, '--noCheck', '--ignoreConfig'],
    {
      cwd: root,
    },
  ).catch((error: unknown) => {
    throw new Error(String(Object(error).stdout), { cause: error });
  });
  const folderOfProgram = flags.includes('--rootDir') ? join(out, 'src') : out;
  const type = module === 'commonjs' ? 'commonjs' : 'module';
  await writeFile(join(root, folderOfProgram, 'package.json'), JSON.stringify({ type }));
  return join(folderOfProgram, 'app.js');
}

async function bundle(root: string, format: 'cjs' | 'esm', name: string): Promise<string> {
  const outfile = join(root, 'out', name);
  await esbuild({
    entryPoints: [join(root, 'src/app.ts')],
    bundle: true,
    platform: 'node',
    format,
    sourcemap: true,
    outfile,
  });
  return join('out', name);
}

interface Swc {
  transformFile: (path: string, options: Record<string, unknown>) => Promise<{ code: string; map?: string }>;
}

async function swc(root: string, type: string, name: string, sourceMaps: boolean | 'inline'): Promise<string> {
  const { transformFile } = createRequire(join(await installed(foreignCompilers), 'x.js'))('@swc/core') as Swc;
  const { code, map } = await transformFile(join(root, 'src/app.ts'), {
    cwd: root,
    swcrc: false,
    sourceMaps,
    module: { type },
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  await mkdir(join(root, 'out'), { recursive: true });
  await writeFile(join(root, 'out', name), map === undefined ? code : `${code}\n//# sourceMappingURL=${name}.map\n`);
  if (map !== undefined) await writeFile(join(root, 'out', `${name}.map`), map);
  return join('out', name);
}

async function viteBuild(root: string, isMinified: boolean): Promise<string> {
  const outDir = join(root, 'out', isMinified ? 'vite-min' : 'vite');
  await vite({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: 'src/app.ts', sourcemap: true, minify: isMinified ? 'esbuild' : false, outDir },
  });
  return join(outDir, 'app.mjs');
}
