import * as vscode from 'vscode';
import type { ProcessNotifications, SharedBreakpoint } from '../../../src/cli/editors/feedProtocol.ts';
import { mergeBreakpoints, placeOf } from './mergeBreakpoints.ts';
import type { ProcessSide } from './processSide.ts';

/**
 * Breakpoints in both directions. What both sides agreed on last is remembered, over restarts too: whatever differs from it was changed
 * on the side that differs. Lines of a file that is not saved mean nothing outside this window, so such files wait until they are.
 */
export class Breakpoints implements vscode.Disposable {
  readonly #side: ProcessSide;
  readonly #memory: vscode.Memento;
  readonly #theirs = new Map<string, SharedBreakpoint[]>();
  readonly #subscriptions: vscode.Disposable;
  /** What the process did not take, as it was sent: not sent again. */
  readonly #refused = new Set<string>();
  #work: Promise<void> = Promise.resolve();
  #isSending = false;

  constructor(side: ProcessSide, memory: vscode.Memento) {
    this.#side = side;
    this.#memory = memory;
    this.#subscriptions = vscode.Disposable.from(
      vscode.debug.onDidChangeBreakpoints(() => this.#mergeAll()),
      vscode.workspace.onDidSaveTextDocument(() => this.#mergeAll()),
      vscode.workspace.onDidChangeConfiguration(() => this.#mergeAll()),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  told({ root, breakpoints }: ProcessNotifications['feed/breakpoints']): void {
    // While something is sent this is older than the answer to it.
    if (!this.#isSending) this.#theirs.set(root, breakpoints);
    this.#mergeAll();
  }

  lost(): void {
    this.#theirs.clear();
    this.#refused.clear();
  }

  #mergeAll(): void {
    this.#work = this.#work.then(async () => {
      for (const root of this.#theirs.keys()) await this.#merge(root);
    });
  }

  async #merge(root: string): Promise<void> {
    const theirs = this.#theirs.get(root);
    if (theirs === undefined || !vscode.workspace.getConfiguration('sightline').get<boolean>('breakpoints', true))
      return;
    const isWaiting = ({ uri }: SharedBreakpoint) =>
      vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri);
    const agreed = this.#memory.get<SharedBreakpoint[]>(memoryKey(root), []);
    const ours = ownBreakpoints(root);
    const settled = (list: SharedBreakpoint[]) => list.filter((each) => !isWaiting(each));
    const { send, show, hide } = mergeBreakpoints(settled(ours), settled(theirs), settled(agreed));
    // Ours first: showing theirs calls this again, and must find what both sides have.
    for (const change of send.filter((each) => !this.#refused.has(JSON.stringify(each))))
      await this.#send(root, change);
    const now = this.#theirs.get(root);
    if (now === undefined) return;
    await this.#memory.update(memoryKey(root), [...agreed.filter(isWaiting), ...settled(now)]);
    const gone = new Set(hide.map(placeOf));
    const found = sourceBreakpoints(root).filter((each) => gone.has(placeOf(shared(each))));
    if (found.length > 0) vscode.debug.removeBreakpoints(found);
    if (show.length > 0) vscode.debug.addBreakpoints(show.map(shownHere));
  }

  async #send(root: string, change: { set: SharedBreakpoint } | { remove: SharedBreakpoint }): Promise<void> {
    this.#isSending = true;
    try {
      const all =
        'set' in change
          ? await this.#side.request('feed/setBreakpoint', { root, breakpoint: change.set })
          : await this.#side.request('feed/removeBreakpoint', { root, ...change.remove });
      this.#theirs.set(root, all);
    } catch {
      // No line to stop at, or a condition that may not be evaluated: it stays this editor's own.
      this.#refused.add(JSON.stringify(change));
    } finally {
      this.#isSending = false;
    }
  }
}

function memoryKey(root: string): string {
  return `breakpoints of ${root}`;
}

function sourceBreakpoints(root: string): vscode.SourceBreakpoint[] {
  const prefix = `${vscode.Uri.file(root).toString()}/`;
  return vscode.debug.breakpoints.filter(
    (each): each is vscode.SourceBreakpoint =>
      each instanceof vscode.SourceBreakpoint && each.location.uri.toString().startsWith(prefix),
  );
}

function ownBreakpoints(root: string): SharedBreakpoint[] {
  return sourceBreakpoints(root).map(shared);
}

function shared({ location, enabled, condition, hitCondition, logMessage }: vscode.SourceBreakpoint): SharedBreakpoint {
  return {
    uri: location.uri.toString(),
    line: location.range.start.line + 1,
    enabled,
    ...(condition === undefined || condition === '' ? {} : { condition }),
    ...(hitCondition === undefined || hitCondition === '' ? {} : { hitCondition }),
    ...(logMessage === undefined || logMessage === '' ? {} : { logMessage }),
  };
}

function shownHere({ uri, line, enabled, condition, hitCondition, logMessage }: SharedBreakpoint) {
  const location = new vscode.Location(vscode.Uri.parse(uri), new vscode.Position(line - 1, 0));
  return new vscode.SourceBreakpoint(location, enabled, condition, hitCondition, logMessage);
}
