// A rename that touches 147 files of a large project, beside what it cannot do without: the bare server's answer to the same
// question, and writing the same files with fsync.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledServer, effectSources } from '../code/parties.mjs';
import { LspProcess } from '../support/lspProcess.mjs';
import { LineClient, median, report } from '../support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const program = join(root, 'dist', 'sightline.js');
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** `succeed` of Effect.ts: 800 references in 147 files. */
const target = { file: 'src/Effect.ts', line: 1650, column: 14 };
const newName = 'succeedWith1';

export async function speed() {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-refactor-')));
  try {
    await measure(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function measure(work) {
  const rawProject = join(work, 'raw');
  const ownProject = join(work, 'own');
  for (const folder of [rawProject, ownProject]) cpSync(effectSources(), folder, { recursive: true });
  const raw = await rawServer(rawProject);
  const own = await sightline(ownProject, work);
  const times = { raw: [], write: [], own: [], preview: [] };
  // One after the other in every round, so that a busy machine burdens all alike.
  for (let round = 0; round < rounds; round++) {
    const asked = await timed(raw.rename);
    times.raw.push(asked.ms);
    settleDisk();
    times.write.push((await timed(() => writeWithFsync(asked.answer))).ms);
    settleDisk();
    times.own.push(await own.rename());
    times.preview.push(await own.preview());
  }
  const laterMs = await own.compressingMs();
  await raw.end();
  await own.end();
  const [rawMs, writeMs, ownMs] = [median(times.raw), median(times.write), median(times.own)];
  const previewMs = median(times.preview);
  console.log(`${raw.files} files, ${raw.edits} places; Sightline: ${own.message}`);
  console.log(`raw server, cold:       ${raw.coldMs.toFixed(0)} ms`);
  console.log(`Sightline, cold:        ${own.coldMs.toFixed(0)} ms`);
  console.log(`raw server, warm:       ${rawMs.toFixed(0)} ms   (${show(times.raw)})`);
  console.log(`writing with fsync:     ${writeMs.toFixed(0)} ms   (${show(times.write)})`);
  console.log(`Sightline, warm:        ${ownMs.toFixed(0)} ms   (${show(times.own)})`);
  console.log(
    `  of it the preview:    ${previewMs.toFixed(0)} ms   (places, proof, new contents; ${show(times.preview)})`,
  );
  console.log(`  and making it:        ${(ownMs - previewMs).toFixed(0)} ms   (writing, history, telling)`);
  console.log(
    `  later, in between:    ${laterMs.toFixed(0)} ms of processor time per change (compressing the history)`,
  );
  report([
    {
      what: 'rename in 147 files, times (server + writing)',
      value: ownMs / (rawMs + writeMs),
      unit: 'x',
      atMost: 1.5,
    },
  ]);
}

async function rawServer(project) {
  const startedAt = performance.now();
  const server = new LspProcess(bundledServer(), project);
  await server.initialize();
  const uri = pathToFileURL(join(project, target.file)).href;
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text: readFileSync(join(project, target.file), 'utf8') },
  });
  const ask = async () => {
    const { changes } = await server.request('textDocument/rename', {
      textDocument: { uri },
      position: { line: target.line - 1, character: target.column - 1 },
      newName,
    });
    return Object.entries(changes).map(([file, edits]) => ({ file: fileURLToPath(file), edits }));
  };
  const answer = await ask();
  const coldMs = performance.now() - startedAt;
  const edits = answer.reduce((sum, one) => sum + one.edits.length, 0);
  return { rename: ask, coldMs, files: answer.length, edits, end: () => server.end() };
}

/** What others have left in the system's buffers (old files to be freed among it) is not for the next one to wait for. */
function settleDisk() {
  execFileSync('sync');
}

/** The least that gets the new contents safely to the disk: read, edit, a new file with fsync, renamed over the old one. */
async function writeWithFsync(changes) {
  await Promise.all(
    changes.map(async ({ file, edits }) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const sorted = edits.toSorted(
        (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
      );
      for (const { range, newText } of sorted) {
        const line = lines[range.start.line];
        lines[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character);
      }
      const handle = await open(`${file}.new`, 'w');
      await handle.writeFile(lines.join('\n'));
      await handle.sync();
      await handle.close();
      // The next round measures the same: the old content stays.
      await rename(`${file}.new`, `${file}.written`);
    }),
  );
}

async function sightline(project, work) {
  const home = mkdtempSync(join(work, 'home-'));
  const client = new LineClient(process.execPath, [program, 'stdio', '--embedded', '--face', 'index'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: home },
  });
  await client.initialize();
  const call = async (name, args) => {
    const { result } = await client.request('tools/call', { name, arguments: args });
    if (result?.isError === true) throw new Error(result.content[0].text);
    return JSON.parse(result.content[0].text);
  };
  const address = { file: target.file, line: target.line, column: target.column };
  const startedAt = performance.now();
  const cold = await call('ide_refactor_rename', { ...address, new_name: newName, preview: true });
  const coldMs = performance.now() - startedAt;
  let count = 1;
  let changes = 0;
  const preview = async () => {
    const begun = performance.now();
    await call('ide_refactor_rename', { ...address, new_name: `succeedWith${++count}`, preview: true });
    return performance.now() - begun;
  };
  /** What is put off until nobody waits counts too, if not as waiting. */
  const compressingMs = async () => {
    const before = processorMs(client.child.pid);
    await new Promise((done) => {
      setTimeout(done, 8000);
    });
    return (processorMs(client.child.pid) - before) / changes;
  };
  const rename = async () => {
    const begun = performance.now();
    // Another name each time: nothing of it is in the history yet.
    const { historyId } = await call('ide_refactor_rename', { ...address, new_name: `succeedWith${++count}` });
    const ms = performance.now() - begun;
    changes += 2;
    await call('undo', { history_id: historyId });
    // The server has taken in the undo and knows the symbol again before the clock runs: warm, like the bare one.
    await call('ide_find_references', { ...address, limit: 1 });
    return ms;
  };
  return { coldMs, message: cold.message, rename, preview, compressingMs, end: () => client.end() };
}

/** User and system time of a process (Linux; a tick is a hundredth of a second). */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function timed(work) {
  const startedAt = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - startedAt };
}

function show(times) {
  return times.map((ms) => ms.toFixed(0)).join(', ');
}
