import type { LineIndex, Range } from '../../../base/positions.ts';
import type { InstallOnNeed } from '../../provision/installOnNeed.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import type { Project } from '../../workspace/project.ts';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import type { LanguageServer, ServerContext } from '../languageServer.ts';
import type { IndexState, OutlineSymbol, Waiting } from '../model.ts';
import type { ProblemSource } from '../problems/problemSource.ts';
import type { ReadinessRules } from '../readiness.ts';
import type { FileChange } from '../treeWatcher.ts';
import type { ServerRepairs } from './repairs.ts';

/** How to start a server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  version?: string;
  env?: NodeJS.ProcessEnv;
  /** The interpreter whose packages it looks at, and why this one was chosen. */
  interpreter?: { path: string; version?: string; why: string };
  /** Folders with packages besides those of the interpreter. */
  extraPaths?: readonly string[];
}

/** Everything that is special about one language server. The pool, the documents and the queries know none of it. */
export interface ServerDefinition {
  /** `typescript`, `python`: one server of each id per project. */
  readonly id: string;
  readonly title: string;
  /** Extensions with their LSP language id, without the dot. */
  readonly languages: Readonly<Record<string, string>>;
  /** Files besides sources whose change the server must hear of. */
  readonly configFiles?: RegExp;
  readonly readiness: ReadinessRules;
  /** Whether installed packages are found through `node_modules` or the like, so that an installation makes it stale. */
  readonly restartOnDependencyChange?: boolean;
  /** It also knows the problems of files that are not open. Others answer "none" for them, which is not true. */
  readonly analysesClosedFiles?: boolean;
  /** What its problems leave out, where a file without any of them may still not compile. */
  readonly problemsLackWhat?: string;
  /** What finds those, in a project that a person trusts. */
  readonly problemSource?: ProblemSource;
  /** Its symbol search tells where names stand and what holds them; the answers of others are looked up in outlines. */
  readonly findsExactSymbols?: boolean;
  /** What it lists as the symbols of a file, as people of the language see them. */
  repairOutline?(symbols: OutlineSymbol[], text: LineIndex): OutlineSymbol[];
  /** What it leaves out of its other answers. */
  readonly repairs?: ServerRepairs;
  /** A symbol's own name and what holds it, where the server's symbol search answers with both in one. */
  readSymbolName?(name: string, container: string | undefined): { name: string; container?: string };
  /** Files whose values may have types the server cannot tell, so that uses of members can escape it. */
  readonly untypedExtensions?: readonly string[];
  /** Files of the language itself, such as those that declare `int` and `string`: nobody needs to be led there. */
  readonly builtInFiles?: RegExp;
  /** A request that leads from the types of a library on to its implementation. */
  readonly implementationMethod?: string;
  /** The same server with other surroundings, for files that have their own: a package of a monorepo with its environment. */
  variantFor?(project: Project, path: string): ServerDefinition | undefined;
  /** It runs compilers or build tools, which files of the project can steer: it is started in trusted projects only. */
  readonly runsToolchain?: true;
  /** Undefined when it is not installed; then `missing` tells how to get it. */
  locate(project: Project): Promise<ServerCommand | undefined>;
  readonly missing: string;
  /** How long its handshake may take; absent: the usual. */
  readonly startMs?: number;
  /** Right after a change it may still answer for the text before. */
  readonly answersLate?: boolean;
  /** It tells problems only by itself: the command that makes it tell those of a file again. */
  refreshDiagnostics?(path: string): { command: string; arguments: readonly unknown[] };
  /** Fetches it without asking anybody, when the first question comes. */
  readonly installation?: InstallOnNeed;
  initializationOptions?(project: Project, command: ServerCommand): unknown;
  /** Configuration files that the server does not read as their authors mean them, in words that it knows. By path. */
  rewrittenConfigs?(project: Project): Promise<ReadonlyMap<string, string>>;
  configuration?(section: string | undefined, project: Project, command: ServerCommand): unknown;
  /** Somebody else may have to decide what is a problem: another version of the same compiler. */
  judge?(context: ServerContext): ProblemJudge;
  /** Fixes for problems that the server itself offers none for. */
  fixes?(context: ServerContext): FixSource;
  /** Servers that only know projects of which a file is open need help to see the whole workspace. */
  coverage?(server: LanguageServer): ServerCoverage;
}

/** Makes a server see every file that an answer about the whole project must include. */
export interface ServerCoverage {
  /** Counts what the server was shown for the sake of such answers. One that was asked for at an earlier count may lack something. */
  readonly shown: number;
  /** Before the first document is opened: what the server should know from the start. */
  prepare(): Promise<void>;
  ensure(waiting: Waiting): Promise<IndexState>;
  filesChanged(changes: readonly FileChange[]): void;
}

/** Decides who judges the files of a project. Lives as long as the project is open. */
export interface ProblemJudge {
  /** Undefined: the server itself. */
  judgeOf(path: string): FileJudge | undefined;
  dispose(): Promise<void>;
}

export interface FileJudge {
  /** Who judges, and why if that needs saying. */
  engine: string;
  /** Absent: the server judges under that name. */
  diagnostics?(signal: AbortSignal | undefined): Promise<Diagnostic[]>;
}

/** Lives as long as the project is open. */
export interface FixSource {
  fixesFor(path: string, range: Range, code: string | undefined, signal?: AbortSignal): Promise<OfferedFix[]>;
  dispose(): Promise<void>;
}

export interface OfferedFix {
  title: string;
  operations: FileOperation[];
}
