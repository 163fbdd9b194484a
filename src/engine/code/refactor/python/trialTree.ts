import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unreferencedDelay } from '../../../../base/cancellation.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import type { CheckedProblem, RefactorWaiting } from '../model.ts';
import { ProjectCopy } from './projectCopy.ts';
import { withoutPlaces } from './tyMessages.ts';
import { TypeChecker } from './typeChecker.ts';

/** More files than these are not copied to try a change out. */
const maxFiles = 6000;
/** Whoever refactors goes on soon; the copy and the checker are not kept for longer. */
const maxIdleMs = 5 * 60_000;
/** A checker that has not answered by then is not waited for: the change is told as unchecked. */
const maxTrialMs = 20_000;

/** The type checker's errors before and after a change that nobody has written yet. */
interface Trial {
  before: CheckedProblem[];
  after: CheckedProblem[];
}

interface Running {
  copy: ProjectCopy;
  checker: TypeChecker;
  start(): Promise<TypeChecker>;
  /** What decides besides the files: the checker, the interpreter and its packages. */
  environment: string;
  /** What the checker says of the copy as it is; undefined when files have changed since. */
  errors: CheckedProblem[] | undefined;
}

/**
 * Changes are carried out on a copy of the project's Python files, checked there and taken back. The copy and the checker live on between
 * refactorings: of the next change only what it reaches is looked at.
 */
export class TrialTree {
  readonly #project: Project;
  readonly #provision: Provision;
  #running: Running | undefined;
  /** One at a time: there is one copy. */
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(project: Project, provision: Provision) {
    this.#project = project;
    this.#provision = provision;
  }

  /** Lets the checker read the project while somebody else works out what to change. */
  prepare(): void {
    this.#alone(async () => {
      const running = await this.#current();
      if (typeof running === 'object') await this.#before(running, {});
    }).catch(() => undefined);
  }

  /** Undefined when there is no type checker; a reason when the change cannot be tried. */
  async try(operations: readonly FileOperation[], waiting: RefactorWaiting): Promise<Trial | string | undefined> {
    const attempt = this.#attempt(operations, waiting);
    const late = Symbol('late');
    attempt.catch(() => undefined);
    const limits = [
      unreferencedDelay(maxTrialMs),
      ...(waiting.checkBy === undefined ? [] : [abortOf(waiting.checkBy)]),
    ];
    const first = await Promise.race([attempt, ...limits.map((limit) => limit.then(() => late))]);
    if (first !== late) return attempt;
    // Whoever waits for its answer is told that it has ended, and the next one starts another.
    await this.dispose();
    return 'the type checker did not answer in time: it was not asked about the result';
  }

  #attempt(operations: readonly FileOperation[], waiting: RefactorWaiting): Promise<Trial | string | undefined> {
    return this.#alone(async () => {
      const running = await this.#current();
      if (typeof running !== 'object') return running;
      const { copy, checker } = running;
      const before = await this.#before(running, waiting);
      const changes = await copy.carryOut(operations);
      if (!TypeChecker.canFollow(changes)) {
        const after = await this.#errorsAfresh(running, waiting);
        await copy.takeBack();
        return { before, after };
      }
      checker.tell(changes);
      const after = await this.#errors(running, waiting);
      checker.tell(await copy.takeBack());
      return { before, after };
    });
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    await running.checker.dispose();
    await rm(running.copy.root, { recursive: true, force: true });
  }

  /** After a failure nobody knows what the copy holds and what the checker has seen: the next one starts afresh. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      clearTimeout(this.#idle);
      try {
        return await work();
      } catch (error) {
        await this.dispose();
        throw error;
      } finally {
        this.#idle = setTimeout(() => void this.#alone(() => this.dispose()), maxIdleMs).unref();
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #before(running: Running, waiting: RefactorWaiting): Promise<CheckedProblem[]> {
    running.errors ??= await this.#errors(running, waiting);
    return running.errors;
  }

  /** The copy and the checker as the project is now. */
  async #current(): Promise<Running | string | undefined> {
    const project = this.#project;
    const [ty, python] = await Promise.all([
      this.#provision.locate('ty', project),
      this.#provision.locate('python', project),
    ]);
    const [command] = ty.found ? ty.command : [];
    if (command === undefined) return undefined;
    const { files } = await listFiles(project, { globs: ['**/*.py', '**/*.pyi', '**/pyproject.toml', '**/ty.toml'] });
    if (files.length > maxFiles)
      return `the project has ${files.length} Python files: the type checker was not asked about the result`;
    const interpreter = python.found ? python.path : undefined;
    const environment = [command, interpreter ?? '', await packagesStamp(interpreter)].join('\0');
    const known = this.#running;
    if (known?.environment === environment && known.checker.isAlive) {
      const changes = await known.copy.follow(files);
      // Settings decide how everything is read.
      if (TypeChecker.canFollow(changes) && !changes.some(({ path }) => path.endsWith('.toml'))) {
        if (changes.length > 0) known.errors = undefined;
        known.checker.tell(changes);
        return known;
      }
    }
    await this.dispose();
    const root = await realpath(await scratchFolder('trial'));
    const copy = new ProjectCopy(project.root, root);
    try {
      await copy.follow(files);
      const start = () => TypeChecker.start(root, command, interpreter, project.env);
      this.#running = { copy, checker: await start(), start, environment, errors: undefined };
      return this.#running;
    } catch (error) {
      await rm(root, { recursive: true, force: true });
      throw error;
    }
  }

  /** By a checker that has not seen the copy as it was; the one that has is left in its belief. */
  async #errorsAfresh(running: Running, waiting: RefactorWaiting): Promise<CheckedProblem[]> {
    const checker = await running.start();
    try {
      return await this.#errors({ ...running, checker }, waiting);
    } finally {
      await checker.dispose();
    }
  }

  async #errors({ copy, checker }: Running, waiting: RefactorWaiting): Promise<CheckedProblem[]> {
    const { root } = this.#project;
    return (await checker.errors(waiting.signal)).map(({ file, line, column, message, code }) => ({
      file: join(root, file),
      line,
      column,
      // The copy lies elsewhere than the project.
      message: withoutPlaces(message.replaceAll(copy.root, root)),
      code,
    }));
  }
}

async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Installing a package changes what the type checker says of the same files. */
async function packagesStamp(python: string | undefined): Promise<string> {
  if (python === undefined) return '';
  const libraries = join(dirname(dirname(python)), 'lib');
  const stamps = (await readdir(libraries).catch(() => [])).map(async (name) => {
    const found = await stat(join(libraries, name, 'site-packages')).catch(() => undefined);
    return found === undefined ? '' : `${name} ${found.mtimeMs}`;
  });
  return (await Promise.all(stamps)).filter((stamp) => stamp !== '').join(' ');
}
