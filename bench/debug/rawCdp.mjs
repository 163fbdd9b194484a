// The inspector protocol as every tutorial speaks it: the `ws` package, one request after the other.
import { spawn } from 'node:child_process';
import WebSocket from 'ws';

export class RawCdp {
  #waiting = new Map();
  #nextId = 1;
  #onPaused = () => undefined;

  async launch(file, line) {
    this.child = spawn(process.execPath, ['--inspect-brk=0', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise((done) => {
      this.child.stderr.on('data', (chunk) => {
        const found = /ws:\S+/.exec(String(chunk));
        if (found !== null) done(found[0]);
      });
    });
    this.socket = new WebSocket(url, { perMessageDeflate: false });
    await new Promise((done) => {
      this.socket.once('open', done);
    });
    this.socket.on('message', (data) => {
      const message = JSON.parse(Buffer.concat([data].flat()).toString('utf8'));
      if (message.id !== undefined) {
        this.#waiting.get(message.id)?.(message.result);
        this.#waiting.delete(message.id);
      } else if (message.method === 'Debugger.paused') this.#onPaused(message.params);
    });
    await this.send('Runtime.enable');
    await this.send('Debugger.enable');
    await this.send('Debugger.setBreakpointByUrl', { url: `file://${file}`, lineNumber: line - 1 });
    const entry = this.paused();
    await this.send('Runtime.runIfWaitingForDebugger');
    await entry;
    const stop = this.paused();
    await this.send('Debugger.resume');
    await this.locals(await stop);
  }

  async step(isTogether = false) {
    const stop = this.paused();
    await this.send('Debugger.stepOver');
    return this.locals(await stop, isTogether);
  }

  async locals(event, isTogether = false) {
    const scopes = event.callFrames[0].scopeChain.filter((scope) => scope.type !== 'global');
    const ask = ({ object: { objectId } }) =>
      this.send('Runtime.getProperties', { objectId, ownProperties: true, generatePreview: true });
    const found = [];
    if (isTogether) found.push(...(await Promise.all(scopes.map(ask))));
    else for (const scope of scopes) found.push(await ask(scope));
    return found.flatMap((answer) => answer.result.map((property) => property.name));
  }

  paused() {
    return new Promise((done) => {
      this.#onPaused = done;
    });
  }

  send(method, params = {}) {
    const id = this.#nextId++;
    const answer = new Promise((done) => {
      this.#waiting.set(id, done);
    });
    this.socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }

  async end() {
    const exited = new Promise((done) => {
      this.child.once('exit', done);
    });
    this.child.kill('SIGKILL');
    await exited;
  }
}
