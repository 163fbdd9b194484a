import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { randomToken } from '../base/ids.ts';
import type { Refusal } from '../server/http/guards.ts';

/** How long a link waits for the person who was given it. */
const linkLifeMs = 60 * 60_000;
/** A browser that did not come for so long is let in by a new link only. */
const sessionLifeMs = 7 * 24 * 60 * 60_000;
const maxLinks = 20;
const maxSessions = 20;

/**
 * Who may use the dashboard. A link carries a token in its fragment, which no browser sends anywhere and no log keeps; the page gives it
 * back once, for a cookie that scripts cannot read and other sites cannot use. Only hashes are held here.
 */
export class DashboardAccess {
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** For the fragment of one link. */
  newLink(): string {
    const token = randomToken();
    remember(this.#links, hashOf(token), this.#now() + linkLifeMs, maxLinks);
    return token;
  }

  /** The value of a new cookie, or undefined when the token is wrong, used or too old. */
  exchange(token: string): string | undefined {
    const hash = find(this.#links, token);
    const until = hash === undefined ? 0 : (this.#links.get(hash) ?? 0);
    if (hash !== undefined) this.#links.delete(hash);
    if (until < this.#now()) return undefined;
    const session = randomToken();
    remember(this.#sessions, hashOf(session), this.#now() + sessionLifeMs, maxSessions);
    return session;
  }

  setCookie(session: string, port: string): string {
    // Cookies know no ports: each process of this machine has a name of its own.
    return `${cookieName(port)}=${session}; Path=/dashboard; HttpOnly; SameSite=Strict; Max-Age=${sessionLifeMs / 1000}`;
  }

  /** The check of every route that shows or does something. */
  refusal(req: IncomingMessage): Refusal | undefined {
    const { host = '', origin } = req.headers;
    const site = req.headers['sec-fetch-site'];
    // Pages of other ports of this machine are the same site: the origin tells them apart, and what has none must say it is ours.
    if (origin !== undefined && origin !== `http://${host}`)
      return { status: 403, message: 'This Origin may not use the dashboard.' };
    if (site !== undefined && site !== 'same-origin')
      return { status: 403, message: 'The dashboard is used from its own page only.' };
    if (req.method === 'POST' && origin === undefined)
      return { status: 403, message: 'The dashboard is used from its own page only.' };
    const given = cookieOf(req.headers.cookie ?? '', cookieName(portOf(host)));
    const hash = given === undefined ? undefined : find(this.#sessions, given);
    if (hash === undefined || (this.#sessions.get(hash) ?? 0) < this.#now())
      return { status: 401, message: 'A link to the dashboard is needed: sightline dashboard' };
    remember(this.#sessions, hash, this.#now() + sessionLifeMs, maxSessions);
    return undefined;
  }
}

export function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? '80';
}

function cookieName(port: string): string {
  return `sightline_${port}`;
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

function remember(table: Map<string, number>, hash: string, until: number, most: number): void {
  table.delete(hash);
  table.set(hash, until);
  for (const oldest of table.keys()) {
    if (table.size <= most) return;
    table.delete(oldest);
  }
}

/** All are compared, each in constant time. */
function find(table: ReadonlyMap<string, number>, token: string): string | undefined {
  const wanted = Buffer.from(hashOf(token));
  let found: string | undefined;
  for (const hash of table.keys()) if (timingSafeEqual(wanted, Buffer.from(hash))) found = hash;
  return found;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
