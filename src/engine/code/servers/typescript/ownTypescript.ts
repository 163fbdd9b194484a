import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { Deferred } from '../../../../base/deferred.ts';
import { isInside } from '../../../../base/paths.ts';
import { untilCancelled } from '../../../../base/cancellation.ts';
import type { ServerContext } from '../../languageServer.ts';
import { TypeScriptService, type TsProblem } from '../../refactor/typescript/servers/tsService.ts';
import type { FileJudge, ProblemJudge } from '../definition.ts';

interface Installed {
  /** The folder of the package. */
  folder: string;
  version: string;
}

/**
 * Compilers differ in what they call an error, and a project is built with its own. Where a project has a TypeScript of another
 * major version than the bundled one, its problems come from that, through the server that is part of it. That runs code of the
 * project, so only when a person trusts it; otherwise the bundled one judges, and the answer says so.
 */
export class OwnTypescript implements ProblemJudge {
  readonly #context: ServerContext;
  readonly #bundledVersion: string;
  readonly #services = new Map<string, JudgingService>();
  /** By folder. An installation makes a new judge, so nothing here grows old. */
  readonly #installed = new Map<string, Installed | undefined>();

  constructor(context: ServerContext, bundledVersion: string) {
    this.#context = context;
    this.#bundledVersion = bundledVersion;
  }

  judgeOf(path: string): FileJudge | undefined {
    const folder = dirname(path);
    if (!this.#installed.has(folder)) this.#installed.set(folder, this.#installedFor(path));
    const installed = this.#installed.get(folder);
    if (installed === undefined || majorOf(installed.version) === majorOf(this.#bundledVersion)) return undefined;
    if (!this.#context.project.trusted)
      return {
        engine: `TypeScript ${this.#bundledVersion} (the project's own is ${installed.version}; it runs only in a trusted project)`,
      };
    const service = this.#services.get(installed.folder) ?? new JudgingService(this.#context, installed);
    this.#services.set(installed.folder, service);
    return {
      engine: `TypeScript ${installed.version} (the project's own)`,
      diagnostics: (signal) => untilCancelled(service.diagnosticsOf(path), signal),
    };
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#services.values()].map((service) => service.dispose()));
    this.#services.clear();
  }

  /** As module resolution would find it from that file. */
  #installedFor(path: string): Installed | undefined {
    const { root } = this.#context.project;
    for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
      const installed = installedIn(join(folder, 'node_modules', 'typescript'));
      if (installed !== undefined) return installed;
      if (folder === root) break;
    }
    return undefined;
  }
}

/** One server of one version. Questions that come together are answered together: looking at the disk is done once for them. */
class JudgingService {
  readonly #service: TypeScriptService;
  #waiting = new Map<string, Deferred<Diagnostic[]>>();

  constructor(context: ServerContext, installed: Installed) {
    this.#service = new TypeScriptService(context.project, context.logger, {
      tsserver: join(installed.folder, 'lib', 'tsserver.js'),
    });
  }

  diagnosticsOf(path: string): Promise<Diagnostic[]> {
    const known = this.#waiting.get(path);
    if (known !== undefined) return known.promise;
    const answer = new Deferred<Diagnostic[]>();
    if (this.#waiting.size === 0) setImmediate(() => void this.#answerAll());
    this.#waiting.set(path, answer);
    return answer.promise;
  }

  dispose(): Promise<void> {
    return this.#service.dispose();
  }

  async #answerAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      await this.#service.exclusively(async () => {
        for (const [path, answer] of waiting) {
          await this.#service.open([path]);
          answer.resolve((await this.#service.everyProblem(path)).map(asDiagnostic));
        }
      });
    } catch (error) {
      for (const answer of waiting.values()) answer.reject(error);
    }
  }
}

function installedIn(folder: string): Installed | undefined {
  try {
    if (!existsSync(join(folder, 'lib', 'tsserver.js'))) return undefined;
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? { folder: realpathSync(folder), version } : undefined;
  } catch {
    // A half-installed package judges nothing.
    return undefined;
  }
}

function majorOf(version: string): string {
  return version.split('.', 1)[0] ?? '';
}

function asDiagnostic(problem: TsProblem): Diagnostic {
  const place = ({ line, offset }: TsProblem['start']) => ({ line: line - 1, character: offset - 1 });
  const severities = { error: 1, warning: 2, suggestion: 4, message: 3 } as const;
  const tags = [
    ...(problem.reportsUnnecessary ? [1 as const] : []),
    ...(problem.reportsDeprecated ? [2 as const] : []),
  ];
  return {
    range: { start: place(problem.start), end: place(problem.end) },
    severity: severities[problem.category] ?? 1,
    code: problem.code,
    source: 'ts',
    message: problem.text,
    ...(tags.length === 0 ? {} : { tags }),
  };
}
