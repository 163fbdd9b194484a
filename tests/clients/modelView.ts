import type { ModelRequest, OfferedTool } from './model/wire.ts';
import type { RealClient } from './realClient.ts';
import { placeOf, type Step } from './script.ts';

/** A conversation as the model saw it. */
export class ModelView {
  readonly #client: RealClient;
  readonly requests: readonly ModelRequest[];

  constructor(client: RealClient, requests: readonly ModelRequest[]) {
    this.#client = client;
    this.requests = requests;
  }

  /** All the words that come before the first answer of the model. */
  get words(): string {
    return wordsOf(this.requests[0]);
  }

  /** The names of ours that the model knows before it has said anything. */
  get names(): string[] {
    return this.#namesIn(this.requests[0]);
  }

  /** Those that it knows when it gets the result of a step. */
  namesAfter(step: Step): string[] {
    const { turn } = placeOf(this.#client, step);
    return this.#namesIn(this.requests.find((request) => request.turn === turn + 1));
  }

  /** Our tools as the model knows them in the end: those listed and those that it looked up. */
  get tools(): OfferedTool[] {
    const listed = this.requests.at(-1)?.tools.filter(({ name }) => this.#isOurs(name)) ?? [];
    return [...listed, ...this.#lookedUp()];
  }

  /** The result of a step as the model got it. */
  result(step: Step): string {
    const { turn, index } = placeOf(this.#client, step);
    return this.#result(turn, index);
  }

  #namesIn(request: ModelRequest | undefined): string[] {
    const listed = request?.tools.map(({ name }) => name) ?? [];
    const named = this.#client.lookUp === undefined ? [] : (wordsOf(request).match(/\w+/g) ?? []);
    return [...new Set([...listed, ...named])].filter((name) => this.#isOurs(name));
  }

  #isOurs(name: string): boolean {
    const prefix = this.#client.offered('');
    return name.startsWith(prefix) && name !== prefix;
  }

  /** Some clients answer with definitions in text; others list the tools from then on. */
  #lookedUp(): OfferedTool[] {
    if (this.#client.lookUp === undefined) return [];
    const text = [0, 1].map((index) => this.#result(0, index)).join('\n');
    return [...text.matchAll(/<function>(.*?)<\/function>/gs)].map(([, json = '{}']) => {
      const { name, description, parameters, parametersJsonSchema } = JSON.parse(json) as Record<string, unknown>;
      const schema = parameters ?? parametersJsonSchema;
      return { name: String(name), description: String(description), schema, deferred: true };
    });
  }

  #result(turn: number, index: number): string {
    const request = this.requests.find((candidate) => candidate.turn === turn + 1);
    const result = request?.results.find(({ callId }) => callId === `call_${turn}_${index}`);
    return result?.texts.join('\n') ?? '';
  }
}

function wordsOf(request: ModelRequest | undefined): string {
  return request === undefined ? '' : [request.system, ...request.said].join('\n');
}
