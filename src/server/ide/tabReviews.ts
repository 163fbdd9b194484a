import { Deferred } from '../../base/deferred.ts';
import type { IdeActions } from './ideActions.ts';
import { words, type TextPart } from './ideMcp.ts';

/**
 * Reviews of one command line, by the name of the tab that it thinks shows them. It asks at its own terminal too, and closes the tab once
 * somebody has answered in either place, before it writes.
 */
export class TabReviews {
  readonly #actions: IdeActions;
  readonly #clientName: string;
  readonly #open = new Map<string, { closed: AbortController; ended: Deferred<void> }>();

  constructor(actions: IdeActions, clientName: string) {
    this.#actions = actions;
    this.#clientName = clientName;
  }

  /** Blocks until somebody has answered. The command line writes what was agreed to. */
  async open(args: Record<string, unknown>, signal: AbortSignal): Promise<TextPart[]> {
    const { old_file_path: oldPath, new_file_path: newPath, new_file_contents: contents } = args;
    const path = typeof newPath === 'string' && newPath !== '' ? newPath : oldPath;
    if (typeof path !== 'string' || typeof contents !== 'string')
      throw new Error('openDiff needs a path and contents.');
    const tab = typeof args['tab_name'] === 'string' ? args['tab_name'] : path;
    const closed = new AbortController();
    const review = { closed, ended: new Deferred<void>() };
    this.#open.set(tab, review);
    try {
      const ending = AbortSignal.any([signal, closed.signal]);
      const isAllowed = await this.#actions.review(path, contents, this.#clientName, ending);
      // Answered at the terminal: if that was yes, what it writes next is its change.
      if (closed.signal.aborted) await this.#actions.expectWriting(path, this.#clientName, contents);
      return isAllowed ? [...words('FILE_SAVED'), ...words(contents)] : [...words('DIFF_REJECTED'), ...words(tab)];
    } finally {
      if (this.#open.get(tab) === review) this.#open.delete(tab);
      review.ended.resolve();
    }
  }

  /** What is written afterwards is recorded. */
  async close(tab: string): Promise<void> {
    const review = this.#open.get(tab);
    review?.closed.abort();
    await review?.ended.promise;
    await this.#actions.settle();
  }

  /** How many that were. */
  async closeAll(): Promise<number> {
    const tabs = [...this.#open.keys()];
    await Promise.all(tabs.map((tab) => this.close(tab)));
    return tabs.length;
  }
}
