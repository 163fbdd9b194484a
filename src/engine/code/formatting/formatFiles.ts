import { ToolError, errorMessage } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { Provision } from '../../provision/provision.ts';
import type { AppliedChange, EditApplier } from '../../workspace/edits/applier.ts';
import type { ChangeOrigin, FileOperation } from '../../workspace/edits/operations.ts';
import { readVersion } from '../../workspace/edits/readVersion.ts';
import { diffLines } from '../../workspace/edits/unifiedDiff.ts';
import type { Project } from '../../workspace/project.ts';
import { decodeText } from '../../workspace/textEncoding.ts';
import type { RefactorEngine } from '../refactor/refactorEngine.ts';
import { runFilter } from './filter.ts';
import { formatters, importSorters, unusedImports, type Formatter, type LineRange } from './formatters.ts';

export interface FormatResult {
  applied: AppliedChange;
  /** Which program did what. */
  by: { file: string; formatter: string; changed: boolean }[];
  problems: { file: string; reason: string }[];
}

export interface FormatParts {
  applier: EditApplier;
  refactor: RefactorEngine;
  provision: Provision;
}

/** Formats files with what the project uses, as one change. A file that cannot be formatted is named and the others are done. */
export async function formatFiles(
  parts: FormatParts,
  project: Project,
  files: readonly string[],
  range: LineRange | undefined,
  origin: ChangeOrigin,
  signal?: AbortSignal,
): Promise<FormatResult> {
  return change(parts, project, files, origin, async (file, text) => {
    const { formatter, program } = await choose(parts, project, file, formatters, 'formatter');
    const ranged = range === undefined ? undefined : formatter.args(file, range, project);
    const formatted = await run(project, formatter, program, file, text, ranged, signal);
    return {
      name: formatter.name,
      text: range === undefined || ranged !== undefined ? formatted : onlyLines(text, formatted, range),
    };
  });
}

/** Sorts imports and drops those that are not used, as one change. */
export async function optimizeImports(
  parts: FormatParts,
  project: Project,
  files: readonly string[],
  origin: ChangeOrigin,
  signal?: AbortSignal,
): Promise<FormatResult> {
  return change(parts, project, files, origin, async (file, text) => {
    if (/\.[cm]?[jt]sx?$/.test(file)) {
      const refactorer = await parts.refactor.refactorer(project, file, 'rename');
      if (refactorer.organizeImports !== undefined)
        return { name: 'TypeScript', text: await refactorer.organizeImports(file, { signal }) };
    }
    const { formatter, program } = await choose(parts, project, file, importSorters, 'import sorter');
    const ruff = formatter.name === 'Ruff' ? undefined : await parts.provision.locate('ruff');
    const used = ruff?.found ? await runFilter(project, [ruff.path, ...unusedImports(file)], text, { signal }) : text;
    return { name: formatter.name, text: await run(project, formatter, program, file, used, undefined, signal) };
  });
}

async function run(
  project: Project,
  formatter: Formatter,
  program: string,
  file: string,
  text: string,
  ranged: string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const args = ranged ?? formatter.args(file, undefined, project) ?? [];
  const written = await runFilter(project, [program, ...args], text, { signal, okCodes: formatter.okCodes ?? [] });
  return formatter.textOf?.(written, text) ?? written;
}

/** The text with only those of the changes that touch the lines. */
function onlyLines(before: string, after: string, range: LineRange): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const result: string[] = [];
  let at = 0;
  for (const { aStart, aEnd, bStart, bEnd } of diffLines(a, b)) {
    result.push(...a.slice(at, aStart));
    const isInside = aStart < range.endLine && Math.max(aEnd, aStart + 1) >= range.startLine;
    result.push(...(isInside ? b.slice(bStart, bEnd) : a.slice(aStart, aEnd)));
    at = aEnd;
  }
  return [...result, ...a.slice(at)].join('');
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

async function change(
  parts: FormatParts,
  project: Project,
  files: readonly string[],
  origin: ChangeOrigin,
  work: (file: string, text: string) => Promise<{ name: string; text: string }>,
): Promise<FormatResult> {
  const by: FormatResult['by'] = [];
  const problems: FormatResult['problems'] = [];
  const operations: FileOperation[] = [];
  for (const path of files) {
    const file = displayPath(project.root, path);
    try {
      const found = await readVersion(path);
      const decoded = found?.bytes === undefined ? undefined : decodeText(found.bytes);
      if (found === null || decoded === undefined) throw new ToolError('binary_file', `${file} is not a text file.`);
      const result = await work(path, decoded.text);
      const isChanged = result.text !== decoded.text;
      by.push({ file, formatter: result.name, changed: isChanged });
      if (isChanged) operations.push({ kind: 'write', path, content: result.text, expectedHash: found.version.hash });
    } catch (error) {
      if (files.length === 1) throw error;
      const isNoMatter = error instanceof ToolError && error.code === 'unsupported';
      problems.push({ file, reason: isNoMatter ? 'nothing is configured for it' : errorMessage(error) });
    }
  }
  return { applied: await parts.applier.apply(project, operations, origin), by, problems };
}

async function choose(
  parts: FormatParts,
  project: Project,
  file: string,
  candidates: readonly Formatter[],
  what: string,
): Promise<{ formatter: Formatter; program: string }> {
  const fitting = candidates.filter((one) => one.extensions.test(file));
  const missing: string[] = [];
  const ordered = [
    ...fitting.filter((one) => one.isConfigured(project, file)),
    ...fitting.filter((one) => one.isStandard && !one.isConfigured(project, file)),
  ];
  for (const formatter of ordered) {
    if (formatter.runsProjectCode && !project.trusted)
      throw new ToolError(
        'project_not_trusted',
        `${formatter.name} is part of the project, which is not trusted, so it is not run.`,
        {
          hint: `A person can trust it: sightline trust ${project.root}`,
        },
      );
    const [program] = formatter.programs(project, file);
    if (program !== undefined) return { formatter, program };
    if (formatter.name === 'Ruff') {
      const located = await parts.provision.locate('ruff');
      if (located.found) return { formatter, program: located.path };
      missing.push(`Ruff (${located.installCommand})`);
    } else missing.push(formatter.name);
  }
  const shown = displayPath(project.root, file);
  if (missing.length > 0)
    throw new ToolError('engine_missing', `No ${what} for ${shown} was found; looked for ${missing.join(', ')}.`, {
      hint: 'Install one of them, in the project or on the PATH.',
    });
  throw new ToolError('unsupported', `The project has no ${what} configured for ${shown}.`, {
    hint: 'Prettier, Biome, oxfmt, ESLint, Ruff, Black, gofmt, rustfmt, clang-format and google-java-format are known.',
  });
}
