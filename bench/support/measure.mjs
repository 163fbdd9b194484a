// Small things that every benchmark needs: a JSON-RPC client that costs next to nothing, medians, and a table with targets.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export class LineClient {
  #waiting = new Map();
  #text = '';
  #nextId = 1;

  constructor(command, args, options) {
    this.startedAt = performance.now();
    this.child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
    this.exited = new Promise((done) => {
      this.child.once('exit', done);
    });
    this.child.stdout.setEncoding('utf8');
    this.child.stdout.on('data', (chunk) => {
      this.#text += chunk;
      for (let end = this.#text.indexOf('\n'); end !== -1; end = this.#text.indexOf('\n')) {
        const message = JSON.parse(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 1);
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
      }
    });
  }

  request(method, params = {}) {
    const id = this.#nextId++;
    const answer = new Promise((done) => {
      this.#waiting.set(id, done);
    });
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  notify(method, params = {}) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  async initialize() {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    this.notify('notifications/initialized');
    return answer;
  }

  async end() {
    this.child.stdin.end();
    await this.exited;
  }
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

/** Resident memory in megabytes (Linux). */
export function rssMb(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}

/** Prints each measurement beside its target, and sets the exit code when one is missed. */
export function report(rows) {
  const width = Math.max(...rows.map((row) => row.what.length)) + 2;
  for (const { what, value, unit, atMost } of rows) {
    const missed = atMost !== undefined && value > atMost;
    const target = atMost === undefined ? '' : `   (at most ${atMost}${unit}; ${missed ? 'MISSED' : 'ok'})`;
    console.log(`${what.padEnd(width)}${value.toFixed(2).padStart(9)}${unit}${target}`);
    if (missed) process.exitCode = 1;
  }
}
