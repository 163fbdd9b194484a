import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { contentHash } from '../../../../base/ids.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import {
  compareProblems,
  proposal,
  type CheckedProblem,
  type Conflict,
  type ExtractRequest,
  type LanguageRefactorer,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../model.ts';
import { RopeProcess } from './ropeProcess.ts';

interface RopeOperation {
  kind: 'write' | 'rename' | 'create' | 'delete';
  path?: string;
  from?: string;
  to?: string;
  content?: string;
}

interface RopeAnswer {
  operations: RopeOperation[];
  summary: string;
  notes: string[];
  conflicts: Conflict[];
}

const maxCheckedFiles = 800;

/** Python, by rope, with the meaning of names checked by ourselves before anything is written. */
export function pythonRefactorer(project: Project, provision: Provision): LanguageRefactorer {
  const rope = new RopeProcess(project, provision);
  const place = (target: RefactorTarget) => ({
    path: target.path,
    line: target.position.line,
    column: target.position.column,
    name: target.name,
  });
  const run = async (op: string, args: unknown, waiting: RefactorWaiting): Promise<Proposal> =>
    checked(project, rope, await rope.request<RopeAnswer>(op, args, waiting), waiting);
  const extract = (what: 'method' | 'variable', request: ExtractRequest, waiting: RefactorWaiting) =>
    run(
      'extract',
      {
        what,
        path: request.path,
        startLine: request.range.start.line,
        startColumn: request.range.start.column,
        endLine: request.range.end.line,
        endColumn: request.range.end.column,
        newName: request.newName,
        scope: request.scope,
        all: request.all,
      },
      waiting,
    );
  return {
    rename: async (target, newName, options, waiting) => {
      if (newName === target.name) throw new ToolError('invalid_arguments', `It is called "${newName}" already.`);
      const proposed = await run('rename', { ...place(target), newName, docs: options.comments }, waiting);
      return { ...proposed, renamed: { from: target.name, to: newName } };
    },
    extractMethod: (request, waiting) => extract('method', request, waiting),
    extractVariable: (request, waiting) => extract('variable', request, waiting),
    inline: (target, options, waiting) => run('inline', { ...place(target), all: options.all }, waiting),
    safeDelete: (target, _options, waiting) => run('safe_delete', place(target), waiting),
    moveSymbol: (target, targetFile, waiting) => run('move_symbol', { ...place(target), targetFile }, waiting),
    moveFile: (from, to, waiting) => run('move_file', { from, to }, waiting),
    problems: (files, waiting) =>
      rope.request('check', { files: files.filter((file) => file.endsWith('.py')) }, waiting),
    dispose: () => rope.dispose(),
  };
}

/** Guards each write by the content rope has seen, and tries the new contents out on the whole project. */
async function checked(
  project: Project,
  rope: RopeProcess,
  answer: RopeAnswer,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const contents: Record<string, string | null> = {};
  const operations: FileOperation[] = [];
  for (const operation of answer.operations) {
    const { path = '', from = '', to = '', content = '' } = operation;
    if (operation.kind === 'write') {
      operations.push({ kind: 'write', path, content, expectedHash: contentHash(await readFile(path)) });
      contents[path] = content;
    } else if (operation.kind === 'create') {
      operations.push({ kind: 'create', path, content });
      contents[path] = content;
    } else if (operation.kind === 'delete') {
      operations.push({ kind: 'delete', path });
      contents[path] = null;
    } else operations.push({ kind: 'rename', from, to });
  }
  const isMove = operations.some((operation) => operation.kind === 'rename');
  const { files } = await listFiles(project, { globs: ['**/*.py'] });
  const all = files.length <= maxCheckedFiles ? files.map((file) => join(project.root, file)) : [];
  const dependents = all.filter((file) => !(file in contents));
  const base = proposal(answer.summary, operations, {
    notes: answer.notes,
    conflicts: answer.conflicts.map(({ kind, message, file, line, column }) => ({ kind, message, file, line, column })),
    dependents,
  });
  if (isMove) return { ...base, tryOnDisk: true };
  const checkedFiles = [...new Set([...Object.keys(contents), ...dependents])];
  const before = await rope.request<CheckedProblem[]>('check', { files: checkedFiles }, waiting);
  const after = await rope.request<CheckedProblem[]>('check', { files: checkedFiles, contents }, waiting);
  for (const problem of compareProblems(before, after).appeared)
    base.conflicts.push({
      kind: 'error',
      message: problem.message,
      file: problem.file,
      line: problem.line,
      column: problem.column,
    });
  return { ...base, tried: { before, after } };
}
