// How fast the code index answers on a real project of more than 500,000 lines (the sources of effect), beside the bare language
// server it drives and beside peers: the first complete references from a cold start, warm questions, memory, and whether a
// thousand questions leave memory flat. The same question goes to the bare server and to Sightline in turns, so that a busy
// machine burdens both alike.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledServer, effectSources, peers } from './code/parties.mjs';
import { LspProcess } from './support/lspProcess.mjs';
import { LineClient, median, report, rssMb } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const coldRounds = Number(process.env.BENCH_ROUNDS ?? 3);
const warmRounds = Number(process.env.BENCH_WARM ?? 60);
/** Asked before anything is counted: what is measured is a process that has been at work for a while, as the shared one has. */
const roundsBefore = Number(process.env.BENCH_BEFORE ?? 200);
const manyCalls = Number(process.env.BENCH_CALLS ?? 1000);
/** `succeed` of Effect.ts: 800 references in 147 files. */
const target = { file: 'src/Effect.ts', line: 1650, column: 14, expected: 800, name: 'succeed' };
const address = { file: target.file, line: target.line, column: target.column };
/** Other exported names of that file: each round asks about another one, so that nobody answers from memory. */
let others = [];
/** Names that forty other files declare, for definitions: no two in a row in the same file, none twice. */
let declared = [];

const work = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-code-')));
const project = join(work, 'project');

async function measure() {
  const cold = { raw: [], ours: [] };
  let raw;
  let ours;
  for (let round = 0; round < coldRounds; round++) {
    await raw?.end();
    await ours?.end();
    raw = await BareServer.start(bundledServer());
    cold.raw.push(raw.coldMs);
    ours = await Sightline.start();
    cold.ours.push(ours.coldMs);
  }
  console.log(`references: the bare server ${raw.count}, ours ${ours.count}, expected ${target.expected}`);
  const warm = await inTurns({
    rawReferences: (round) => raw.references(other(round)),
    references: (round) => ours.call('ide_find_references', { ...placeOf(other(round)), limit: 1 }),
    // Each of the three has names of its own: an answer about a name makes the next about it cheaper.
    rawDefinition: (round) => raw.definition(declaration(round, 0)),
    rawHover: (round) => raw.definitionAndHover(declaration(round, 1)),
    rawSameContent: (round) => raw.sameContentAsDefinition(declaration(round, 2)),
    definition: (round) => ours.call('ide_find_definition', placeOf(declaration(round, 2))),
    rawSymbols: (round) => raw.symbols(other(round).name),
    symbols: (round) => ours.call('search_symbols', { query: other(round).name, limit: 5 }),
    nothing: () => ours.client.request('ping'),
  });
  await raw.end();
  await ours.end();
  const memory = await memoryOfTheProcess();
  for (const [name, command] of process.env.BENCH_PEER === '0' ? [] : peers()) await measurePeer(name, command);
  report([
    row('first complete references, cold', median(cold.ours), 'the bare server', median(cold.raw), 1.3),
    row('references, warm', warm.references, 'the bare server', warm.rawReferences, 1.5),
    row(
      'definition with declaration, kind and documentation, warm',
      warm.definition,
      'the bare server for the same (definition, hover, symbols of the file)',
      warm.rawSameContent,
      1.5,
    ),
    row('  the same', warm.definition, 'the bare server for definition and hover', warm.rawHover),
    row('  the same', warm.definition, 'the bare server for the location alone', warm.rawDefinition),
    row('symbol search, warm', warm.symbols, 'the bare server', warm.rawSymbols, 1.5),
    { what: 'of each warm answer, an empty call over the client protocol', value: warm.nothing, unit: ' ms' },
    {
      what: `resident memory of our process after ${manyCalls * 1.5} questions; before the first ${memory.emptyMb.toFixed(0)} MB, highest ${memory.highestMb.toFixed(0)} MB; the language server ${memory.serverMb.toFixed(0)} MB`,
      value: memory.afterMb,
      unit: ' MB',
      atMost: 100,
    },
    {
      what: `  what the last ${manyCalls} of them added; ${memory.beforeMb.toFixed(0)} MB before them`,
      value: memory.afterMb - memory.beforeMb,
      unit: ' MB',
      atMost: 10,
    },
    {
      what: `open files over the same; ${memory.filesBefore} before, ${memory.filesAfter} after`,
      value: memory.filesAfter - memory.filesBefore,
      unit: '',
      atMost: 3,
    },
  ]);
}

function row(what, value, beside, raw, factor) {
  return {
    what: `${what}: ${value.toFixed(2)} ms; ${beside}: ${raw.toFixed(2)} ms`,
    value: value / raw,
    unit: ' x',
    ...(factor === undefined ? {} : { atMost: factor }),
  };
}

function other(round) {
  return others[(round * 7) % others.length];
}

function declaration(round, kind) {
  return declared[(round * 3 + kind) % declared.length];
}

function placeOf({ file, line, column }) {
  return { file, line, column };
}

/** Every question once per round, one after the other; the median of each. */
async function inTurns(questions) {
  const times = Object.fromEntries(Object.keys(questions).map((name) => [name, []]));
  for (let round = -roundsBefore; round < warmRounds; round++) {
    for (const [name, ask] of Object.entries(questions)) {
      const startedAt = performance.now();
      await ask(round + roundsBefore);
      if (round >= 0) times[name].push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

class BareServer {
  static async start(command) {
    const startedAt = performance.now();
    const bare = new BareServer(new LspProcess(command, project));
    await bare.server.initialize();
    let answer = await bare.references();
    bare.firstCount = answer?.length ?? 0;
    bare.firstMs = performance.now() - startedAt;
    // A peer that answers too early is asked until it knows everything.
    while ((answer?.length ?? 0) < target.expected && performance.now() - startedAt < 120_000) {
      await new Promise((done) => setTimeout(done, 250));
      answer = await bare.references();
    }
    bare.coldMs = performance.now() - startedAt;
    bare.count = answer?.length ?? 0;
    return bare;
  }

  #open = new Set();

  constructor(server) {
    this.server = server;
  }

  references(at = address) {
    return this.server.request('textDocument/references', { ...this.#at(at), context: { includeDeclaration: true } });
  }

  definition(at) {
    return this.server.request('textDocument/definition', this.#at(at));
  }

  definitionAndHover(at) {
    return Promise.all([this.definition(at), this.server.request('textDocument/hover', this.#at(at))]);
  }

  /** Place, extent, signature, documentation, exact kind and members: what our answer is made of. */
  sameContentAsDefinition(at) {
    const { textDocument } = this.#at(at);
    return Promise.all([
      this.definitionAndHover(at),
      this.server.request('textDocument/documentSymbol', { textDocument }),
    ]);
  }

  symbols(query) {
    return this.server.request('workspace/symbol', { query });
  }

  #at({ file, line, column }) {
    const uri = pathToFileURL(join(project, file)).href;
    if (!this.#open.has(uri)) {
      this.#open.add(uri);
      const text = readFileSync(join(project, file), 'utf8');
      const textDocument = { uri, languageId: 'typescript', version: 1, text };
      this.server.notify('textDocument/didOpen', { textDocument });
    }
    return { textDocument: { uri }, position: { line: line - 1, character: column - 1 } };
  }

  end() {
    return this.server.end();
  }
}

/**
 * Of the process that agents share, as it runs for days: nothing is collected for the measurement. Each number is the median over some
 * questions, since collections come and go.
 */
async function memoryOfTheProcess() {
  const ours = await Sightline.start('shared');
  const highest = { mb: 0 };
  try {
    // Until everything that is kept once has been kept.
    const beforeMb = await ours.manyQuestions(manyCalls / 2, highest);
    const filesBefore = ours.openFiles();
    const afterMb = await ours.manyQuestions(manyCalls, highest);
    const { emptyMb, serverMb } = ours;
    return { emptyMb, serverMb, beforeMb, afterMb, highestMb: highest.mb, filesBefore, filesAfter: ours.openFiles() };
  } finally {
    await ours.end();
  }
}

class Sightline {
  /** `embedded` is the shortest way to measure time; `shared` is what agents use. */
  static async start(mode = 'embedded') {
    const home = mkdtempSync(join(work, 'home-'));
    const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home };
    const flags = mode === 'embedded' ? ['--embedded'] : [];
    const client = new LineClient(process.execPath, [program, 'stdio', ...flags, '--face', 'default'], {
      cwd: project,
      env,
    });
    await client.initialize();
    await client.request('tools/list');
    const ours = new Sightline(client);
    ours.pid = client.child.pid;
    if (mode === 'shared') {
      await ours.call('sightline_tools', {});
      ours.pid = JSON.parse(readFileSync(join(home, 'run', 'process.json'), 'utf8')).pid;
      ours.stop = () => spawnSync(process.execPath, [program, 'stop'], { cwd: project, env });
    }
    ours.emptyMb = rssMb(ours.pid);
    const startedAt = performance.now();
    const text = await ours.call('ide_find_references', address);
    ours.coldMs = performance.now() - startedAt;
    ours.count = Number(/^(\d+) references/m.exec(text)?.[1]);
    const status = await ours.call('ide_index_status', {});
    ours.serverMb = Number(/(\d+) MB/.exec(status)?.[1] ?? 0);
    return ours;
  }

  constructor(client) {
    this.client = client;
  }

  async call(name, args) {
    const { result } = await this.client.request('tools/call', { name, arguments: args });
    if (result?.isError === true) throw new Error(result.content[0].text);
    return result.content[0].text;
  }

  async manyQuestions(count, highest) {
    const kinds = [
      (asked) => this.call('ide_find_definition', placeOf(asked)),
      (asked) => this.call('search_symbols', { query: asked.name, limit: 5 }),
      (_asked, index) => this.call('ide_find_references', { ...address, limit: 1, offset: index % 700 }),
      (asked) => this.call('ide_inspect_symbol', placeOf(asked)),
      (asked) => this.call('ide_file_structure', { file: asked.file }),
      (asked) => this.call('ide_analyze_code', { file: asked.file }),
    ];
    const ask = (index) => kinds[index % kinds.length](declared[index % declared.length], index);
    const seen = [];
    for (let index = 0; index < count; index++) {
      await ask(index);
      seen.push(rssMb(this.pid));
      highest.mb = Math.max(highest.mb, seen.at(-1));
    }
    return median(seen.slice(-100));
  }

  openFiles() {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  async end() {
    await this.client.end();
    this.stop?.();
  }
}

function exportedNames(file) {
  const lines = readFileSync(join(project, file), 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const [whole, name] = /^export (?:const|class|interface|function|type) (\w+)/.exec(text) ?? [];
    return name === undefined ? [] : [{ file, line: index + 1, column: whole.length - name.length + 1, name }];
  });
}

/** One name of each file, then the next of each. */
function namesInOtherFiles() {
  const perFile = readdirSync(join(project, 'src'))
    .filter((name) => name.endsWith('.ts') && join('src', name) !== target.file)
    .sort()
    .map((name) => exportedNames(join('src', name)))
    .filter((names) => names.length >= 8)
    .slice(0, 40);
  const rows = Math.max(...perFile.map((names) => names.length));
  return Array.from({ length: rows }, (_none, row) => perFile.flatMap((names) => names.slice(row, row + 1))).flat();
}

async function measurePeer(name, party) {
  if (party.kind === 'lsp') {
    const bare = await BareServer.start(party.command);
    const times = await inTurns({ references: () => bare.references() });
    print(name, bare.firstCount, bare.firstMs, bare.coldMs, bare.count, times.references);
    await bare.end();
    return;
  }
  const client = new LineClient(party.command[0], party.command.slice(1), {
    cwd: project,
    env: { ...process.env, ...party.env(work) },
  });
  await client.initialize();
  const ask = async () => {
    const { result } = await client.request('tools/call', {
      name: 'find_references',
      arguments: { file_path: target.file, symbol_name: target.name, include_declaration: true },
    });
    return party.count(result?.content?.map((part) => part.text).join('\n') ?? '');
  };
  const startedAt = performance.now();
  const firstCount = await ask();
  const firstMs = performance.now() - startedAt;
  let count = firstCount;
  while (count < target.expected && performance.now() - startedAt < 60_000) {
    await new Promise((done) => setTimeout(done, 250));
    count = await ask();
  }
  const completeMs = performance.now() - startedAt;
  const again = performance.now();
  await ask();
  print(name, firstCount, firstMs, completeMs, count, performance.now() - again);
  client.child.kill('SIGKILL');
  await client.exited;
}

function print(name, firstCount, firstMs, completeMs, count, warmMs) {
  const complete = count >= target.expected ? `complete after ${completeMs.toFixed(0)} ms` : `never more than ${count}`;
  console.log(
    `${name}: first answer ${firstCount} of ${target.expected} after ${firstMs.toFixed(0)} ms, ${complete}, warm ${warmMs.toFixed(0)} ms`,
  );
}

try {
  cpSync(effectSources(), project, { recursive: true });
  others = exportedNames(target.file);
  declared = namesInOtherFiles();
  await measure();
} finally {
  rmSync(work, { recursive: true, force: true });
}
