import { counted } from '../../base/text/counted.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';

/** How a recorded run ended, and how much of it is known, in one line. */
export function runLine(run: RecordedRun): string {
  const { recording, exit } = run;
  const seconds = (run.elapsedMs / 1000).toFixed(1);
  const end =
    exit === undefined
      ? `still running after ${seconds} s, ended`
      : exit.signal === undefined
        ? `exit code ${exit.code ?? 0}`
        : `ended by ${exit.signal}`;
  if (recording.isSampled === true) return `${end}; stopped at the places asked about, not recorded`;
  const total = recording.functions.reduce((sum, { count }) => sum + count, 0);
  const { calls } = recording;
  const part = total > calls.length ? `, ${calls.length} of them recorded` : '';
  return `${end}; ${exit === undefined || recording.dropped.counts === true ? 'at least ' : ''}${counted(Math.max(total, calls.length), 'call')} of ${counted(recording.functions.length, 'function')}${part}`;
}

/** What the recording does not show, where that matters. */
export function runNotes({ recording }: RecordedRun): string[] {
  const { problems, dropped, calls, processes } = recording;
  return [
    ...problems.slice(0, 3).map(({ file, reason }) => `not recorded: ${file} (${reason})`),
    ...(recording.isRunTwice === true ? ['Run twice: recorded, and stopped where expressions are asked about.'] : []),
    ...(dropped.time && recording.isOutside === true
      ? ['the recording reached its time limit; what came later is not in it']
      : []),
    ...(dropped.bytes && recording.isSampled === true
      ? ['not all of the run was looked at: it was ended before its end']
      : []),
    ...(dropped.bytes && recording.isSampled !== true
      ? ['the recording reached its size limit; later calls are only counted']
      : []),
    ...(calls.length === 0 && processes.length === 0 ? ['no code of the focus ran'] : []),
  ];
}
