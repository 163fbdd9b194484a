import { join } from 'node:path';
import { expectGolden, type CallOutcome, type TestClient } from '../../harness/harness.ts';

/** What an engine cannot do is refused by one of these names, with the reason; everything else that fails is a fault. */
const refusals = ['unsupported', 'refactoring_not_available', 'tool_not_available'];

class Refusal extends Error {}

/**
 * What one language did in the scenario, step by step: `yes`, or the words of the refusal. The results are kept as a file that a run must
 * agree with, and the matrix in the docs is made of those files.
 */
export class Findings {
  readonly #steps: Record<string, string> = {};
  readonly #client: TestClient;

  constructor(client: TestClient) {
    this.#client = client;
  }

  /** One row of the matrix. What is checked inside must hold, unless the tool refuses. */
  async step(row: string, check: () => Promise<void>): Promise<void> {
    try {
      await check();
      this.#steps[row] = 'yes';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#steps[row] = error.message;
    }
  }

  /** The language has no such thing, so there is nothing to ask for. */
  absent(row: string, why: string): void {
    this.#steps[row] = `no: ${why}`;
  }

  async data(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return (await this.#called(tool, args)).data ?? {};
  }

  async text(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    return (await this.#called(tool, args)).text;
  }

  async #called(tool: string, args: Record<string, unknown>): Promise<CallOutcome> {
    for (let asked = 1; ; asked++) {
      const outcome = await this.#client.call(tool, args);
      const { error } = outcome;
      if (error === undefined) return outcome;
      // A server that is still loading, or a first build on a busy machine: the same call goes on.
      if (asked < 10 && (error.name === 'index_not_ready' || error.name === 'timeout')) continue;
      if (refusals.includes(error.name)) throw new Refusal(error.message);
      throw new Error(`${tool} failed: ${outcome.text}`);
    }
  }

  async compare(language: string, part: 'debugger' | 'index'): Promise<void> {
    await expectGolden(
      join(import.meta.dirname, 'results', `${language}.${part}.golden.json`),
      JSON.stringify(this.#steps, undefined, 2),
    );
  }
}
