import { untilCancelled } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import type { LspClient, ProgressValue } from '../../protocol/lsp/client.ts';
import type { IndexState, Waiting } from './model.ts';

/**
 * How a server shows that its index is complete.
 * `answersWait`: it answers nothing before it knows everything (measured, see docs/decisions).
 * `progress`: it announces its loading by work-done progress; complete when the last such task has ended.
 * `status`: it sends a status notification of its own, which the definition reads.
 */
type ReadinessSign = 'answersWait' | 'progress' | 'status';

/** Which progress of a server is about its index. Servers also report progress of formatting, builds, and single requests. */
export interface ReadinessRules {
  sign: ReadinessSign;
  /** For `progress`: whether a task of this title is loading. Default: every task. */
  isLoading?: (title: string) => boolean;
  /** For `progress`: a server that has nothing to load never begins a task. After this long without one it counts as ready. */
  quietMs?: number;
  /** For `status`: reads a notification; true = ready, false = busy, undefined = says nothing about it. */
  readStatus?: (method: string, params: unknown) => boolean | undefined;
}

/** A server that reports nothing for this long is not getting on, and waiting for it is no use. */
const stalledMs = 20_000;

/** Follows one server from its start until its index is complete, and whenever it falls back to loading. */
export class Readiness {
  readonly #rules: ReadinessRules;
  readonly #tasks = new Map<string | number, { title: string; message: string; percentage: number | undefined }>();
  #statusReady = false;
  #begun = false;
  #changed = new Deferred<void>();
  #quietTimer: NodeJS.Timeout | undefined;

  constructor(client: LspClient, rules: ReadinessRules) {
    this.#rules = rules;
    client.onProgress.on(({ token, value }) => this.#onProgress(token, value));
    client.onOtherNotification.on(({ method, params }) => {
      const ready = rules.readStatus?.(method, params);
      if (ready === undefined) return;
      this.#statusReady = ready;
      this.#tell();
    });
    client.connection.onClose.on(() => {
      clearTimeout(this.#quietTimer);
      this.#tell();
    });
    if (rules.sign === 'progress')
      this.#quietTimer = setTimeout(() => {
        this.#begun = true;
        this.#tell();
      }, rules.quietMs ?? 1500);
  }

  get state(): IndexState {
    if (this.#isReady()) return { state: 'ready' };
    return { state: 'indexing', detail: this.progress ?? 'the language server is starting' };
  }

  /** What the server says it is loading. */
  get progress(): string | undefined {
    const task = [...this.#tasks.values()].at(-1);
    if (task === undefined) return undefined;
    const percentage = task.percentage === undefined ? '' : ` ${Math.round(task.percentage)} %`;
    return `${task.title}${percentage}${task.message === '' ? '' : `: ${task.message}`}`;
  }

  /**
   * Waits until the index is complete, as long as it gets on and the caller's patience lasts; then tells the state as it is. Some of the
   * patience is left for the question itself.
   */
  async wait(waiting: Waiting, isAlive: () => boolean): Promise<IndexState> {
    const patienceMs = waiting.patienceMs ?? 45_000;
    const deadline = Date.now() + patienceMs - Math.min(12_000, patienceMs * 0.6);
    while (!this.#isReady() && isAlive()) {
      const leftMs = Math.min(deadline - Date.now(), stalledMs);
      if (leftMs <= 0) break;
      const { detail } = this.state;
      waiting.onProgress?.(detail ?? 'indexing', this.#fraction());
      if (!(await untilCancelled(this.#nextChange(leftMs), waiting.signal))) break;
    }
    return this.#isReady() ? this.state : { ...this.state, partial: true };
  }

  #isReady(): boolean {
    if (this.#rules.sign === 'answersWait') return true;
    if (this.#rules.sign === 'status') return this.#statusReady && this.#tasks.size === 0;
    return this.#begun && this.#tasks.size === 0;
  }

  #fraction(): number | undefined {
    const percentage = [...this.#tasks.values()].at(-1)?.percentage;
    return percentage === undefined ? undefined : percentage / 100;
  }

  #onProgress(token: string | number, value: ProgressValue): void {
    if (value.kind === 'begin') {
      if (this.#rules.isLoading?.(value.title) === false) return;
      this.#begun = true;
      this.#tasks.set(token, { title: value.title, message: value.message ?? '', percentage: value.percentage });
    } else {
      const task = this.#tasks.get(token);
      if (task === undefined) return;
      if (value.kind === 'end') this.#tasks.delete(token);
      else {
        task.message = value.message ?? task.message;
        task.percentage = value.percentage ?? task.percentage;
      }
    }
    this.#tell();
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Deferred<void>();
    changed.resolve();
  }

  /** False when nothing changed within that time. */
  async #nextChange(withinMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), withinMs);
    });
    const changed = await Promise.race([this.#changed.promise.then(() => true), late]);
    clearTimeout(timer);
    return changed;
  }
}
