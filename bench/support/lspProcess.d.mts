/** See lspProcess.mjs. */
export class LspProcess {
  constructor(command: readonly string[], cwd: string);
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  initialize(): Promise<void>;
  end(): Promise<unknown>;
}
