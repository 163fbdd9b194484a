import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PeerError } from '../../../../base/errors.ts';
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
const maxFiles = 3000;

/**
 * The type checker's errors before and after a change that nobody has written yet: it is carried out on a copy of the project's Python
 * files. Undefined when there is no type checker or the project is too large to be copied for each refactoring.
 */
export async function tryInCopy(
  project: Project,
  provision: Provision,
  operations: readonly FileOperation[],
  waiting: RefactorWaiting,
): Promise<{ before: CheckedProblem[]; after: CheckedProblem[] } | undefined> {
  const [ty, python] = await Promise.all([provision.locate('ty', project), provision.locate('python', project)]);
  const [command] = ty.found ? ty.command : [];
  if (command === undefined) return undefined;
  const { files } = await listFiles(project, { globs: ['**/*.py', '**/*.pyi', '**/pyproject.toml', '**/ty.toml'] });
  if (files.length > maxFiles) return undefined;
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'sightline-trial-')));
  try {
    const place = (path: string): string =>
      isInside(project.root, path) ? join(copy, path.slice(project.root.length)) : path;
    for (const folder of new Set(files.map((file) => dirname(join(copy, file)))))
      await mkdir(folder, { recursive: true });
    await Promise.all(files.map((file) => cp(join(project.root, file), join(copy, file))));
    for (const operation of operations) await carryOut(operation, place);
    const check = (root: string): Promise<CheckedProblem[]> =>
      problemsIn(root, project, command, python.found ? python.path : undefined, waiting);
    const [before, after] = await Promise.all([check(project.root), check(copy)]);
    return { before, after };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
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
    timeoutMs: 20_000,
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
