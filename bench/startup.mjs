// How long an agent waits for Sightline: from spawn to the answers of initialize and tools/list, beside a bare Node script that
// answers the same bytes; what a trivial call costs through the shim; and what the processes weigh.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LineClient, median, percentile, report, rssMb } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const runs = 15;
const calls = 200;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home };
const empty = join(home, 'empty');
mkdirSync(empty);
try {
  await measure();
} finally {
  spawnSync(process.execPath, [program, 'stop'], { cwd: empty, env });
  rmSync(home, { recursive: true, force: true });
}

async function measure() {
  // The shared process runs before the first measurement, as it does for every agent but the first.
  const first = start('shim');
  await first.initialize();
  const { result } = await first.request('tools/list');
  await first.request('tools/call', { name: 'sightline_tools', arguments: {} });
  const sharedPid = JSON.parse(readFileSync(join(home, 'run', 'process.json'), 'utf8')).pid;
  const emptyProcessMb = rssMb(sharedPid);
  writeBareScript(await initializeResult(), result);

  const times = { bare: { initialize: [], list: [] }, shim: { initialize: [], list: [] } };
  let shimMb = 0;
  for (let run = 0; run < runs; run++) {
    for (const kind of run % 2 === 0 ? ['bare', 'shim'] : ['shim', 'bare']) {
      const client = start(kind);
      await client.initialize();
      times[kind].initialize.push(performance.now() - client.startedAt);
      await client.request('tools/list');
      times[kind].list.push(performance.now() - client.startedAt);
      if (kind === 'shim') shimMb = Math.max(shimMb, rssMb(client.child.pid));
      await client.end();
    }
  }

  const latencies = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    await first.request('tools/call', { name: 'sightline_tools', arguments: {} });
    latencies.push(performance.now() - startedAt);
  }
  shimMb = Math.max(shimMb, rssMb(first.child.pid));
  await first.end();

  const of = (kind, what) => median(times[kind][what]);
  report([
    { what: 'bare script: initialize', value: of('bare', 'initialize'), unit: ' ms' },
    { what: 'sightline stdio: initialize', value: of('shim', 'initialize'), unit: ' ms' },
    { what: '  ratio', value: of('shim', 'initialize') / of('bare', 'initialize'), unit: '', atMost: 1.6 },
    { what: 'bare script: tools/list', value: of('bare', 'list'), unit: ' ms' },
    { what: 'sightline stdio: tools/list', value: of('shim', 'list'), unit: ' ms' },
    { what: '  ratio', value: of('shim', 'list') / of('bare', 'list'), unit: '', atMost: 1.6 },
    { what: 'trivial call through the shim, median', value: median(latencies), unit: ' ms', atMost: 3 },
    { what: 'trivial call through the shim, p95', value: percentile(latencies, 0.95), unit: ' ms' },
    { what: 'resident memory of the shim', value: shimMb, unit: ' MB', atMost: 60 },
    { what: 'resident memory of the process, no project', value: emptyProcessMb, unit: ' MB', atMost: 90 },
  ]);
}

function start(kind) {
  const args = kind === 'bare' ? [join(home, 'bare.mjs')] : [program, 'stdio'];
  return new LineClient(process.execPath, args, { cwd: empty, env });
}

async function initializeResult() {
  const client = start('shim');
  const { result } = await client.initialize();
  await client.end();
  return result;
}

/** The least a Node server can do: read lines, answer with bytes it has. */
function writeBareScript(initialize, toolsList) {
  writeFileSync(
    join(home, 'bare.mjs'),
    `const answers = { initialize: ${JSON.stringify(initialize)}, 'tools/list': ${JSON.stringify(toolsList)} };
let text = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  text += chunk;
  for (let end = text.indexOf('\\n'); end !== -1; end = text.indexOf('\\n')) {
    const { id, method } = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }) + '\\n');
  }
});
`,
  );
}
