import { execFile } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program from npm that tests run against the product, with the Node version that it needs. */
export interface ForeignTool {
  /** Runs it and gives back what it printed and its exit code; never throws for a failing exit. */
  run(args: string[], env?: NodeJS.ProcessEnv): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** All of them, pinned. A whole run installs them before the clock of any test starts. */
export const foreignTools = {
  conformance: { packageSpec: '@modelcontextprotocol/conformance@0.2.0-alpha.12', bin: 'conformance' },
  oldConformance: { packageSpec: '@modelcontextprotocol/conformance@0.1.16', bin: 'conformance' },
  inspector: { packageSpec: '@modelcontextprotocol/inspector@2.12.0', bin: 'mcp-inspector' },
  oldInspector: { packageSpec: '@modelcontextprotocol/inspector@1.0.3', bin: 'mcp-inspector' },
} as const;

/** What compiles or runs TypeScript in the projects of users, beside what we have ourselves. */
export const foreignCompilers = '@swc/core@1.16.22 tsx@4.23.15';

/** The test runners of users' projects that are not ours, with the library that mocha leaves to them. */
export const foreignRunners = 'jest@30.5.2 mocha@12.0.3 chai@6.3.0';

/** The formatters that projects install with npm and pip, pinned. */
export const foreignFormatters = {
  npm: 'prettier@3.9.10 @biomejs/biome@2.6.6 eslint@10.14.0 google-java-format@2.0.0',
  pip: ['black==26.10.1', 'isort==9.0.2', 'clang-format==23.1.3'],
} as const;

/** A virtual environment with those of pip. */
export async function formatterEnvironment(python: string): Promise<string> {
  return pythonEnvironment(python, 'formatters', foreignFormatters.pip);
}

/** Libraries whose values the debugger shows. */
export const numberLibraries = ['numpy==2.2.6', 'pandas==2.2.3'];

/** The server and the debugger of a language that only settings name. gdb's package needs the system's own Python. */
export const fortranTools = ['fortls==3.2.2', 'gdb-for-pwndbg==18.1.0.post1'];

/** What builds C and C++ in projects that describe themselves to Meson. */
export const mesonTools = ['meson==1.12.1', 'ninja==1.13.2'];

/** The protocol of agents, as its Python SDK reads it. */
export const pythonProtocol = ['agent-client-protocol==0.12.1'];

/** A Python environment with these packages, made once and kept in the cache. */
export async function pythonEnvironment(python: string, name: string, packages: readonly string[]): Promise<string> {
  const folder = join(cacheDir(), `${name}_${packages.join('_').replaceAll(/[^\w.-]+/g, '_')}`);
  if (await exists(join(folder, 'ready'))) return folder;
  await run(python, ['-m', 'venv', '--clear', folder]);
  await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '-q', ...packages]);
  await writeFile(join(folder, 'ready'), '');
  return folder;
}

/** Where what tests install outlives them. */
export function cacheDir(): string {
  return process.env['SIGHTLINE_TEST_CACHE'] ?? join(homedir(), '.cache', 'sightline-tests');
}

/** Installs once into the user's cache; the next run finds it there. */
export async function foreignTool(packageSpec: string, bin: string, nodeMajor = 22): Promise<ForeignTool> {
  const [tool, node] = [await installed(packageSpec), await installed(`node@${nodeMajor}`)];
  const PATH = [join(node, '.bin'), join(tool, '.bin'), process.env['PATH'] ?? ''].join(delimiter);
  return {
    run: async (args, env = {}) => {
      const options = { env: { ...process.env, ...env, PATH }, timeout: 240_000, maxBuffer: 64 * 1024 * 1024 };
      try {
        const { stdout, stderr } = await run(join(tool, '.bin', bin), args, options);
        return { code: 0, stdout, stderr };
      } catch (error) {
        const { code, stdout, stderr }: { code?: unknown; stdout?: unknown; stderr?: unknown } = Object(error);
        return { code: typeof code === 'number' ? code : 1, stdout: String(stdout ?? error), stderr: String(stderr) };
      }
    },
  };
}

/** The `node_modules` that holds the packages. Two test files may want it at once: whoever is first puts it in place whole. */
export async function installed(packageSpec: string): Promise<string> {
  const folder = join(cacheDir(), packageSpec.replaceAll(/[^\w.-]+/g, '_'));
  const modules = join(folder, 'node_modules');
  if (await exists(modules)) return modules;
  const fresh = `${folder}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  await writeFile(join(fresh, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet, ...packageSpec.split(' ')], { cwd: fresh, maxBuffer: 16 * 1024 * 1024 });
  await rename(fresh, folder).catch(async (error: unknown) => {
    await rm(fresh, { recursive: true, force: true });
    if (!(await exists(modules))) throw error;
  });
  return modules;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
