import { z } from 'zod';
import { pairedNumbers } from '../../engine/debugger/identities.ts';
import type { ProbeOutcome } from '../../engine/debugger/probe.ts';
import type { SessionReport } from '../../engine/debugger/report.ts';
import { progressOf } from '../debugger/shapes/progress.ts';
import { type Reader } from '../debugger/shapes/reader.ts';
import { renderStop, renderVariable } from '../debugger/shapes/renderProgress.ts';
import { capturedOutput, withoutRunnerLines } from '../debugger/shapes/runnerOutput.ts';
import { stopShape } from '../debugger/shapes/shapes.ts';

export const hitShape = z.object({
  ...stopShape.shape,
  /** The place of the hit before: of its variables only those that changed. */
  again: z.boolean().optional(),
  expressions: z.record(z.string(), z.string()).optional(),
  output: z.string().optional(),
});

type HitData = z.output<typeof hitShape>;

/** Each stop of a probe; one at the place of the one before tells only what changed. `isTest`: a runner prints beside the program. */
export function hitsOf(outcome: ProbeOutcome, reader: Reader, isTest: boolean): HitData[] {
  const hits = outcome.hits.flatMap(({ report, expressions }): HitData[] => {
    const { stop, output } = progressOf(withOwnOutput(report, outcome.end, isTest), reader);
    if (stop === undefined) return [];
    return [
      {
        ...stop,
        ...(Object.keys(expressions).length === 0 ? {} : { expressions }),
        ...(output === undefined || output.trim() === '' ? {} : { output }),
      },
    ];
  });
  return hits.map((hit, index) => (isAgain(hit, hits[index - 1]) ? changesOf(hit) : hit));
}

/** What the program itself printed; of a failed test also what its runner kept back until it told of the failure. */
function withOwnOutput(report: SessionReport, end: SessionReport, isTest: boolean): SessionReport {
  const isFailure = report.stop?.reason === 'exception';
  const parts = [
    isTest ? withoutRunnerLines(report.output.text) : report.output.text,
    ...(isTest && isFailure ? [capturedOutput(end.output.text)] : []),
  ];
  const text = parts.filter((part) => part !== '').join('\n');
  const { message = '', printed = isTest ? message : '' } = report.stop?.exception ?? {};
  // What was printed of the failure stands at its head.
  return { ...report, output: { ...report.output, text: printed === '' ? text : text.replace(printed, '').trim() } };
}

function isAgain(hit: HitData, before: HitData | undefined): boolean {
  return (
    before !== undefined &&
    hit.exception === undefined &&
    before.exception === undefined &&
    hit.location?.file === before.location?.file &&
    hit.location?.line === before.location?.line
  );
}

function changesOf(hit: HitData): HitData {
  const { moreVariables: _more, ...rest } = hit;
  return {
    ...rest,
    again: true,
    source: hit.source.filter((line) => line.startsWith('>>>')),
    variables: pairedNumbers(hit.variables.filter((variable) => variable.changed === true)),
  };
}

/** A line for each hit at the same place; what was asked for comes first. */
export function renderHits(hits: readonly HitData[]): string[] {
  return hits.flatMap((hit, index) => {
    const values = Object.entries(hit.expressions ?? {}).map(([expression, value]) => `${expression} => ${value}`);
    if (hit.again === true) return [`hit ${index + 1}: ${againText(hit, hits[index - 1], values)}`];
    return [
      ...(hits.length > 1 ? [`--- hit ${index + 1}`] : []),
      ...renderStop(
        hit,
        false,
        values.map((value) => `  ${value}`),
      ),
      ...(hit.output === undefined ? [] : [`Output: ${hit.output.trim()}`]),
    ];
  });
}

function againText(hit: HitData, before: HitData | undefined, values: readonly string[]): string {
  const changed = hit.variables.map((variable) => renderVariable(variable, false).replace(/^[* ]+/, ''));
  const caller = hit.stack[1] === undefined || hit.stack[1] === before?.stack[1] ? [] : [`from ${hit.stack[1]}`];
  const printed = hit.output === undefined ? [] : [`printed ${JSON.stringify(hit.output.trim())}`];
  const parts = [...values, ...changed, ...caller, ...printed];
  return parts.length === 0 ? 'nothing changed' : parts.join('; ');
}
