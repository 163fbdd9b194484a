import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver-protocol';
import { advise, step } from '../../../base/text/advice.ts';
import { throwIfCancelled } from '../../../base/cancellation.ts';
import { counted } from '../../../base/text/counted.ts';
import { PeerError, ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import { reserveFor } from '../answerOrFallback.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import { readyState, worstState, type IndexState, type Waiting } from '../model.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { definitionsInUse } from '../queries/requests/symbols.ts';
import { fromWireDiagnostics, type KnownProblem, type Problem } from './problem.ts';
import type { ProblemSource } from './problemSource.ts';

interface ProblemScope {
  /** Absolute; empty for the whole project. */
  files: readonly string[];
}

export interface ProblemReport {
  problems: Problem[];
  /** Files that were really analysed, and those asked for. */
  analysed: number;
  wanted: number;
  /** Who analysed: `TypeScript 7.0.2`. */
  engines: string[];
  index: IndexState;
  checkpoint: string;
}

interface ProblemChanges {
  appeared: Problem[];
  vanished: Problem[];
  /** What is there now, in sum. */
  report: ProblemReport;
}

interface Checkpoint {
  scope: ProblemScope;
  problems: Map<string, Problem>;
}

const maxCheckpoints = 50;
/** Of all checkpoints in sum: in a project with many problems fewer are kept. */
const maxCheckpointProblems = 50_000;
const maxKnown = 20_000;
const parallel = 8;

/** The problems of one project: always computed for what is on disk now, comparable with earlier answers. */
export class ProblemStore {
  readonly #workspace: CodeWorkspace;
  readonly #sources: readonly ProblemSource[];
  readonly #known = new Map<string, KnownProblem>();
  readonly #checkpoints = new Map<string, Checkpoint>();
  /** Answers of servers, valid for one state of the disk: a change anywhere can cause a problem anywhere. */
  readonly #cache = new Map<string, KnownProblem[]>();
  #cacheGeneration = -1;
  #nextCheckpoint = 1;

  constructor(workspace: CodeWorkspace, sources: readonly ProblemSource[]) {
    this.#workspace = workspace;
    this.#sources = sources;
  }

  async report(scope: ProblemScope, waiting: Waiting): Promise<ProblemReport> {
    const result =
      scope.files.length === 0 ? await this.#wholeProject(waiting) : await this.#files(scope.files, waiting);
    const checkpoint = `c${this.#nextCheckpoint++}`;
    this.#checkpoints.set(checkpoint, {
      scope,
      problems: new Map(result.problems.map((problem) => [problem.id, problem])),
    });
    let kept = [...this.#checkpoints.values()].reduce((sum, { problems }) => sum + problems.size, 0);
    for (const [oldest, { problems }] of this.#checkpoints) {
      const isFew = this.#checkpoints.size <= maxCheckpoints && kept <= maxCheckpointProblems;
      if (isFew || oldest === checkpoint) break;
      kept -= problems.size;
      this.#checkpoints.delete(oldest);
    }
    return { ...result, checkpoint };
  }

  /** What appeared and vanished since an earlier answer, in the files that answer was about. */
  async since(checkpoint: string, waiting: Waiting): Promise<ProblemChanges> {
    const earlier = this.#checkpoints.get(checkpoint);
    if (earlier === undefined)
      throw new ToolError('invalid_arguments', `There is no checkpoint ${checkpoint} any more.`, {
        hint: 'Ask without since; the answer carries a new checkpoint.',
      });
    const report = await this.report(earlier.scope, waiting);
    const now = new Set(report.problems.map((problem) => problem.id));
    return {
      appeared: report.problems.filter((problem) => !earlier.problems.has(problem.id)),
      vanished: [...earlier.problems.values()].filter((problem) => !now.has(problem.id)),
      report,
    };
  }

  /** A problem of an earlier answer. */
  known(id: string): KnownProblem {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    throw new ToolError('invalid_arguments', `There is no problem ${id}.`, {
      hint: advise`${step('ideAnalyzeCode')} lists problems with their ids; an id is valid until the problem changes.`,
    });
  }

  /** The problems of one file as they are now. */
  async ofFile(path: string, waiting: Waiting): Promise<KnownProblem[]> {
    const server = await this.#workspace.serverFor(path);
    const [asked, linted] = await Promise.all([
      server === undefined ? [] : this.#ask(server, path, waiting.signal),
      this.#lint([path], waiting.signal),
    ]);
    return [...asked, ...linted.problems];
  }

  async #files(files: readonly string[], waiting: Waiting): Promise<Omit<ProblemReport, 'checkpoint'>> {
    const states: IndexState[] = [];
    const engines = new Set<string>();
    const problems: Problem[] = [];
    const definitions = new Set<ServerDefinition>();
    let analysed = 0;
    for (const path of files) {
      const definition = this.#workspace.definitionFor(path);
      const server = await this.#workspace.serverFor(path);
      if (server === undefined) {
        states.push({
          state: 'partial',
          detail: `${this.#workspace.shown(path)}: ${definition === undefined ? 'no language server knows this language' : `${definition.title} is not installed; ${definition.missing}`}`,
        });
        continue;
      }
      engines.add(this.#judgeName(server, path));
      await server.documents.open(path);
      problems.push(...(await this.#ask(server, path, waiting.signal)).map(({ problem }) => problem));
      states.push(server.state);
      definitions.add(server.definition);
      analysed++;
    }
    const linted = await this.#lint(files, waiting.signal, definitions);
    for (const name of linted.engines) engines.add(name);
    return {
      problems: sorted(withoutTwins(problems, linted.problems)),
      analysed,
      wanted: files.length,
      engines: [...engines],
      index: worstState([readyState, ...states, ...linted.states]),
    };
  }

  async #wholeProject(waiting: Waiting): Promise<Omit<ProblemReport, 'checkpoint'>> {
    const patienceMs = waiting.patienceMs ?? 40_000;
    // What is there by then is an answer; linters and the way back need their share.
    const deadline = Date.now() + patienceMs - reserveFor(patienceMs, 8000);
    const states: IndexState[] = [];
    const engines = new Set<string>();
    const problems: Problem[] = [];
    let analysed = 0;
    let wanted = 0;
    const refusals: string[] = [];
    const definitions = new Set<ServerDefinition>();
    for (const [definition, files] of await this.#filesByServer(waiting.signal)) {
      wanted += files.length;
      const server = await this.#workspace.server(definition);
      if (server === undefined) {
        states.push({ state: 'partial', detail: `${definition.title} is not installed; ${definition.missing}` });
        continue;
      }
      states.push(await server.waitUntilReady(waiting));
      definitions.add(definition);
      for (let from = 0; from < files.length && Date.now() < deadline; from += parallel) {
        throwIfCancelled(waiting.signal);
        const batch = files.slice(from, from + parallel);
        await this.#openTogether(server, batch);
        // One that comes later is kept for the next question, which goes on from there.
        const asked = Promise.all(batch.map((path) => this.#tryAsk(server, path, waiting.signal)));
        for (const result of await before(deadline, asked, [])) {
          if ('refusal' in result) {
            refusals.push(result.refusal);
            continue;
          }
          problems.push(...result.found.map(({ problem }) => problem));
          engines.add(this.#judgeName(server, result.path));
          analysed++;
        }
        waiting.onProgress?.(`${analysed} of ${wanted} files analysed`, analysed / wanted);
      }
      for (const [path, diagnostics] of server.configurationProblems)
        problems.push(
          ...this.#remember(fromWireDiagnostics(path, undefined, diagnostics, definition.id)).map(
            ({ problem }) => problem,
          ),
        );
    }
    if (analysed < wanted) states.push(notAll(analysed, wanted, refusals));
    const late = { problems: [], engines: [], states: [lintersLate, ...[...definitions].flatMap(leftOut)] };
    const linted = await before(
      deadline + reserveFor(patienceMs, 8000) * 0.6,
      this.#lint([], waiting.signal, definitions),
      late,
    );
    for (const name of linted.engines) engines.add(name);
    return {
      problems: sorted(withoutTwins(problems, linted.problems)),
      analysed,
      wanted,
      engines: [...engines],
      index: worstState([readyState, ...states, ...linted.states]),
    };
  }

  /** Linters, and what finds the problems that the servers of these definitions do not. */
  async #lint(files: readonly string[], signal: AbortSignal | undefined, definitions: Iterable<ServerDefinition> = []) {
    const problems: KnownProblem[] = [];
    const engines: string[] = [];
    const states: IndexState[] = [];
    const unsaved = this.#workspace.unsavedPaths;
    const saved = files.filter((path) => !unsaved.has(path));
    const sources: { analyse: ProblemSource['analyse']; definition?: ServerDefinition }[] = [
      ...this.#sources,
      ...[...definitions].map((definition) => ({ analyse: analyseBy(definition), definition })),
    ];
    for (const { analyse, definition } of sources) {
      const concerned = (saved.length === 0 ? files : saved).filter(
        (path) => definition === undefined || this.#workspace.definitionFor(path) === definition,
      );
      const result = await analyse(this.#workspace, concerned, signal);
      if (result === undefined) {
        if (definition !== undefined) states.push(...leftOut(definition));
        continue;
      }
      const left = (files.length === 0 ? [...unsaved] : files).filter((path) => unsaved.has(path));
      if (left.length > 0) states.push(lintersReadTheDisk(left.map((path) => this.#workspace.shown(path))));
      if (files.length > 0 && saved.length === 0) continue;
      engines.push(result.engine);
      if (result.failure !== undefined) states.push({ state: 'partial', detail: result.failure });
      problems.push(...this.#remember(result.problems.filter(({ problem }) => !unsaved.has(problem.path))));
    }
    return { problems, engines, states };
  }

  async #filesByServer(signal: AbortSignal | undefined): Promise<Map<ServerDefinition, string[]>> {
    const groups = new Map<ServerDefinition, string[]>();
    for (const general of await definitionsInUse(this.#workspace, signal))
      for (const path of await this.#workspace.listFiles(Object.keys(general.languages), signal)) {
        const definition = this.#workspace.definitionFor(path) ?? general;
        const files = groups.get(definition) ?? [];
        files.push(path);
        groups.set(definition, files);
      }
    return groups;
  }

  async #ask(server: LanguageServer, path: string, signal: AbortSignal | undefined): Promise<KnownProblem[]> {
    if (this.#cacheGeneration !== this.#workspace.generation) {
      this.#cache.clear();
      this.#cacheGeneration = this.#workspace.generation;
    }
    const cached = this.#cache.get(path);
    if (cached !== undefined) return cached;
    const generation = this.#cacheGeneration;
    const text = await this.#workspace.texts.tryGet(path);
    if (text === undefined) return [];
    const judge = this.#workspace.judgeOf(server.definition, path);
    const items = (await judge?.diagnostics?.(signal)) ?? (await askDiagnostics(server, path, signal));
    const problems = this.#remember(fromWireDiagnostics(path, text, items, server.definition.id));
    if (generation === this.#cacheGeneration) this.#cache.set(path, problems);
    return problems;
  }

  /** One file that a server cannot analyse takes nothing from the answer about the others. */
  async #tryAsk(
    server: LanguageServer,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<{ path: string; found: KnownProblem[] } | { refusal: string }> {
    try {
      return { path, found: await this.#ask(server, path, signal) };
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
      return { refusal: `${this.#workspace.shown(path)}: ${error.message}` };
    }
  }

  /** All before the first is asked about: to some servers each document opened is a change that ends what they are computing. */
  async #openTogether(server: LanguageServer, paths: readonly string[]): Promise<void> {
    if (server.definition.analysesClosedFiles === true) return;
    for (const path of paths)
      if ((await this.#workspace.texts.tryGet(path)) !== undefined) await server.documents.open(path);
  }

  #judgeName(server: LanguageServer, path: string): string {
    return this.#workspace.judgeOf(server.definition, path)?.engine ?? engineName(server);
  }

  #remember(problems: KnownProblem[]): KnownProblem[] {
    for (const known of problems) {
      this.#known.delete(known.problem.id);
      this.#known.set(known.problem.id, known);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(oldest);
    }
    return problems;
  }
}

/** `isShown`: the server has a text of it that is not on the disk. */
export async function askDiagnostics(
  server: LanguageServer,
  path: string,
  signal: AbortSignal | undefined,
  isShown = false,
): Promise<readonly Diagnostic[]> {
  if (server.definition.analysesClosedFiles !== true && !isShown) await server.documents.open(path);
  const refresh = server.definition.refreshDiagnostics?.(path);
  if (refresh !== undefined) {
    server.published.forget(path);
    await server.request('workspace/executeCommand', refresh, signal === undefined ? {} : { signal });
  }
  const canBeAsked = (): boolean => server.client.offers('diagnosticProvider', 'textDocument/diagnostic');
  const published = await server.published.of(path, server.documents.version(path), canBeAsked, signal);
  if (published !== undefined) return published;
  const report = await server.request<DocumentDiagnosticReport | null>(
    'textDocument/diagnostic',
    { textDocument: { uri: pathToUri(path) } },
    signal === undefined ? {} : { signal },
  );
  // Some leave the kind of a report empty.
  return report !== null && 'items' in report ? report.items : [];
}

function analyseBy({ problemSource }: ServerDefinition): ProblemSource['analyse'] {
  return (...about) => problemSource?.analyse(...about) ?? Promise.resolve(undefined);
}

/** What the server has found is not told again. */
function withoutTwins(problems: readonly Problem[], linted: readonly KnownProblem[]): Problem[] {
  const key = ({ path, range, code }: Problem) => JSON.stringify([path, range.start.line, code]);
  const known = new Set(problems.filter(({ code }) => code !== undefined).map(key));
  return [...problems, ...linted.map(({ problem }) => problem).filter((each) => !known.has(key(each)))];
}

function leftOut({ problemsLackWhat }: ServerDefinition): IndexState[] {
  return problemsLackWhat === undefined ? [] : [{ state: 'partial', detail: problemsLackWhat }];
}

/** Linters are programs that read files. */
function lintersReadTheDisk(files: readonly string[]): IndexState {
  return { state: 'partial', detail: `linters read what is saved, so not ${files.join(', ')}` };
}

const lintersLate: IndexState = { state: 'partial', detail: 'the linters had not finished' };

/** An answer, or what stands in for it when the time comes first. What fails after that is nobody's any more. */
async function before<T>(deadline: number, answer: Promise<T>, otherwise: T): Promise<T> {
  answer.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), Math.max(deadline - Date.now(), 0));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function notAll(analysed: number, wanted: number, refusals: readonly string[]): IndexState {
  const isOutOfTime = analysed + refusals.length < wanted;
  const why = refusals.length === 0 ? '' : ` (${counted(refusals.length, 'file')} refused, first ${refusals[0] ?? ''})`;
  const next = isOutOfTime ? ' so far; ask again to go on' : '';
  return { state: 'partial', detail: `${analysed} of ${wanted} files analysed${why}${next}` };
}

function engineName(server: LanguageServer): string {
  return `${server.client.serverName}${server.version === undefined ? '' : ` ${server.version}`}`;
}

function sorted(problems: Problem[]): Problem[] {
  const rank = { error: 0, warning: 1, info: 2, hint: 3 };
  return problems.sort(
    (a, b) =>
      rank[a.severity] - rank[b.severity] ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.range.start.line - b.range.start.line),
  );
}
