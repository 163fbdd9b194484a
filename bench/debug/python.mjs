import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineClient, median, percentile, report } from '../support/measure.mjs';
import { measurePeer } from './peer.mjs';
import { RawDap } from './rawDap.mjs';

const source = `class Order:
    def __init__(self, qty):
        self.qty = qty
        self.items = list(range(1000))


def total(orders, rounds):
    result = 0
    for n in range(rounds):
        order = orders[n % len(orders)]
        result += order.qty
        half = result / 2
    return result


orders = [Order(n) for n in range(10)]
print(total(orders, 100000))
`;

export async function measure({ program, home, env, runs, steps }) {
  const project = join(home, 'python');
  mkdirSync(project);
  const file = join(project, 'app.py');
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
  await call('set_breakpoint', { file_path: 'app.py', line: 8 });
  // The first launch may install debugpy; the raw protocol then uses the very same one.
  const first = await call('start_debug_session', { program: 'app.py', wait_ms: 40_000 });
  if (first.state !== 'paused') throw new Error(`It did not stop: ${JSON.stringify(first)}`);
  await call('stop_debug_session');
  const { python, folder } = tools(project, env);

  const launches = { raw: [], ours: [] };
  for (let run = 0; run < runs; run++) {
    for (const kind of run % 2 === 0 ? ['raw', 'ours'] : ['ours', 'raw']) {
      const began = performance.now();
      if (kind === 'raw') {
        const raw = RawDap.debugpy(python, folder, project);
        await raw.launch(file, 8);
        launches.raw.push(performance.now() - began);
        await raw.end();
      } else {
        await call('start_debug_session', { program: 'app.py' });
        launches.ours.push(performance.now() - began);
        await call('stop_debug_session');
      }
    }
  }

  const raw = RawDap.debugpy(python, folder, project);
  await raw.launch(file, 8);
  await call('start_debug_session', { program: 'app.py' });
  const times = { raw: [], ours: [] };
  for (let step = 0; step < steps; step++) {
    let began = performance.now();
    await raw.step();
    times.raw.push(performance.now() - began);
    began = performance.now();
    const { stop } = await call('step_over');
    times.ours.push(performance.now() - began);
    if (stop.variables.length < 3) throw new Error('A stop without its locals.');
  }
  await raw.end();
  await call('stop_debug_session');
  await client.end();

  const peer = await measurePeer({
    language: 'python',
    file,
    line: 8,
    cwd: project,
    env: withDebugpy(python, folder, home),
  });
  report([
    { what: 'raw debugpy: launch to first stop', value: median(launches.raw), unit: ' ms' },
    { what: 'sightline: launch to first stop', value: median(launches.ours), unit: ' ms' },
    { what: '  ratio', value: median(launches.ours) / median(launches.raw), unit: '', atMost: 1.1 },
    { what: 'raw debugpy: step, stack, scopes, variables', value: median(times.raw), unit: ' ms' },
    { what: 'sightline: step_over with its whole report', value: median(times.ours), unit: ' ms' },
    { what: '  ratio', value: median(times.ours) / median(times.raw), unit: '', atMost: 0.15 },
    { what: '  p95 of ours', value: percentile(times.ours, 0.95), unit: ' ms' },
    ...peer,
  ]);
}

/** The peer wants debugpy in the interpreter it finds first: a virtual environment has the very same one. */
export function withDebugpy(python, folder, home) {
  const venv = join(home, 'venv');
  execFileSync(python, ['-m', 'venv', '--without-pip', venv]);
  const where = ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'];
  const packages = execFileSync(join(venv, 'bin', 'python'), where)
    .toString()
    .trim();
  writeFileSync(join(packages, 'debugpy.pth'), `${folder}\n`);
  return { ...process.env, VIRTUAL_ENV: venv, PATH: `${join(venv, 'bin')}:${process.env.PATH}` };
}

/** The interpreter itself (a shim would make the raw protocol look slower than it is) and the folder of debugpy. */
function tools(cwd, env) {
  const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { cwd, env }).toString().trim();
  const cache = env.SIGHTLINE_CACHE ?? join(env.SIGHTLINE_HOME, 'cache');
  const found = execFileSync('find', [cache, '-path', '*/debugpy/adapter', '-not', '-path', '*/py38/*'])
    .toString()
    .trim();
  return { python, folder: found.split('\n')[0].replace(/\/debugpy\/adapter$/, '') };
}
