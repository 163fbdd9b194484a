import type { IncomingMessage } from 'node:http';

type BodyOutcome = { kind: 'body'; value: unknown } | { kind: 'too-large' } | { kind: 'not-json' } | { kind: 'gone' };

/** Reads and parses a JSON body, no further than the cap. An empty body is `undefined`. */
export async function readJsonBody(req: IncomingMessage, maxBytes: number): Promise<BodyOutcome> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req) {
      const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += part.length;
      if (bytes > maxBytes) return { kind: 'too-large' };
      chunks.push(part);
    }
  } catch {
    return { kind: 'gone' };
  }
  if (bytes === 0) return { kind: 'body', value: undefined };
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { kind: 'body', value };
  } catch {
    return { kind: 'not-json' };
  }
}
