import { gzipSync } from 'node:zlib';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
let base: string;
let tlsBase: string;
const servers: Server[] = [];

beforeAll(async () => {
  ide = await startSightline({
    project: { 'upload.bin': 'file content', 'server.js': debugged },
    // Everything public: what must never be reached stays out of reach all the same.
    env: { SIGHTLINE_HTTP_HOSTS: '["*"]' },
  });
  agent = await ide.connect({ face: 'workspace' });
  base = `http://127.0.0.1:${await listen(createServer((request, response) => void answer(request, response)))}`;
  tlsBase = `https://localhost:${await listen(createTlsServer(certificate, (_request, response) => response.end('over TLS')))}`;
});
afterAll(async () => {
  await ide.dispose();
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  const url = new URL(request.url ?? '/', base);
  const body = Buffer.concat(chunks).toString('latin1');
  switch (url.pathname) {
    case '/echo':
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
      return;
    case '/login':
      response.setHeader('set-cookie', ['sid=42; HttpOnly; Path=/', 'other=1; Domain=evil.example']);
      response.end('in');
      return;
    case '/redirect':
      response.writeHead(Number(url.searchParams.get('status') ?? 302), {
        location: url.searchParams.get('to') ?? '/echo',
      });
      response.end();
      return;
    case '/loop':
      response.writeHead(302, { location: '/loop' }).end();
      return;
    case '/binary':
      response.end(Buffer.from([0, 1, 2, 255]));
      return;
    case '/packed':
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('z'.repeat(50_000_000)));
      return;
    case '/slow':
      setTimeout(() => response.end('late'), 1500);
      return;
    case '/missing':
      response.writeHead(404).end('no such page');
      return;
    default:
      response.end('ok');
  }
}

interface Echo {
  method: string;
  headers: Record<string, string>;
  body: string;
}

async function echo(args: Record<string, unknown>): Promise<Echo> {
  return JSON.parse(
    String((await agent.data('http_request', { url: `${base}/echo`, max_chars: 20_000, ...args }))['body']),
  );
}

describe('http_request', () => {
  test('status, headers, body, timing; a URL without a scheme', async () => {
    const answered = await agent.data('http_request', { url: `${base.replace('http://', '')}/missing` });
    expect(answered).toMatchObject({
      state: 'answered',
      status: 404,
      body: 'no such page',
      content: { bytes: 12 },
      connection: { address: '127.0.0.1', httpVersion: '1.1', totalMs: expect.any(Number) },
    });
  });

  test('bodies: text, JSON, form, files, and their types', async () => {
    expect(await echo({ body: 'plain', headers: { 'X-Own': 'a' } })).toMatchObject({
      method: 'POST',
      body: 'plain',
      headers: { 'x-own': 'a' },
    });
    expect(await echo({ body: { a: [1] }, method: 'put' })).toMatchObject({
      method: 'PUT',
      body: '{"a":[1]}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await echo({ form: { a: '1 2', b: '&' } })).toMatchObject({ body: 'a=1+2&b=%26' });
    const sent = await echo({ form: { a: '1' }, files: [{ name: 'f', path: 'upload.bin' }] });
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.body).toContain(
      'name="f"; filename="upload.bin"\r\nContent-Type: application/octet-stream\r\n\r\nfile content\r\n',
    );
    const outside = await agent.call('http_request', { url: base, files: [{ name: 'f', path: '/etc/passwd' }] });
    expect(outside.error).toMatchObject({ name: 'path_outside_project' });
    const both = await agent.call('http_request', { url: base, body: 'x', form: { a: '1' } });
    expect(both.error).toMatchObject({ name: 'invalid_arguments' });
  });

  test('authorization and cookies; neither follows to another origin; no secret is in the history', async () => {
    expect((await echo({ authorization: 'me:hunter2pass' })).headers['authorization']).toBe(
      'Basic bWU6aHVudGVyMnBhc3M=',
    );
    expect((await echo({ authorization: 'Bearer abc' })).headers['authorization']).toBe('Bearer abc');
    await agent.data('http_request', { url: `${base}/login` });
    expect((await echo({})).headers['cookie']).toBe('sid=42');
    expect((await echo({ headers: { Cookie: 'own=1' } })).headers['cookie']).toBe('own=1');
    const elsewhere = base.replace('127.0.0.1', 'localhost');
    const moved = await echo({ url: `${base}/redirect?to=${elsewhere}/echo`, authorization: 'Bearer abc' });
    expect(moved.headers).not.toHaveProperty('authorization');
    expect(moved.headers).not.toHaveProperty('cookie');
    const project = await ide.sightline.projects.open(ide.root, { env: {} });
    expect(ide.sightline.history.exportJson(project)).not.toContain('hunter2pass');
  });

  test('redirects: told, rewritten or kept, or not followed', async () => {
    const seen = await agent.data('http_request', { url: `${base}/redirect?status=303`, method: 'POST', body: 'x' });
    expect(seen).toMatchObject({ status: 200, redirects: [{ status: 303 }] });
    expect(JSON.parse(String(seen['body']))).toMatchObject({ method: 'GET', body: '' });
    expect(await echo({ url: `${base}/redirect?status=307`, body: 'kept' })).toMatchObject({
      method: 'POST',
      body: 'kept',
    });
    const still = await agent.data('http_request', { url: `${base}/redirect`, follow: false });
    expect(still).toMatchObject({ status: 302, headers: { location: '/echo' } });
    const endless = await agent.call('http_request', { url: `${base}/loop` });
    expect(endless.error).toMatchObject({ message: expect.stringContaining('redirects more than 10 times') });
  });

  test('bodies that are no text, that unpack to much, and that are saved', async () => {
    const binary = await agent.data('http_request', { url: `${base}/binary` });
    expect(binary).toMatchObject({ content: { bytes: 4, firstBytes: '000102ff' } });
    expect(binary).not.toHaveProperty('body');
    const packed = await agent.data('http_request', { url: `${base}/packed` });
    expect(packed).toMatchObject({ content: { isCut: true, bytes: 4 * 1024 * 1024 } });
    const saved = await agent.data('http_request', { url: `${base}/binary`, save_to: 'out/data.bin' });
    expect(saved).toMatchObject({ saved: { path: 'out/data.bin', historyId: expect.any(String) } });
    expect([...readFileSync(join(ide.root, 'out/data.bin'))]).toEqual([0, 1, 2, 255]);
    const failed = await agent.data('http_request', { url: `${base}/missing`, save_to: 'out/data.bin' });
    expect(failed).toMatchObject({ body: 'no such page', notes: [expect.stringContaining('Not saved')] });
    expect((await agent.call('http_request', { url: base, save_to: '.git/hooks/pre-commit' })).error?.name).toBe(
      'policy_denied',
    );
  });

  test('TLS is told in detail, with what is wrong with a certificate of this machine', async () => {
    expect(await agent.data('http_request', { url: tlsBase })).toMatchObject({
      body: 'over TLS',
      connection: { tls: { protocol: 'TLSv1.3', subject: 'localhost', problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
    });
  });

  test('an answer that takes longer is asked for again; nobody listens', async () => {
    const pending = await agent.data('http_request', { url: `${base}/slow`, wait_ms: 100 });
    expect(pending).toMatchObject({ state: 'pending' });
    expect(await agent.data('http_request', { request_id: pending['requestId'] })).toMatchObject({ body: 'late' });
    const closed = await agent.call('http_request', { url: 'http://127.0.0.1:1/' });
    expect(closed.error).toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('wait_job'),
    });
  });
});

/** What must stay out of reach although everything public is allowed. */
const outOfReach = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://0251.0376.0251.0376/',
  'http://169.254.170.2/v2/credentials',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://[fc00::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://0.0.0.0:80/',
  'http://[::]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://user@169.254.169.254/',
  'http://169.254.169.254./',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:6379/_x',
  'javascript://x',
];

describe('addresses that are never reached', () => {
  test.each(outOfReach)('%s', async (url) => {
    expect((await agent.call('http_request', { url })).error?.name).toBe('policy_denied');
    const redirected = await agent.call('http_request', { url: `${base}/redirect?to=${encodeURIComponent(url)}` });
    expect(redirected.error?.name).toBe('policy_denied');
  });
});

test('a debugged server that pauses: the stop is the answer, and the request goes on after it', async () => {
  await agent.data('set_breakpoint', { file_path: 'server.js', line: 3 });
  const session = await agent.data('start_debug_session', {
    program: 'server.js',
    wait_ms: 0,
  });
  const portOf = async () => {
    const status = await agent.data('get_debug_session_status', { session_id: session['sessionId'] });
    return /port (\d+)/.exec(JSON.stringify(status))?.[1];
  };
  let port: string | undefined;
  await expect.poll(async () => (port ??= await portOf()), { timeout: 20_000 }).toBeDefined();
  const asked = Date.now();
  const stopped = await agent.data('http_request', { url: `http://127.0.0.1:${port}/item?n=5` });
  expect(Date.now() - asked).toBeLessThan(10_000);
  expect(stopped).toMatchObject({ state: 'pending', paused: { state: 'paused', stop: { reason: 'breakpoint' } } });
  expect(JSON.stringify(stopped['paused'])).toContain('server.js');
  await agent.data('resume_execution', { wait_ms: 0 });
  expect(await agent.data('http_request', { request_id: stopped['requestId'] })).toMatchObject({
    status: 200,
    body: 'n=5',
  });
  await agent.data('stop_debug_session', {});
}, 60_000);

const debugged = `const server = require('http').createServer((request, response) => {
  const n = new URL(request.url, 'http://x').searchParams.get('n');
  response.end('n=' + n);
});
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
`;

/** Made for this test, trusted by nobody. */
const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfzLB6AQcZyMLhPyS
UZyO702U1Ko5zN0aWpwvqjY/82mhRANCAATgj2Gbi0oHJsmRTsNekaHdwVP4aiTM
qGB/+ptRdMLhP8ubY6NNcrLMGGr1bRFvTahT+XnnKWiyFNNh/XNrwzIV
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUTE/TmB9DEF+dAhy9n+iq7Wl2H84wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNzE4NDUwNVoYDzIxMjYxMDI0
MTg0NTA1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATgj2Gbi0oHJsmRTsNekaHdwVP4aiTMqGB/+ptRdMLhP8ubY6NNcrLM
GGr1bRFvTahT+XnnKWiyFNNh/XNrwzIVo1MwUTAdBgNVHQ4EFgQURDUFyT/4Lsv6
5/bMkVu5mutisKUwHwYDVR0jBBgwFoAURDUFyT/4Lsv65/bMkVu5mutisKUwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBEhy2CJ5XhrqR3TQrJpkUI
wUX/PA+FV+4XEd1NGj1BlQIgLW5J/I7nqVvQaFSNw0T9FaKwA/y6XU3r/SOUCSkC
Mfk=
-----END CERTIFICATE-----`,
};
