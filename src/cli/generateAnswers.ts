import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { LineSplitter } from '../base/text/lineSplitter.ts';
import { sightlineVersion } from '../base/version.ts';
import { serveStdio } from '../server/mcp/stdio.ts';
import { faceNames, type FaceName } from '../tools/faces.ts';
import { compose, type Sightline } from './compose.ts';
import { answersFile, preparedLists, type PreparedAnswers, type PreparedLists } from './shim/preparedAnswers.ts';
import { isRecord } from '../base/text/records.ts';

/**
 * Part of the build, not of the product: asks the real server, face by face and era by era, for what the shim answers by itself.
 * A test asks again and compares, so the two can never differ.
 */
export async function generateAnswers(folder: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'sightline-build-'));
  const sightline = await compose({ env: { SIGHTLINE_HOME: home } });
  try {
    for (const face of faceNames) {
      const file = join(folder, answersFile(face));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(await answersOf(sightline, face)));
    }
  } finally {
    await sightline.dispose();
    await rm(home, { recursive: true, force: true });
  }
}

async function answersOf(sightline: Sightline, face: FaceName): Promise<PreparedAnswers> {
  const clientInfo = { name: 'build', version: '1' };
  const initialize = (protocolVersion: string) => ({
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo },
  });
  const _meta = (version: string) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  });
  const [legacyFirst, toolsList, ...lists] = await ask(sightline, face, [
    initialize('2025-11-25'),
    { method: 'tools/list' },
    ...preparedLists.map((method) => ({ method })),
  ]);
  const legacyVersions = ['2025-11-25'];
  for (const version of ['2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']) {
    const [answer] = await ask(sightline, face, [initialize(version)]);
    if (answer?.['protocolVersion'] === version) legacyVersions.push(version);
  }
  const modern = ['server/discover', 'tools/list', ...preparedLists];
  const [discover, modernList, ...modernLists] = await ask(
    sightline,
    face,
    modern.map((method) => ({ method, params: { _meta: _meta('2026-07-28') } })),
  );
  if (legacyFirst?.['protocolVersion'] !== '2025-11-25') throw new Error('The server does not speak 2025-11-25.');
  return {
    legacy: {
      versions: legacyVersions,
      initialize: legacyFirst,
      toolsList: must(toolsList),
      lists: byMethod(lists),
    },
    modern: {
      versions: ['2026-07-28'],
      discover: must(discover),
      toolsList: must(modernList),
      lists: byMethod(modernLists),
    },
  };
}

function byMethod(results: readonly Record<string, unknown>[]): PreparedLists {
  return Object.fromEntries(preparedLists.map((method, index) => [method, must(results[index])]));
}

/** One conversation with a server of its own; resolves to the results in the order of the requests. */
async function ask(
  sightline: Sightline,
  face: FaceName,
  requests: readonly { method: string; params?: Record<string, unknown> }[],
): Promise<Record<string, unknown>[]> {
  const { backend, resources, logger } = sightline;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const info = { name: 'build', transport: 'stdio', face } as const;
  const connection = serveStdio({ backend, resources, version: sightlineVersion }, { input, output }, info, logger);
  const splitter = new LineSplitter(100_000_000);
  const lines: string[] = [];
  output.on('data', (chunk: Buffer) => lines.push(...splitter.push(chunk)));
  const results: Record<string, unknown>[] = [];
  for (const [id, request] of requests.entries()) {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    while (lines.length === 0) await new Promise((resolve) => output.once('data', resolve));
    const answer: unknown = JSON.parse(lines.shift() ?? '');
    if (!isRecord(answer) || !isRecord(answer['result']))
      throw new Error(`${request.method} on face ${face} was answered with ${JSON.stringify(answer)}`);
    results.push(answer['result']);
    if (request.method === 'initialize')
      input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }
  await connection.dispose();
  return results;
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('An answer is missing.');
  return value;
}
