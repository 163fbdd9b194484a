// Packages that can be checked: they have no type error to begin with, and a program that uses them says what they do.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { packageSources, type PackageName } from '../code/packages.ts';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

interface Prepared {
  /** What is taken of the package's sources. */
  sources: string;
  /** Changes that make it compile with today's library declarations. */
  fix?(folder: string): void;
}

const packages: Readonly<Partial<Record<PackageName, Prepared>>> = {
  rxjs: {
    sources: 'src',
    fix: (folder) => {
      const file = join(folder, 'src', 'internal', 'observable', 'dom', 'WebSocketSubject.ts');
      writeFileSync(file, readFileSync(file, 'utf8').replace('serializer!(x!)', 'serializer!(x!) as string'));
      // Its classes declare what is mixed into them later, as fields without a value.
      const settings = join(folder, 'tsconfig.json');
      const text = readFileSync(settings, 'utf8');
      writeFileSync(
        settings,
        text.replace('"compilerOptions":{', '"compilerOptions":{"useDefineForClassFields":false,'),
      );
    },
  },
  immer: { sources: 'src' },
  zod: { sources: 'src/v3' },
};

export const randomPackages = Object.keys(packages) as PackageName[];

/** A project of the package's sources and the program that uses them. */
export function layOut(name: PackageName, folder: string): void {
  const from = packageSources(name);
  const prepared = packages[name] ?? { sources: 'src' };
  cpSync(from, folder, { recursive: true, filter: (path) => !path.startsWith(join(from, 'src')) });
  cpSync(join(from, prepared.sources), join(folder, 'src'), { recursive: true });
  for (const extra of ['tests', 'benchmarks', '__tests__'])
    rmSync(join(folder, 'src', extra), { recursive: true, force: true });
  writeFileSync(
    join(folder, 'src', 'exercise.ts'),
    readFileSync(resolve('bench/refactor/exercises', `${name}.ts.txt`)),
  );
  writeFileSync(
    join(folder, 'src', 'globals.d.ts'),
    'declare const process: { env: Record<string, string | undefined> };\ndeclare const console: { log(...all: unknown[]): void; warn(...all: unknown[]): void };\n',
  );
  prepared.fix?.(folder);
}

/** The sources that refactorings are tried on: not the program that uses them. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && name !== 'exercise.ts')
    .map((name) => join(folder, 'src', name))
    .sort();
}

export function typeErrors(folder: string): string[] {
  try {
    execFileSync(process.execPath, [tsc, '--noEmit', '-p', folder], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    return String((error as { stdout?: string }).stdout)
      .split('\n')
      .filter((line) => line.includes('error TS'));
  }
}

/** What the program says, or why it does not run. */
export function behaviour(folder: string): string {
  try {
    const built = buildSync({
      entryPoints: [join(folder, 'src', 'exercise.ts')],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    const code = built.outputFiles[0]?.text ?? '';
    return execFileSync(process.execPath, ['--input-type=module', '-'], {
      input: code,
      encoding: 'utf8',
      timeout: 30_000,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return `does not run: ${String(error).slice(0, 400)}`;
  }
}
