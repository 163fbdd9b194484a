// What watching costs: 1,000 calls a second with and without a page that watches them. Windows of both kinds take turns, so that what else the
// machine does falls on both.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { LineClient, median, percentile, report, rssMb } from './support/measure.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'sightline.js');
const callsPerSecond = 1000;
const windowMs = 4000;
const windows = 5;
const ticksPerSecond = 100;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
const project = join(home, 'project');
mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'one line\n');
const env = { PATH: process.env.PATH, HOME: home, SIGHTLINE_HOME: join(home, 'sightline') };

// With an inspector, so that garbage can be collected before memory is read.
const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', program, 'serve'], {
  cwd: project,
  env,
  stdio: ['ignore', 'ignore', 'pipe'],
});
const inspector = await new Promise((done) => {
  let text = '';
  server.stderr.setEncoding('utf8');
  server.stderr.on('data', (chunk) => {
    text += chunk;
    const address = /ws:\/\/\S+/.exec(text)?.[0];
    if (address !== undefined) done(address);
  });
});
const browser = await chromium.launch({
  executablePath: process.env.SIGHTLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
let client;
try {
  client = new LineClient(process.execPath, [program, 'stdio', '--face', 'workspace'], { cwd: project, env });
  await client.initialize();
  report(await measure());
} finally {
  await browser.close();
  await client?.end();
  server.kill();
  rmSync(home, { recursive: true, force: true });
}

async function measure() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // The history fills up, and everything is compiled.
  await load(windowMs * 2);
  const alone = [];
  const watched = [];
  const delays = [];
  const aloneMb = await settledMb();
  for (let turn = 0; turn < windows; turn++) {
    alone.push(await load(windowMs));
    const page = await openPage(context, turn === 0);
    await load(500);
    const endOfUse = usePage(page);
    watched.push(await load(windowMs));
    delays.push(...(await endOfUse()));
    if (turn === windows - 1) break;
    await page.close();
  }
  const watchedMb = await settledMb();
  const cost = (list) => median(list.map(({ cpuMs, calls }) => cpuMs / calls));
  const rate = (list) => median(list.map(({ calls, ms }) => (calls * 1000) / ms));
  if (rate(watched) < callsPerSecond * 0.9)
    console.log(
      'This machine did not reach 1,000 calls a second; costs are those of a call at the rate below, a thousand times.',
    );
  const addedCpu = (cost(watched) - cost(alone)) * callsPerSecond;
  return [
    { what: 'calls a second, unwatched', value: rate(alone), unit: '' },
    { what: 'calls a second, watched', value: rate(watched), unit: '' },
    { what: 'processor time of a call, unwatched', value: cost(alone), unit: ' ms' },
    { what: 'added by the page at 1,000 calls a second', value: addedCpu / 10, unit: ' % of a core', atMost: 10 },
    { what: 'memory of the process, unwatched', value: aloneMb, unit: ' MB' },
    { what: 'added by the page', value: watchedMb - aloneMb, unit: ' MB', atMost: 10 },
    { what: 'from a key to its letter on the page, median', value: median(delays), unit: ' ms', atMost: 200 },
    { what: 'from a key to its letter on the page, 95 of 100', value: percentile(delays, 0.95), unit: ' ms' },
  ];
}

/** Calls at the rate, for a time; as many as are answered count. */
async function load(ms) {
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  const answers = [];
  let due = 0;
  while (performance.now() - startedAt < ms) {
    due = Math.min(((performance.now() - startedAt) * callsPerSecond) / 1000, answers.length + 50);
    while (answers.length < due)
      answers.push(client.request('tools/call', { name: 'read_file', arguments: { file_path: 'a.txt' } }));
    await sleep(1000 / ticksPerSecond);
    // A machine that cannot keep up is not buried in calls.
    if (answers.length > 200) await answers.at(-200);
  }
  await Promise.all(answers);
  return { calls: answers.length, ms: performance.now() - startedAt, cpuMs: cpuMs() - cpuBefore };
}

async function openPage(context, isFirst) {
  const page = await context.newPage();
  const printed = spawnSync(process.execPath, [program, 'dashboard', '--print'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  const link = /https?:\S+/.exec(printed.stdout)[0];
  await page.goto(isFirst ? link : link.split('#')[0]);
  await page.locator('.stream.live').waitFor({ state: 'attached' });
  return page;
}

/** Types into the search as a person would; the page notes how long each letter took to be shown. */
function usePage(page) {
  let isOver = false;
  const typing = (async () => {
    await page.locator('#call-search').focus();
    await page.evaluate(`globalThis.delays = []; document.querySelector('#call-search').addEventListener('keydown', ({ timeStamp }) =>
      requestAnimationFrame(() => requestAnimationFrame((now) => globalThis.delays.push(now - timeStamp))))`);
    for (let key = 0; !isOver || key % 2 === 1; key++) {
      await page.keyboard.press(key % 2 === 0 ? 'a' : 'Backspace');
      await sleep(100);
    }
    return page.evaluate('globalThis.delays');
  })();
  return () => {
    isOver = true;
    return typing;
  };
}

/** Of the process, user and system. */
function cpuMs() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function settledMb() {
  const socket = new WebSocket(inspector);
  await new Promise((done) => {
    socket.once('open', done);
  });
  for (let id = 1; id <= 3; id++) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await new Promise((done) => {
      socket.once('message', done);
    });
    await sleep(300);
  }
  socket.close();
  return rssMb(server.pid);
}

function sleep(ms) {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
