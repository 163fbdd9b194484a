import { z } from 'zod';
import { readFileText } from '../../engine/workspace/readFile.ts';
import { defineTool } from '../defineTool.ts';
import { numberedLine, type Overlay, overlayNotes, overlayOf, overlayParameter, overlayShape } from '../overlay.ts';

/** What an answer holds besides the text itself, and besides each line of it. */
const overheadChars = 600;
const overheadCharsPerLine = 6;
const overlayCharsPerLine = 10;

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description:
    'Reads a text file or lines of it, in any encoding; also members of archives ("lib.jar!/a/B.java"). Later writes may demand its `version`.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'read',
  maxChars: 20_000,
  paths: { file_path: 'readable' },
  input: z.object({
    file_path: z.string(),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
    line_numbers: z.boolean().optional(),
    overlay: overlayParameter,
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
    overlay: overlayShape.optional(),
  }),
  run: async (engines, args, call) => {
    const overlayIn = (range: { startLine: number; endLine: number }) =>
      args.overlay === true ? overlayOf(engines, call, args.file_path, range) : undefined;
    // Refused at once where no lines were counted.
    overlayIn({ startLine: 1, endLine: 0 });
    const text = await readFileText(call.project.root, {
      path: args.file_path,
      startLine: args.start_line,
      endLine: args.end_line,
      maxChars: Math.max(call.budget.maxChars - overheadChars, 100),
      overheadCharsPerLine: overheadCharsPerLine + (args.overlay === true ? overlayCharsPerLine : 0),
      maxBytes: engines.settings.of(call.project)['files.maxReadBytes'],
      signal: call.signal,
    });
    const overlay = overlayIn(text);
    return {
      ...text,
      ...(args.line_numbers === false ? { numbered: false } : {}),
      ...(overlay === undefined ? {} : { overlay }),
    };
  },
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
      ...(data.overlay === undefined ? [] : [`with how often each statement began in ${data.overlay.run}`]),
      ...(data.encoding === 'utf-8' ? [] : [data.encoding]),
      ...(data.bom ? ['with byte order mark'] : []),
      ...(lineEndNames[data.lineEnding] ?? []),
      ...(data.endLine === data.totalLines && !/[\r\n]$/.test(data.content) ? ['no line end at its end'] : []),
    ].map((each) => `, ${each}`);
    return `${data.file}, lines ${data.startLine}-${data.endLine}${of}${version}${form.join('')}${cut}\n${data.numbered === false && data.overlay === undefined ? content : withNumbers(content, data.startLine, data.overlay?.ran)}${more}${wroteLine(data.overlay)}`;
  },
});

function wroteLine(overlay: Overlay | undefined): string {
  const [, wrote] = overlay === undefined ? [] : overlayNotes(overlay);
  return wrote === undefined ? '' : `\n${wrote}`;
}

function withNumbers(content: string, startLine: number, ran?: Overlay['ran']): string {
  const lines = content.split('\n');
  const last = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  return lines.map((line, index) => (index < last ? numberedLine(startLine + index, line, ran) : line)).join('\n');
}

const lineEndNames: Readonly<Record<string, readonly string[]>> = {
  crlf: ['CRLF'],
  cr: ['CR line ends'],
  mixed: ['mixed line ends'],
};
