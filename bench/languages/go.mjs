import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { RawDap } from '../debug/rawDap.mjs';
import { engine, measureLanguage } from '../support/languageBench.mjs';

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

export function measure(context) {
  const [dlv, gopls] = ['dlv', 'gopls'].map((name) => engine(name, context.env));
  return measureLanguage(context, {
    name: 'go',
    files: { 'main.go': source, 'go.mod': 'module example.com/bench\n\ngo 1.21\n' },
    file: 'main.go',
    line,
    debugger: 'delve',
    rawLaunch: async (project) => {
      const raw = await RawDelve.start(dlv, project);
      await raw.launch(project, project, join(project, 'main.go'));
      return raw;
    },
    server: { name: 'gopls', command: [gopls], languageId: 'go', line: 5, column: 6, uses: 4 },
  });
}
