/**
 * The framing of LSP and DAP: headers, an empty line, then as many bytes as `Content-Length` says. Some servers print a line
 * of their own on stdout before or between messages; such noise is handed over as noise and does not break the stream.
 */
export function encodeFrame(message: unknown): Buffer {
  const body = JSON.stringify(message);
  const length = Buffer.byteLength(body, 'utf8');
  const header = `Content-Length: ${length}\r\n\r\n`;
  // Whole documents are sent this way: one piece of memory, not one for the body and another for both.
  const frame = Buffer.allocUnsafe(header.length + length);
  frame.write(header, 0, 'ascii');
  frame.write(body, header.length, 'utf8');
  return frame;
}

interface FrameListener {
  /** The body of one whole message. */
  onBody(body: Buffer): void;
  /** Text found where a header was expected. */
  onNoise(text: string): void;
}

const headerName = Buffer.from('content-length:', 'ascii');
const headerEnd = Buffer.from('\r\n\r\n', 'ascii');
/** A peer that writes this much without a header is not speaking our protocol. */
const maxNoiseBytes = 64 * 1024;

/** Cuts a byte stream into message bodies, however the stream was split into chunks. */
export class FrameDecoder {
  readonly #listener: FrameListener;
  readonly #maxBodyBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #noiseBytes = 0;
  /** The length of the body that is being received; undefined while a header is expected. */
  #bodyLength: number | undefined;

  constructor(listener: FrameListener, maxBodyBytes = 1024 * 1024 * 1024) {
    this.#listener = listener;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Throws when the peer announces an impossible length or never sends a header: the stream cannot be trusted afterwards. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    // Large bodies arrive in many chunks: they are joined once, when the last has come.
    while (this.#bodyLength === undefined ? this.#takeHeader() : this.#takeBody(this.#bodyLength));
  }

  #takeHeader(): boolean {
    if (this.#buffered === 0) return false;
    let buffer = this.#joined();
    const start = indexOfHeader(buffer);
    if (start === -1) {
      // The beginning of the header may still be split over chunks, so only what cannot be part of it is noise.
      this.#dropNoise(buffer, Math.max(buffer.length - headerName.length, 0));
      return false;
    }
    this.#dropNoise(buffer, start);
    buffer = this.#joined();
    const end = buffer.indexOf(headerEnd);
    if (end === -1) return false;
    const header = buffer.toString('ascii', 0, end);
    const length = Number(/content-length:\s*(\d+)/i.exec(header)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length > this.#maxBodyBytes)
      throw new Error(`A message announced the impossible length "${header.slice(0, 80)}".`);
    this.#keep(buffer.subarray(end + headerEnd.length));
    this.#bodyLength = length;
    this.#noiseBytes = 0;
    return true;
  }

  #takeBody(length: number): boolean {
    if (this.#buffered < length) return false;
    const buffer = this.#joined();
    this.#keep(buffer.subarray(length));
    this.#bodyLength = undefined;
    this.#listener.onBody(buffer.subarray(0, length));
    return true;
  }

  #dropNoise(buffer: Buffer, length: number): void {
    if (length === 0) return;
    const text = buffer.toString('utf8', 0, length);
    this.#keep(buffer.subarray(length));
    if (text.trim() === '') return;
    this.#noiseBytes += length;
    if (this.#noiseBytes > maxNoiseBytes) throw new Error('The peer writes text where messages are expected.');
    this.#listener.onNoise(text);
  }

  #joined(): Buffer {
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) return only;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#buffered = rest.length;
  }
}

/** Where a header block begins: `Content-Length` itself, or a `Content-Type` header standing before it. */
function indexOfHeader(buffer: Buffer): number {
  const exact = buffer.indexOf('Content-');
  if (exact !== -1 && /^Content-(Length|Type):/i.test(buffer.toString('ascii', exact, exact + 16))) return exact;
  return buffer.subarray(0, maxNoiseBytes).toString('latin1').toLowerCase().indexOf(headerName.toString('ascii'));
}
