import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { assetPath } from '../base/assets.ts';
import { ToolError } from '../base/errors.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/**
 * The bundle of the page, which anybody on this machine may read: it holds nothing of anyone. Names carry the hash of their content, so that
 * browsers keep them.
 */
export class PageFiles {
  #read: { folder: string; index: string; names: ReadonlySet<string> } | undefined;

  /** A file of the bundle, or the page itself for every other address below it. */
  serve(name: string, res: ServerResponse): void {
    const { folder, index, names } = this.#bundle();
    if (names.has(name)) {
      // Browsers ask once; kept in memory it would cost more than it saves.
      const file = readFileSync(join(folder, name));
      res.writeHead(200, {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'content-length': file.length,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      });
      return void res.end(file);
    }
    if (name.startsWith('assets/')) return void res.writeHead(404, { 'content-length': 0 }).end();
    // Of what is loaded later some makes style sheets while it runs; the nonce lets those in, and no other.
    const nonce = randomBytes(16).toString('base64');
    const text = index.replace('__NONCE__', nonce);
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    res.end(text);
  }

  #bundle(): { folder: string; index: string; names: ReadonlySet<string> } {
    if (this.#read !== undefined) return this.#read;
    const folder = dirname(pageFile());
    this.#read = {
      folder,
      index: readFileSync(join(folder, 'index.html'), 'utf8'),
      names: new Set(readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)),
    };
    return this.#read;
  }
}

function pageFile(): string {
  try {
    return assetPath('dist/dashboard/index.html');
  } catch {
    throw new ToolError('unsupported', 'The dashboard was not built.', { hint: 'npm run build' });
  }
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
