import type { CallOutcome, RunningSightline, TestClient } from '../../harness/harness.ts';
import { normalise } from '../../harness/harness.ts';

/** Calls of one client with the text that a model reads in answer, kept for a golden file. */
export class Dialogue {
  readonly #agent: TestClient;
  readonly #ide: RunningSightline;
  readonly #parts: string[] = [];
  /** The tools that were called. */
  readonly tools = new Set<string>();

  constructor(agent: TestClient, ide: RunningSightline) {
    this.#agent = agent;
    this.#ide = ide;
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<CallOutcome> {
    this.tools.add(tool);
    const outcome = await this.#agent.call(tool, args);
    const asked = Object.keys(args).length === 0 ? '' : ` ${JSON.stringify(args)}`;
    this.#parts.push(`> ${tool}${asked}\n${outcome.text}`);
    return outcome;
  }

  async data(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { data, error, text } = await this.call(tool, args);
    if (error !== undefined) throw new Error(`${tool} failed: ${text}`);
    return data ?? {};
  }

  async text(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { error, text } = await this.call(tool, args);
    if (error !== undefined) throw new Error(`${tool} failed: ${text}`);
    return text;
  }

  /** Starts a program and waits until it has printed that, however many answers its output is spread over. Not in the transcript. */
  async startUntilOutput(program: string, text: string): Promise<Record<string, unknown>> {
    const started = await this.#agent.data('start_debug_session', { program, wait_ms: 0 });
    let seen = typeof started['output'] === 'string' ? started['output'] : '';
    while (!seen.includes(text)) {
      const { output, state } = await this.#agent.data('get_debug_session_status', { wait_ms: 100 });
      seen += typeof output === 'string' ? output : '';
      if (state === 'stopped') throw new Error(`${program} ended before it printed "${text}": ${seen}`);
    }
    return started;
  }

  /** The whole dialogue without what differs from run to run. */
  transcript(): string {
    return normalise(this.#parts.join('\n\n'), this.#ide)
      .replaceAll(/"id":"[\w:/]+"/g, '"id":"<id>"')
      .replaceAll(/ #(v\d+|p\d+:[\w/]+)$/gm, ' #<id>')
      .replaceAll(/(?<=^ {2}rounds = )\d+$/gm, '<number>')
      .replaceAll(/Running for [\d.]+ s/g, 'Running for <seconds>');
  }
}
