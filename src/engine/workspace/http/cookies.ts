interface Cookie {
  name: string;
  value: string;
  domain: string;
  /** Sent to this very host only. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
  expiresAt: number;
}

const maxCookies = 300;

/** The cookies of one project's requests. They are kept in memory only. */
export class CookieJar {
  #cookies: Cookie[] = [];

  /** As the header that goes with a request. */
  headerFor(url: URL, isLoopback: boolean): string | undefined {
    const now = Date.now();
    this.#cookies = this.#cookies.filter((cookie) => cookie.expiresAt > now);
    const fitting = this.#cookies.filter(
      (cookie) =>
        (cookie.isHostOnly ? url.hostname === cookie.domain : isBelow(url.hostname, cookie.domain)) &&
        isOnPath(url.pathname, cookie.path) &&
        (!cookie.isSecure || url.protocol === 'https:' || isLoopback),
    );
    if (fitting.length === 0) return undefined;
    return fitting
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  take(url: URL, headers: readonly string[]): void {
    for (const header of headers) {
      const cookie = parse(url, header);
      if (cookie === undefined) continue;
      this.#cookies = this.#cookies.filter(
        (each) => each.name !== cookie.name || each.domain !== cookie.domain || each.path !== cookie.path,
      );
      this.#cookies.push(cookie);
    }
    this.#cookies = this.#cookies.slice(-maxCookies);
  }
}

function parse(url: URL, header: string): Cookie | undefined {
  const [pair = '', ...attributes] = header.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals).trim();
  if (equals < 1 || name === '') return undefined;
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...value] = attribute.split('=');
      return [key.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const domain = (given.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  // A host may speak for those it lies below, never for a whole top-level domain or for somebody else.
  if (domain !== '' && domain !== url.hostname && (!domain.includes('.') || !isBelow(url.hostname, domain)))
    return undefined;
  const maxAge = Number(given.get('max-age'));
  const expires = Date.parse(given.get('expires') ?? '');
  const isAged = given.has('max-age') && !Number.isNaN(maxAge);
  const path = given.get('path') ?? '';
  return {
    name,
    value: pair.slice(equals + 1).trim(),
    domain: domain === '' ? url.hostname : domain,
    isHostOnly: domain === '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf('/'), 1)),
    isSecure: given.has('secure'),
    expiresAt: isAged ? Date.now() + maxAge * 1000 : Number.isNaN(expires) ? Infinity : expires,
  };
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function isOnPath(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}
