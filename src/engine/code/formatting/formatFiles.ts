import { isScriptFile } from '../../../base/languages/byPath.ts';
import { ToolError, errorMessage } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { Provision } from '../../provision/provision.ts';
import type { AppliedChange, EditApplier } from '../../workspace/edits/applier.ts';
import type { ChangeOrigin, FileOperation } from '../../workspace/edits/operations.ts';
import { currentVersion } from '../../workspace/buffers/currentVersion.ts';
import { uniformLineEnd, withLineEnds } from '../../workspace/edits/text/textEdits.ts';
import type { RecordedRun, WorkingTree } from '../../workspace/localHistory/workingTree.ts';
import type { Project } from '../../workspace/project.ts';
import { decodeText } from '../../workspace/textEncoding.ts';
import type { RefactorEngine } from '../refactor/refactorEngine.ts';
import { chooseFormatter } from './chooseFormatter.ts';
import { runFilter } from './filter.ts';
import { checkLines, formatLines } from './formatLines.ts';
import type { Formatter, LineRange } from './formatter.ts';
import { formatters, importSorters } from './formatters/index.ts';
import { unusedImports } from './formatters/ruff.ts';

export interface FormatResult {
  applied: AppliedChange;
  /** Which program did what. */
  by: { file: string; formatter: string; changed: boolean }[];
  problems: { file: string; reason: string }[];
  /** What formatters wrote themselves, plugins of theirs for one: they are asked for a text and nothing else. */
  besides?: RecordedRun;
}

export interface FormatParts {
  applier: EditApplier;
  refactor: RefactorEngine;
  provision: Provision;
  workingTree: WorkingTree;
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
  const isProjectCode = files.some((file) =>
    formatters.some((one) => one.runsProjectCode && one.extensions.test(file) && one.isConfigured(project, file)),
  );
  const record =
    isProjectCode && project.trusted
      ? await parts.workingTree.begin(project, { ...origin, summary: 'written by a formatter itself' })
      : undefined;
  return change(parts, project, files, origin, record, async (file, text) => {
    const { formatter, program } = await chooseFormatter(parts.provision, project, file, formatters, knownFormatters);
    const shown = displayPath(project.root, file);
    if (range !== undefined) checkLines(shown, text, range);
    const ranged = range === undefined ? undefined : formatter.args(file, range, project);
    const format = async (input: string): Promise<string> =>
      likeBefore(text, await run(project, formatter, program, file, input, ranged, signal));
    const isCutOut = range !== undefined && ranged === undefined;
    return {
      name: formatter.name,
      text: isCutOut ? await formatLines(shown, text, range, format) : await format(text),
    };
  });
}

/** A text that is to be written to a file, in the form that the project's formatter gives it. */
export async function formatText(
  { provision }: Pick<FormatParts, 'provision'>,
  project: Project,
  file: string,
  text: string,
  signal?: AbortSignal,
): Promise<string> {
  const { formatter, program } = await chooseFormatter(provision, project, file, formatters, knownFormatters);
  return likeBefore(text, await run(project, formatter, program, file, text, undefined, signal));
}

const knownFormatters = {
  name: 'formatter',
  known: 'Prettier, Biome, oxfmt, ESLint, Ruff, Black, gofmt, rustfmt, clang-format and google-java-format are known.',
};
const knownSorters = {
  name: 'import sorter',
  known: 'Imports of TypeScript, JavaScript and Python are sorted.',
};

/** Line ends stay what they are, whichever a formatter prefers. */
function likeBefore(before: string, after: string): string {
  const lineEnd = uniformLineEnd(before);
  return lineEnd === undefined ? after : withLineEnds(after, lineEnd);
}

/** Sorts imports and drops those that are not used, as one change. */
export async function optimizeImports(
  parts: FormatParts,
  project: Project,
  files: readonly string[],
  origin: ChangeOrigin,
  signal?: AbortSignal,
): Promise<FormatResult> {
  return change(parts, project, files, origin, undefined, async (file, text) => {
    if (isScriptFile(file)) {
      const refactorer = await parts.refactor.refactorer(project, file, 'rename');
      if (refactorer.organizeImports !== undefined)
        return { name: 'TypeScript', text: await refactorer.organizeImports(file, { signal }) };
    }
    const { formatter, program } = await chooseFormatter(parts.provision, project, file, importSorters, knownSorters);
    const ruff = formatter.name === 'Ruff' ? undefined : await parts.provision.locate('ruff', project);
    const used = ruff?.found ? await runFilter(project, [ruff.path, ...unusedImports(file)], text, { signal }) : text;
    const sorted = await run(project, formatter, program, file, used, undefined, signal);
    return { name: formatter.name, text: likeBefore(text, sorted) };
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
  if (written.trim() === '' && text.trim() !== '')
    throw new ToolError('command_failed', `${formatter.name} wrote nothing for ${displayPath(project.root, file)}.`, {
      hint: 'Nothing was changed. Its configuration may exclude the file.',
    });
  return formatter.textOf?.(written, text) ?? written;
}

async function change(
  parts: FormatParts,
  project: Project,
  files: readonly string[],
  origin: ChangeOrigin,
  record: (() => Promise<RecordedRun>) | undefined,
  work: (file: string, text: string) => Promise<{ name: string; text: string }>,
): Promise<FormatResult> {
  const by: FormatResult['by'] = [];
  const problems: FormatResult['problems'] = [];
  const operations: FileOperation[] = [];
  let besides: RecordedRun | undefined;
  try {
    for (const path of files) {
      const file = displayPath(project.root, path);
      try {
        const found = await currentVersion(path);
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
  } finally {
    besides = await record?.();
  }
  return { applied: await parts.applier.apply(project, operations, origin), by, problems, besides };
}
