import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  faceNames,
  outputForms,
  toolsetNames,
  type FaceName,
  type OutputForm,
  type ToolsetName,
} from '../tools/faces.ts';
import { UsageError } from './command.ts';

/** The flags of `sightline stdio`. Kept apart from the command because the shim reads them without loading anything heavy. */
export interface StdioOptions {
  face: FaceName;
  toolsets: ToolsetName[];
  output: OutputForm | undefined;
  project: string;
  /** `--project` was given: it counts more than what the client says of its folders. */
  isProjectGiven: boolean;
  embedded: boolean;
}

export function parseStdioOptions(args: string[], cwd: string): StdioOptions {
  const { values } = parseArgs({
    args,
    options: {
      face: { type: 'string', default: 'default' },
      toolsets: { type: 'string', multiple: true, default: [] },
      output: { type: 'string' },
      project: { type: 'string' },
      embedded: { type: 'boolean', default: false },
    },
  });
  return {
    face: oneOf('--face', values.face, faceNames),
    toolsets: values.toolsets
      .flatMap((list) => list.split(','))
      .filter((name) => name.trim() !== '')
      .map((name) => oneOf('--toolsets', name.trim(), toolsetNames)),
    output: values.output === undefined ? undefined : oneOf('--output', values.output, outputForms),
    project: resolve(cwd, values.project ?? '.'),
    isProjectGiven: values.project !== undefined,
    embedded: values.embedded,
  };
}

function oneOf<Name extends string>(flag: string, value: string, known: readonly Name[]): Name {
  const found = known.find((name) => name === value);
  if (found === undefined) throw new UsageError(`${flag} ${value}: there are ${known.join(', ')}.`);
  return found;
}
