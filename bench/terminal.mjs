// What much output costs: 100 MB through a terminal and 1 GB through a job, in time and in memory of the process, with other calls answered
// meanwhile.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, report, rssMb } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const project = join(home, 'project');
mkdirSync(project);
const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home, SHELL: '/bin/bash' };

const client = new LineClient(process.execPath, [program, 'stdio', '--face', 'workspace'], { cwd: project, env });
try {
  await client.initialize();
  await call('run_in_terminal', { command: 'true' });
  const terminal = await measured(
    'run_in_terminal',
    'yes "a line of a log that scrolls by" | head -c 100M',
    'read_terminal_output',
  );
  const job = await measured('run_command', 'yes "a line of a log" | head -c 1G', 'wait_job');
  report([
    { what: '100 MB through a terminal', value: terminal.seconds, unit: ' s' },
    { what: 'memory it added', value: terminal.addedMb, unit: ' MB', atMost: 150 },
    { what: 'slowest call meanwhile', value: terminal.slowestMs, unit: ' ms', atMost: 1000 },
    { what: '1 GB through a job', value: job.seconds, unit: ' s' },
    { what: 'memory it added', value: job.addedMb, unit: ' MB', atMost: 150 },
    { what: 'slowest call meanwhile', value: job.slowestMs, unit: ' ms', atMost: 1000 },
    { what: 'kept on disk', value: sizeOf(join(home, 'state')) / 1e6, unit: ' MB', atMost: 150 },
  ]);
} finally {
  await client.end();
  spawnSync(process.execPath, [program, 'stop'], { cwd: project, env });
  rmSync(home, { recursive: true, force: true });
}

async function measured(tool, command, waiting) {
  const { pid } = JSON.parse(readFileSync(join(home, 'run', 'process.json'), 'utf8'));
  const before = rssMb(pid);
  let peak = before;
  let slowestMs = 0;
  const startedAt = performance.now();
  let state = (await call(tool, { command, wait_ms: 0 })).state;
  const ended = (async () => {
    while (state === 'running') ({ state } = await call(waiting, { wait_ms: 30_000 }));
  })();
  while (state === 'running') {
    const askedAt = performance.now();
    await call('list_terminals', {});
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    peak = Math.max(peak, rssMb(pid));
    await new Promise((done) => {
      setTimeout(done, 50);
    });
  }
  await ended;
  return { seconds: (performance.now() - startedAt) / 1000, addedMb: peak - before, slowestMs };
}

async function call(name, args) {
  const { result } = await client.request('tools/call', { name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
  }, 0);
}
