import { counted } from '../../../base/text/counted.ts';
import { displayPath } from '../../../base/paths.ts';
import type { ErrorDelta, ErrorPlace } from '../../workspace/edits/applier.ts';
import type { Project } from '../../workspace/project.ts';
import type { CheckedProblem } from './model.ts';

/** Which errors a change brought, and which it took away. */
export interface ProblemDelta {
  appeared: CheckedProblem[];
  vanished: CheckedProblem[];
}

/** The same for the caller. */
export function shownDelta(project: Project, delta: ProblemDelta): ErrorDelta {
  return { appeared: shownProblems(project, delta.appeared), vanished: shownProblems(project, delta.vanished) };
}

/** The first thing to be said of a change after which there are more errors. */
export function hasErrors(problems: readonly ErrorPlace[]): string {
  const [first] = problems;
  if (first === undefined) return '';
  return `${counted(problems.length, 'error')} that ${problems.length === 1 ? 'was' : 'were'} not there before: ${first.file}:${first.line} ${first.message.replace(/\.$/, '')}`;
}

function shownProblems(project: Project, problems: readonly CheckedProblem[]): ErrorPlace[] {
  return problems
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ file, line, message }) => ({
      file: displayPath(project.root, file),
      line,
      message: message.replaceAll(`${project.root}/`, ''),
    }));
}
