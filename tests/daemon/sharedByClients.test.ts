import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtProgram, eventually, processesOf, type StdioProgram } from '../support/program.ts';
import { DaemonHome } from './home.ts';

/** One process serves clients that know nothing of each other: what one of them does must not harm the others. */
let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  home = await DaemonHome.create(program);
});

afterEach(() => home.dispose());

async function client(args: readonly string[] = ['--face', 'all'], env: NodeJS.ProcessEnv = {}): Promise<StdioProgram> {
  const shim = home.stdio(args, env);
  await shim.initialize();
  return shim;
}

/** A call that was sent before the shim saw the end is answered by an error that says so; the next one tells the rest. */
async function afterDeath(shim: StdioProgram, tool: string): Promise<Record<string, unknown>> {
  const first = await shim.callTool(tool);
  if (!('error' in first)) return first;
  if (!JSON.stringify(first).includes('ended during this call')) throw new Error(JSON.stringify(first));
  return shim.callTool(tool);
}

function textOf(answer: Record<string, unknown>): string {
  const result = answer['result'] as { content: { text: string }[] };
  return result.content[0]?.text ?? '';
}

/** Everything whose parent, or parent's parent, is this process. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // Gone meanwhile.
    }
  }
  const found = [pid];
  for (const known of found) for (const [child, parent] of parents) if (parent === known) found.push(child);
  return found;
}

describe('a client that ends every descendant of its shim', () => {
  test('ends only its own work, not the process and not the work of others', async () => {
    const first = await client();
    await first.callTool('sightline_tools');
    const { pid } = home.discovery();
    const second = await client();
    const started = await second.callTool('start_debug_session', { program: 'children.js', stop_on_entry: true });
    expect(started).not.toHaveProperty('result.isError', true);
    const family = descendants(first.pid);
    expect(family).not.toContain(pid);
    for (const each of family) process.kill(each, 'SIGKILL');
    await first.exited;
    const status = await second.callTool('get_debug_session_status');
    expect(status).not.toHaveProperty('result.isError', true);
    expect(home.discovery().pid).toBe(pid);
  });

  test('cannot end it by its session or process group either', async () => {
    const shim = await client();
    await shim.callTool('sightline_tools');
    const fields = (pid: number) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { parent: Number(parent), group, session };
    };
    const [own, shared] = [fields(shim.pid), fields(home.discovery().pid)];
    expect(shared.session).not.toBe(own.session);
    expect(shared.group).not.toBe(own.group);
    expect(descendants(process.pid)).not.toContain(home.discovery().pid);
  });
});

describe('a client whose process was ended from outside', () => {
  test.each(['with an answer', 'with an error'])('is told so %s, once', async (how) => {
    const shim = await client();
    await shim.callTool('start_debug_session', { program: 'children.js', stop_on_entry: true });
    const { pid } = home.discovery();
    process.kill(pid, 'SIGKILL');
    await eventually(() => !home.processes().some((line) => line.startsWith(`${pid} `)), 2000);
    const tool = how === 'with an answer' ? 'list_project_files' : 'step_over';
    const text = textOf(await afterDeath(shim, tool));
    expect(text).toContain(`the Sightline process (${pid}) ended from outside and was started anew`);
    expect(text).toContain('debug sessions, running programs');
    expect(textOf(await shim.callTool(tool))).not.toContain('ended from outside');
  });
});

describe('stop and status', () => {
  test('find a process that no longer answers', async () => {
    await home.run();
    const { pid } = home.discovery();
    process.kill(pid, 'SIGSTOP');
    const status = await home.run('status');
    expect(status).toMatchObject({ code: 1 });
    expect(status.stdout).toContain(`process ${pid}`);
    expect(await home.run('stop')).toMatchObject({
      code: 0,
      stdout: `Stopped (process ${pid}, which did not answer).\n`,
    });
    expect(home.processes()).toEqual([]);
    expect(home.runtimeFiles()).toEqual([]);
  }, 40_000);

  test('find a process that has taken its files away and hangs', async () => {
    await home.run();
    const { pid } = home.discovery();
    rmSync(home.runtime, { recursive: true });
    expect((await home.run('status')).stdout).toContain(`process ${pid}`);
    expect(await home.run('stop')).toMatchObject({ code: 0 });
    expect(home.processes()).toEqual([]);
    expect((await home.run('stop')).stdout).toBe('Sightline is not running.\n');
  });

  test('leave the process of another home alone', async () => {
    const other = await DaemonHome.create(program);
    try {
      await other.run();
      await home.run();
      expect(await home.run('stop')).toMatchObject({ code: 0 });
      expect(processesOf(other.home)).not.toEqual([]);
    } finally {
      await other.dispose();
    }
  });
});

describe('one process whatever the environment', () => {
  test.each([
    ['no XDG variables', {}],
    ['a runtime directory', { XDG_RUNTIME_DIR: 'RUN' }],
    ['empty and relative ones', { XDG_RUNTIME_DIR: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: 'relative' }],
    ['a state directory', { XDG_STATE_HOME: 'RUN' }],
  ])('with %s a terminal finds what a bare client started', async (_what, variables) => {
    delete home.env['SIGHTLINE_HOME'];
    const runtime = join(home.home, '.local', 'state', 'sightline', 'run');
    mkdirSync(join(home.home, 'xdg'));
    const shim = await client();
    try {
      await shim.callTool('sightline_tools');
      const { pid } = JSON.parse(readFileSync(join(runtime, 'process.json'), 'utf8')) as { pid: number };
      for (const [name, value] of Object.entries(variables))
        home.env[name] = value === 'RUN' ? join(home.home, 'xdg') : value;
      expect((await home.run('status')).stdout).toContain(`(process ${pid},`);
    } finally {
      expect(await home.run('stop')).toMatchObject({ code: 0 });
      shim.child.stdin.end();
      await shim.exited;
    }
  });
});

describe('programs run with the environment of the client that asked', () => {
  const print = 'console.log(`V=${process.env.VIRTUAL_ENV} O=${process.env.OWN} P=${process.env.PATH}`)\n';

  test('not of the one that opened the project, nor of the one that started the process', async () => {
    writeFileSync(join(home.project, 'print.js'), print);
    const first = await client(undefined, { OWN: 'first', VIRTUAL_ENV: '/venv/first' });
    const second = await client(undefined, { OWN: 'second', PATH: `${process.env['PATH']}:/second/bin` });
    const run = async (shim: StdioProgram) =>
      textOf(await shim.callTool('start_debug_session', { program: 'print.js' }));
    expect(await run(first)).toContain('V=/venv/first O=first');
    const seen = await run(second);
    expect(seen).toContain('V=undefined O=second');
    expect(seen).toContain('/second/bin');
    expect(await run(first)).toContain('V=/venv/first O=first');
  });

  test('also for run configurations, and for two shells in one directory', async () => {
    writeFileSync(join(home.project, 'print.js'), print);
    writeFileSync(join(home.project, 'package.json'), '{"name": "sample", "scripts": {"print": "node print.js"}}');
    for (const own of ['one', 'two']) {
      home.env['OWN'] = own;
      const { stdout } = await home.run('call', 'run_configuration', '--name', 'npm: print', '--wait_ms', '20000');
      expect(stdout).toContain(`O=${own}`);
    }
  });
});
