import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testCacheDir } from '../support/engines.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

/** A Sightline in which small projects take turns: each scenario lays out its files in a folder of its own. */
export class RefactorBench {
  readonly ide: RunningSightline;
  readonly agent: TestClient;

  private constructor(ide: RunningSightline, agent: TestClient) {
    this.ide = ide;
    this.agent = agent;
  }

  static async start(): Promise<RefactorBench> {
    const ide = await startSightline({
      project: { 'package.json': '{"name":"bench","type":"module"}' },
      env: { SIGHTLINE_CACHE: testCacheDir },
    });
    return new RefactorBench(ide, await ide.connect({ face: 'index' }));
  }

  /** Replaces everything in the project by these files; what a case that failed has left behind goes too. */
  async layOut(files: Readonly<Record<string, string>>): Promise<void> {
    const there = (await readdir(this.ide.root)).filter((name) => this.#laidOut.has(name) || !name.startsWith('.'));
    for (const name of there) await rm(join(this.ide.root, name), { recursive: true, force: true });
    this.#laidOut = new Set(Object.keys(files).map((name) => name.split('/')[0] ?? name));
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.ide.root, name)), { recursive: true });
      await writeFile(join(this.ide.root, name), content);
    }
  }

  read(name: string): Promise<string> {
    return readFile(join(this.ide.root, name), 'utf8');
  }

  async dispose(): Promise<void> {
    await this.agent.close();
    await this.ide.dispose();
  }

  #laidOut = new Set<string>();
}

export const strictConfig =
  '{"compilerOptions":{"strict":true,"target":"es2022","lib":["es2022"],"module":"esnext","moduleResolution":"bundler","jsx":"preserve","noEmit":true},"include":["**/*"]}';

/** Instead of the DOM's declarations, which take longer to read than all else. */
export const globals = 'declare const console: { log(...values: unknown[]): void };\n';

/** What surrounds the files of a TypeScript case. */
export const typescriptSetting: Readonly<Record<string, string>> = {
  'package.json': '{"type":"module"}\n',
  'tsconfig.json': strictConfig,
  'globals.d.ts': globals,
};

export const pythonSetting: Readonly<Record<string, string>> = { 'pyproject.toml': '[project]\nname = "x"\n' };
