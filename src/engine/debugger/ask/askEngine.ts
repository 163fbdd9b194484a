import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import type { Project } from '../../workspace/project.ts';
import { AskedBefore, type EarlierAnswer } from './askedBefore.ts';
import { inCommit } from './commitTree.ts';
import { checkExpression, type EvaluationRules } from '../evaluationPolicy.ts';
import type { Launching, StartRequest } from '../launching.ts';
import type { AdapterDescription } from '../target.ts';
import type { LaunchSpec } from '../model.ts';
import { defaultLimits, type Focus, type Probe, type RecorderLimits, type Watch } from './model.ts';
import { failureOf } from './failure.ts';
import { failureOutcome, soundOutcome } from './failureReport.ts';
import type { ProbeOutcome } from '../probe.ts';
import type { SourceTexts } from '../sourceText.ts';
import { recordRun, type RecordedRun, type RunLimits } from './recordRun.ts';
import { type Prober, sampleRun } from './sampleRun.ts';
import { isTest, type RecordedCall } from './recording.ts';

interface AskParts {
  launching: (project: Project) => Launching;
  rules: (project: Project) => EvaluationRules;
  requireTrust: (project: Project) => void;
  sources: SourceTexts;
  /** Compiles what has to be compiled before it can be run. */
  build: (project: Project, spec: LaunchSpec, signal: AbortSignal) => Promise<void>;
  /** Runs a program under breakpoints of its own. */
  probe: Prober;
}

/** What a caller wants to look at; all of the project's own code when nothing is named. */
export interface FocusWish {
  files?: readonly string[] | undefined;
  functions?: readonly string[] | undefined;
}

interface RecordWish {
  start: StartRequest;
  focus?: FocusWish | undefined;
  watches?: readonly Watch[];
  probes?: readonly Probe[];
  allWrites?: boolean;
  /** Whether the calls are asked about, or only what expressions were at places; the first when absent. */
  needsCalls?: boolean;
  /** Whether exceptions are told whole. */
  failures?: boolean;
  /** Whether it is counted how often each line runs. */
  lines?: boolean;
  /** The state of the project to run; the files as they are when absent. */
  commit?: string | undefined;
  limits?: Partial<RecorderLimits>;
}

interface LinesRun {
  /** What was run. */
  name: string;
  counts: ReadonlyMap<number, number>;
  /** What each line wrote last: `sum = 3`. */
  lastWrites: ReadonlyMap<number, string>;
  /** The file is newer than the run: its lines may be others. */
  isChangedSince: boolean;
}

const keptRuns = 4;

/** Runs programs with a recorder inside, and keeps the last recordings of each project for questions about them. */
export class AskEngine {
  readonly #parts: AskParts;
  readonly #kept = new Map<string, RecordedRun[]>();
  readonly #askedBefore = new Map<string, AskedBefore>();

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  async record(project: Project, wish: RecordWish, limits: RunLimits): Promise<RecordedRun> {
    this.#parts.requireTrust(project);
    const { commit } = wish;
    const run =
      commit === undefined
        ? await this.#run(project, project, wish, limits)
        : await inCommit(project, commit, (copy) => this.#run(copy, project, wish, limits), limits.signal);
    const runs = this.#kept.get(project.root) ?? [];
    this.#kept.set(project.root, [run, ...runs].slice(0, keptRuns));
    return run;
  }

  /** Runs what lies in `place`; `project` is what its paths are told of. */
  async #run(place: Project, project: Project, wish: RecordWish, limits: RunLimits): Promise<RecordedRun> {
    const { program } = wish.start;
    const moved = program === undefined ? {} : { program: program.replace(project.root, place.root) };
    const start = { ...wish.start, ...moved };
    const adapter = this.#parts.launching(project).adapterOf(start);
    this.#checkExpressions(project, adapter, wish);
    const probes = (wish.probes ?? []).map((each) => inPlace(each, project, place));
    const { recorder } = adapter;
    const isInside = recorder !== undefined && recorder.isOutside !== true;
    if (wish.lines === true && !isInside) throw linesNotCounted(adapter.language);
    const sample = () =>
      sampleRun(this.#parts.probe, place, adapter, { start, probes, files: wish.focus?.files ?? [] }, limits);
    const needsCalls = wish.needsCalls !== false || wish.watches !== undefined || wish.allWrites === true;
    if (!isInside && probes.length > 0 && (!needsCalls || recorder === undefined)) return sample();
    if (recorder === undefined) throw notRecorded(adapter.language);
    const spec = await this.#parts.launching(project).ofRequest(place, start);
    await this.#parts.build(place, spec, limits.signal);
    const orders = {
      focus: focusOf(place, wish.focus),
      record: wish.lines === true ? ('lines' as const) : ('calls' as const),
      watches: wish.watches ?? [],
      probes,
      allWrites: wish.allWrites ?? wish.lines ?? false,
      failures: wish.failures ?? false,
      limits: { ...defaultLimits, ...wish.limits },
    };
    const run = await recordRun(place, adapter, spec, orders, limits, project.root);
    if (isInside) return run;
    const outside = { ...run.recording, isOutside: true };
    if (probes.length === 0) return { ...run, recording: outside };
    const { samples } = (await sample()).recording;
    return { ...run, recording: { ...outside, samples, isRunTwice: true } };
  }

  /** What failed in a run, as the debugger would show it; undefined when the recording does not show the failure. */
  async failureOutcome(run: RecordedRun, testName: string | undefined): Promise<ProbeOutcome | undefined> {
    if (run.exit?.code === 0) return soundOutcome(run);
    const found = failureOf(run.recording, testName);
    // Of a run that was ended it is known of a test that it failed; elsewhere somebody might still have caught it.
    const failure = run.exit?.code !== undefined || (found !== undefined && isTest(found.root.fn)) ? found : undefined;
    const note = failure?.call.end?.failure;
    return failure === undefined || note === undefined
      ? undefined
      : failureOutcome(run, failure, note, this.#parts.sources);
  }

  /** How often each line of a file ran in the last run whose lines were counted. */
  linesRun(project: Project, file: string): LinesRun {
    const run = this.#kept.get(project.root)?.find(({ recording }) => recording.lineCounts.size > 0);
    if (run === undefined)
      throw new ToolError('invalid_arguments', 'No run whose lines were counted is kept for this project.', {
        hint: advise`${step('debugTrace', ['test or program', 'lines: true'])} counts them.`,
      });
    return {
      name: run.name,
      counts: run.recording.lineCounts.get(file) ?? new Map(),
      lastWrites: new Map(
        run.recording.writes.flatMap((write) =>
          write.file === file && write.watch === undefined && write.new !== undefined
            ? [[write.line, `${write.target} = ${write.new.text}`]]
            : [],
        ),
      ),
      isChangedSince: (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > run.startedAt,
    };
  }

  /** Keeps the answer to a question, and gives the one before when an edit lies between them. */
  askedBefore(
    { root }: Project,
    question: string,
    lines: readonly string[],
    run: RecordedRun,
  ): EarlierAnswer | undefined {
    const answers = this.#askedBefore.get(root) ?? new AskedBefore();
    this.#askedBefore.set(root, answers);
    return answers.keep(question, lines, run);
  }

  /** A call of the last recording. */
  node(project: Project, id: string): RecordedCall {
    const [run] = this.#kept.get(project.root) ?? [];
    if (run === undefined)
      throw new ToolError('invalid_arguments', 'Nothing has been recorded in this project yet.', {
        hint: advise`${step('debugTrace')} records a run.`,
      });
    const found = run.recording.calls.find((call) => call.id === id);
    if (found !== undefined) return found;
    const last = run.recording.calls.length;
    throw new ToolError('invalid_arguments', `The last recording has no call ${id}.`, {
      hint: `It has n1 to n${last}.`,
    });
  }

  /** A file of the project that a question names. */
  fileOf(project: Project, given: string): string {
    return focusPath(project, given);
  }

  #checkExpressions(project: Project, adapter: AdapterDescription, wish: RecordWish): void {
    const expressions = (wish.probes ?? []).flatMap((probe) => probe.expressions);
    for (const expression of [...expressions, ...(wish.watches ?? []).map((watch) => watch.expression)]) {
      const problem = adapter.expressionProblem?.(expression);
      if (problem !== undefined && !expression.includes('#'))
        throw new ToolError('invalid_arguments', `The expression \`${expression}\` does not parse: ${problem}`);
      checkExpression(expression, this.#parts.rules(project), adapter, false);
    }
  }
}

/** Of a file of the project, the one that is run. */
function inPlace(probe: Probe, project: Project, place: Project): Probe {
  if (probe.file === undefined || project.root === place.root) return probe;
  return { ...probe, file: probe.file.replace(project.root, place.root) };
}

/** Why a question about a whole run has no answer in a language. */
function notRecorded(language: string): ToolError {
  return new ToolError(
    'unsupported',
    `Programs in ${language} are not recorded: this question cannot be answered for them.`,
    {
      hint: advise`${step('debugProbe')} shows the failure and stops at breakpoints; ${step('debugHypotheses')} and ${step('debugUntil')} evaluate at lines.`,
    },
  );
}

function linesNotCounted(language: string): ToolError {
  return new ToolError('unsupported', `How often lines run is not counted for programs in ${language}.`, {
    hint: advise`${step('debugTrace')} without lines notes the calls.`,
  });
}

function focusOf(project: Project, wish: FocusWish | undefined): Focus {
  const files = (wish?.files ?? []).map((each) => focusPath(project, each));
  return { files: files.length === 0 ? [`${project.root}/`] : files, functions: wish?.functions ?? [] };
}

function focusPath(project: Project, given: string): string {
  const path = resolve(project.root, given);
  if (!isInside(project.root, path)) throw new ToolError('path_outside_project', `${given} lies outside the project.`);
  if (!existsSync(path))
    throw new ToolError('file_not_found', `The focus names ${given}, which does not exist.`, {
      hint: 'Files and folders are relative to the project.',
    });
  return statSync(path).isDirectory() ? `${path}/` : path;
}
