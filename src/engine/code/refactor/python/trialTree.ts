import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { PeerError } from '../../../../base/errors.ts';
import { contentHash } from '../../../../base/ids.ts';
import { isInside } from '../../../../base/paths.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import { runProgram } from '../../runProgram.ts';
import type { CheckedProblem, RefactorWaiting } from '../model.ts';

interface GitlabProblem {
  check_name: string;
  description: string;
  severity: string;
  location: { path: string; positions: { begin: { line: number; column: number } } };
}

/** More files than these are not copied to try a change out. */
const maxFiles = 6000;
/** So many states of the project are remembered: as it is, as it would be, and what undo goes back to. */
const maxKnownStates = 6;

/** The type checker's errors before and after a change that nobody has written yet. */
export interface Trial {
  before: CheckedProblem[];
  after: CheckedProblem[];
}

/**
 * Changes are carried out on a copy of the project's Python files and checked there. What the type checker said of a state of the
 * project is kept by the hash of that state: after a change was applied, or undone, what it said of the copy holds for the project.
 */
export class TrialTree {
  readonly #project: Project;
  readonly #provision: Provision;
  readonly #known = new Map<string, Promise<CheckedProblem[]>>();

  constructor(project: Project, provision: Provision) {
    this.#project = project;
    this.#provision = provision;
  }

  /** Undefined when there is no type checker; a reason when the change cannot be tried. */
  async try(operations: readonly FileOperation[], waiting: RefactorWaiting): Promise<Trial | string | undefined> {
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
    const copy = await realpath(await mkdtemp(join(tmpdir(), 'sightline-trial-')));
    try {
      const place = (path: string): string =>
        isInside(project.root, path) ? join(copy, path.slice(project.root.length)) : path;
      const state = await copyFiles(project.root, files, copy);
      const environment = [command, python.found ? python.path : '', await packagesStamp(python)].join('\0');
      const keyBefore = keyOf(environment, state);
      for (const operation of operations) await carryOut(operation, place);
      const changed = await hashesOf(copy, await listPython(copy));
      const check = (root: string) => () =>
        problemsIn(root, project, command, python.found ? python.path : undefined, waiting);
      const [before, after] = await Promise.all([
        this.#remembered(keyBefore, check(project.root)),
        this.#remembered(keyOf(environment, changed), check(copy)),
      ]);
      return { before, after };
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }

  async #remembered(key: string, ask: () => Promise<CheckedProblem[]>): Promise<CheckedProblem[]> {
    const known = this.#known.get(key) ?? ask();
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnownStates) break;
      this.#known.delete(oldest);
    }
    try {
      return await known;
    } catch (error) {
      // What failed or was cancelled says nothing about the state.
      this.#known.delete(key);
      throw error;
    }
  }
}

async function copyFiles(root: string, files: readonly string[], copy: string): Promise<Map<string, string>> {
  for (const folder of new Set(files.map((file) => dirname(join(copy, file)))))
    await mkdir(folder, { recursive: true });
  const state = new Map<string, string>();
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(root, file));
      state.set(file, contentHash(content));
      await writeFile(join(copy, file), content);
    }),
  );
  return state;
}

async function hashesOf(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const hashed = files.map(async (file) => [file, contentHash(await readFile(join(root, file)))] as const);
  return new Map(await Promise.all(hashed));
}

async function listPython(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function keyOf(environment: string, state: ReadonlyMap<string, string>): string {
  const lines = [...state].map(([file, hash]) => `${file} ${hash}`).sort();
  return contentHash(Buffer.from([environment, ...lines].join('\n')));
}

/** Installing a package changes what the type checker says of the same files. */
async function packagesStamp(python: Awaited<ReturnType<Provision['locate']>>): Promise<string> {
  if (!python.found) return '';
  const libraries = join(dirname(dirname(python.path)), 'lib');
  const stamps = (await readdir(libraries).catch(() => [])).map(async (name) => {
    const found = await stat(join(libraries, name, 'site-packages')).catch(() => undefined);
    return found === undefined ? '' : `${name} ${found.mtimeMs}`;
  });
  return (await Promise.all(stamps)).filter((stamp) => stamp !== '').join(' ');
}

async function carryOut(operation: FileOperation, place: (path: string) => string): Promise<void> {
  if (operation.kind === 'rename') {
    await mkdir(dirname(place(operation.to)), { recursive: true });
    await rename(place(operation.from), place(operation.to));
  } else if (operation.kind === 'delete') await rm(place(operation.path), { recursive: true, force: true });
  else if (operation.kind === 'write' || operation.kind === 'create') {
    await mkdir(dirname(place(operation.path)), { recursive: true });
    await writeFile(place(operation.path), operation.content ?? '');
  }
}

async function problemsIn(
  root: string,
  project: Project,
  command: string,
  python: string | undefined,
  waiting: RefactorWaiting,
): Promise<CheckedProblem[]> {
  const environment = python === undefined ? [] : ['--python', python];
  const result = await runProgram({
    name: 'ty',
    command,
    args: [
      'check',
      '--output-format',
      'gitlab',
      '--exit-zero',
      '--no-progress',
      ...environment,
      '--project',
      root,
      root,
    ],
    cwd: root,
    env: project.env,
    timeoutMs: 30_000,
    signal: waiting.signal,
  });
  let found: GitlabProblem[];
  try {
    // The format is ty's documented one; anything else is a failure of the program.
    found = JSON.parse(result.stdout) as GitlabProblem[];
  } catch {
    throw new PeerError('ty', 'check', result.stderr.trim().slice(0, 300));
  }
  return found
    .filter(
      (problem) => problem.severity === 'major' || problem.severity === 'critical' || problem.severity === 'blocker',
    )
    .map(({ check_name, description, location }) => ({
      file: join(project.root, location.path),
      line: location.positions.begin.line,
      column: location.positions.begin.column,
      // Paths, line numbers and the function that a type belongs to differ between the copy and the project.
      message: description
        .replaceAll(root, project.root)
        .replace(/:\d+:\d+/g, '')
        .replace(/@\w+/g, ''),
      code: check_name,
    }));
}
