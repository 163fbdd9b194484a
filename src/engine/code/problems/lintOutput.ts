import { resolve } from 'node:path';
import type { Range } from '../../../base/positions.ts';
import type { Severity } from './problem.ts';

/** One finding of a linter; columns are counted as the linter counts them. */
export interface LintFinding {
  path: string;
  range: Range;
  severity: Severity;
  code: string | undefined;
  message: string;
  fixes?: readonly FoundFix[];
}

export interface FoundFix {
  title: string;
  safe: boolean;
  /** By offsets (UTF-16) or by positions. */
  edits: readonly { at: Range | readonly [start: number, end: number]; newText: string }[];
}

interface EslintFile {
  filePath: string;
  messages: {
    ruleId: string | null;
    severity: number;
    message: string;
    line?: number;
    column?: number;
    endLine?: number;
    endColumn?: number;
    fix?: EslintFix;
    suggestions?: { desc: string; fix: EslintFix }[];
  }[];
}

interface EslintFix {
  range: [number, number];
  text: string;
}

export function parseEslint(output: string, root: string): LintFinding[] {
  const files = JSON.parse(output) as EslintFile[];
  return files.flatMap((file) =>
    file.messages.map((message) => {
      const start = { line: message.line ?? 1, column: message.column ?? 1 };
      return {
        path: resolve(root, file.filePath),
        range: { start, end: { line: message.endLine ?? start.line, column: message.endColumn ?? start.column } },
        severity: message.severity === 2 ? 'error' : 'warning',
        code: message.ruleId ?? undefined,
        message: message.message,
        fixes: [
          ...(message.fix === undefined
            ? []
            : [eslintFix(`Fix ${message.ruleId ?? 'the problem'}`, true, message.fix)]),
          ...(message.suggestions ?? []).map(({ desc, fix }) => eslintFix(desc, false, fix)),
        ],
      };
    }),
  );
}

function eslintFix(title: string, safe: boolean, fix: EslintFix): FoundFix {
  return { title, safe, edits: [{ at: fix.range, newText: fix.text }] };
}

interface OxlintReport {
  diagnostics: {
    message: string;
    code?: string;
    severity: string;
    filename: string;
    labels: { span: { length: number; line: number; column: number } }[];
  }[];
}

export function parseOxlint(output: string, root: string): LintFinding[] {
  const report = JSON.parse(output) as OxlintReport;
  return report.diagnostics.map((item) => {
    const span = item.labels[0]?.span ?? { length: 0, line: 1, column: 1 };
    const start = { line: span.line, column: span.column };
    return {
      path: resolve(root, item.filename),
      range: { start, end: { line: start.line, column: start.column + span.length } },
      severity: item.severity === 'error' ? 'error' : 'warning',
      code: item.code,
      message: item.message,
    };
  });
}

interface RuffFinding {
  code: string | null;
  message: string;
  filename: string;
  location: { row: number; column: number };
  end_location: { row: number; column: number };
  fix?: {
    applicability: string;
    message: string | null;
    edits: {
      content: string;
      location: { row: number; column: number };
      end_location: { row: number; column: number };
    }[];
  } | null;
}

export function parseRuff(output: string, root: string): LintFinding[] {
  const findings = JSON.parse(output) as RuffFinding[];
  return findings.map((item) => ({
    path: resolve(root, item.filename),
    range: {
      start: { line: item.location.row, column: item.location.column },
      end: { line: item.end_location.row, column: item.end_location.column },
    },
    // Ruff has no severities; what keeps a file from being parsed is an error.
    severity: item.code === null || item.code === 'invalid-syntax' || item.code.startsWith('E9') ? 'error' : 'warning',
    code: item.code ?? undefined,
    message: item.message,
    fixes:
      item.fix === null || item.fix === undefined
        ? []
        : [
            {
              title: `${item.fix.message ?? 'Apply the fix'}${item.fix.applicability === 'safe' ? '' : ' (may change what the code does)'}`,
              safe: item.fix.applicability === 'safe',
              edits: item.fix.edits.map(({ content, location, end_location: end }) => ({
                at: {
                  start: { line: location.row, column: location.column },
                  end: { line: end.row, column: end.column },
                },
                newText: content,
              })),
            },
          ],
  }));
}

interface BiomeReport {
  diagnostics: {
    severity: string;
    message: string;
    category: string | null;
    location: { path: string; start: { line: number; column: number }; end: { line: number; column: number } } | null;
  }[];
}

export function parseBiome(output: string, root: string): LintFinding[] {
  const report = JSON.parse(output) as BiomeReport;
  return report.diagnostics.flatMap(({ severity, message, category, location }) => {
    if (location === null || category === null || !/^(lint|parse)\b/.test(category)) return [];
    return [
      {
        path: resolve(root, location.path),
        range: { start: location.start, end: location.end },
        severity: severity === 'fatal' || severity === 'error' ? 'error' : severity === 'warning' ? 'warning' : 'info',
        code: category,
        message,
      },
    ];
  });
}
