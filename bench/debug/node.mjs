import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineClient, median, percentile, report, rssMb } from '../support/measure.mjs';
import { measurePeer } from './peer.mjs';
import { RawCdp } from './rawCdp.mjs';

const source = `class Order {
  constructor(qty) {
    this.qty = qty;
    this.items = Array.from({ length: 1000 }, (_, n) => n);
  }
}
function total(orders, rounds) {
  let result = 0;
  for (let n = 0; n < rounds; n++) {
    const order = orders[n % orders.length];
    result += order.qty;
    const half = result / 2;
  }
  return result;
}
const orders = Array.from({ length: 10 }, (_, n) => new Order(n));
console.log(total(orders, 100000));
`;
const breakLine = 8;
const launchesInARow = 200;
const blockSize = 40;

export async function measure({ program, home, env, runs, steps }) {
  const project = join(home, 'node');
  mkdirSync(project);
  const file = join(project, 'app.js');
  writeFileSync(file, source);
  const client = new LineClient(process.execPath, [program, 'stdio', '--embedded', '--face', 'debugger'], {
    cwd: project,
    env,
  });
  await client.initialize();
  const call = async (name, args = {}) => {
    const { result } = await client.request('tools/call', { name, arguments: args });
    if (result?.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  };
  await call('set_breakpoint', { file_path: 'app.js', line: breakLine });

  const launches = { raw: [], ours: [] };
  for (let run = 0; run < runs; run++) {
    for (const kind of run % 2 === 0 ? ['raw', 'ours'] : ['ours', 'raw']) {
      const began = performance.now();
      if (kind === 'raw') {
        const raw = new RawCdp();
        await raw.launch(file, breakLine);
        launches.raw.push(performance.now() - began);
        await raw.end();
      } else {
        await call('start_debug_session', { program: 'app.js' });
        launches.ours.push(performance.now() - began);
        await call('stop_debug_session');
      }
    }
  }

  const raw = new RawCdp();
  await raw.launch(file, breakLine);
  await call('start_debug_session', { program: 'app.js' });
  const times = { raw: [], together: [], ours: [] };
  // Two naive ways: asking for all scopes at once waits for a delayed acknowledgement twice, one after the other only once. In blocks: a connection that rests between two steps is acknowledged at once for a while, and no one debugs in that rhythm.
  for (let done = 0; done < steps; done += blockSize) {
    for (let step = 0; step < blockSize; step++) {
      const began = performance.now();
      await raw.step();
      times.raw.push(performance.now() - began);
    }
    for (let step = 0; step < blockSize / 4; step++) {
      const began = performance.now();
      await raw.step(true);
      times.together.push(performance.now() - began);
    }
    for (let step = 0; step < blockSize; step++) {
      const began = performance.now();
      const { stop } = await call('step_over');
      times.ours.push(performance.now() - began);
      if (stop.variables.length < 3) throw new Error('A stop without its locals.');
    }
  }
  await raw.end();
  await call('stop_debug_session');

  let hangs = 0;
  for (let run = 0; run < launchesInARow; run++) {
    const { state } = await call('start_debug_session', { program: 'app.js', wait_ms: 10_000 });
    if (state !== 'paused') hangs++;
    await call('stop_debug_session');
  }
  await client.end();

  // Memory is that of a process with one session; two hundred launches leave garbage that is not collected while it does no harm.
  const fresh = new LineClient(process.execPath, [program, 'stdio', '--embedded', '--face', 'debugger'], {
    cwd: project,
    env,
  });
  await fresh.initialize();
  await fresh.request('tools/call', { name: 'start_debug_session', arguments: { program: 'app.js' } });
  const memory = rssMb(fresh.child.pid);
  await fresh.end();

  const peer = await measurePeer({ language: 'javascript', file, line: breakLine, cwd: project });
  report([
    { what: 'raw inspector: launch to first stop with locals', value: median(launches.raw), unit: ' ms' },
    { what: 'sightline: launch to first stop with its report', value: median(launches.ours), unit: ' ms' },
    { what: '  ratio', value: median(launches.ours) / median(launches.raw), unit: '', atMost: 1.1 },
    { what: 'raw inspector: step, then scope after scope', value: median(times.raw), unit: ' ms' },
    { what: '  all scopes asked for together', value: median(times.together), unit: ' ms' },
    { what: 'sightline: step_over with its whole report', value: median(times.ours), unit: ' ms' },
    {
      what: '  ratio to all scopes together',
      value: median(times.ours) / median(times.together),
      unit: '',
      atMost: 0.1,
    },
    { what: '  ratio to scope after scope', value: median(times.ours) / median(times.raw), unit: '', atMost: 0.1 },
    { what: '  p95 of ours', value: percentile(times.ours, 0.95), unit: ' ms' },
    { what: `hangs in ${launchesInARow} launches in a row`, value: hangs, unit: '', atMost: 0 },
    { what: 'resident memory of all our processes, paused', value: memory, unit: ' MB', atMost: 100 },
    ...peer,
  ]);
}
