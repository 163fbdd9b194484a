import * as vscode from 'vscode';
import type { Place } from '../../../src/cli/editors/feedProtocol.ts';

const memoryKey = 'follows the agent';

/** Shows where the agent is, when the person wants that: the line at which its program stands, and the text that it edits. */
export class Follower implements vscode.Disposable {
  readonly #status = vscode.window.createStatusBarItem('sightline.follow', vscode.StatusBarAlignment.Right, 50);
  readonly #pausedLine = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
  });
  readonly #memory: vscode.Memento;
  readonly #subscriptions: vscode.Disposable;
  #paused: (Place & { kind: 'paused' }) | undefined;
  #isConnected = false;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    this.#status.name = 'Sightline';
    this.#status.command = 'sightline.toggleFollow';
    this.#subscriptions = vscode.Disposable.from(
      this.#status,
      this.#pausedLine,
      vscode.commands.registerCommand('sightline.toggleFollow', () => this.#toggle()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#mark()),
    );
    this.#draw();
    this.#status.show();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  connected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    if (!isConnected) this.#paused = undefined;
    this.#draw();
    this.#mark();
  }

  async show(place: Place): Promise<void> {
    if (place.kind === 'paused') this.#paused = place;
    else if (place.kind === 'running' && this.#paused?.session === place.session) this.#paused = undefined;
    this.#draw();
    this.#mark();
    if (place.kind !== 'running' && this.#isFollowing) await reveal(place.uri, place.line);
  }

  get #isFollowing(): boolean {
    return this.#memory.get<boolean>(memoryKey, false);
  }

  async #toggle(): Promise<void> {
    await this.#memory.update(memoryKey, !this.#isFollowing);
    this.#draw();
    if (this.#isFollowing && this.#paused !== undefined) await reveal(this.#paused.uri, this.#paused.line);
  }

  #draw(): void {
    const state = !this.#isConnected ? 'no agent' : this.#paused === undefined ? '' : 'paused';
    this.#status.text = `$(${this.#isFollowing ? 'eye' : 'eye-closed'}) Sightline${state === '' ? '' : `: ${state}`}`;
    this.#status.tooltip = this.#isFollowing
      ? 'Following the agent. Click to stay where you are.'
      : 'Click to follow the agent: where its program pauses, what it edits.';
  }

  #mark(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const isHere = this.#paused !== undefined && editor.document.uri.toString() === this.#paused.uri;
      const line = (this.#paused?.line ?? 1) - 1;
      editor.setDecorations(this.#pausedLine, isHere ? [new vscode.Range(line, 0, line, 0)] : []);
    }
  }
}

/** What is typed goes on going where it went. */
async function reveal(uri: string, line: number): Promise<void> {
  const position = new vscode.Position(Math.max(0, line - 1), 0);
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch {
    // It may be gone by now, or be no text.
  }
}
