import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import type { Project } from '../../workspace/project.ts';
import type { NewBreakpoint } from '../breakpoints/breakpointStore.ts';
import type { StartRequest } from '../launching.ts';
import type { ProbeHit, ProbeOptions, ProbeOutcome, ProbePoint } from '../probe.ts';
import type { AdapterDescription } from '../target.ts';
import type { Probe } from './model.ts';
import type { RecordedSample, Recording } from './recording.ts';
import type { RecordedRun, RunLimits } from './recordRun.ts';

export type Prober = (project: Project, start: StartRequest, options: ProbeOptions) => Promise<ProbeOutcome>;

interface SampleWish {
  start: StartRequest;
  probes: readonly Probe[];
  files: readonly string[];
}

/** So often a program is stopped for a question; what comes after that is not looked at, and that is said. */
const maxStops = 400;

/** Evaluates expressions at places of a program that cannot be recorded, by stopping it at each and letting it go on. */
export async function sampleRun(
  prober: Prober,
  project: Project,
  adapter: AdapterDescription,
  wish: SampleWish,
  limits: RunLimits,
): Promise<RecordedRun> {
  const points = onePerPlace(wish.probes.flatMap((probe) => pointsOf(probe, wish.files, project, adapter)));
  const startedAt = Date.now();
  const outcome = await prober(project, wish.start, {
    breakpoints: points.map(({ point }) => point),
    maxHits: maxStops,
    ...limits,
    ownerId: undefined,
    reportOptions: { variables: false, source: false, contextLines: 0, maxFrames: 1, maxVariables: 0 },
  });
  const { end } = outcome;
  const isWhole = outcome.stoppedEarly === undefined || outcome.hits.at(-1)?.report.stop?.reason === 'exception';
  return {
    name: end.name,
    language: end.language,
    startedAt,
    recording: recordingOf(samplesOf(outcome.hits, points), isWhole),
    output: end.output.text,
    exit: isWhole ? { code: end.exit?.code, signal: end.exit?.signal } : undefined,
    elapsedMs: Date.now() - startedAt,
    isTest: wish.start.test !== undefined,
  };
}

interface PlacedProbe {
  probes: readonly Probe[];
  point: ProbePoint;
}

/** A program stops once at a place, whatever is asked there. */
function onePerPlace(placed: readonly PlacedProbe[]): PlacedProbe[] {
  const places = new Map<string, PlacedProbe>();
  for (const each of placed) {
    const { file, line, functionName } = each.point.wanted;
    const key = `${file ?? functionName ?? ''}:${line ?? ''}`;
    const known = places.get(key);
    const expressions = [...(known?.point.expressions ?? []), ...(each.point.expressions ?? [])];
    const probes = [...(known?.probes ?? []), ...each.probes];
    places.set(key, { probes, point: { ...each.point, expressions } });
  }
  return [...places.values()];
}

function pointsOf(
  probe: Probe,
  files: readonly string[],
  project: Project,
  adapter: AdapterDescription,
): PlacedProbe[] {
  const placed = (place: Pick<NewBreakpoint, 'type' | 'file' | 'line' | 'functionName'>): PlacedProbe => ({
    probes: [probe],
    point: {
      wanted: { ...place, enabled: true, temporary: false, suspendPolicy: 'all' },
      expressions: probe.expressions,
    },
  });
  if (probe.isEverywhere !== true)
    return [
      probe.file !== undefined && probe.line !== undefined
        ? placed({ type: 'line', file: probe.file, line: probe.line })
        : placed({ type: 'function', functionName: probe.function ?? '' }),
    ];
  const named = files.filter((file) => file.endsWith('/') === false).map((file) => resolve(project.root, file));
  if (named.length === 0)
    throw new ToolError(
      'invalid_arguments',
      `Programs in ${adapter.language} are stopped at each line that is looked at.`,
      {
        hint: 'Name the lines: focus {files: ["cart.go"]}, best with functions: ["Total"] too.',
      },
    );
  return named.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const range = probe.function === undefined ? undefined : adapter.functionLines?.(lines, probe.function);
    if (probe.function !== undefined && range === undefined) return [];
    return lines.flatMap((text, index) => {
      const line = index + 1;
      const isInside = range === undefined || (line > range.start && line <= range.end);
      return isInside && /\w/.test(text) && !/^\s*(\/\/|#|\*|\/\*)/.test(text)
        ? [placed({ type: 'line', file, line })]
        : [];
    });
  });
}

function samplesOf(hits: readonly ProbeHit[], points: readonly PlacedProbe[]): RecordedSample[] {
  const samples: RecordedSample[] = [];
  const last = new Map<string, { text: string; line: number; function: string }>();
  for (const [seq, { report, expressions }] of hits.entries()) {
    const { location, breakpoints = [] } = report.stop ?? {};
    const asked = breakpoints.flatMap(({ id }) => points[Number(/\d+$/.exec(id)?.[0] ?? 0) - 1]?.probes ?? []);
    for (const probe of asked) {
      if (location?.file === undefined) continue;
      const values = probe.expressions.map((expression) => {
        const text = expressions[expression] ?? '';
        return { text, ...(/^<[\s\S]*>$/.test(text) ? { failed: true } : {}) };
      });
      const text = values[0]?.text ?? '';
      const before = last.get(probe.id);
      const line = location.line ?? 0;
      last.set(probe.id, { text, line, function: location.name });
      const isNews = probe.isEverywhere !== true || (values[0]?.failed !== true && before?.text !== text);
      // What is different at a line was made so by the one before.
      const made = probe.isEverywhere === true && before?.function === location.name ? before.line : line;
      const where = { file: location.file, line: made, process: 0, by: undefined };
      if (isNews) samples.push({ event: 'sample', seq, probe: probe.id, values, ...where });
    }
  }
  return samples;
}

function recordingOf(samples: readonly RecordedSample[], isWhole: boolean): Recording {
  return {
    calls: [],
    roots: [],
    writes: [],
    samples,
    functions: [],
    probeHits: new Map(),
    watchHits: new Map(),
    dropped: { calls: 0, writes: 0, samples: 0, bytes: !isWhole, time: false },
    lineCounts: new Map(),
    problems: [],
    processes: [{ event: 'start', pid: 0 }],
    isSampled: true,
  };
}
