// A language server spoken to with the least there is, so that what is measured is the server.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** The least a client needs to speak to a language server. */
export class LspProcess {
  #waiting = new Map();
  #chunks = Buffer.alloc(0);
  #nextId = 1;

  constructor([command, ...args], cwd) {
    this.cwd = cwd;
    this.child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout.on('data', (chunk) => {
      this.#chunks = Buffer.concat([this.#chunks, chunk]);
      for (;;) {
        const end = this.#chunks.indexOf('\r\n\r\n');
        if (end === -1) return;
        const length = Number(/content-length: (\d+)/i.exec(this.#chunks.toString('ascii', 0, end))[1]);
        if (this.#chunks.length < end + 4 + length) return;
        this.#receive(JSON.parse(this.#chunks.toString('utf8', end + 4, end + 4 + length)));
        this.#chunks = this.#chunks.subarray(end + 4 + length);
      }
    });
  }

  request(method, params) {
    const id = this.#nextId++;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((done) => this.#waiting.set(id, done));
  }

  notify(method, params) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  async initialize() {
    const uri = pathToFileURL(this.cwd).href;
    await this.request('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'project' }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { definition: { linkSupport: true } },
      },
    });
    this.notify('initialized', {});
  }

  end() {
    const exited = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    return exited;
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify(message));
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  #receive(message) {
    if (message.method !== undefined && message.id !== undefined) {
      const result = message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null;
      this.#send({ jsonrpc: '2.0', id: message.id, result });
    } else if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message.result);
      this.#waiting.delete(message.id);
    }
  }
}
