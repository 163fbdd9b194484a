import { join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../../base/errors.ts';
import { languageOfScratch } from '../../../engine/workspace/scratch/languages.ts';
import {
  createScratchFile,
  listScratchFiles,
  removeScratchFiles,
  scratchFolder,
} from '../../../engine/workspace/scratch/scratchFiles.ts';
import { scratchRunName } from '../../../engine/workspace/scratch/scratchRuns.ts';
import { originOf } from '../../changeSchema.ts';
import { defineTool } from '../../defineTool.ts';

export const createScratchFileTool = defineTool({
  name: 'create_scratch_file',
  title: 'Create scratch file',
  description:
    'Makes a file to try something in, hidden from git, with the project’s packages; run it with run_configuration. `remove` deletes some; without arguments: which there are.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  input: z.object({
    language: z.string().optional(),
    content: z.string().optional(),
    name: z.string().optional(),
    remove: z.array(z.string()).min(1).optional(),
  }),
  output: z.object({
    file: z.string().optional(),
    /** What run_configuration takes; debuggers take the file as program too. */
    runConfiguration: z.string().optional(),
    scratchFiles: z.array(z.string()),
    historyId: z.string().optional(),
  }),
  run: async (engines, args, call) => {
    const { project } = call;
    const { language, content, name, remove } = args;
    const files = async () => (await listScratchFiles(project.root)).map((each) => `${scratchFolder}/${each}`);
    if (remove !== undefined) {
      if (content !== undefined || language !== undefined)
        throw new ToolError('invalid_arguments', 'Pass either remove, or language and content.');
      const origin = originOf(call, 'create_scratch_file', `remove scratch files ${remove.join(', ')}`);
      const removed = await removeScratchFiles(engines.edits, project, remove, origin);
      return { ...removed, scratchFiles: await files() };
    }
    if (language === undefined && content === undefined && name === undefined) return { scratchFiles: await files() };
    if (language === undefined || content === undefined)
      throw new ToolError('invalid_arguments', 'A scratch file needs language and content.');
    const origin = originOf(call, 'create_scratch_file', 'create a scratch file');
    const made = await createScratchFile(engines.edits, project, { language, content, name }, origin);
    call.affects(join(project.root, scratchFolder, made.name));
    const isRun = languageOfScratch(made.name)?.runs !== undefined;
    return {
      file: `${scratchFolder}/${made.name}`,
      ...(isRun ? { runConfiguration: scratchRunName(made.name) } : {}),
      scratchFiles: await files(),
      ...(made.historyId === undefined ? {} : { historyId: made.historyId }),
    };
  },
  render: (data) => {
    const others = data.scratchFiles.filter((file) => file !== data.file);
    if (data.file === undefined)
      return data.scratchFiles.length === 0 ? 'There are no scratch files.' : data.scratchFiles.join('\n');
    const run = data.runConfiguration === undefined ? '' : `; run_configuration {"name": "${data.runConfiguration}"}`;
    return [`Created ${data.file}${run}`, ...(others.length === 0 ? [] : [`also there: ${others.join(', ')}`])].join(
      '\n',
    );
  },
});
