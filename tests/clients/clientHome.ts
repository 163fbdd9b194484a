import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrnoException } from '../../src/base/errors.ts';
import { removeDirectory, temporaryDirectory, temporaryProject } from '../harness/temporary.ts';
import { StdioProgram, eventually, processesOf } from '../support/program.ts';

const project = {
  'package.json': '{"name": "shop", "type": "module"}\n',
  'price.ts': `export function priceOf(items: number[]): number {
  let sum = 0;
  for (const item of items) sum += item;
  return sum;
}
`,
  'main.ts': "import { priceOf } from './price.ts';\nconsole.log(priceOf([1, 2, 3]));\n",
  'fail.js': `const order = { lines: null };
function count(o) {
  return o.lines.length;
}
count(order);
`,
  'endless.js': 'setInterval(() => {}, 50);\n',
  'other.js': 'let n = 0;\nsetInterval(() => {\n  n += 1;\n}, 50);\n',
  'check.sh': 'echo checked\n',
};

/**
 * The home of one person who uses one client. Nothing but HOME tells Sightline where it is: some clients hand no other variable to
 * the servers they start.
 */
export class ClientHome {
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #program: string;

  private constructor(program: string, home: string, projectRoot: string) {
    this.#program = program;
    this.home = home;
    this.project = projectRoot;
    // A desktop sets the last one; a client that keeps it from its servers must not make the process another's.
    const XDG_RUNTIME_DIR = join(home, 'run');
    mkdirSync(XDG_RUNTIME_DIR, { mode: 0o700 });
    this.env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', XDG_RUNTIME_DIR };
  }

  static async create(program: string, files: Readonly<Record<string, string>> = project): Promise<ClientHome> {
    return new ClientHome(program, await temporaryDirectory('home'), await temporaryProject(files));
  }

  /** Runs a command of Sightline to its end, as the person would. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((done) => {
      const options = { cwd: this.project, env: this.env };
      const child = execFile(process.execPath, [this.#program, ...args], options, (_error, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** Another client of the same person in the same project. */
  otherClient(): StdioProgram {
    return new StdioProgram(process.execPath, [this.#program, 'stdio'], { cwd: this.project, env: this.env });
  }

  file(name: string): string | undefined {
    const path = join(this.project, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  processes(): { pid: number; command: string }[] {
    return processesOf(this.home, 'HOME');
  }

  /** Waits until no process but these kinds works for this home; what is left then is the failure. */
  async onlyLeft(...expected: readonly RegExp[]): Promise<string[]> {
    const unexpected = () =>
      this.processes()
        .map(({ command }) => command)
        .filter((command) => !expected.some((pattern) => pattern.test(command)));
    await eventually(() => unexpected().length === 0, 15_000);
    return unexpected();
  }

  async dispose(): Promise<void> {
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (!isErrnoException(error, 'ESRCH')) throw error;
      }
    }
    await this.onlyLeft();
    await removeDirectory(this.home);
    await removeDirectory(this.project);
  }
}
