import { counted } from '../../base/text/counted.ts';
import { z } from 'zod';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { severities, type Problem, type Severity } from '../../engine/code/problems/problem.ts';
import type { ProblemReport } from '../../engine/code/problems/problemStore.ts';
import type { Waiting } from '../../engine/code/model.ts';
import { indexState, stateLine } from './address.ts';

const problemItem = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number().optional(),
  severity: z.string(),
  message: z.string(),
  code: z.string().optional(),
  source: z.string(),
});

type ProblemItem = z.output<typeof problemItem>;

export const problemsOutput = z.object({
  problems: z.array(problemItem),
  vanished: z.array(problemItem).optional(),
  totalCount: z.number(),
  counts: z.record(z.string(), z.number()),
  analysedFiles: z.number(),
  wantedFiles: z.number(),
  engines: z.array(z.string()),
  checkpoint: z.string(),
  nextOffset: z.number().optional(),
  index: indexState,
});

interface ProblemArguments {
  files: readonly string[];
  severity?: Severity | undefined;
  since?: string | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

/** The one answer about problems, for both tools that give it. */
export async function analyse(
  workspace: CodeWorkspace,
  args: ProblemArguments,
  waiting: Waiting,
): Promise<z.input<typeof problemsOutput>> {
  const shownUpTo = severities.indexOf(args.severity ?? 'warning');
  const isShown = (problem: Problem) => severities.indexOf(problem.severity) <= shownUpTo;
  if (args.since !== undefined) {
    const { appeared, vanished, report } = await workspace.problems.since(args.since, waiting);
    return {
      ...answerOf(workspace, report, appeared.filter(isShown), args),
      vanished: vanished.filter(isShown).map((problem) => itemOf(workspace, problem)),
    };
  }
  const report = await workspace.problems.report({ files: args.files }, waiting);
  return answerOf(workspace, report, report.problems.filter(isShown), args);
}

function answerOf(
  workspace: CodeWorkspace,
  report: ProblemReport,
  shown: readonly Problem[],
  args: ProblemArguments,
): z.input<typeof problemsOutput> {
  const offset = args.offset ?? 0;
  const page = shown.slice(offset, offset + (args.limit ?? 50));
  const counts: Record<string, number> = {};
  for (const { severity } of report.problems) counts[severity] = (counts[severity] ?? 0) + 1;
  return {
    problems: page.map((problem) => itemOf(workspace, problem)),
    totalCount: shown.length,
    counts,
    analysedFiles: report.analysed,
    wantedFiles: report.wanted,
    engines: report.engines,
    checkpoint: report.checkpoint,
    ...(offset + page.length < shown.length ? { nextOffset: offset + page.length } : {}),
    index: report.index,
  };
}

function itemOf(workspace: CodeWorkspace, problem: Problem): ProblemItem {
  return {
    id: problem.id,
    file: workspace.shown(problem.path),
    line: problem.range.start.line,
    column: problem.range.start.column,
    ...(problem.range.end.line === problem.range.start.line ? {} : { endLine: problem.range.end.line }),
    severity: problem.severity,
    message: problem.message.slice(0, 1000),
    ...(problem.code === undefined ? {} : { code: problem.code }),
    source: problem.source,
  };
}

export function renderProblems(data: z.output<typeof problemsOutput>): string {
  const found = Object.entries(data.counts).map(([severity, count]) => counted(count, severity));
  const coverage = `${data.analysedFiles === data.wantedFiles ? '' : `${data.analysedFiles} of `}${counted(data.wantedFiles, 'file')} analysed by ${data.engines.join(', ') || 'nothing'}`;
  const head =
    data.vanished === undefined
      ? `${found.join(', ') || 'No problems'}; ${coverage}; checkpoint ${data.checkpoint}`
      : `${data.totalCount} appeared, ${data.vanished.length} vanished; now ${found.join(', ') || 'no problems'}; ${coverage}; checkpoint ${data.checkpoint}`;
  return [
    ...stateLine(data.index),
    head,
    ...data.problems.map((item) => line(item, data.vanished === undefined ? '' : '+ ')),
    ...(data.vanished ?? []).map((item) => line(item, '- ')),
    ...(data.nextOffset === undefined ? [] : [`… next: offset ${data.nextOffset}`]),
  ].join('\n');
}

function line(item: ProblemItem, mark: string): string {
  const [first = '', ...rest] = item.message.split('\n');
  const more = rest.length === 0 ? '' : ` … ${rest.at(-1)?.trim() ?? ''}`;
  return `${mark}${item.file}:${item.line}:${item.column} ${item.severity} ${item.code ?? item.source}: ${first}${more} [${item.id}]`;
}
