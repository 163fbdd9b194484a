// `npm run pictures` makes docs/pictures from the real product: a process of its own, real calls in examples/cart, the dashboard in Chromium.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright-core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const pictures = join(root, 'docs', 'pictures');
const scratch = mkdtempSync(join(tmpdir(), 'sightline-pictures-'));
const project = join(scratch, 'cart');
const env = { PATH: process.env.PATH, HOME: scratch, SIGHTLINE_HOME: join(scratch, 'home') };

const run = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist', 'sightline.js'), ...args], {
    cwd: project,
    env,
  });
  return stdout.trim();
};
const call = (tool, args) => run('call', tool, '--json', JSON.stringify(args)).catch((error) => error.stdout);

/** What an agent would do with the failing test, one step a frame. */
const steps = [
  ['run_tests', {}],
  ['debug_explain', { test: 'cart.test.js' }],
  ['debug_probe', { test: 'cart.test.js', breakpoints: [{ file: 'cart.js', line: 13 }] }],
  ['ide_find_references', { symbol: 'applyCoupon' }],
  ['edit_file', { file_path: 'cart.js', old_text: '* coupon.percent', new_text: '* (coupon.percent / 100)' }],
  ['run_tests', {}],
];

async function main() {
  cpSync(join(root, 'examples', 'cart'), project, { recursive: true });
  mkdirSync(pictures, { recursive: true });
  await run('start');
  const browser = await chromium.launch({
    executablePath: process.env.SIGHTLINE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const wide = await open(browser, { width: 1200, height: 680 });
    const frames = [await wide.screenshot()];
    for (const [tool, args] of steps) {
      await call(tool, args);
      await wide
        .locator('.callRow .tool', { hasText: tool })
        .nth(frames.length === steps.length ? 1 : 0)
        .waitFor();
      frames.push(await wide.screenshot());
    }
    writeFileSync(join(pictures, 'activity.png'), animation(frames, 1.2));
    const others = {
      'activity-dark.png': { width: 1200, height: 680, colorScheme: 'dark' },
      'activity-narrow.png': { width: 360, height: 680 },
    };
    for (const [name, options] of Object.entries(others))
      writeFileSync(join(pictures, name), await (await open(browser, options)).screenshot());
    console.log(`${pictures}: made`);
  } finally {
    await browser.close();
    await run('stop');
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function open(browser, { width, height, colorScheme = 'light' }) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(/https?:\S+/.exec(await run('dashboard', '--print'))[0]);
  await page.locator('.stream.live').waitFor({ state: 'attached' });
  return page;
}

/** One PNG that shows the frames in turn, for ever; programs that know no animation show the first. */
function animation(frames, seconds) {
  const all = frames.map(chunksOf);
  const [{ data: header }] = all[0];
  const parts = [
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('acTL', numbers(frames.length, 0)),
  ];
  let sequence = 0;
  for (const [index, chunks] of all.entries()) {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(Math.round(seconds * 1000), 20);
    control.writeUInt16BE(1000, 22);
    parts.push(chunk('fcTL', control));
    for (const { data } of chunks.filter(({ type }) => type === 'IDAT'))
      parts.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

function chunksOf(png) {
  const found = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    found.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...values) {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4));
  return buffer;
}

await main();
