import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../../../../base/errors.ts';
import { contentHash } from '../../../../../base/ids.ts';
import type { Logger } from '../../../../../base/logger.ts';
import { isInside } from '../../../../../base/paths.ts';
import { LineIndex, type Position } from '../../../../../base/positions.ts';
import { childEnvironment, ManagedProcess } from '../../../../../base/processes.ts';
import { TsServerClient } from '../../../../../protocol/tsserver/client.ts';
import { currentVersion } from '../../../../workspace/buffers/currentVersion.ts';
import { unsavedBelow, unsavedBuffer } from '../../../../workspace/buffers/unsaved.ts';
import type { Project } from '../../../../workspace/project.ts';
import { runRipgrep } from '../../../../workspace/ripgrep.ts';
import { decodeText } from '../../../../workspace/textEncoding.ts';
import type { CheckedProblem, RefactorWaiting } from '../../model.ts';
import type { TypeScriptBackend } from './backend.ts';
import { tsserverPath } from '../syntax/compiler.ts';
import { addEdit, type FileEdits } from './trial.ts';
import { formatOptionsFor, quotesIn } from './formatOptions.ts';

export const sourcePattern = /\.(?:[cm]?[jt]sx?)$/;
const maxCandidates = 4000;
const maxNeighbours = 20;

interface OpenFile {
  text: LineIndex;
  hash: string;
  /** Changes whenever the file on disk does. */
  stamp: string;
}

/** A problem as the server tells it. */
export interface TsProblem {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code: number;
  category: 'error' | 'warning' | 'suggestion' | 'message';
  reportsUnnecessary?: object;
  reportsDeprecated?: object;
}

/** What the server proposes to change in one file. */
export interface TsFileChanges {
  fileName: string;
  textChanges: { start: TsPlace; end: TsPlace; newText: string }[];
}

interface TsPlace {
  line: number;
  offset: number;
}

/**
 * The classic TypeScript server of one project. Files are open in it with exactly the content they have on disk when an
 * operation begins; contents that are only being tried out are laid over them for a moment.
 */
export class TypeScriptService implements TypeScriptBackend {
  readonly project: Project;
  readonly #logger: Logger;
  readonly #tsserver: string;
  readonly #open = new Map<string, OpenFile>();
  /** What the server is shown in place of files, for a while. */
  #overlay: ReadonlyMap<string, string | null> = new Map();
  #running: Promise<{ process: ManagedProcess; client: TsServerClient }> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #files = new Map<string, string>();

  /** `tsserver`: the script of another version than the bundled one. `checker`: who checks contents that are tried out, if somebody else. */
  constructor(
    project: Project,
    logger: Logger,
    options: { tsserver?: string; checker?: () => Promise<TypeScriptBackend> } = {},
  ) {
    this.project = project;
    this.#logger = logger;
    this.#tsserver = options.tsserver ?? tsserverPath();
    this.checker = options.checker ?? (() => Promise.resolve(this));
  }

  /** Checks contents of files that exist, faster than this server does where there is another one. */
  readonly checker: () => Promise<TypeScriptBackend>;

  /** Operations follow one another: each sees the files as they are when it starts and leaves no trial content behind. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      await this.#refresh();
      // What it is not shown, the server reads from the disk.
      await this.open(unsavedBelow(this.project.root).filter((path) => sourcePattern.test(path)));
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async request<Body>(command: string, args: unknown, waiting: RefactorWaiting = {}): Promise<Body> {
    const { client } = await this.#started();
    return client.request<Body>(command, args, { signal: waiting.signal });
  }

  /** The text of a file as it is on disk; the file is open in the server afterwards. */
  async text(path: string): Promise<LineIndex> {
    await this.open([path]);
    const known = this.#open.get(path);
    if (known === undefined) throw new ToolError('file_not_found', `${path} does not exist or is not text.`);
    return known.text;
  }

  /** The text of an open file. */
  textNow(path: string): string | undefined {
    return this.#open.get(path)?.text.text;
  }

  /** Changes the server proposes, as edits of the files as they are on disk, or as they are shown to it (overlaid). */
  async editsOf(changes: readonly TsFileChanges[]): Promise<FileEdits> {
    const edits: FileEdits = new Map();
    await this.open(changes.map(({ fileName }) => fileName).filter((file) => sourcePattern.test(file)));
    for (const { fileName, textChanges } of changes) {
      const shown = this.#overlay.get(fileName);
      const text = typeof shown === 'string' ? new LineIndex(shown) : this.#open.get(fileName)?.text;
      for (const { start, end, newText } of textChanges)
        addEdit(edits, fileName, { start: fromTs(start, text), end: fromTs(end, text) }, newText);
    }
    return edits;
  }

  hashOf(path: string): string | undefined {
    return this.#open.get(path)?.hash;
  }

  async open(paths: readonly string[]): Promise<void> {
    const openFiles = [];
    for (const file of paths) {
      if (this.#open.has(file)) continue;
      const loaded = await loadText(file);
      if (loaded === undefined) continue;
      this.#open.set(file, loaded);
      openFiles.push({ file, fileContent: loaded.text.text, projectRootPath: this.project.root });
    }
    if (openFiles.length > 0) await this.request('updateOpen', { openFiles });
  }

  /**
   * Opens every file of the project that mentions a name, so that the server has loaded whatever could refer to it:
   * it looks for references only in the projects of open files and their dependencies.
   */
  async openMentions(name: string, waiting: RefactorWaiting = {}): Promise<string[]> {
    const found: string[] = [];
    const plain = name.replace(/^#/, '');
    await runRipgrep(this.project, {
      args: [
        ...['--files-with-matches', '--null', '--no-require-git', '--fixed-strings', '--word-regexp'],
        ...globs(sourceGlobs),
        ...['--', plain, '.'],
      ],
      separator: '\0',
      signal: waiting.signal,
      onRecord: (record) => found.push(join(this.project.root, record)) <= maxCandidates,
    });
    const files = found.filter((file) => !file.includes('/node_modules/'));
    if (files.length > maxCandidates)
      throw new ToolError(
        'too_large',
        `"${name}" occurs in more than ${maxCandidates} files; that is too many to be sure of.`,
      );
    await this.open(files);
    return files;
  }

  /** Runs `work` while the server sees other contents (null: an emptied file) in place of those on disk. */
  async overlaid<T>(contents: ReadonlyMap<string, string | null>, work: () => Promise<T>): Promise<T> {
    const paths = [...contents.keys()];
    await this.request('updateOpen', {
      openFiles: paths.map((file) => ({
        file,
        fileContent: contents.get(file) ?? '',
        projectRootPath: this.project.root,
      })),
    });
    this.#overlay = contents;
    try {
      return await work();
    } finally {
      this.#overlay = new Map();
      const back = paths.filter((file) => this.#open.has(file));
      await this.request('updateOpen', {
        closedFiles: paths.filter((file) => !this.#open.has(file)),
        openFiles: back.map((file) => ({
          file,
          fileContent: this.#open.get(file)?.text.text ?? '',
          projectRootPath: this.project.root,
        })),
      });
    }
  }

  /** Syntax and type errors of files, as the server sees them now. */
  async problems(paths: readonly string[], waiting: RefactorWaiting = {}): Promise<CheckedProblem[]> {
    const found: CheckedProblem[] = [];
    const sources = paths.filter((file) => sourcePattern.test(file));
    await this.open(sources.filter((file) => !this.#overlay.has(file)));
    for (const file of sources) {
      for (const command of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
        const diagnostics = await this.request<TsProblem[]>(command, { file }, waiting);
        for (const { start, text, code, category } of diagnostics)
          if (category === 'error')
            found.push({ file, line: start.line, column: start.offset, message: text, code: `TS${code}` });
      }
    }
    return found;
  }

  /** Errors and suggestions of one open file. */
  async everyProblem(file: string): Promise<TsProblem[]> {
    const commands = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync'];
    const found: TsProblem[] = [];
    for (const command of commands) found.push(...(await this.request<TsProblem[]>(command, { file })));
    return found;
  }

  async formatFor(path: string): Promise<void> {
    const text = await this.text(path);
    const quotePreference = quotesIn(text.text) ?? (await quotesBeside(path, this.project.root)) ?? 'auto';
    await this.request('configure', {
      file: path,
      formatOptions: formatOptionsFor(text.text),
      preferences: { ...preferences, quotePreference },
    });
  }

  async dispose(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    this.#open.clear();
    await running?.process.kill(0);
  }

  async #started(): Promise<{ process: ManagedProcess; client: TsServerClient }> {
    const known = await this.#running?.catch(() => undefined);
    if (known?.client.isUsable) return known;
    const hadDied = known !== undefined;
    this.#running = this.#start();
    const running = await this.#running;
    if (hadDied) {
      // A new server knows none of the files that were open in the old one.
      const paths = [...this.#open.keys()];
      this.#open.clear();
      await this.open(paths);
    }
    return running;
  }

  async #start(): Promise<{ process: ManagedProcess; client: TsServerClient }> {
    const process_ = await ManagedProcess.start({
      name: 'tsserver',
      command: process.execPath,
      args: [
        '--max-old-space-size=4096',
        this.#tsserver,
        '--disableAutomaticTypingAcquisition',
        '--suppressDiagnosticEvents',
        '--useInferredProjectPerProjectRoot',
        '--locale',
        'en',
      ],
      cwd: this.project.root,
      env: childEnvironment(this.project.env),
    });
    const client = new TsServerClient({
      input: process_.stdin,
      output: process_.stdout,
      logTail: () => process_.stderrTail,
    });
    await client.request('configure', {
      hostInfo: 'sightline',
      preferences,
      watchOptions: {},
    });
    await client.request('compilerOptionsForInferredProjects', {
      options: {
        allowJs: true,
        checkJs: false,
        target: 'ESNext',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        jsx: 'Preserve',
        strict: true,
        allowImportingTsExtensions: true,
        noEmit: true,
      },
    });
    this.#logger.debug(`tsserver started for ${this.project.root} (pid ${process_.pid})`);
    return { process: process_, client };
  }

  /** Brings what the server knows up to what is on disk: changed files are opened with their content, new ones make it look again. */
  async #refresh(): Promise<void> {
    const before = this.#files;
    const now = await this.#listFiles();
    this.#files = now;
    if (this.#running === undefined) return;
    const changed = [...now].filter(([path, stamp]) => before.get(path) !== stamp).map(([path]) => path);
    const reopened = [...this.#open].filter(([path, known]) => now.get(path) !== known.stamp).map(([path]) => path);
    for (const path of reopened) this.#open.delete(path);
    if (reopened.length > 0) await this.request('updateOpen', { closedFiles: reopened });
    const isOtherSet =
      now.size !== before.size || changed.some((path) => !before.has(path) || !sourcePattern.test(path));
    if (isOtherSet) await this.request('reloadProjects', {});
    await this.open([
      ...new Set([...reopened, ...changed.filter((path) => sourcePattern.test(path) && before.has(path))]),
    ]);
  }

  /** Everything a TypeScript project could consist of, with a stamp that changes when the file does. */
  async #listFiles(): Promise<Map<string, string>> {
    const files: string[] = [];
    await runRipgrep(this.project, {
      args: ['--files', '--null', '--no-require-git', ...globs([...sourceGlobs, '*.json']), '--', '.'],
      separator: '\0',
      onRecord: (record) => files.push(join(this.project.root, record)) > 0,
    });
    const stamped = await Promise.all(files.map(async (file) => [file, await stampOf(file)] as const));
    return new Map(stamped);
  }
}

const preferences = {
  providePrefixAndSuffixTextForRename: true,
  allowTextChangesInNewFiles: true,
  allowRenameOfImportPath: false,
  provideRefactorNotApplicableReason: true,
  // Types are read from hovers, and must be there whole.
  maximumHoverLength: 10_000,
};

const sourceGlobs = ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'];

function globs(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => ['--glob', pattern]);
}

export function tsPosition(position: Position): { line: number; offset: number } {
  return { line: position.line, offset: position.column };
}

/** `text`: what the place is in. Once a file was replaced, the server tells the place after the last line end as one more column of that line. */
export function fromTs(place: { line: number; offset: number }, text?: LineIndex): Position {
  const line = text?.lineText(place.line);
  const isPast = line !== undefined && place.offset > line.length + 1 && place.line < (text?.lineCount ?? 0);
  return isPast ? { line: place.line + 1, column: 1 } : { line: place.line, column: place.offset };
}

/** A file without strings is written like its neighbours: those in its folder, or else in the next folder above that has some. */
async function quotesBeside(path: string, root: string): Promise<'single' | 'double' | undefined> {
  for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => sourcePattern.test(name)).sort();
    const files = await Promise.all(names.slice(0, maxNeighbours).map((name) => loadText(join(folder, name))));
    const quotes = quotesIn(files.map((file) => file?.text.text ?? '').join('\n'));
    if (quotes !== undefined || folder === root) return quotes;
  }
  return undefined;
}

async function loadText(path: string): Promise<OpenFile | undefined> {
  const stamp = await stampOf(path);
  const found = await currentVersion(path).catch(() => null);
  const decoded = found?.bytes === undefined ? undefined : decodeText(found.bytes);
  if (found === null || decoded === undefined) return undefined;
  return { text: new LineIndex(decoded.text), hash: found.version.hash, stamp };
}

async function stampOf(path: string): Promise<string> {
  try {
    const stats = await stat(path, { bigint: true });
    const buffer = unsavedBuffer(path);
    return `${stats.ino}:${stats.size}:${stats.mtimeNs}${buffer === undefined ? '' : `:${contentHash(buffer.text)}`}`;
  } catch {
    return 'gone';
  }
}
