import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Emitter } from '../../base/emitter.ts';
import { TransportError, errorMessage } from '../../base/errors.ts';

/**
 * A WebSocket client for V8's inspector and nothing else: text frames, no extensions, no fragments (V8 sends none and takes none).
 *
 * It exists because of acknowledgements. The inspector writes each message as a small segment with Nagle's algorithm on, so
 * its second message waits for us to acknowledge the first, and our kernel delays that by 40 ms unless there is data to send.
 * We therefore always have some: the next command's frame is begun before there is a command, and its leading blanks, which JSON
 * allows, are trickled out one by one, one for each chunk received. Each is a segment that carries the acknowledgement and
 * asks nothing of the program. A command then takes the rest of the frame, padded with blanks; one that is too long for it, or
 * a frame that has run out of blanks, makes a command of no effect of it. Where nothing more is to come before our next command,
 * that command is acknowledgement enough: each segment wakes up the program's inspector.
 */
export class InspectorSocket {
  readonly messages = new Emitter<string>();
  /** Whether the inspector may have more to say before the next command. */
  expectsMore: () => boolean = () => true;
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #peer: string;
  #buffers: Buffer[] = [];
  #buffered = 0;
  #needed = 2;
  /** Bytes of payload sent of the frame that was begun; 0 when there is none. */
  #begun = 0;
  #isClosed = false;

  private constructor(socket: Socket, peer: string) {
    this.#socket = socket;
    this.#peer = peer;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#isClosed = true;
        resolve();
      });
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      this.#receive(chunk);
      if (this.expectsMore()) this.#acknowledge();
    });
  }

  static async connect(url: string, timeoutMs = 5000): Promise<InspectorSocket> {
    const target = new URL(url);
    const peer = `the inspector at ${target.host}`;
    const socket = connect({ host: target.hostname.replace(/^\[|\]$/g, ''), port: Number(target.port), noDelay: true });
    try {
      const rest = await handshake(socket, target, timeoutMs);
      const client = new InspectorSocket(socket, peer);
      if (rest.length > 0) client.#receive(rest);
      return client;
    } catch (error) {
      socket.destroy();
      throw new TransportError(peer, `No debugger answered at ${target.host}: ${errorMessage(error)}`, '', error);
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(text: string): void {
    if (this.#isClosed) throw new TransportError(this.#peer, `The connection to ${this.#peer} is closed.`);
    const command = Buffer.from(text, 'utf8');
    this.#together();
    if (this.#begun > 0 && command.length <= begunLength - this.#begun) {
      this.#socket.write(this.#restOfFrame(command));
    } else {
      if (this.#begun > 0) this.#socket.write(this.#restOfFrame(noCommand));
      this.#socket.write(maskedFrame(0x1, command));
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#begun > 0) this.#socket.write(this.#restOfFrame(noCommand));
    this.#socket.end(maskedFrame(0x8, Buffer.alloc(0)));
    // The inspector answers a close at leisure; nobody waits for it.
    this.#socket.destroySoon();
  }

  /** What is sent in one go leaves in one segment. */
  #together(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    void Promise.resolve().then(() => this.#socket.uncork());
  }

  #restOfFrame(command: Buffer): Buffer {
    const rest = Buffer.alloc(begunLength - this.#begun, ' ');
    command.copy(rest);
    this.#begun = 0;
    return rest;
  }

  #acknowledge(): void {
    if (this.#isClosed || !this.#socket.writable) return;
    if (this.#begun === 0) {
      this.#begun = firstBlanks;
      this.#socket.write(beginning);
    } else if (this.#begun < begunLength - noCommand.length) {
      this.#begun++;
      this.#socket.write(blank);
    } else {
      this.#socket.write(this.#restOfFrame(noCommand));
    }
  }

  #receive(chunk: Buffer): void {
    this.#buffers.push(chunk);
    this.#buffered += chunk.length;
    // Large messages arrive in many chunks: they are joined once, when all of a frame is there.
    if (this.#buffered < this.#needed) return;
    let data = this.#buffers.length === 1 ? chunk : Buffer.concat(this.#buffers);
    for (;;) {
      const frame = parseFrame(data);
      if (typeof frame === 'number') {
        this.#needed = frame;
        break;
      }
      data = data.subarray(frame.length);
      if (frame.opcode === 0x1) this.messages.fire(frame.payload.toString('utf8'));
      else if (frame.opcode === 0x8) this.#socket.destroy();
    }
    this.#buffers = data.length === 0 ? [] : [data];
    this.#buffered = data.length;
  }
}

/** The id of the command of no effect; its answers are dropped. */
export const idleCommandId = 0;

const noCommand = Buffer.from(`{"id":${idleCommandId},"method":"Idle.acknowledge"}`);
const begunLength = 1024;
/**
 * Node's frame decoder counts the mask wrongly: it breaks on a frame whose mask has not arrived whole, or of which all but the
 * last four bytes have. The first segment therefore goes some way beyond the mask, and the last is longer than that.
 */
const firstBlanks = 8;
const beginning = maskedFrame(0x1, Buffer.alloc(begunLength, ' ')).subarray(0, 8 + firstBlanks);
const blank = Buffer.from(' ');

interface Frame {
  opcode: number;
  payload: Buffer;
  /** Of header and payload together. */
  length: number;
}

/** The first frame in `data`, or how many bytes are needed before there can be one. */
function parseFrame(data: Buffer): Frame | number {
  if (data.length < 2) return 2;
  let size = data.readUInt8(1) & 0x7f;
  let header = 2;
  if (size === 126) {
    if (data.length < 4) return 4;
    size = data.readUInt16BE(2);
    header = 4;
  } else if (size === 127) {
    if (data.length < 10) return 10;
    size = Number(data.readBigUInt64BE(2));
    header = 10;
  }
  if (data.length < header + size) return header + size;
  return { opcode: data.readUInt8(0) & 0x0f, payload: data.subarray(header, header + size), length: header + size };
}

function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const extended = payload.length < 126 ? 0 : payload.length < 65536 ? 2 : 8;
  const header = Buffer.alloc(2 + extended + 4);
  header.writeUInt8(0x80 | opcode, 0);
  if (extended === 0) header.writeUInt8(0x80 | payload.length, 1);
  else if (extended === 2) {
    header.writeUInt8(0x80 | 126, 1);
    header.writeUInt16BE(payload.length, 2);
  } else {
    header.writeUInt8(0x80 | 127, 1);
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  // Masking protects proxies from cached poison; between two local processes a mask of zeros is as good and costs nothing.
  return Buffer.concat([header, payload]);
}

/** Performs the upgrade and resolves with whatever came after the response's head. */
function handshake(socket: Socket, target: URL, timeoutMs: number): Promise<Buffer> {
  const key = randomBytes(16).toString('base64');
  const expected = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      settle();
    };
    const fail = (message: string) => finish(() => reject(new Error(message)));
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    socket.once('connect', () => {
      socket.write(
        `GET ${target.pathname} HTTP/1.1\r\nHost: ${target.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
    socket.once('error', (error) => fail(error.message));
    socket.once('close', () => fail('it closed the connection'));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) {
        if (received.length > 16384) fail('it does not speak WebSocket');
        return;
      }
      const head = received.subarray(0, end).toString('latin1');
      if (!head.startsWith('HTTP/1.1 101 ')) return fail(head.split('\r\n')[0] ?? 'no status line');
      if (!head.includes(expected)) return fail('it does not speak WebSocket');
      const rest = received.subarray(end + 4);
      finish(() => resolve(rest));
    });
  });
}
