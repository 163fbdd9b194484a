import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrnoException } from '../../src/base/errors.ts';
import { portableVariable } from '../../src/base/platform/here.ts';
import type { Discovery } from '../../src/server/daemon/discovery.ts';
import { removeDirectory, temporaryDirectory } from '../harness/harness.ts';
import { StdioProgram, eventually, processesOf } from '../support/program.ts';

/** A program with a child that ignores SIGTERM, and with one that left its process group. Nobody ends by itself. */
const children = `const { spawn } = require('node:child_process');
const sleep = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // sleeping-child";
spawn(process.execPath, ['-e', sleep], { stdio: 'ignore' });
spawn(process.execPath, ['-e', sleep], { stdio: 'ignore', detached: true }).unref();
setInterval(() => {}, 1000);
`;

/** A user's home of Sightline and a project, with the built program run against it. */
export class DaemonHome {
  readonly home: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #program: string;

  private constructor(program: string, home: string, env: NodeJS.ProcessEnv) {
    this.#program = program;
    this.home = home;
    this.project = join(home, 'project');
    const forced = { [portableVariable]: process.env[portableVariable] };
    this.env = { PATH: process.env['PATH'], HOME: home, SIGHTLINE_HOME: home, ...forced, ...env };
  }

  static async create(program: string, env: NodeJS.ProcessEnv = {}): Promise<DaemonHome> {
    const home = new DaemonHome(program, await temporaryDirectory('d'), env);
    mkdirSync(home.project);
    writeFileSync(join(home.project, 'package.json'), '{"name": "sample", "scripts": {"start": "node children.js"}}');
    writeFileSync(join(home.project, 'total.ts'), 'export const total = (items: number[]) => items.length;\n');
    writeFileSync(join(home.project, 'children.js'), children);
    return home;
  }

  /** The same home, driven by another program. */
  with(program: string): DaemonHome {
    return new DaemonHome(program, this.home, this.env);
  }

  get runtime(): string {
    return join(this.home, 'run');
  }

  stdio(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): StdioProgram {
    return new StdioProgram(process.execPath, [this.#program, 'stdio', ...args], {
      cwd: this.project,
      env: { ...this.env, ...env },
    });
  }

  /** Runs a command to its end. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((done) => {
      const options = { cwd: this.project, env: this.env };
      const child = execFile(process.execPath, [this.#program, ...args], options, (_error, stdout, stderr) =>
        done({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** The same in the foreground, not awaited. */
  program(...args: string[]): StdioProgram {
    return new StdioProgram(process.execPath, [this.#program, ...args], { cwd: this.project, env: this.env });
  }

  /** The same below a parent that does nothing but hand the streams on, so that the parent can be killed. */
  belowParent(args: readonly string[]): StdioProgram {
    const relay = `const c = require('node:child_process').spawn(process.execPath, process.argv.slice(1));
process.stdin.pipe(c.stdin); c.stdout.pipe(process.stdout); c.stderr.pipe(process.stderr);`;
    return new StdioProgram(process.execPath, ['-e', relay, this.#program, 'stdio', ...args], {
      cwd: this.project,
      env: this.env,
    });
  }

  discovery(): Discovery {
    return JSON.parse(readFileSync(join(this.runtime, 'process.json'), 'utf8')) as Discovery;
  }

  /** Programs that Sightline runs for an agent: those started from this project's file. */
  debuggees(): number[] {
    return processesOf(this.home)
      .filter(({ command }) => command.includes('children.js') || command.includes('sleeping-child'))
      .map(({ pid }) => pid);
  }

  processes(): string[] {
    return processesOf(this.home).map(({ pid, command }) => `${pid} ${command}`);
  }

  runtimeFiles(): string[] {
    try {
      return readdirSync(this.runtime).sort();
    } catch {
      return [];
    }
  }

  /** Waits until no process works for this home; what is left then is the failure. */
  async allGone(timeoutMs: number): Promise<string[]> {
    await eventually(() => this.processes().length === 0, timeoutMs);
    return this.processes();
  }

  async dispose(): Promise<void> {
    for (const { pid } of processesOf(this.home)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        // It may have ended by itself since it was listed.
        if (!isErrnoException(error, 'ESRCH')) throw error;
      }
    }
    await this.allGone(2000);
    await removeDirectory(this.home);
  }
}
