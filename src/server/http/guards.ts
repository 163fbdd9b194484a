import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

/** Who may talk to us. Both lists are exact: scheme, name and port as a browser or client sends them. */
export interface GuardOptions {
  /** `undefined` only after `--no-auth`. */
  token: TokenSource | undefined;
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
}

/** The token of the run, or a question for all that open a route now. */
export type TokenSource = string | (() => readonly string[]);

export interface Refusal {
  status: 400 | 401 | 403;
  message: string;
}

/**
 * Every request passes here before anything else looks at it. The Host list defeats pages that rebind their name to loopback, the
 * Origin list defeats pages that simply call us, and the token everyone else.
 */
export function refusal(req: IncomingMessage, options: GuardOptions): Refusal | undefined {
  if (headerCount(req, 'host') !== 1 || !options.hosts.has(req.headers.host ?? ''))
    return { status: 403, message: 'This Host is not served here.' };
  if (!originAllowed(req, options)) return { status: 403, message: 'This Origin may not call Sightline.' };
  if (!(req.url ?? '').startsWith('/')) return { status: 400, message: 'The request target must be a path.' };
  return undefined;
}

/** What opens most routes. A route that has a check of its own is opened by that instead. */
export function tokenRefusal(req: IncomingMessage, options: GuardOptions): Refusal | undefined {
  if (isPreflight(req)) return undefined;
  if (options.token !== undefined && !tokenMatches(req, options.token))
    return { status: 401, message: 'A bearer token is needed: Authorization: Bearer <token>.' };
  return undefined;
}

/** A browser's question before the real request. It carries no token by design and is answered without doing anything. */
export function isPreflight(req: IncomingMessage): boolean {
  return (
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined
  );
}

/** The names under which a listener on this address is reached. Beyond loopback only if the person had it listen there. */
export function servedHosts(address: string, port: number): string[] {
  const names = new Set(['127.0.0.1', 'localhost', '::1', address]);
  if (address === '0.0.0.0' || address === '::') {
    names.delete(address);
    names.add(hostname()).add(hostname().toLowerCase());
    for (const face of Object.values(networkInterfaces()).flat()) if (face !== undefined) names.add(face.address);
  }
  return [...names].map((name) => `${name.includes(':') ? `[${name}]` : name}:${port}`);
}

function originAllowed(req: IncomingMessage, options: GuardOptions): boolean {
  const count = headerCount(req, 'origin');
  return count === 0 || (count === 1 && options.origins.has(req.headers.origin ?? ''));
}

function tokenMatches(req: IncomingMessage, source: TokenSource): boolean {
  if (headerCount(req, 'authorization') !== 1) return false;
  const [, given] = /^Bearer ([^\s]+)$/i.exec(req.headers.authorization ?? '') ?? [];
  // Hashes have the same length whatever was sent, so the comparison tells nothing by its time.
  const tokens = typeof source === 'string' ? [source] : source();
  return tokens.map((token) => timingSafeEqual(digest(given ?? ''), digest(token))).includes(true);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Node keeps only one of some duplicated headers; a request that has two is refused, because others may read the other one. */
function headerCount(req: IncomingMessage, name: string): number {
  return req.rawHeaders.filter((entry, index) => index % 2 === 0 && entry.toLowerCase() === name).length;
}
