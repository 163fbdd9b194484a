// `npm run pictures` makes docs/pictures from the real product: a process of its own, real calls in examples/cart, the dashboard in Chromium.
// `npm run pictures -- DIR` puts every view there instead, light, dark and narrow, for looking at.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { animation } from './animation.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const pictures = join(root, 'docs', 'pictures');
// Started by bootstrap.mjs, whose first argument is the task.
const [everything] = process.argv.slice(3);
const scratch = mkdtempSync(join(tmpdir(), 'sightline-pictures-'));
const project = join(scratch, 'cart');
const env = { PATH: process.env.PATH, HOME: scratch, SIGHTLINE_HOME: join(scratch, 'home'), SHELL: '/bin/bash' };
const size = { width: 1200, height: 680 };

const run = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist', 'sightline.js'), ...args], {
    cwd: project,
    env,
  });
  return stdout.trim();
};
// A call that fails has an answer too, such as a test that does not pass.
const call = (tool, args = {}) => run('call', tool, '--json', JSON.stringify(args)).catch((error) => error.stdout);

async function main() {
  cpSync(join(root, 'examples', 'cart'), project, { recursive: true });
  await run('start');
  const browser = await chromium.launch({
    executablePath: process.env.SIGHTLINE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    if (everything === undefined) {
      await makePictures(browser);
      await makeAgentFilm();
    } else await makeEverything(browser, resolve(everything));
  } finally {
    await browser.close();
    await run('stop');
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What an agent would do with the failing test, as a person sees it; and three moments of it as pictures of their own. */
async function makePictures(browser) {
  mkdirSync(pictures, { recursive: true });
  const page = await open(browser, size);
  const frames = [];
  const take = async (seconds, name) => {
    const png = await page.screenshot();
    frames.push({ png, seconds });
    if (name !== undefined) writeFileSync(join(pictures, `${name}.png`), png);
  };
  await take(1);
  await call('run_tests');
  await shown(page, 'run_tests');
  await take(1.2);
  await call('debug_explain', { test: 'cart.test.js' });
  await page.locator('.callRow', { hasText: 'debug_explain' }).click();
  await page.getByText('Where it comes from').first().waitFor();
  await take(3, 'activity');
  await debugBug(page);
  await go(page, 'Debug');
  await page.locator('.cm-line.currentLine', { hasText: 'coupon.percent' }).waitFor();
  await take(2);
  await call('evaluate_expression', { expression: 'coupon.percent / 100' });
  await call('step_out');
  await page.locator('.cm-line.currentLine', { hasText: 'applyCoupon(amount' }).waitFor();
  await page.locator('.stopCard').nth(1).waitFor();
  await take(2.5, 'debug');
  await call('stop_debug_session');
  await mendBug();
  await go(page, 'Changes');
  await page.locator('.hunk').first().waitFor();
  await take(2.5, 'changes');
  await call('run_tests');
  await go(page, 'Tests and jobs');
  await page.getByText('2 passed of 2').waitFor();
  await take(2);
  writeFileSync(join(pictures, 'recording.png'), animation(frames));
  console.log(`${pictures}: made`);
}

/** A real agent hosted in the dashboard: the test of it is the script. */
async function makeAgentFilm() {
  const folder = join(scratch, 'frames');
  mkdirSync(folder);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  await promisify(execFile)(process.execPath, [vitest, 'run', 'tests/dashboard/realAgent.test.ts'], {
    cwd: root,
    env: { ...process.env, SIGHTLINE_FRAMES: folder },
  });
  const frames = readdirSync(folder)
    .sort()
    .map((name) => ({
      png: readFileSync(join(folder, name)),
      seconds: Number(name.slice(name.indexOf('-') + 1, -'.png'.length)),
    }));
  writeFileSync(join(pictures, 'agent.png'), animation(frames));
}

/** Every view with something in it, then as it is with nothing. */
async function makeEverything(browser, folder) {
  mkdirSync(folder, { recursive: true });
  const wide = await open(browser, { width: 1280, height: 800 });
  const empty = async (title) => shootAll(wide, folder, `${title}-empty`);
  for (const title of ['Activity', 'Agents', 'Needs you', 'Debug', 'Changes', 'Tests and jobs', 'Terminals'])
    await go(wide, title).then(() => empty(title));
  await call('run_tests', { coverage: true });
  await call('debug_explain', { test: 'cart.test.js' });
  await call('read_file', { file_path: 'missing.js' });
  await call('run_in_terminal', { command: 'node --test; read -s -p "Password: " secret', wait_ms: 4000 });
  await debugBug();
  await mendBug();
  const asked = call('write_file', { file_path: '.vscode/tasks.json', content: '{"tasks": []}\n' });
  await wide.locator('.navigation .count').first().waitFor();
  for (const title of await wide.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts()) {
    await go(wide, title.split('\n')[0]);
    await wide.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined);
    await wide.getByText('Looking for engines…').waitFor({ state: 'detached' });
    await shootAll(wide, folder, title.split('\n')[0]);
  }
  await go(wide, 'Activity');
  await wide.keyboard.press('t');
  await wide.locator('.callRow', { hasText: 'debug_explain' }).click();
  await wide.getByText('Where it comes from').first().waitFor();
  await shootAll(wide, folder, 'Activity-call');
  await wide.keyboard.press('Shift+?');
  await shootAll(wide, folder, 'Keys');
  await wide.keyboard.press('Escape');
  await run('approve', '--all').catch(() => undefined);
  void asked;
  console.log(`${folder}: made`);
}

async function debugBug() {
  await call('set_breakpoint', { file_path: 'cart.js', line: 13 });
  await call('start_debug_session', { program: 'cart.test.js' });
}

const mendBug = () =>
  call('edit_file', { file_path: 'cart.js', old_text: '* coupon.percent', new_text: '* (coupon.percent / 100)' });

const go = async (page, title) => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: title }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
};

const shown = (page, tool) => page.locator('.callRow .tool', { hasText: tool }).first().waitFor();

async function shootAll(page, folder, name) {
  const file = (kind) => join(folder, `${name.replaceAll(' ', '-')}-${kind}.png`);
  const viewport = page.viewportSize();
  await page.screenshot({ path: file('light') });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: file('dark') });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: file('narrow') });
  await page.setViewportSize(viewport);
}

async function open(browser, viewport) {
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(/https?:\S+/.exec(await run('dashboard', '--print'))[0]);
  await page.locator('.stream.live').waitFor({ state: 'attached' });
  return page;
}

await main();
