import { connect } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { HttpServer } from '../../src/server/http/httpServer.ts';
import { startSightline, type RunningSightline } from '../harness/harness.ts';

/** Speaks HTTP by hand, because clients refuse to send most of what is tried here. */
async function raw(port: number, lines: string[], body = ''): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      // A stream stays open; its status line is all that these tests want to know.
      if (received.includes('text/event-stream')) socket.destroy();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
  const [head = '', rest = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: rest };
}

describe('who can reach it', () => {
  let ide: RunningSightline;
  let port: number;
  let host: string;

  beforeAll(async () => {
    ide = await startSightline();
    port = Number(new URL(ide.url).port);
    host = `127.0.0.1:${port}`;
  });
  afterAll(() => ide.dispose());

  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stranger', version: '1' } },
  });
  const post = (path: string, headers: string[], body = initialize) =>
    raw(
      port,
      [
        `POST ${path} HTTP/1.1`,
        ...headers,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ],
      body,
    );
  const authorised = () => `Authorization: Bearer ${ide.token}`;
  const nobodyCame = () => expect(ide.sightline.backend.clients).toEqual([]);

  it('walks the table of routes: without the token, or with a wrong one, 401 and nothing happens', async () => {
    expect(ide.routes.length).toBeGreaterThanOrEqual(36);
    for (const { method, path } of ide.routes.filter((route) => route.admits === undefined)) {
      for (const token of [[], ['Authorization: Bearer wrong'], [`Authorization: Basic ${ide.token}`]]) {
        const headers = [`Host: ${host}`, ...token, 'Content-Length: 0', 'Connection: close'];
        const answer = await raw(port, [`${method} ${path} HTTP/1.1`, ...headers]);
        expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 401`);
        expect(answer.head.toLowerCase()).toContain('www-authenticate: bearer');
      }
    }
    const nowhere = await raw(port, ['GET /nowhere HTTP/1.1', `Host: ${host}`, 'Connection: close']);
    expect(nowhere.status).toBe(401);
    const options = await raw(port, ['OPTIONS /mcp HTTP/1.1', `Host: ${host}`, 'Connection: close']);
    expect(options.status).toBe(401);
    nobodyCame();
  });

  it('opens the dashboard to nobody without its cookie: of all its routes only the page itself, which holds nothing', async () => {
    const own = ide.routes.filter((route) => route.admits !== undefined);
    const opened: string[] = [];
    const others: string[] = [];
    for (const { method, path } of own) {
      const answers = [];
      for (const credentials of [[], ['Cookie: sightline_1=x'], [`Cookie: sightline_${port}=wrong`], [authorised()]]) {
        const headers = [
          `Host: ${host}`,
          `Origin: http://${host}`,
          ...credentials,
          'Content-Length: 0',
          'Connection: close',
        ];
        answers.push((await raw(port, [`${method} ${path} HTTP/1.1`, ...headers])).status);
      }
      if (answers.includes(200)) opened.push(`${method} ${path}`);
      else others.push(answers.join(' '));
    }
    expect(new Set(others)).toEqual(new Set(['401 401 401 401']));
    expect(opened).toEqual(['GET /dashboard', 'GET /dashboard/']);
    nobodyCame();
  });

  it('takes the dashboard cookie from its own page only', async () => {
    const { dashboard } = ide.sightline;
    const token = dashboard.newLink().split('#')[1] ?? '';
    const enter = (origin: string, given: string) =>
      post('/dashboard/session', [`Host: ${host}`, `Origin: ${origin}`], JSON.stringify({ token: given }));
    expect((await enter(`http://localhost:${port}`, token)).status).toBe(401);
    const entered = await enter(`http://${host}`, token);
    expect(entered.status).toBe(200);
    expect(entered.head).toMatch(/set-cookie: sightline_\d+=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Strict/i);
    expect((await enter(`http://${host}`, token)).status).toBe(401);
    const cookie = `Cookie: ${/set-cookie: ([^;]+)/i.exec(entered.head)?.[1] ?? ''}`;
    const list = (headers: string[]) => post('/dashboard/api/approvals.list', [`Host: ${host}`, ...headers], '{}');
    expect((await list([cookie, `Origin: http://${host}`])).status).toBe(200);
    expect((await list([cookie, `Origin: http://localhost:${port}`])).status).toBe(403);
    expect((await list([cookie])).status).toBe(403);
    expect((await list([cookie, `Origin: http://${host}`, 'Sec-Fetch-Site: same-site'])).status).toBe(403);
    expect((await post('/mcp', [`Host: ${host}`, cookie])).status).toBe(401);
    nobodyCame();
  });

  it('does not take the token from the address', async () => {
    expect((await post(`/mcp?token=${ide.token}`, [`Host: ${host}`])).status).toBe(401);
    expect((await post(`/mcp?access_token=${ide.token}`, [`Host: ${host}`])).status).toBe(401);
    nobodyCame();
  });

  it.each([
    'evil.com',
    'localhost.evil.com:PORT',
    '127.0.0.1.evil.com:PORT',
    'localhost6:PORT',
    '10.0.2.555:PORT',
    '0177.0.0.1:PORT',
    '0x7f.1:PORT',
    '2130706433:PORT',
    '0.0.0.0:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.:PORT',
    '127.0.0.1.:PORT',
    'user@127.0.0.1:PORT',
    '127.0.0.1:PORT@evil.com',
    'LOCALHOST:PORT',
    '[::ffff:127.0.0.1]:PORT',
    '',
  ])('refuses Host "%s" even with the token', async (name) => {
    for (const path of ['/mcp', '/index-mcp/sse', '/nowhere']) {
      const answer = await post(path, [`Host: ${name.replace('PORT', String(port))}`, authorised()]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThanOrEqual(403);
      expect(answer.status).not.toBe(401);
    }
    nobodyCame();
  });

  it('refuses two Hosts, and an address instead of a path', async () => {
    expect((await post('/mcp', [`Host: ${host}`, 'Host: evil.com', authorised()])).status).toBe(403);
    expect((await post(`http://${host}/mcp`, [`Host: ${host}`, authorised()])).status).toBe(400);
    nobodyCame();
  });

  it.each([
    'http://evil.com',
    'https://localhost:PORT',
    'http://localhost',
    'http://localhost:1',
    'http://localhost.evil.com:PORT',
    'http://127.0.0.1.evil.com:PORT',
    'http://localhost:PORT.evil.com',
    'http://localhost:PORT/',
    'http://user@localhost:PORT',
    'http://2130706433:PORT',
    'null',
    '',
  ])('refuses Origin "%s" with a right Host and token', async (origin) => {
    const answer = await post('/mcp', [
      `Host: ${host}`,
      `Origin: ${origin.replace('PORT', String(port))}`,
      authorised(),
    ]);
    expect(answer.status).toBe(403);
    expect(answer.head.toLowerCase()).not.toContain('access-control-allow-origin');
    nobodyCame();
  });

  it('answers its own origin by name, never by a wildcard, and a preflight without doing anything', async () => {
    const origin = `http://localhost:${port}`;
    const preflight = await raw(port, [
      'OPTIONS /mcp HTTP/1.1',
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Access-Control-Request-Method: POST',
      'Connection: close',
    ]);
    expect(preflight.status).toBe(204);
    expect(preflight.head.toLowerCase()).toContain(`access-control-allow-origin: ${origin}`);
    expect(preflight.head).not.toContain('*');
    const asked = await raw(port, ['OPTIONS /mcp HTTP/1.1', `Host: ${host}`, authorised(), 'Connection: close']);
    expect(asked.status).toBe(204);
    expect(asked.head.toLowerCase()).toContain('allow: post, get, delete, options');
    nobodyCame();
  });

  it('sees every header, and refuses more than anybody needs', async () => {
    const filler = (count: number) => Array.from({ length: count }, (_, number) => `X${number}: 1`);
    const evil = [`Host: ${host}`, authorised(), ...filler(150), 'Origin: https://evil.example'];
    expect((await post('/debugger-mcp', evil)).status).toBe(403);
    // Node by itself would drop what comes after the two thousandth, and nobody would see the origin.
    for (const count of [201, 1999, 2500]) {
      const { status } = await post('/debugger-mcp', [
        `Host: ${host}`,
        authorised(),
        ...filler(count).map((line) => line.replace(': ', ':')),
        'Origin: https://evil.example',
      ]);
      expect([count, status]).toEqual([count, 431]);
    }
    expect((await post('/debugger-mcp', [`Host: ${host}`, authorised(), `X: ${'x'.repeat(100_000)}`])).status).toBe(
      431,
    );
    nobodyCame();
  });

  it('caps bodies, announced or not, and says what is no JSON', async () => {
    const announced = await raw(port, [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      authorised(),
      'Content-Type: application/json',
      'Content-Length: 99999999',
    ]);
    expect(announced.status).toBe(413);
    const chunk = `${(1024 * 1024).toString(16)}\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const streamed = await raw(
      port,
      [
        'POST /mcp HTTP/1.1',
        `Host: ${host}`,
        authorised(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ],
      chunk.repeat(17),
    );
    expect(streamed.status).toBe(413);
    const garbled = await post('/mcp', [`Host: ${host}`, authorised()], '{"jsonrpc": ');
    expect(garbled.status).toBe(400);
    expect(garbled.body).toContain('-32700');
    nobodyCame();
  });

  it('knows no session that it did not open', async () => {
    const headers = { authorization: `Bearer ${ide.token}`, 'content-type': 'application/json' };
    const accept = { accept: 'application/json, text/event-stream' };
    const invented = { ...headers, ...accept, 'mcp-session-id': 'made-up' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await fetch(`${ide.url}/mcp`, { method: 'POST', headers: invented, body })).status).toBe(404);
    expect((await fetch(`${ide.url}/mcp`, { headers: invented })).status).toBe(404);
    expect((await fetch(`${ide.url}/mcp`, { method: 'DELETE', headers: invented })).status).toBe(404);
    const sse = await fetch(`${ide.url}/sse/message?session=made-up`, { method: 'POST', headers, body });
    expect(sse.status).toBe(404);
    const opened = await fetch(`${ide.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...accept },
      body: initialize,
    });
    const session = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    // A session of one face is none of another.
    const elsewhere = { ...headers, ...accept, 'mcp-session-id': session };
    expect((await fetch(`${ide.url}/index-mcp`, { method: 'POST', headers: elsewhere, body })).status).toBe(404);
    expect((await fetch(`${ide.url}/mcp`, { method: 'POST', headers: elsewhere, body })).status).toBe(200);
    expect((await fetch(`${ide.url}/mcp`, { method: 'DELETE', headers: elsewhere })).status).toBe(200);
    expect((await fetch(`${ide.url}/mcp`, { method: 'POST', headers: elsewhere, body })).status).toBe(404);
    nobodyCame();
  });

  it('answers a POST to the SSE address like Streamable HTTP', async () => {
    const answer = await post('/index-mcp/sse', [`Host: ${host}`, authorised()]);
    expect(answer.status).toBe(200);
    expect(answer.head.toLowerCase()).toContain('mcp-session-id');
  });
});

describe('when other machines are let in', () => {
  it('is reached by the names of this machine, still only with the token', async () => {
    const server = await HttpServer.start({ host: '0.0.0.0', token: 'secret', routes: [], logger: silentLogger });
    const ask = async (name: string, ...more: string[]) =>
      (await raw(server.port, ['GET / HTTP/1.1', `Host: ${name}:${server.port}`, ...more, 'Connection: close'])).status;
    expect(await ask(hostname())).toBe(401);
    expect(await ask(hostname(), 'Authorization: Bearer secret')).toBe(404);
    expect(await ask('localhost')).toBe(401);
    expect(await ask('0.0.0.0')).toBe(403);
    expect(await ask('evil.com', 'Authorization: Bearer secret')).toBe(403);
    await server.dispose();
  });

  it('is not when only this machine is', async () => {
    const server = await HttpServer.start({ token: 'secret', routes: [], logger: silentLogger });
    const headers = [`Host: ${hostname()}:${server.port}`, 'Authorization: Bearer secret', 'Connection: close'];
    expect((await raw(server.port, ['GET / HTTP/1.1', ...headers])).status).toBe(403);
    await server.dispose();
  });
});
