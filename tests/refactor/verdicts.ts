import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-classic';

/** The compiler itself: the script that the package names would start Node only to start it. */
const tsc = (await import(
  pathToFileURL(join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib/getExePath.js'))
    .href
)) as { default(): string };
const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
const observer = join(fixtures, 'observe.cjs');
const jsx = join(fixtures, 'element.cjs');

/** The old and the new name of what a rename was about. */
export type Renamed = readonly [oldName: string, newName: string];

/** How a project is judged before and after a refactoring. */
export interface Verdict<Look> {
  look(root: string): Promise<Look>;
  /** What is wrong with the project by itself, nothing in a sound one; absent where cases may have errors from the start. */
  faults?(root: string, look: Look): Promise<string>;
  /** What has become worse, nothing if nothing has. */
  differences(before: Look, after: Look, renamed?: Renamed): Promise<string>;
  forget?(look: Look): Promise<void>;
}

/** The compiler is content, the tests pass, and every module does what it did. */
export const typescriptVerdict: Verdict<string> = {
  look: compiled,
  faults: async (root, folder) => (await Promise.all([typeErrors(root), failingTests(folder)])).join(''),
  differences: behaviours,
  forget: (folder) => rm(folder, { recursive: true, force: true }),
};

/** What the type checker says about a TypeScript project; nothing when it is content. */
async function typeErrors(root: string): Promise<string> {
  return (await run(tsc.default(), ['--noEmit', '-p', root], root)).output;
}

/**
 * A project's modules as JavaScript that Node can load, in a folder of its own. How a project behaves before and after a refactoring
 * is then told by {@link behaviours}.
 */
async function compiled(root: string): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'sightline-compiled-'));
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/(?<!\.d)\.([cm]?[jt]s|[jt]sx)$/.test(entry.name)) continue;
    const { outputText } = ts.transpileModule(await readFile(path, 'utf8'), {
      fileName: path,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        jsx: ts.JsxEmit.React,
        jsxFactory: 'element',
        jsxFragmentFactory: 'null',
      },
    });
    const target = join(out, relative(root, path).replace(/\.[cm]?[jt]sx?$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, outputText);
  }
  return out;
}

/** The tests of a compiled project that fail, by what the runner prints; nothing when all pass. */
async function failingTests(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.js'));
  const runs = names.map((name) => run(process.execPath, ['--require', jsx, name], folder));
  return (await Promise.all(runs)).flatMap(({ failed, output }) => (failed ? output : [])).join('\n');
}

/**
 * Whether two compiled projects do the same: each module loads, prints what it printed, and every name that both export has the same
 * value or answers the same to the same arguments. Says what differs, nothing if all is equal.
 */
async function behaviours(before: string, after: string, renamed?: Renamed): Promise<string> {
  try {
    const { output, failed } = await run(process.execPath, [observer, before, after, ...(renamed ?? [])], before);
    return failed ? `could not be observed: ${output}` : output;
  } finally {
    await rm(before, { recursive: true, force: true });
  }
}

export function run(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ output: string; errors: string; failed: boolean }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ output: stdout, errors: stderr, failed: error !== null }),
    );
  });
}
