import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';
import { overlayNotes, overlayOf, overlayParameter, overlayShape } from '../overlay.ts';
import { sourceLines } from './shapes/progress.ts';
import { sessionId, sourceContextShape } from './shapes/shapes.ts';

export const getSourceContext = defineTool({
  name: 'get_source_context',
  title: 'Source context',
  description:
    'Source around the current location or a given file and line; library files, generated code and archive members too.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'read',
  rare: ['overlay'],
  paths: { file_path: 'readable' },
  input: z.object({
    file_path: z.string().optional(),
    line: z.int().min(1).optional(),
    context_lines: z.int().min(0).max(500).optional(),
    session_id: sessionId,
    overlay: overlayParameter,
  }),
  output: sourceContextShape.extend({ overlay: overlayShape.optional() }),
  run: async (engines, args, call) => {
    const context = await engines.debugger.sourceContext(call.project, {
      contextLines: args.context_lines ?? 10,
      file: args.file_path,
      line: args.line,
      sessionId: args.session_id,
    });
    return args.overlay === true ? { ...context, overlay: overlayOf(engines, call, context.file, context) } : context;
  },
  render: (data, _budget, root) =>
    [
      `${displayPath(root, data.file)}:${data.currentLine}`,
      ...sourceLines(data, data.overlay?.ran),
      ...(data.overlay === undefined ? [] : overlayNotes(data.overlay)),
    ].join('\n'),
});
