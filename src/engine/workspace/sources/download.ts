import { createHash } from 'node:crypto';
import { cancellationReason } from '../../../base/cancellation.ts';
import { ToolError, errorMessage } from '../../../base/errors.ts';

/** No sources of a package that somebody wants to read are larger. */
const maxDownloadBytes = 100 * 1024 * 1024;
const connectMs = 20_000;

interface DownloadOptions {
  accept?: string;
  /** What the registry says the content hashes to. */
  hash?: { algorithm: 'sha256' | 'sha1'; hex: string };
  signal?: AbortSignal;
}

/** The content at an address of a registry; undefined when there is none (404). Bounded, encrypted, and checked where a hash is known. */
export async function download(address: string, options: DownloadOptions = {}): Promise<Buffer | undefined> {
  const { url, authorization } = withoutPassword(address);
  if (!url.startsWith('https://')) throw new ToolError('unsupported', `${url} is not an https address.`);
  const timeout = AbortSignal.timeout(connectMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const response = await fetch(url, { signal, headers: { accept: options.accept ?? '*/*', ...authorization } });
    if (response.status === 404 || response.status === 410) return undefined;
    if (!response.ok || response.body === null) throw failed(url, `it answered ${response.status}`);
    if (!response.url.startsWith('https://')) throw failed(url, 'it leads to an address that is not encrypted');
    return checked(url, await bounded(url, response.body), options.hash);
  } catch (error) {
    if (options.signal?.aborted) throw cancellationReason(options.signal);
    if (error instanceof ToolError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw failed(url, timeout.aborted ? `no answer in ${connectMs / 1000} s` : errorMessage(cause));
  }
}

export async function downloadText(url: string, options: DownloadOptions = {}): Promise<string | undefined> {
  return (await download(url, options))?.toString('utf8');
}

/** What a person's settings put before the host belongs into a header, and into no message. */
export function withoutPassword(address: string): { url: string; authorization?: { authorization: string } } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.username === '' && url.password === '')) return { url: address };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

async function bounded(url: string, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxDownloadBytes)
      throw new ToolError('too_large', `${url} has more than ${maxDownloadBytes} bytes, so it is not kept.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function checked(url: string, bytes: Buffer, hash: DownloadOptions['hash']): Buffer {
  if (hash === undefined) return bytes;
  const actual = createHash(hash.algorithm).update(bytes).digest('hex');
  if (actual !== hash.hex.toLowerCase()) throw failed(url, `its ${hash.algorithm} is not the one that was promised`);
  return bytes;
}

function failed(url: string, why: string): ToolError {
  return new ToolError('command_failed', `${url} could not be fetched: ${why}.`, {
    hint: 'Nothing was kept. Calling again is safe.',
  });
}
