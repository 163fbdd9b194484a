import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionMessage, PageMessage } from '../page/messages.ts';
import { DashboardClient } from './dashboardClient.ts';
import type { ProcessSide } from './processSide.ts';

/** The dashboard as a view beside the editor and as a tab: the page of the process itself, which reaches it through the extension. */
export class Dashboard implements vscode.Disposable {
  readonly #side: ProcessSide;
  readonly #extension: vscode.Uri;
  readonly #client: DashboardClient;
  readonly #shown = new Set<vscode.Webview>();
  readonly #subscriptions: vscode.Disposable;

  constructor(side: ProcessSide, extension: vscode.Uri) {
    this.#side = side;
    this.#extension = extension;
    this.#client = new DashboardClient(async () => (await side.request('feed/dashboard', {})).link);
    this.#subscriptions = vscode.Disposable.from(
      vscode.commands.registerCommand('sightline.openDashboard', () => this.#openTab()),
      vscode.commands.registerCommand('sightline.openDashboardInBrowser', () => this.#openInBrowser()),
      vscode.window.registerWebviewViewProvider(
        'sightline.dashboard',
        { resolveWebviewView: ({ webview, onDidDispose }) => this.#fill(webview, onDidDispose) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** There is a process, or none: what is shown is shown anew. */
  changed(): void {
    this.#client.forget();
    for (const webview of this.#shown) void this.#draw(webview);
  }

  async #openTab(): Promise<void> {
    const panel = vscode.window.createWebviewPanel('sightline.dashboard', 'Sightline', vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    panel.iconPath = vscode.Uri.joinPath(this.#extension, 'icon.svg');
    await this.#fill(panel.webview, panel.onDidDispose);
  }

  async #openInBrowser(): Promise<void> {
    try {
      const { link } = await this.#side.request('feed/dashboard', {});
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
    } catch (error) {
      void vscode.window.showWarningMessage(wordsOf(error));
    }
  }

  async #fill(webview: vscode.Webview, onDidDispose: vscode.Event<void>): Promise<void> {
    const open = new Map<number, AbortController>();
    const hearing = webview.onDidReceiveMessage((message: PageMessage) => void this.#hear(webview, open, message));
    this.#shown.add(webview);
    onDidDispose(() => {
      hearing.dispose();
      this.#shown.delete(webview);
      for (const each of open.values()) each.abort();
    });
    await this.#draw(webview);
  }

  async #draw(webview: vscode.Webview): Promise<void> {
    if (!this.#side.isThere) {
      webview.html = '<p>Sightline is not running. An agent that uses it starts it, and the dashboard appears.</p>';
      return;
    }
    try {
      const { folder } = await this.#side.request('feed/dashboard', {});
      const files = vscode.Uri.file(folder);
      webview.options = { enableScripts: true, localResourceRoots: [this.#extension, files] };
      const page = await readFile(join(folder, 'index.html'), 'utf8');
      const bridge = webview.asWebviewUri(vscode.Uri.joinPath(this.#extension, 'bridge.js')).toString();
      webview.html = pageInView(page, {
        files: webview.asWebviewUri(files).toString(),
        bridge,
        source: webview.cspSource,
      });
    } catch (error) {
      webview.html = '<p>The dashboard cannot be shown here.</p>';
      void vscode.window.showWarningMessage(wordsOf(error));
    }
  }

  async #hear(webview: vscode.Webview, open: Map<number, AbortController>, message: PageMessage): Promise<void> {
    const { id, kind } = message;
    if (kind === 'abort' || kind === 'hangUp') return open.get(id)?.abort();
    const stop = new AbortController();
    open.set(id, stop);
    const answer = (sent: ExtensionMessage) => void webview.postMessage(sent);
    try {
      if (kind === 'listen') await this.#client.listen((data) => answer({ kind: 'event', id, data }), stop.signal);
      else answer({ kind: 'answer', id, ...(await this.#client.call(message.path, message.body, stop.signal)) });
    } catch (error) {
      const body = JSON.stringify({ code: 'failed', message: wordsOf(error) });
      if (kind === 'call' && !stop.signal.aborted) answer({ kind: 'answer', id, status: 503, body });
    } finally {
      open.delete(id);
      if (kind === 'listen' && !stop.signal.aborted) answer({ kind: 'ended', id });
    }
  }
}

/** The page as browsers get it, with the addresses of its files and the policy that hold in a view. */
function pageInView(
  page: string,
  { files, bridge, source }: { files: string; bridge: string; source: string },
): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source} 'nonce-${nonce}'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
  ].join('; ');
  const head = `<head><meta http-equiv="Content-Security-Policy" content="${policy}"><script src="${bridge}" data-theme="${theme()}"></script>`;
  return page
    .replace('<head>', head)
    .replace('__NONCE__', nonce)
    .replaceAll('"/dashboard/assets/', `"${files}/assets/`);
}

function theme(): string {
  const { kind } = vscode.window.activeColorTheme;
  const isLight = kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight;
  return isLight ? 'light' : 'dark';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
