import { resolve } from 'node:path';
import type { LineIndex, Range } from '../../../base/positions.ts';
import type { LintFix, Severity } from './problem.ts';

/** One finding of a linter, in our coordinates. */
export interface LintFinding {
  path: string;
  range: Range;
  severity: Severity;
  code: string | undefined;
  message: string;
  /** The linter's own fix, for the text that it saw. */
  fix?: (text: LineIndex) => LintFix;
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
    fix?: { range: [number, number]; text: string };
  }[];
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
        ...(message.fix === undefined ? {} : { fix: eslintFix(message.ruleId ?? 'the problem', message.fix) }),
      };
    }),
  );
}

function eslintFix(rule: string, { range: [start, end], text: newText }: { range: [number, number]; text: string }) {
  return (text: LineIndex): LintFix => ({
    title: `Fix ${rule}`,
    edits: [{ range: { start: text.positionAt(start), end: text.positionAt(end) }, newText }],
  });
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
    message: string | null;
    applicability: string;
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
    ...(item.fix === undefined || item.fix === null ? {} : { fix: ruffFix(item.fix) }),
  }));
}

function ruffFix(fix: NonNullable<RuffFinding['fix']>) {
  // Ruff counts characters; columns here count UTF-16 units.
  const place = (text: LineIndex, { row, column }: { row: number; column: number }) => ({
    line: row,
    column:
      Array.from(text.lineText(row) ?? '')
        .slice(0, column - 1)
        .join('').length + 1,
  });
  const unsafe = fix.applicability === 'safe' ? '' : ' (may change what the code does)';
  return (text: LineIndex): LintFix => ({
    title: `${fix.message ?? 'Apply the fix'}${unsafe}`,
    edits: fix.edits.map((edit) => ({
      range: { start: place(text, edit.location), end: place(text, edit.end_location) },
      newText: edit.content,
    })),
  });
}
