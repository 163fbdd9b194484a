import type { AsyncDisposer } from '../../../base/disposable.ts';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import type { Project } from '../project.ts';
import { HttpClient, type HttpAnswer, type HttpSpec } from './httpClient.ts';

/** A request under way: a server that stands still in a debugger answers later, to whoever asks again. */
export interface PendingRequest {
  readonly id: string;
  readonly project: Project;
  readonly url: string;
  readonly saveTo: string | undefined;
  readonly answer: Promise<HttpAnswer>;
  abort(): void;
}

const maxPending = 20;
const maxAgeMs = 15 * 60_000;

/** The requests of the process. What nobody asks for again is dropped after a while, and all of them with the process. */
export class HttpRequests implements AsyncDisposer {
  readonly #client = new HttpClient();
  readonly #pending = new Map<string, PendingRequest>();

  start(spec: Omit<HttpSpec, 'signal'>, saveTo: string | undefined): PendingRequest {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new ToolError('timeout', 'The server did not answer.')), maxAgeMs);
    timer.unref();
    const answer = this.#client.send({ ...spec, signal: controller.signal }).finally(() => clearTimeout(timer));
    // Whoever waits hears of it; a request that nobody waits for any more may fail in silence.
    answer.catch(() => undefined);
    const request: PendingRequest = {
      id: randomId('request'),
      project: spec.project,
      url: spec.url,
      saveTo,
      answer,
      abort: () => {
        this.#pending.delete(request.id);
        controller.abort(new ToolError('cancelled', 'The request was given up.'));
      },
    };
    return request;
  }

  /** Keeps a request that was not answered in time. */
  keep(request: PendingRequest): void {
    this.#pending.delete(request.id);
    this.#pending.set(request.id, request);
    const [oldest] = this.#pending.values();
    if (this.#pending.size > maxPending) oldest?.abort();
  }

  forget(request: PendingRequest): void {
    this.#pending.delete(request.id);
  }

  get(project: Project, id: string): PendingRequest {
    const request = this.#pending.get(id);
    if (request?.project.root === project.root) return request;
    throw new ToolError('job_not_found', `No request ${id} is under way.`, { hint: 'Send it again.' });
  }

  dispose(): void {
    for (const request of this.#pending.values()) request.abort();
  }
}
