import { assetPath } from '../../../../../base/assets.ts';
import { type RecordedCommand, type Recorder, type RecorderContext } from '../../../ask/recorder.ts';
import { recorderVariable } from '../../../ask/model.ts';
import type { LaunchSpec } from '../../../model.ts';
import { openMark, withoutInsertions } from './inProgram/insertions.ts';
import { commandLine } from '../launch/programStart.ts';

/** Node programs are recorded from inside: code of the focus is rewritten as it is loaded, in every process and thread. */
export const nodeRecorder: Recorder = {
  command: (spec, context) => Promise.resolve(recordedCommand(spec, context)),
  cleanOutput,
};

/** Node and test runners print the line that failed, as it was run, and point at a column of it. */
function cleanOutput(output: string): string {
  if (!output.includes(openMark)) return output;
  const lines = output.split('\n');
  return lines
    .filter((line, index) => !(/^[\s|]*\^+\s*$/.test(line) && lines[index - 1]?.includes(openMark) === true))
    .map((line) => withoutInsertions(line))
    .join('\n');
}

function recordedCommand(spec: LaunchSpec, { ordersFile, project }: RecorderContext): RecordedCommand {
  const { command, args } = commandLine({ ...spec, args: withOwnTimeouts(spec.args) }, project.env);
  const preload = assetPath('dist/recorder/preload.cjs');
  const quoted = `"${preload.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const options = [`--require ${quoted}`, spec.env['NODE_OPTIONS'] ?? ''].join(' ').trim();
  return { command, args, env: { [recorderVariable]: ordersFile, NODE_OPTIONS: options } };
}

/** A debugged test may stand still for as long as it takes; a recorded one never does, and its runner's time-outs are part of the truth. */
function withOwnTimeouts(args: readonly string[]): string[] {
  return args.filter(
    (each, index) =>
      !/^--(testTimeout|hookTimeout)=/.test(each) &&
      each !== '--timeout' &&
      !(each === '0' && args[index - 1] === '--timeout'),
  );
}
