import { z } from 'zod';
import { coverageFormats } from '../../engine/workspace/coverage/model.ts';
import { getCoverageData } from '../../engine/workspace/coverage/getCoverage.ts';
import { defineTool } from '../defineTool.ts';
import { renderCoverage } from './coverageText.ts';

const tally = { lines: z.int(), covered: z.int(), percent: z.number() };

const coverageOutput = z.object({
  format: z.enum(coverageFormats),
  /** The report that was read; absent for what the last run with coverage left. */
  report: z.string().optional(),
  /** Others that lie in the project. */
  otherReports: z.array(z.string()).optional(),
  madeAt: z.string(),
  total: z.object({ ...tally, files: z.int() }),
  /** Of lines that a commit does not have. */
  changed: z
    .object({
      ...tally,
      commit: z.string(),
      files: z.int(),
      /** Changed files that no test loaded. */
      unmeasured: z.array(z.string()).optional(),
    })
    .optional(),
  files: z.array(
    z.object({
      file: z.string(),
      ...tally,
      changed: z.object(tally).optional(),
      stale: z.literal(true).optional(),
      /** Ranges of lines that did not run: "4-7, 12". */
      uncovered: z.string(),
      /** Some of them with their text, changed ones first. */
      uncoveredLines: z
        .array(z.object({ line: z.int(), text: z.string(), changed: z.literal(true).optional() }))
        .optional(),
    }),
  ),
  /** Files with something that did not run that are not shown. */
  moreFiles: z.int().optional(),
  /** Files in which everything ran. */
  fullyCovered: z.int(),
  /** The answer about one line. */
  line: z
    .object({
      file: z.string(),
      line: z.int(),
      text: z.string(),
      /** Absent for a line without code. */
      ran: z.boolean().optional(),
      /** Absent where the tool does not tell. */
      tests: z.array(z.string()).optional(),
    })
    .optional(),
  unknownFiles: z.array(z.string()).optional(),
  notes: z.array(z.string()).optional(),
});

export type CoverageOutput = z.output<typeof coverageOutput>;

export const getCoverage = defineTool({
  name: 'get_coverage',
  title: 'Get coverage',
  description:
    'Which lines tests ran: totals, changed lines (since a commit, default HEAD), lines that did not run with their text, worst first. Of the last run_tests {coverage: true}, or a report (lcov, Cobertura, JaCoCo, Istanbul, ...) given or found. With one file and line: which tests ran it, where the tool tells.',
  faces: ['workspace'],
  toolset: 'tests',
  effect: 'read',
  paths: { files: 'existing', report: 'file' },
  input: z.object({
    files: z.array(z.string()).optional(),
    line: z.int().min(1).optional(),
    changed_only: z.boolean().optional(),
    changed_since: z.string().optional().describe('a commit'),
    report: z.string().optional(),
    limit: z.int().min(1).max(500).default(20),
  }),
  output: coverageOutput,
  run: (_engines, args, call) =>
    getCoverageData(call.project, {
      within: args.files,
      line: args.line,
      changedOnly: args.changed_only === true,
      commit: args.changed_since,
      report: args.report,
      limit: args.limit,
      signal: call.signal,
    }),
  render: renderCoverage,
});
