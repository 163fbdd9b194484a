import * as vscode from 'vscode';
import type { ProcessNotifications, WaitingCall } from '../../../src/cli/editors/feedProtocol.ts';
import type { ProcessSide } from './processSide.ts';

const scheme = 'sightline-call';

/** Puts what waits for a person to the person at this window. */
export class Prompts implements vscode.Disposable {
  readonly #side: ProcessSide;
  readonly #waiting = new Map<string, WaitingCall>();
  readonly #asked = new Set<string>();
  readonly #status = vscode.window.createStatusBarItem('sightline.waiting', vscode.StatusBarAlignment.Right, 51);
  readonly #subscriptions: vscode.Disposable;

  constructor(side: ProcessSide) {
    this.#side = side;
    this.#status.name = 'Sightline: what waits for you';
    this.#status.tooltip = 'Calls of agents that wait for your approval';
    this.#status.command = 'sightline.askAgain';
    this.#status.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#subscriptions = vscode.Disposable.from(
      this.#status,
      vscode.commands.registerCommand('sightline.askAgain', () => {
        for (const call of this.#waiting.values()) void this.#ask(call);
      }),
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: ({ path }) => this.#waiting.get(path)?.text ?? 'This call waits no longer.',
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async approval(call: WaitingCall): Promise<void> {
    const isKnown = this.#waiting.has(call.id);
    if (call.state === 'pending') this.#waiting.set(call.id, call);
    else this.#waiting.delete(call.id);
    this.#draw();
    if (call.state === 'pending' && !isKnown) await this.#ask(call);
  }

  /** The process is gone, and with it what waited. */
  lost(): void {
    this.#waiting.clear();
    this.#draw();
  }

  async trust({ root, name }: ProcessNotifications['feed/untrusted']): Promise<void> {
    if (this.#asked.has(root)) return;
    this.#asked.add(root);
    const question = `An agent works in ${name} (${root}), which Sightline does not trust: its programs, tests and settings are not run.`;
    if ((await vscode.window.showWarningMessage(question, 'Trust', 'Not Now')) !== 'Trust') return;
    await this.#tried(this.#side.request('feed/trust', { root }));
  }

  async #ask(call: WaitingCall): Promise<void> {
    // Nobody agrees to what they cannot see whole.
    const first =
      call.brief === undefined
        ? await vscode.window.showWarningMessage(`${call.title}.`, 'Show', 'Deny')
        : await vscode.window.showWarningMessage(call.brief, 'Allow', 'Deny');
    if (first !== 'Show') return this.#decide(call, first);
    const shown = vscode.Uri.from({ scheme, path: call.id });
    await vscode.window.showTextDocument(shown, { preview: true });
    await this.#decide(call, await vscode.window.showWarningMessage(`${call.title}, as shown.`, 'Allow', 'Deny'));
  }

  /** A prompt that was closed decides nothing: the call still waits, and can be answered from the bar below or elsewhere. */
  async #decide(call: WaitingCall, answer: string | undefined): Promise<void> {
    if (answer === undefined) return;
    if (!this.#waiting.delete(call.id))
      return void vscode.window.showInformationMessage(`${call.title}: that has been decided already.`);
    this.#draw();
    await this.#tried(this.#side.request('feed/decide', { ticketId: call.id, approved: answer === 'Allow' }));
  }

  #draw(): void {
    this.#status.text = `$(bell-dot) ${this.#waiting.size} waiting`;
    if (this.#waiting.size > 0) this.#status.show();
    else this.#status.hide();
  }

  async #tried(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }
}
