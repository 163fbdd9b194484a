import type { Range } from '../../../../base/positions.ts';
import { PeerError } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { untilCancelled } from '../../../../base/cancellation.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import type { ServerContext } from '../../languageServer.ts';
import { tsPosition, TypeScriptService, type TsFileChanges } from '../../refactor/typescript/servers/tsService.ts';
import type { FixSource, OfferedFix } from '../definition.ts';

interface Asked {
  path: string;
  range: Range;
  code: number;
}

/** The answer of tsserver's `getCodeFixes`. */
interface CodeFix {
  description: string;
  changes: (TsFileChanges & { isNewFile?: boolean })[];
}

/**
 * The fixes of the classic TypeScript server. TypeScript 7 knows the same problems under the same numbers and so far fixes little
 * more than imports. Started on first need; questions that come together are answered together.
 */
export class ClassicFixes implements FixSource {
  readonly #service: TypeScriptService;
  readonly #logger: Logger;
  #waiting: { asked: Asked; answer: Deferred<OfferedFix[]> }[] = [];

  constructor(context: ServerContext) {
    this.#logger = context.logger;
    this.#service = new TypeScriptService(context.project, context.logger);
  }

  fixesFor(path: string, range: Range, code: string | undefined, signal?: AbortSignal): Promise<OfferedFix[]> {
    if (!/^\d+$/.test(code ?? '')) return Promise.resolve([]);
    const answer = new Deferred<OfferedFix[]>();
    this.#waiting.push({ asked: { path, range, code: Number(code) }, answer });
    if (this.#waiting.length === 1) setImmediate(() => void this.#answerAll());
    return untilCancelled(answer.promise, signal);
  }

  dispose(): Promise<void> {
    return this.#service.dispose();
  }

  async #answerAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      await this.#service.exclusively(async () => {
        for (const { asked, answer } of waiting) answer.resolve(await this.#ask(asked));
      });
    } catch (error) {
      for (const { answer } of waiting) answer.reject(error);
    }
  }

  async #ask({ path, range, code }: Asked): Promise<OfferedFix[]> {
    await this.#service.open([path]);
    await this.#service.formatFor(path);
    const [start, end] = [tsPosition(range.start), tsPosition(range.end)];
    const args = { startLine: start.line, startOffset: start.offset, endLine: end.line, endOffset: end.offset };
    const fixes = await this.#service
      .request<CodeFix[] | undefined>('getCodeFixes', { file: path, ...args, errorCodes: [code] })
      .catch((error: unknown): CodeFix[] => {
        // The server stumbles over some code; what it offers for other problems counts all the same.
        if (!(error instanceof PeerError)) throw error;
        this.#logger.warn(`no fixes for TS${code} in ${path}: ${error.message}`);
        return [];
      });
    const offered: OfferedFix[] = [];
    for (const { description, changes } of fixes ?? []) {
      if (changes.length === 0 || changes.some(({ isNewFile }) => isNewFile === true)) continue;
      const edits = await this.#service.editsOf(changes);
      offered.push({
        title: description,
        operations: [...edits].map(([file, list]): FileOperation => ({ kind: 'edit', path: file, edits: list })),
      });
    }
    return offered;
  }
}
