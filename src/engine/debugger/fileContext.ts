import { ToolError } from '../../base/errors.ts';
import { LineIndex } from '../../base/positions.ts';
import type { Project } from '../workspace/project.ts';
import { readFileText } from '../workspace/readFile.ts';
import type { Breakpoint } from './breakpoints/breakpointStore.ts';
import { type SourceContext, sourceContext, type SourceTexts } from './sourceText.ts';

/** Source around a line of a file, or of a member of an archive (`lib.jar!/a/B.java`). */
export async function fileContext(
  project: Project,
  sources: SourceTexts,
  place: { file: string; line: number; contextLines: number },
  breakpoints: readonly Breakpoint[],
): Promise<SourceContext> {
  const { file, line } = place;
  const index = /!\/.+$/.test(file)
    ? new LineIndex(
        (await readFileText(project.root, { path: file, maxChars: 2_000_000, maxBytes: 20_000_000 })).content,
      )
    : await sources.lines(file);
  if (index === undefined) throw new ToolError('file_not_found', `${file} is not a file that can be read.`);
  if (line > index.lineCount)
    throw new ToolError('invalid_arguments', `Line ${line} does not exist: the file has ${index.lineCount} lines.`);
  const lines = breakpoints.flatMap((item) => (item.file === file && item.line !== undefined ? [item.line] : []));
  return sourceContext(file, index, line, place.contextLines, lines);
}
