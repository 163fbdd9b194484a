import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { condensed, historyOf, type HistoryRow } from '../../engine/debugger/ask/history.ts';
import type { Watch } from '../../engine/debugger/ask/model.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { failureOf } from '../../engine/debugger/ask/failure.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { failureText } from './failureText.ts';
import { Identities } from './identities.ts';
import { outputTail } from './outputText.ts';
import { rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { writeText } from './writeText.ts';

const maxRows = 25;
/** The last write matters most: all are noted as long as that takes no longer. */
const patientMs = 6000;

export const debugWhoChanged = defineTool({
  name: 'debug_who_changed',
  title: 'Who changed a value',
  description:
    'Runs a test or program: every write of a variable or property (`count`, `this.size`, `options.router`), also through aliases: old → new, line, callers; last before the failure first.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'variable'],
  paths: { program: 'existing' },
  input: z.object({ expression: z.string().optional(), variable: z.string().optional(), ...runShape }),
  output: z.object({
    outcome: z.string(),
    failure: z.string().optional(),
    summary: z.string(),
    writes: z.array(z.string()),
    notes: z.array(z.string()).optional(),
    output: z.string().optional(),
  }),
  run: async (engines, args, call) => {
    const { root } = call.project;
    const watch = watchOf(args.expression ?? args.variable, root);
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(
        call.project,
        { start: startRequest(args), watches: [watch], limits: { graceMs: patientMs } },
        runLimits(args, call),
      ),
    );
    const failure = failureOf(run.recording);
    const rows = condensed(historyOf(run.recording, watch.id));
    const notes = runNotes(run);
    const output = rows.length === 0 ? outputTail(run) : '';
    return {
      outcome: runLine(run),
      ...(failure === undefined ? {} : { failure: failureText(failure, root) }),
      summary: summaryOf(watch, rows, run),
      writes: writeLines(rows, failure?.seq, root),
      ...(notes.length === 0 ? {} : { notes }),
      ...(output === '' ? {} : { output }),
    };
  },
  render: ({ outcome, failure, summary, writes, notes, output }) =>
    [
      outcome,
      ...(failure === undefined ? [] : [failure]),
      ...(notes ?? []),
      summary,
      ...writes,
      ...(output === undefined ? [] : [`Output: ${output}`]),
    ].join('\n'),
});

/** `src/cart.js total`, `src/cart.js:12 total`, or just what is written. */
function watchOf(wanted: string | undefined, root: string): Watch {
  const text = (wanted ?? '').trim();
  const [, file, expression] = /^(\S+\.\w+)(?::\d+)?\s+(\S.*)$/.exec(text) ?? [];
  const path = expression ?? text;
  if (!/^[\w$#][\w$#.[\]"']*$/.test(path))
    throw new ToolError('invalid_arguments', `\`${text}\` is neither a variable nor a property.`, {
      hint: 'expression: "total", "this.items", "options.router.path", or "src/cart.js total".',
    });
  const place = file === undefined ? {} : { file: isAbsolute(file) ? file : join(root, file) };
  return { id: 'w', expression: path, ...place };
}

function summaryOf({ expression }: Watch, rows: readonly HistoryRow[], { recording }: RecordedRun): string {
  const changes = Math.max(recording.watchHits.get('w') ?? 0, rows.length);
  if (changes === 0)
    return `${expression}: nothing in the project's code wrote it in this run (it may come from a library, or have another name).`;
  const holders = new Set(rows.flatMap(({ holder }) => holder ?? []));
  const objects = holders.size > 1 ? ` in ${holders.size} objects` : '';
  return `${expression}: ${counted(changes, 'write')}${objects}, last first:`;
}

function writeLines(rows: readonly HistoryRow[], failedAt: number | undefined, root: string): string[] {
  const identities = new Identities(rows);
  const before = rows.filter(({ seq }) => failedAt === undefined || seq < failedAt).toReversed();
  const after = rows.filter((row) => !before.includes(row));
  const shown = before.length <= maxRows ? before : [...before.slice(0, maxRows - 5), undefined, ...before.slice(-4)];
  const hidden = before.length - maxRows + 1;
  return [
    ...shown.map((row) => (row === undefined ? `… ${hidden} more` : writeText(row, identities, root))),
    ...after.slice(0, 5).map((row) => `after the failure: ${writeText(row, identities, root)}`),
  ];
}
