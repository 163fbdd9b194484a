import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError, errorMessage } from '../../../base/errors.ts';
import type { PinnedAddress } from './address.ts';
import { readBody, type ReceivedBody } from './responseBody.ts';

/** One request to one address and what came back. */
interface ExchangeSpec {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
  addresses: readonly PinnedAddress[];
  /** Accept a certificate nobody vouches for. */
  insecure: boolean;
  maxBodyBytes: number;
  signal: AbortSignal;
}

export interface Exchange {
  status: number;
  statusText: string;
  httpVersion: string;
  /** Names in lower case; those that came several times as lists. */
  headers: Record<string, string | string[]>;
  body: ReceivedBody;
  address: string;
  timing: Timing;
  tls?: TlsDetails;
}

/** Milliseconds since the request was begun. */
interface Timing {
  connectMs?: number;
  tlsMs?: number;
  firstByteMs: number;
  totalMs: number;
}

interface TlsDetails {
  protocol: string;
  cipher: string;
  subject?: string;
  issuer?: string;
  validTo?: string;
  /** Why the certificate would not have been accepted. */
  problem?: string;
}

export async function exchange(spec: ExchangeSpec): Promise<Exchange> {
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  const marks: { connectMs?: number; tlsMs?: number } = {};
  const response = await respond(spec, (socket) => {
    socket.once('connect', () => (marks.connectMs = since()));
    socket.once('secureConnect', () => (marks.tlsMs = since()));
  });
  const firstByteMs = since();
  const { socket } = response;
  const address = socket.remoteAddress ?? '';
  const tls = socket instanceof TLSSocket ? tlsDetails(socket) : undefined;
  const body = await readBody(response, spec.maxBodyBytes).catch((error: unknown) => {
    throw failure(spec, error);
  });
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    httpVersion: response.httpVersion,
    headers: headersOf(response),
    body,
    address,
    timing: { ...marks, firstByteMs, totalMs: since() },
    ...(tls === undefined ? {} : { tls }),
  };
}

function respond(spec: ExchangeSpec, onSocket: (socket: Socket) => void): Promise<IncomingMessage> {
  const { url, method, headers, body, insecure, signal } = spec;
  const isTls = url.protocol === 'https:';
  const common: RequestOptions = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(body.length) }) },
    lookup: pinned(spec.addresses),
    signal,
    // A connection of its own for each request, and none left open.
    agent: isTls ? new HttpsAgent({ keepAlive: false, rejectUnauthorized: !insecure }) : new HttpAgent(),
  };
  return new Promise((resolve, reject) => {
    try {
      const sent = (isTls ? httpsRequest : httpRequest)(url, common);
      sent.once('socket', onSocket);
      sent.once('response', resolve);
      sent.once('error', (error) => reject(failure(spec, error)));
      sent.end(body);
    } catch (error) {
      // Node throws for headers and methods that no request may have.
      reject(new ToolError('invalid_arguments', `Such a request cannot be made: ${errorMessage(error)}`));
    }
  });
}

/** Whatever name is asked for, the connection goes to what was checked. */
function pinned(addresses: readonly PinnedAddress[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function failure({ url, signal }: ExchangeSpec, error: unknown): Error {
  if (signal.aborted && signal.reason instanceof Error) return signal.reason;
  if (error instanceof ToolError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message =
    error instanceof AggregateError && error.message === ''
      ? error.errors.map(errorMessage).join('; ')
      : errorMessage(error);
  const hint =
    code === 'ECONNREFUSED'
      ? advise`Nothing listens there. Is the server started? ${step('waitJob', { port: '...' })} waits for it.`
      : undefined;
  return new ToolError(
    'command_failed',
    `${url.origin} did not answer: ${message}`,
    hint === undefined ? {} : { hint },
  );
}

function headersOf(response: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(response.headersDistinct))
    if (values !== undefined) headers[name] = values.length === 1 ? (values[0] ?? '') : values;
  return headers;
}

function tlsDetails(socket: TLSSocket): TlsDetails {
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate();
  const problem: unknown = socket.authorizationError;
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher().name,
    ...(subject?.CN === undefined ? {} : { subject: String(subject.CN) }),
    ...(issuer?.CN === undefined ? {} : { issuer: String(issuer.CN) }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(problem === null || problem === undefined
      ? {}
      : { problem: typeof problem === 'string' ? problem : errorMessage(problem) }),
  };
}
