import { Emitter } from '../../base/emitter.ts';
import { randomId } from '../../base/ids.ts';

export const notificationLevels = ['info', 'warning', 'error'] as const;
type NotificationLevel = (typeof notificationLevels)[number];

/** Something a person or an agent should know that belongs to no single call: a damaged file set aside, an engine that died. */
export interface Notification {
  id: string;
  /** ISO 8601. */
  time: string;
  level: NotificationLevel;
  /** Who says it: `settings`, `history`, `gopls`, … */
  source: string;
  message: string;
  /** Root of the project it concerns; absent when it concerns all. */
  project?: string;
  /** How often the same was said; it is kept once. */
  count: number;
}

const maxKept = 200;

export class NotificationStore {
  readonly onDidAdd = new Emitter<Notification>();
  #kept: Notification[] = [];

  add(given: { level: NotificationLevel; source: string; message: string; project?: string }): Notification {
    const same = this.#kept.find(
      (known) => known.message === given.message && known.source === given.source && known.project === given.project,
    );
    const notification = {
      ...given,
      id: same?.id ?? randomId('note'),
      time: new Date().toISOString(),
      count: (same?.count ?? 0) + 1,
    };
    this.#kept = [...this.#kept.filter((known) => known !== same), notification].slice(-maxKept);
    this.onDidAdd.fire(notification);
    return notification;
  }

  /** Newest first: those of this project and those that concern all. */
  list(filter: { project?: string; level?: NotificationLevel; limit?: number } = {}): Notification[] {
    const minimum = filter.level === undefined ? 0 : notificationLevels.indexOf(filter.level);
    return this.#kept
      .filter(
        (known) =>
          notificationLevels.indexOf(known.level) >= minimum &&
          (known.project === undefined || filter.project === undefined || known.project === filter.project),
      )
      .reverse()
      .slice(0, filter.limit ?? maxKept);
  }

  dismiss(id: string): boolean {
    const before = this.#kept.length;
    this.#kept = this.#kept.filter((known) => known.id !== id);
    return this.#kept.length < before;
  }
}
