import { z } from 'zod';
import { readFileText } from '../../engine/workspace/readFile.ts';
import { defineTool } from '../defineTool.ts';

/** What an answer holds besides the text itself, and besides each line of it. */
const overheadChars = 600;
const overheadCharsPerLine = 6;

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description:
    'Reads a text file, or a range of its lines, in any encoding; also members of archives ("lib.jar!/a/B.java"). `version` can be passed to later writes.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'read',
  maxChars: 20_000,
  paths: { file_path: 'readable' },
  input: z.object({
    file_path: z.string(),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
    line_numbers: z.boolean().optional().describe('in text answers; true unless told otherwise'),
  }),
  output: z.object({
    file: z.string(),
    content: z.string(),
    startLine: z.int(),
    endLine: z.int(),
    totalLines: z.int().optional(),
    nextLine: z.int().optional().describe('Where to go on when not everything asked for fits'),
    encoding: z.string(),
    bom: z.boolean(),
    lineEnding: z.enum(['lf', 'crlf', 'cr', 'mixed', 'none']),
    size: z.int(),
    version: z.string().optional(),
    cutLine: z.boolean().optional(),
    numbered: z.boolean().optional(),
  }),
  run: async (engines, args, call) => ({
    ...(await readFileText(call.project.root, {
      path: args.file_path,
      startLine: args.start_line,
      endLine: args.end_line,
      maxChars: Math.max(call.budget.maxChars - overheadChars, 100),
      overheadCharsPerLine,
      maxBytes: engines.settings.of(call.project)['files.maxReadBytes'],
      signal: call.signal,
    })),
    ...(args.line_numbers === false ? { numbered: false } : {}),
  }),
  render: (data) => {
    if (data.size === 0) return `${data.file} is empty, version ${data.version ?? ''}`;
    const of = data.totalLines === undefined ? '' : ` of ${data.totalLines}`;
    const version = data.version === undefined ? '' : `, version ${data.version}`;
    const more = data.nextLine === undefined ? '' : `\n(goes on at start_line ${data.nextLine})`;
    const cut = data.cutLine === true ? ' (a long line was cut)' : '';
    // Line ends are kept by edits whatever they are written with, so they need not be seen at each line.
    const pairs = data.content.replaceAll('\r\n', '\n');
    const content = data.lineEnding === 'cr' ? pairs.replaceAll('\r', '\n') : pairs;
    const form = [
      ...(data.encoding === 'utf-8' ? [] : [data.encoding]),
      ...(data.bom ? ['with byte order mark'] : []),
      ...(lineEndNames[data.lineEnding] ?? []),
      ...(data.endLine === data.totalLines && !/[\r\n]$/.test(data.content) ? ['no line end at its end'] : []),
    ].map((each) => `, ${each}`);
    return `${data.file}, lines ${data.startLine}-${data.endLine}${of}${version}${form.join('')}${cut}\n${data.numbered === false ? content : withNumbers(content, data.startLine)}${more}`;
  },
});

/** `12\tcode`: the number, a tab, the line as it is. */
function withNumbers(content: string, startLine: number): string {
  const lines = content.split('\n');
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  return lines.map((line, index) => (index < last ? `${startLine + index}\t${line}` : line)).join('\n');
}

const lineEndNames: Readonly<Record<string, readonly string[]>> = {
  crlf: ['CRLF'],
  cr: ['CR line ends'],
  mixed: ['mixed line ends'],
};
