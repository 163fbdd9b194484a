// The naive way: debugpy's adapter over stdio, one request after the other, as the tutorials and the other servers do it.
import { spawn } from 'node:child_process';

export class RawDap {
  #seq = 1;
  #pending = new Map();
  #waiting = [];
  #buffer = Buffer.alloc(0);

  #input;

  constructor(child, input = child.stdin, output = child.stdout) {
    this.child = child;
    this.#input = input;
    output.on('data', (chunk) => this.#take(chunk));
  }

  static debugpy(python, folder, cwd) {
    return new RawDap(spawn(python, [`${folder}/debugpy/adapter`], { cwd, stdio: ['pipe', 'pipe', 'ignore'] }));
  }

  request(command, args = {}) {
    const seq = this.#seq++;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
    this.#input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return new Promise((done) => this.#pending.set(seq, done));
  }

  event(name) {
    return new Promise((done) => this.#waiting.push({ name, done }));
  }

  /** From nothing to stopped at a breakpoint, with its stack and locals. */
  async launch(program, line) {
    await this.request('initialize', { adapterID: 'debugpy', pathFormat: 'path' });
    const initialized = this.event('initialized');
    const launched = this.request('launch', { program, console: 'internalConsole', justMyCode: false });
    await initialized;
    await this.request('setBreakpoints', { source: { path: program }, breakpoints: [{ line }] });
    await this.request('setExceptionBreakpoints', { filters: ['uncaught'] });
    const stopped = this.event('stopped');
    await this.request('configurationDone');
    await launched;
    const stop = await stopped;
    this.threadId = stop.threadId;
    return this.look();
  }

  async step() {
    const stopped = this.event('stopped');
    await this.request('next', { threadId: this.threadId });
    await stopped;
    return this.look();
  }

  async look() {
    const stack = await this.request('stackTrace', { threadId: this.threadId, startFrame: 0, levels: 20 });
    const scopes = await this.request('scopes', { frameId: stack.stackFrames[0].id });
    return this.request('variables', { variablesReference: scopes.scopes[0].variablesReference });
  }

  async end() {
    const exited = new Promise((done) => this.child.once('exit', done));
    void this.request('disconnect', { terminateDebuggee: true });
    setTimeout(() => this.child.kill('SIGKILL'), 2000).unref();
    await exited;
  }

  #take(chunk) {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/(\d+)/.exec(this.#buffer.toString('latin1', 0, end))[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.#buffer.toString('utf8', end + 4, end + 4 + length));
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      if (message.type === 'response') {
        this.#pending.get(message.request_seq)?.(message.body);
        this.#pending.delete(message.request_seq);
      } else if (message.type === 'event') {
        const at = this.#waiting.findIndex(({ name }) => name === message.event);
        if (at >= 0) this.#waiting.splice(at, 1)[0].done(message.body);
      }
    }
  }
}
