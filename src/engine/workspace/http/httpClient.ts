import { ToolError } from '../../../base/errors.ts';
import type { Project } from '../project.ts';
import { pinnedAddresses } from './address.ts';
import { CookieJar } from './cookies.ts';
import { exchange, type Exchange } from './exchange.ts';
import type { RequestBody } from './requestBody.ts';

export interface HttpSpec {
  project: Project;
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: RequestBody | undefined;
  follow: boolean;
  maxBodyBytes: number;
  /** Hosts besides this machine that a person has allowed. */
  hosts: readonly string[];
  signal: AbortSignal;
}

export interface HttpAnswer extends Exchange {
  url: string;
  redirects: { status: number; url: string }[];
}

const maxRedirects = 10;

/** Requests of projects, with a cookie jar each. Every hop is checked anew. */
export class HttpClient {
  readonly #jars = new Map<string, CookieJar>();

  async send(spec: HttpSpec): Promise<HttpAnswer> {
    let url = parseUrl(spec.url);
    let { method, body } = spec;
    let headers = lowerCase(spec.headers);
    if (url.username !== '' && headers['authorization'] === undefined)
      headers['authorization'] = basic(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
    const redirects: { status: number; url: string }[] = [];
    for (;;) {
      url.username = '';
      url.password = '';
      const answer = await this.#hop(spec, url, method, headers, body);
      const location = answer.headers['location'];
      const target =
        [301, 302, 303, 307, 308].includes(answer.status) && typeof location === 'string' ? location : undefined;
      if (target === undefined || !spec.follow) return { ...answer, url: url.href, redirects };
      redirects.push({ status: answer.status, url: url.href });
      if (redirects.length > maxRedirects)
        throw new ToolError('command_failed', `${spec.url} redirects more than ${maxRedirects} times.`, {
          data: { redirects: redirects.slice(0, 5) },
        });
      const next = parseUrl(target, url);
      if (next.origin !== url.origin) {
        // What was meant for one server is not shown to another.
        const { authorization: _secret, cookie: _cookie, host: _host, ...rest } = headers;
        headers = rest;
      }
      const isRewritten =
        answer.status === 303 || ((answer.status === 301 || answer.status === 302) && method === 'POST');
      if (isRewritten && method !== 'HEAD') {
        method = 'GET';
        body = undefined;
        const { 'content-type': _type, 'content-length': _length, ...rest } = headers;
        headers = rest;
      }
      url = next;
    }
  }

  async #hop(
    spec: HttpSpec,
    url: URL,
    method: string,
    headers: Readonly<Record<string, string>>,
    body: RequestBody | undefined,
  ): Promise<Exchange> {
    const addresses = await pinnedAddresses(url.hostname, spec.hosts);
    const isLoopback = addresses.every(({ address }) => /^(127\.|::1$)/.test(address));
    const jar = this.#jar(spec.project);
    const cookie = jar.headerFor(url, isLoopback);
    const answer = await exchange({
      url,
      method,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Sightline',
        ...(body?.contentType === undefined ? {} : { 'content-type': body.contentType }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      body: body?.bytes,
      addresses,
      // Nobody stands between; what is wrong with the certificate is told.
      insecure: isLoopback,
      maxBodyBytes: spec.maxBodyBytes,
      signal: spec.signal,
    });
    jar.take(url, [answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  #jar(project: Project): CookieJar {
    const jar = this.#jars.get(project.root) ?? new CookieJar();
    this.#jars.set(project.root, jar);
    return jar;
  }
}

export function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
}

function parseUrl(text: string, base?: URL): URL {
  const whole = base !== undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  let url: URL;
  try {
    url = new URL(whole, base);
  } catch {
    throw new ToolError('invalid_arguments', `"${text}" is no URL.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolError('policy_denied', `Only http and https are spoken, not ${url.protocol}`);
  return url;
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
