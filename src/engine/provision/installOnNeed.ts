import { errorMessage } from '../../base/errors.ts';
import type { Project } from '../workspace/project.ts';
import type { Provision } from './provision.ts';

const installTimeoutMs = 600_000;
/** After a failure (no network) it is not tried again for this long. */
const retryAfterMs = 10 * 60_000;

/**
 * Fetches one engine when a question needs it: into our own cache, once for everybody who waits, and not again soon after it
 * failed.
 */
export class InstallOnNeed {
  readonly engineId: string;
  readonly #provision: Provision;
  #running: Promise<void> | undefined;
  #wasTried = false;
  #failed: { reason: string; atMs: number } | undefined;

  constructor(provision: Provision, engineId: string) {
    this.#provision = provision;
    this.engineId = engineId;
  }

  /** Whether asking for it may still bring it: once it has been tried, what can be found is all there is. */
  get isUntried(): boolean {
    return !this.#wasTried;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Why it could not be fetched, as long as it is not tried again. */
  get failure(): string | undefined {
    return this.#failed !== undefined && Date.now() - this.#failed.atMs < retryAfterMs
      ? `${this.#failed.reason} To try again: sightline setup ${this.engineId}`
      : undefined;
  }

  /** Ends when it is there or `failure` says why not. */
  async ensure(project?: Project): Promise<void> {
    if (this.failure !== undefined) return;
    this.#running ??= this.#install(project).finally(() => {
      this.#wasTried = true;
      this.#running = undefined;
    });
    return this.#running;
  }

  async #install(project: Project | undefined): Promise<void> {
    this.#failed = undefined;
    try {
      const [outcome] = await this.#provision.install([this.engineId], {
        ...(project === undefined ? {} : { project }),
        signal: AbortSignal.timeout(installTimeoutMs),
      });
      if (outcome?.status === 'failed') this.#fail(outcome.reason ?? 'the installation failed');
    } catch (error) {
      this.#fail(errorMessage(error));
    }
  }

  #fail(reason: string): void {
    this.#failed = { reason, atMs: Date.now() };
  }
}
