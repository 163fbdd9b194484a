// Another debugger server beside ours, on the same program in the same run. It is installed into the user's cache when the
// benchmark runs and is no dependency of the product; where it cannot be had, the benchmark says so and goes on.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LineClient, median } from '../support/measure.mjs';

const name = '@debugmcp/mcp-debugger';
const version = '0.24.2';
const timedSteps = 30;
const timedLooks = 10;

export async function measurePeer({ language, file, line, cwd, env = process.env, launches = 3 }) {
  const program = install();
  if (program === undefined) return [];
  const client = new LineClient(process.execPath, [program, 'stdio'], { cwd, env });
  try {
    await client.initialize();
    const call = async (tool, args) => {
      const { result, error } = await client.request('tools/call', { name: tool, arguments: args });
      const answer = result === undefined ? error : JSON.parse(result.content[0].text);
      if (answer.success !== true) throw new Error(`${tool}: ${answer.error ?? answer.message}`);
      return answer;
    };
    const start = async () => {
      const { sessionId } = await call('create_debug_session', { language, name: 'bench' });
      await call('set_breakpoint', { sessionId, file, line });
      await call('start_debugging', { sessionId, scriptPath: file });
      await call('get_local_variables', { sessionId });
      return sessionId;
    };
    const times = { launch: [], step: [], look: [] };
    const timed = async (kind, work) => {
      const began = performance.now();
      const value = await work();
      times[kind].push(performance.now() - began);
      return value;
    };
    for (let run = 1; run < launches; run++)
      await call('close_debug_session', { sessionId: await timed('launch', start) });
    const sessionId = await timed('launch', start);
    for (let step = 0; step < timedSteps; step++) await timed('step', () => call('step_over', { sessionId }));
    for (let look = 0; look < timedLooks; look++) await timed('look', () => call('get_local_variables', { sessionId }));
    await call('close_debug_session', { sessionId });
    return [
      { what: `${name}: launch to first stop with locals`, value: median(times.launch), unit: ' ms' },
      { what: `${name}: a bare step`, value: median(times.step), unit: ' ms' },
      { what: `${name}: a step and its locals`, value: median(times.step) + median(times.look), unit: ' ms' },
    ];
  } catch (error) {
    console.log(`${name} ${version} could not be measured: ${error.message}`);
    return [];
  } finally {
    await client.end();
  }
}

function install() {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sightline-bench', `peer-${version}`);
  const program = join(folder, 'node_modules', name, 'dist', 'cli.mjs');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', `${name}@${version}`];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: 180_000 });
  if (status === 0 && existsSync(program)) return program;
  console.log(`${name} ${version} could not be installed: ${(stderr ?? '').trim().split('\n').at(-1)}`);
  return undefined;
}
