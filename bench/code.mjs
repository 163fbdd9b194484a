// How fast the code index answers on a real project of more than 500,000 lines (the sources of effect), beside the bare language
// server it drives and beside a peer: the first complete references from a cold start, warm questions, memory, and whether a
// thousand questions leave memory flat.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LspProcess } from './support/lspProcess.mjs';
import { LineClient, median, report, rssMb } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const cache = process.env.SIGHTLINE_TEST_CACHE ?? join(homedir(), '.cache', 'sightline-test');
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const warmCalls = 30;
const manyCalls = Number(process.env.BENCH_CALLS ?? 1000);
/** `succeed` of Effect.ts: 800 references in 147 files. */
const target = { file: 'src/Effect.ts', line: 1650, column: 14, expected: 800, name: 'succeed' };

const work = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-code-')));
const project = join(work, 'project');
try {
  cpSync(effectSources(), project, { recursive: true });
  await measure();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function measure() {
  const raw = [];
  const ours = [];
  // Alternating, so that a busy machine burdens both alike.
  for (let round = 0; round < rounds; round++) {
    raw.push(await measureServer('raw', bundledServer()));
    ours.push(await measureSightline(round === rounds - 1));
  }
  // The peer takes a minute and more to know everything; BENCH_PEER=0 leaves it out.
  const peer =
    process.env.BENCH_PEER === '0' ? undefined : await measureServer('typescript-language-server', peerServer());
  const of = (list, key) => median(list.map((item) => item[key]));
  console.log(`references: raw ${raw[0].count}, ours ${ours[0].count}`);
  if (peer !== undefined)
    console.log(
      `typescript-language-server: first answer ${peer.firstCount} of ${target.expected}, complete after ${peer.coldMs.toFixed(0)} ms, warm ${peer.referencesMs.toFixed(0)} ms`,
    );
  const last = ours.at(-1);
  report([
    row('first complete references, cold', of(ours, 'coldMs'), of(raw, 'coldMs'), 1.3),
    row('references, warm', of(ours, 'referencesMs'), of(raw, 'referencesMs'), 1.5),
    row('definition, warm', of(ours, 'definitionMs'), of(raw, 'definitionMs'), 1.5),
    row('symbol search, warm', of(ours, 'symbolsMs'), of(raw, 'symbolsMs'), 1.5),
    {
      what: `memory of our process; empty ${last.emptyMb.toFixed(0)} MB`,
      value: last.ownMb,
      unit: ' MB',
      atMost: Math.round(100 + last.emptyMb),
    },
    { what: `growth over ${manyCalls} questions`, value: last.growthMb, unit: ' MB', atMost: 30 },
  ]);
}

function row(what, value, raw, factor) {
  return {
    what: `${what}; the bare server ${raw.toFixed(1)} ms`,
    value,
    unit: ' ms',
    atMost: Number((raw * factor).toFixed(1)),
  };
}

async function measureServer(name, command) {
  const startedAt = performance.now();
  const server = new LspProcess(command, project);
  await server.initialize();
  const uri = pathToFileURL(join(project, target.file)).href;
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text: readFileSync(join(project, target.file), 'utf8') },
  });
  const place = { textDocument: { uri }, position: { line: target.line - 1, character: target.column - 1 } };
  const ask = () => server.request('textDocument/references', { ...place, context: { includeDeclaration: true } });
  let answer = await ask();
  const firstCount = answer?.length ?? 0;
  // A peer that answers too early is asked until it knows everything.
  while ((answer?.length ?? 0) < target.expected && performance.now() - startedAt < 120_000) {
    await new Promise((done) => setTimeout(done, 250));
    answer = await ask();
  }
  const coldMs = performance.now() - startedAt;
  const referencesMs = await timed(ask);
  const definitionMs = await timed(() => server.request('textDocument/definition', place));
  const symbolsMs = await timed(() => server.request('workspace/symbol', { query: target.name }));
  await server.end();
  return { name, firstCount, count: answer?.length ?? 0, coldMs, referencesMs, definitionMs, symbolsMs };
}

async function measureSightline(long) {
  const home = mkdtempSync(join(work, 'home-'));
  const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home };
  const client = new LineClient(process.execPath, [program, 'stdio', '--embedded', '--face', 'default'], {
    cwd: project,
    env,
  });
  await client.initialize();
  await client.request('tools/list');
  const emptyMb = rssMb(client.child.pid);
  const call = async (name, args) => {
    const { result } = await client.request('tools/call', { name, arguments: args });
    if (result?.isError === true) throw new Error(result.content[0].text);
    return result.content[0].text;
  };
  const address = { file: target.file, line: target.line, column: target.column };
  const startedAt = performance.now();
  const text = await call('ide_find_references', address);
  const coldMs = performance.now() - startedAt;
  const count = Number(/^(\d+) references/m.exec(text)?.[1]);
  const referencesMs = await timed(() => call('ide_find_references', { ...address, limit: 1 }));
  const definitionMs = await timed(() => call('ide_find_definition', address));
  const symbolsMs = await timed(() => call('search_symbols', { query: target.name, limit: 5 }));
  const ownMb = rssMb(client.child.pid);
  let growthMb = 0;
  if (long) {
    const ask = async (index) => {
      if (index % 3 === 0) await call('ide_find_definition', address);
      else if (index % 3 === 1) await call('search_symbols', { query: target.name, limit: 5 });
      else await call('ide_find_references', { ...address, limit: 1, offset: index % 700 });
    };
    for (let index = 0; index < manyCalls / 5; index++) await ask(index);
    const before = rssMb(client.child.pid);
    for (let index = 0; index < manyCalls; index++) await ask(index);
    growthMb = rssMb(client.child.pid) - before;
  }
  await client.end();
  return { coldMs, count, referencesMs, definitionMs, symbolsMs, ownMb, emptyMb, growthMb };
}

async function timed(ask) {
  const times = [];
  for (let index = 0; index < warmCalls; index++) {
    const startedAt = performance.now();
    await ask();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

function bundledServer() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('typescript/package.json');
  const platform = createRequire(manifest).resolve(
    `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
  );
  return [join(dirname(platform), 'lib', 'tsc'), '--lsp', '--stdio'];
}

function peerServer() {
  const folder = join(cache, 'peers', 'typescript-language-server');
  const entry = join(folder, 'node_modules', 'typescript-language-server', 'lib', 'cli.mjs');
  if (!existsSync(entry)) install(folder, ['typescript-language-server@5', 'typescript@5.9']);
  return [process.execPath, entry, '--stdio'];
}

function effectSources() {
  const folder = join(cache, 'packages', 'effect-4.1.0');
  if (existsSync(join(folder, 'complete'))) return folder;
  const download = join(folder, 'download');
  install(download, ['effect@4.1.0']);
  cpSync(join(download, 'node_modules', 'effect', 'src'), join(folder, 'src'), { recursive: true });
  rmSync(join(download, 'node_modules', 'effect'), { recursive: true });
  cpSync(join(download, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  rmSync(download, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'effect-sources', private: true, type: 'module' }),
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
      },
      include: ['src'],
    }),
  );
  writeFileSync(join(folder, 'complete'), '');
  return folder;
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
