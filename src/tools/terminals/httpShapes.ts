import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { headAndTail } from '../../base/text/textBudget.ts';
import type { HttpAnswer } from '../../engine/workspace/http/httpClient.ts';
import { textOf } from '../../engine/workspace/http/responseBody.ts';
import { renderProgress } from '../debugger/shapes/renderProgress.ts';
import { progressShape } from '../debugger/shapes/shapes.ts';
import { outputShare } from '../workspace/jobShapes.ts';

export const httpObject = z.object({
  state: z.enum(['answered', 'pending']),
  /** Of a pending request: http_request {request_id} goes on waiting for its answer. */
  requestId: z.string().optional(),
  url: z.string(),
  status: z.int().optional(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  body: z.string().optional(),
  content: z
    .object({
      bytes: z.int(),
      /** There was more than is fetched. */
      isCut: z.boolean().optional(),
      /** Of what is no text. */
      sha256: z.string().optional(),
      firstBytes: z.string().optional(),
    })
    .optional(),
  saved: z.object({ path: z.string(), historyId: z.string().optional() }).optional(),
  redirects: z.array(z.object({ status: z.int(), url: z.string() })).optional(),
  connection: z
    .object({
      address: z.string(),
      httpVersion: z.string(),
      connectMs: z.int().optional(),
      tlsMs: z.int().optional(),
      firstByteMs: z.int(),
      totalMs: z.int(),
      tls: z
        .object({
          protocol: z.string(),
          cipher: z.string(),
          subject: z.string().optional(),
          issuer: z.string().optional(),
          validTo: z.string().optional(),
          problem: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
  /** A debugged program stands still, which is why no answer came. */
  paused: z.object({ sessionId: z.string(), ...progressShape }).optional(),
});
export type HttpData = z.output<typeof httpObject>;

export function answered(answer: HttpAnswer, isSaved: boolean, maxChars: number): HttpData {
  const { status, headers, body, redirects, address, httpVersion, timing, tls } = answer;
  const text = textOf(body);
  const shown = isSaved || body.bytes.length === 0 ? undefined : text;
  return {
    state: 'answered',
    url: answer.url,
    status,
    headers,
    ...(shown === undefined ? {} : { body: headAndTail(shown, outputShare(maxChars)) }),
    content: {
      bytes: body.bytes.length,
      ...(body.isCut ? { isCut: true } : {}),
      ...(text === undefined ? { sha256: body.sha256, firstBytes: body.bytes.subarray(0, 32).toString('hex') } : {}),
    },
    ...(redirects.length === 0 ? {} : { redirects }),
    connection: { address, httpVersion, ...timing, ...(tls === undefined ? {} : { tls }) },
  };
}

/** Headers that say nothing to whoever reads the answer. */
const dullHeaders = new Set([
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'vary',
  'accept-ranges',
]);

export function renderHttp(data: HttpData): string {
  if (data.state === 'pending') {
    const next = `http_request {"request_id": "${data.requestId}"} waits for the answer.`;
    if (data.paused === undefined) return `No answer from ${data.url} yet. ${next}`;
    return `No answer from ${data.url}: the program stands still (${data.paused.sessionId}).\n${renderProgress(data.paused)}\nLet it go on, then ${next}`;
  }
  const hops = (data.redirects ?? []).map(({ status, url }) => `${status} ${url} ->`);
  const headers = Object.entries(data.headers ?? {})
    .filter(([name]) => !dullHeaders.has(name))
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  const { bytes = 0, sha256, isCut = false } = data.content ?? {};
  const rest = [
    ...(sha256 === undefined ? [] : [`(${bytes} bytes that are no text, sha256 ${sha256})`]),
    ...(data.saved === undefined
      ? []
      : [`Saved ${bytes} bytes to ${data.saved.path} (history: ${data.saved.historyId})`]),
    ...(isCut ? [`(cut: only the first ${bytes} bytes were fetched)`] : []),
  ];
  return [
    ...hops,
    `${data.status} ${STATUS_CODES[data.status ?? 0] ?? ''} ${data.url} in ${data.connection?.totalMs} ms`,
    ...headers,
    ...(data.connection?.tls?.problem === undefined ? [] : [`certificate: ${data.connection.tls.problem}`]),
    '',
    ...(data.body === undefined ? [] : [data.body]),
    ...rest,
  ].join('\n');
}
