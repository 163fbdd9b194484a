import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RawDap } from '../debug/rawDap.mjs';
import { LspProcess } from '../support/lspProcess.mjs';
import { LineClient, median, percentile, report, rssMb } from '../support/measure.mjs';

const source = `package main

import "fmt"

type Order struct {
	Qty   int
	Items []int
}

func total(orders []Order, rounds int) int {
	result := 0
	for n := 0; n < rounds; n++ {
		order := orders[n%len(orders)]
		result += order.Qty
		half := result / 2
		_ = half
	}
	return result
}

func main() {
	orders := []Order{}
	for n := 0; n < 10; n++ {
		orders = append(orders, Order{n, make([]int, 100)})
	}
	fmt.Println(total(orders, 100000))
}
`;
const line = 14;

/** Delve over its socket, one request after the other. */
class RawDelve extends RawDap {
  static async start(dlv, cwd) {
    const child = spawn(dlv, ['dap', '--listen=127.0.0.1:0'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise((done) => {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const found = /listening at: \S+:(\d+)/.exec(text);
        if (found !== null) done(Number(found[1]));
      });
    });
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    await new Promise((done) => socket.once('connect', done));
    return new RawDelve(child, socket);
  }

  constructor(child, socket) {
    super(child, socket, socket);
  }

  async launch(program, cwd, file) {
    await this.request('initialize', { adapterID: 'go', pathFormat: 'path' });
    const initialized = this.event('initialized');
    const launched = this.request('launch', { mode: 'debug', program, cwd, output: join(cwd, '__bench') });
    await initialized;
    await this.request('setBreakpoints', { source: { path: file }, breakpoints: [{ line }] });
    const stopped = this.event('stopped');
    await this.request('configurationDone');
    await launched;
    this.threadId = (await stopped).threadId;
    return this.look();
  }
}

export async function measure({ program, home, env, runs, steps }) {
  const project = join(home, 'go');
  mkdirSync(project);
  const file = join(project, 'main.go');
  writeFileSync(file, source);
  writeFileSync(join(project, 'go.mod'), 'module example.com/bench\n\ngo 1.21\n');
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
  const [dlv, gopls] = ['dlv', 'gopls'].map((name) => engine(name, env));
  await call('set_breakpoint', { file_path: 'main.go', line });
  await call('start_debug_session', { program: 'main.go', wait_ms: 40_000 });
  await call('stop_debug_session');
  const rawLaunch = async () => {
    const raw = await RawDelve.start(dlv, project);
    await raw.launch(project, project, file);
    return raw;
  };
  await (await rawLaunch()).end();

  const launches = { raw: [], ours: [] };
  for (let run = 0; run < runs; run++)
    for (const kind of run % 2 === 0 ? ['raw', 'ours'] : ['ours', 'raw']) {
      const began = performance.now();
      const raw = kind === 'raw' ? await rawLaunch() : await call('start_debug_session', { program: 'main.go' });
      launches[kind].push(performance.now() - began);
      await (kind === 'raw' ? raw.end() : call('stop_debug_session'));
    }

  const raw = await rawLaunch();
  await call('start_debug_session', { program: 'main.go' });
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

  const references = await measureReferences(call, gopls, project, file);
  const memory = rssMb(client.child.pid);
  await client.end();
  report([
    { what: 'raw delve: launch (build included) to first stop', value: median(launches.raw), unit: ' ms' },
    { what: 'sightline: launch to first stop', value: median(launches.ours), unit: ' ms' },
    { what: '  ratio', value: median(launches.ours) / median(launches.raw), unit: '', atMost: 1.15 },
    { what: 'raw delve: step, stack, scopes, variables', value: median(times.raw), unit: ' ms' },
    { what: 'sightline: step_over with its whole report', value: median(times.ours), unit: ' ms' },
    { what: '  ratio', value: median(times.ours) / median(times.raw), unit: '', atMost: 1.2 },
    { what: '  p95 of ours', value: percentile(times.ours, 0.95), unit: ' ms' },
    { what: 'raw gopls: references, warm', value: references.raw, unit: ' ms' },
    { what: 'sightline: find_references, warm', value: references.ours, unit: ' ms' },
    { what: '  ratio', value: references.ours / references.raw, unit: '', atMost: 1.3 },
    { what: 'memory of sightline itself', value: memory, unit: ' MB', atMost: 100 },
  ]);
}

async function measureReferences(call, gopls, project, file) {
  const server = new LspProcess([gopls], project);
  await server.initialize();
  const uri = pathToFileURL(file).href;
  const text = readFileSync(file, 'utf8');
  server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'go', version: 1, text } });
  const position = { line: 4, character: 5 };
  const times = { raw: [], ours: [] };
  for (let round = 0; round < 40; round++) {
    let began = performance.now();
    const found = await server.request('textDocument/references', {
      textDocument: { uri },
      position,
      context: { includeDeclaration: true },
    });
    times.raw.push(performance.now() - began);
    began = performance.now();
    const { totalCount } = await call('find_references', { file: 'main.go', line: 5, column: 6 });
    times.ours.push(performance.now() - began);
    if (totalCount !== found.length) throw new Error(`${totalCount} references instead of ${found.length}.`);
  }
  await server.end();
  return { raw: median(times.raw.slice(5)), ours: median(times.ours.slice(5)) };
}

function engine(name, env) {
  const cache = env.SIGHTLINE_CACHE ?? join(env.SIGHTLINE_HOME, 'cache');
  const found = execFileSync('find', [cache, '-name', name, '-type', 'f', '-perm', '-u+x']).toString().trim();
  return found.split('\n')[0] || name;
}
