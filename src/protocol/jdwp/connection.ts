import type { Duplex } from 'node:stream';
import { withTimeout } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { PeerError, TransportError } from '../../base/errors.ts';
import { readComposite, type CompositeEvent } from './events.ts';
import { PacketReader, PacketWriter, usualIdSizes, type IdSizes } from './packets.ts';

const handshake = 'JDWP-Handshake';
const headerBytes = 11;
const replyFlag = 0x80;
const eventSet = 64;

/** Errors of the wire protocol that callers tell apart. */
export const jdwpErrors = {
  invalidThread: 10,
  threadNotSuspended: 13,
  invalidObject: 20,
  classNotPrepared: 22,
  invalidFrame: 30,
  opaqueFrame: 32,
  absentInformation: 101,
  vmDead: 112,
  invalidSlot: 35,
} as const;

const errorWords: Readonly<Record<number, string>> = {
  10: 'the thread is over',
  13: 'the thread is not suspended',
  14: 'the thread is suspended already',
  20: 'the object is gone',
  21: 'the class is unknown',
  22: 'the class is not loaded yet',
  23: 'the method is unknown',
  24: 'the place is not in the code',
  25: 'the field is unknown',
  30: 'the frame is gone',
  31: 'there is no more frame',
  32: 'the frame is native',
  34: 'the value has another type',
  35: 'the variable is not there yet',
  60: 'the class file is not valid',
  61: 'a class would extend itself',
  62: 'the machine finds the new code unsound',
  63: 'a method was added; only bodies of methods can be replaced',
  64: 'a field was added, removed or changed; only bodies of methods can be replaced',
  66: 'a class extends or implements other classes than before; only bodies of methods can be replaced',
  67: 'a method was removed or its parameters changed; only bodies of methods can be replaced',
  68: 'the class was compiled for a newer machine',
  69: 'the class has another name',
  70: 'modifiers of a class were changed; only bodies of methods can be replaced',
  71: 'modifiers of a method were changed; only bodies of methods can be replaced',
  99: 'the virtual machine cannot do that',
  101: 'the class was compiled without that information (javac -g)',
  112: 'the virtual machine has ended',
  502: 'the thread is not stopped by an event, so nothing can be called in it',
};

/** The wire to one Java virtual machine: packets out, replies and events in. It knows nothing of sessions. */
export class JdwpConnection {
  readonly closed: Promise<string>;
  readonly #stream: Duplex;
  readonly #closed = new Deferred<string>();
  readonly #greeted = new Deferred<void>();
  readonly #pending = new Map<number, { answer: Deferred<PacketReader>; what: string }>();
  #sizes: IdSizes = usualIdSizes;
  #received: Buffer = Buffer.alloc(0);
  /** What happened before anybody listened: a machine that waits for us says so at once. */
  readonly #early: CompositeEvent[] = [];
  #listener: ((event: CompositeEvent) => void) | undefined;
  #isGreeted = false;
  #nextId = 1;
  #isClosed = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.closed = this.#closed.promise;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', (error) => this.#close(error.message));
    stream.on('close', () => this.#close('the connection was closed'));
    stream.on('end', () => this.#close('the connection was closed'));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Both sides say the same words, then the sizes of ids are asked for. */
  async open(timeoutMs: number): Promise<void> {
    this.#stream.write(handshake, 'latin1');
    const closed = this.closed.then((reason): never => {
      throw new TransportError('java', `The virtual machine did not answer: ${reason}.`);
    });
    closed.catch(() => undefined);
    await withTimeout(
      Promise.race([this.#greeted.promise, closed]),
      timeoutMs,
      () =>
        new TransportError('java', `What listens there did not answer as a Java debug port within ${timeoutMs} ms.`),
    );
    const reader = await this.request(1, 7, () => undefined);
    this.#sizes = {
      field: reader.int(),
      method: reader.int(),
      object: reader.int(),
      referenceType: reader.int(),
      frame: reader.int(),
    };
  }

  /** Everything that happens, from the beginning. There is one listener. */
  listen(listener: (event: CompositeEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) listener(event);
  }

  writer(): PacketWriter {
    return new PacketWriter(this.#sizes);
  }

  /** Sends one command; its reply, or the machine's refusal as a `PeerError` with the number of the error. */
  request(set: number, command: number, write: (writer: PacketWriter) => unknown): Promise<PacketReader> {
    if (this.#isClosed)
      return Promise.reject(new TransportError('java', 'The connection to the Java virtual machine is closed.'));
    const writer = this.writer();
    write(writer);
    const { data } = writer;
    const id = this.#nextId++;
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32BE(headerBytes + data.length, 0);
    header.writeUInt32BE(id, 4);
    header.writeUInt8(set, 9);
    header.writeUInt8(command, 10);
    const answer = new Deferred<PacketReader>();
    this.#pending.set(id, { answer, what: `${set}.${command}` });
    this.#stream.write(Buffer.concat([header, data]));
    return answer.promise;
  }

  dispose(): void {
    this.#stream.destroy();
    this.#close('closed by us');
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (!this.#isGreeted && !this.#greet()) return;
    while (this.#received.length >= headerBytes) {
      const length = this.#received.readUInt32BE(0);
      if (length < headerBytes) return this.#close('it sent a broken packet');
      if (this.#received.length < length) return;
      const packet = this.#received.subarray(0, length);
      this.#received = this.#received.subarray(length);
      this.#take(packet);
    }
  }

  #greet(): boolean {
    if (this.#received.length < handshake.length) return false;
    const said = this.#received.subarray(0, handshake.length).toString('latin1');
    if (said !== handshake) {
      this.#close('it is no Java debug port');
      return false;
    }
    this.#received = this.#received.subarray(handshake.length);
    this.#isGreeted = true;
    this.#greeted.resolve();
    return true;
  }

  #take(packet: Buffer): void {
    const id = packet.readUInt32BE(4);
    const reader = new PacketReader(packet.subarray(headerBytes), this.#sizes);
    if ((packet.readUInt8(8) & replyFlag) === 0) {
      if (packet.readUInt8(9) === eventSet) this.#tell(readComposite(reader));
      return;
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    const error = packet.readUInt16BE(9);
    if (error === 0) pending?.answer.resolve(reader);
    else pending?.answer.reject(refusal(error, pending.what));
  }

  #tell(event: CompositeEvent): void {
    if (this.#listener === undefined) this.#early.push(event);
    else this.#listener(event);
  }

  #close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { answer } of this.#pending.values())
      answer.reject(new TransportError('java', `The Java virtual machine ended the connection: ${reason}.`));
    this.#pending.clear();
    this.#stream.destroy();
    this.#closed.resolve(reason);
  }
}

function refusal(error: number, what: string): PeerError {
  const words = errorWords[error] ?? `error ${error} of command ${what}`;
  return new PeerError('java', what, `The Java virtual machine refused: ${words}.`, error);
}
