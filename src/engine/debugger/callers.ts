import { withTimeout } from '../../base/cancellation.ts';
import { pairedNumbers } from './identities.ts';
import type { StackFrame, ValueLimits, Variable } from './model.ts';
import type { FrameView } from './report.ts';
import type { SourceTexts } from './sourceText.ts';
import { statementAround } from './statement.ts';
import type { Target } from './target.ts';

/** So many frames of a failure tell what they were called with. */
export const maxToldCallers = 12;
const maxArguments = 20;
const argumentsMs = 3000;

/** Of a failure, the user's own callers with what they were called with, and the line on which they call. */
export function callers(
  target: Target,
  sources: SourceTexts,
  frames: readonly StackFrame[],
  current: number,
  limits: ValueLimits,
): Promise<FrameView[]> {
  return Promise.all(
    frames.map(async (frame, index) => {
      const view = frameView(frame, current);
      if (index === 0 || frame.isLibrary || index > maxToldCallers) return view;
      const [code, given] = await Promise.all([
        lineOf(sources, frame),
        frame.isLive ? withTimeout(argumentsOf(target, frame, limits), argumentsMs).catch(() => []) : [],
      ]);
      return { ...view, ...(code === undefined ? {} : { code }), ...(frame.isLive ? { arguments: given } : {}) };
    }),
  );
}

/** The whole statement, on one line. */
async function lineOf(sources: SourceTexts, frame: StackFrame): Promise<string | undefined> {
  const { file, line } = frame.location ?? {};
  const index = file === undefined ? undefined : await sources.lines(file);
  if (index === undefined || line === undefined) return undefined;
  const { start, end } = statementAround(index, line);
  const lines = Array.from({ length: end - start + 1 }, (_, at) => index.lineText(start + at)?.trim() ?? '');
  return lines.join(' ');
}

async function argumentsOf(target: Target, frame: StackFrame, limits: ValueLimits): Promise<Variable[]> {
  const scopes = await target.scopes(frame.id);
  const own = scopes.filter((scope) => scope.kind === 'locals' || scope.kind === 'arguments');
  const short = {
    ...limits,
    maxValueChars: Math.floor(limits.maxValueChars / 2),
    depth: Math.max(limits.depth - 1, 1),
  };
  const pages = await Promise.all(
    own.map((scope) => target.variables(scope.reference, { start: 0, count: maxArguments }, short)),
  );
  const given = pages.flatMap((page) => page.variables.filter((each) => each.kind === 'argument'));
  return pairedNumbers(given);
}

export function frameView(frame: StackFrame, currentIndex: number): FrameView {
  return {
    index: frame.index,
    name: frame.name,
    isLibrary: frame.isLibrary,
    isCurrent: frame.index === currentIndex,
    className: frame.className,
    methodName: frame.methodName,
    ...(frame.location?.file === undefined ? {} : { file: frame.location.file }),
    ...(frame.location === undefined ? {} : { line: frame.location.line }),
    ...(frame.location?.column === undefined ? {} : { column: frame.location.column }),
    ...(frame.asyncLabel === undefined ? {} : { asyncLabel: frame.asyncLabel }),
  };
}
