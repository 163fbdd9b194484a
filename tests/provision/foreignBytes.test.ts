import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Provision } from '../../src/engine/provision/provision.ts';

/**
 * A registry between the clients and the real ones that changes a few bytes of one package, and every hash that it says of it: what a mirror
 * does that somebody has taken over. The package is never the engine itself but one that it needs.
 */
const upstreams = {
  npm: process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/',
  simple: `${process.env['PIP_INDEX_URL'] ?? 'https://pypi.org/simple'}/`,
  go: 'https://proxy.golang.org/',
};
const addresses = new Map<string, string>();
let scratch: string;
let registry: Server;
let origin: string;
let changed: string[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sightline-foreign-'));
  changed = [];
  registry = createServer((request, response) => {
    void answer(request.url ?? '/').then(({ status, body }) => {
      response.writeHead(status, {
        'content-type': body.subarray(0, 1).toString() === '{' ? 'application/json' : 'text/html',
      });
      response.end(body);
    });
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(async () => {
  registry.close();
  await rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function answer(url: string): Promise<{ status: number; body: Buffer }> {
  const [, kind = 'npm', rest = ''] = /^\/(?:(simple|go|wheel)\/)?(.*)$/.exec(url) ?? [];
  const address = kind === 'wheel' ? addresses.get(rest) : `${upstreams[kind as keyof typeof upstreams]}${rest}`;
  const real = await fetch(address ?? '');
  const body = Buffer.from(await real.arrayBuffer());
  const { status } = real;
  if (kind === 'npm' && rest.endsWith('.tgz'))
    return { status, body: rest.includes('node-addon-api') ? otherText(rest, body) : body };
  if (kind === 'npm') return { status, body: Buffer.from(withoutHashes(body.toString())) };
  if (kind === 'simple') return { status, body: Buffer.from(ownLinks(body.toString())) };
  if (kind === 'wheel') return { status, body: rest.startsWith('pytoolconfig') ? otherEnd(rest, body) : body };
  return { status, body: /argv\/@v\/.*\.mod$/.test(rest) ? otherEnd(rest, body) : body };
}

function otherText(name: string, tarball: Buffer): Buffer {
  changed.push(name);
  const text = gunzipSync(tarball);
  text.write('MOT', text.indexOf('MIT'));
  return gzipSync(text);
}

function otherEnd(name: string, file: Buffer): Buffer {
  changed.push(name);
  return Buffer.concat([file, Buffer.from('\n')]);
}

function withoutHashes(packument: string): string {
  return packument
    .replaceAll(/"(integrity|shasum)":"[^"]*",/g, '')
    .replaceAll(/"tarball":"https?:\/\/[^/"]+\//g, `"tarball":"${origin}/`);
}

function ownLinks(page: string): string {
  return page.replaceAll(/href="([^"#]*\/([^/"#]+))#[^"]*"/g, (_, address: string, name: string) => {
    addresses.set(name, address);
    return `href="${origin}/wheel/${name}"`;
  });
}

function provision(): Provision {
  const env = {
    ...process.env,
    npm_config_registry: `${origin}/`,
    npm_config_cache: join(scratch, 'npm'),
    npm_config_fetch_retries: '0',
    PIP_INDEX_URL: `${origin}/simple/`,
    PIP_CACHE_DIR: join(scratch, 'pip'),
    GOPROXY: `${origin}/go`,
    GOMODCACHE: join(scratch, 'go'),
    GOFLAGS: '-modcacherw',
    GONOSUMDB: '*',
  };
  const fromCache = new Provision({ cacheDir: scratch, env: process.env }).engines.map((engine) =>
    engine.role === 'toolchain' ? engine : { ...engine, find: engine.find.filter(({ source }) => source === 'cache') },
  );
  return new Provision({ cacheDir: join(scratch, 'cache'), env, catalog: fromCache });
}

test.each([
  ['grammar-json', 'npm', /node-addon-api/],
  ['rope', 'pip', /pytoolconfig/],
  ['dlv', 'go', /argv/],
])('%s is not installed when %s is given other bytes of something it needs', async (id, client, part) => {
  const [outcome] = await provision().install([id]);
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining(
      `${client} was given other bytes than those that are pinned, and nothing was installed`,
    ),
  });
  expect(changed.some((name) => part.test(name))).toBe(true);
  expect(await provision().locate(id)).toMatchObject({ found: false });
  expect(await readdir(join(scratch, 'cache/engines/.staging'))).toEqual([]);
});

test('what the same registry leaves as it is gets installed', async () => {
  expect(await provision().install(['ruff'])).toMatchObject([{ status: 'installed' }]);
});
