import { z } from 'zod';
import { isTestPath } from '../../base/languages/byPath.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { type Explanation, explainFailure, type FailureFacts } from '../../engine/debugger/ask/explain.ts';
import type { FunctionEvent } from '../../engine/debugger/ask/model.ts';
import type { ProbeOutcome } from '../../engine/debugger/probe.ts';
import type { StopView } from '../../engine/debugger/report.ts';
import type { Project } from '../../engine/workspace/project.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { readerOf } from '../debugger/shapes/reader.ts';
import { reportOptionsFor } from '../debugger/shapes/reportOptions.ts';
import { probeData, probeOutput, renderProbe } from '../probe/debugProbe.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { originLines, stackSuspects, suspectLines } from './explainText.ts';
import { type Asked, askedOf } from './questions/asked.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import {
  focusShape,
  focusWish,
  rareRunParameters,
  type RunArguments,
  runLimits,
  runShape,
  splitTest,
  startRequest,
  testNameOf,
} from './runArguments.ts';
import { runNotes } from './runText.ts';

/** A file of tests that takes longer than this is not run whole to compare its tests. */
const quickMs = 2500;
/** A suspect with this much against it made or assigned the wrong value, or threw, and more. */
const clearScore = 6;
/** The failure comes at the end: a run is noted whole as long as that takes no longer. */
const patientMs = 6000;

export const debugExplain = defineTool({
  name: 'debug_explain',
  title: 'Explain a failure',
  description:
    'First call on a failing test or crash: where it fails, which call or assignment made the wrong value, and suspect functions, ranked with reasons.',
  faces: ['probe', 'default'],
  alwaysLoad: true,
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'focus', 'questions'],
  paths: { program: 'existing' },
  input: z.object({ ...runShape, focus: focusShape, questions: questionsShape }),
  output: z.object({
    failure: probeOutput,
    origin: z.array(z.string()).optional(),
    suspects: z.array(z.string()).optional(),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const start = startRequest(args);
    const deadline = Date.now() + call.patienceMs - 3000;
    if (!engines.debugger.records(call.project, start)) {
      const outcome = await debugged(engines, runOf(args), call, deadline);
      const failure = probeData(outcome, readerOf(call, 'more with max_chars'), args.test !== undefined);
      if (failure.hits.length === 0 && failure.exitCode === 0) return { failure };
      const why = `programs in ${outcome.end.language} are not recorded`;
      return { failure, notes: [`Where the value comes from is not followed: ${why}.`] };
    }
    const { questions: asked, ...runArgs } = args;
    const { questions, wish } = askedOf(engines, call, asked);
    const record = recorderOf(engines, runArgs, call, { deadline, wish });
    const run = await recordedDebugging(engines, call, () => record());
    // The recording shows most failures as the debugger would; only what it has not seen is run again.
    const outcome =
      (await engines.debugger.ask.failureOutcome(run, testNameOf(args))) ??
      (await debugged(engines, args, call, deadline));
    const failure = probeData(outcome, readerOf(call, 'more with max_chars'), args.test !== undefined);
    const answers = answersOf(questions, run);
    const isSound = failure.hits.length === 0 && failure.exitCode === 0;
    const explained = isSound ? {} : await explain(runArgs, call, outcome, { run, record, deadline });
    const { type, message = '' } = failure.hits.at(-1)?.exception ?? {};
    const failed = type === undefined ? [] : [`${type}: ${message.split('\n')[0] ?? ''}`];
    const told = [
      ...(isSound ? ['nothing fails'] : failed),
      ...(explained.origin ?? []),
      ...(explained.suspects ?? []),
    ];
    return {
      failure,
      ...explained,
      ...answers,
      ...changedAnswer(engines, call, { tool: 'explain', args }, told, run),
    };
  },
  render: ({ failure, origin, suspects, answers, changed, notes }) =>
    [
      ...(failure.hits.length === 0 && failure.exitCode === 0 ? ['Nothing failed.'] : []),
      renderProbe(failure),
      ...(origin === undefined ? [] : ['Where it comes from, backwards:', ...origin]),
      ...(suspects === undefined ? [] : ['Suspects:', ...suspects]),
      ...(answers ?? []),
      ...(changed ?? []),
      ...(notes ?? []),
    ].join('\n'),
});

interface Explained {
  origin?: string[];
  suspects?: string[];
  notes?: string[];
}

type ExplainArguments = RunArguments & { focus?: Parameters<typeof focusWish>[0] };
type Record = (test?: string) => Promise<RecordedRun>;

/** Runs it under the debugger, which stops at what fails. */
function debugged(engines: Engines, args: ExplainArguments, call: ToolCall, deadline: number): Promise<ProbeOutcome> {
  const { waitMs, signal } = runLimits(args, call);
  return recordedDebugging(engines, call, () =>
    engines.debugger.probe(call.project, startRequest(args), {
      breakpoints: [],
      maxHits: 1,
      waitMs: Math.max(Math.min(waitMs, deadline - Date.now()), 1000),
      ownerId: call.client.id,
      signal,
      reportOptions: reportOptionsFor(call.budget),
    }),
  );
}

function recorderOf(
  engines: Engines,
  args: ExplainArguments,
  { project, signal }: ToolCall,
  { deadline, wish }: { deadline: number; wish: Asked['wish'] },
): Record {
  const left = () => Math.max(Math.min(args.wait_ms ?? 20_000, deadline - Date.now()), 1000);
  return (test) =>
    engines.debugger.ask.record(
      project,
      {
        start: startRequest({ ...runOf(args), ...(test === undefined ? {} : { test }) }),
        focus: focusWish(args.focus),
        allWrites: true,
        ...wish,
        failures: true,
        limits: { graceMs: patientMs },
      },
      { waitMs: left(), signal },
    );
}

function runOf({ focus: _focus, ...run }: ExplainArguments): RunArguments {
  return run;
}

async function explain(
  args: ExplainArguments,
  { project }: ToolCall,
  outcome: ProbeOutcome,
  { run, record, deadline }: { run: RecordedRun; record: Record; deadline: number },
): Promise<Explained> {
  const [file, name] = args.test === undefined ? [] : splitTest(args.test);
  const facts = factsOf(outcome, testNameOf(args));
  const isTestCode = testCode(args, project);
  const alone = explainFailure(run.recording, facts, isTestCode);
  if (alone === undefined) return withoutFailure(run);
  // What the tests that pass run as well is less likely to be wrong; a maker of the value that is found needs no such hint.
  const isClear = (alone.suspects[0]?.score ?? 0) >= clearScore;
  const isQuick = !isClear && run.elapsedMs < quickMs && deadline - Date.now() > 2 * quickMs;
  const whole =
    name === undefined || file === undefined || !isQuick ? undefined : await record(file).catch(() => undefined);
  const together = whole === undefined ? undefined : explainFailure(whole.recording, facts, isTestCode);
  const explanation = together !== undefined && isSameFailure(together, alone) ? together : alone;
  return explainedData(explanation, run, project, ownFrames(outcome, isTestCode));
}

/** Of many tests in one run fewer calls are kept: then the test alone tells more. */
function isSameFailure(together: Explanation, alone: Explanation): boolean {
  const [a, b] = [together.failure, alone.failure];
  return a.thrown.text === b.thrown.text && a.root.children.length >= b.root.children.length;
}

function explainedData(
  explanation: Explanation,
  run: RecordedRun,
  project: Project,
  frames: ReturnType<typeof ownFrames>,
): Explained {
  const origin = originLines(explanation, project.root);
  const known = suspectLines(explanation, project.root, origin);
  const suspects = known.length > 0 ? known : stackSuspects(frames, project.root);
  const notes = runNotes(run);
  return {
    ...(origin.length === 0 ? {} : { origin }),
    ...(suspects.length === 0 ? {} : { suspects }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function ownFrames({ hits }: ProbeOutcome, isTestCode: (fn: FunctionEvent) => boolean) {
  const { stop } = hits.at(-1)?.report ?? {};
  return (stop?.frames ?? []).filter(
    ({ name, file = '', line = 0 }) => !isTestCode({ event: 'function', id: 0, name, file, line, params: [] }),
  );
}

function withoutFailure(run: RecordedRun): Explained {
  const said =
    run.exit?.code === 0
      ? 'Run once recorded and once under the debugger, it failed only once: it depends on time, order or chance.'
      : run.exit === undefined
        ? `The recorded run was ended after ${Math.round(run.elapsedMs / 1000)} s, before it failed; wait_ms gives it longer.`
        : 'No exception left the code of the project in the recorded run; see its output above.';
  return { notes: [...runNotes(run), said] };
}

/** What the debugger saw of the failure that a recording does not show. */
function factsOf({ hits, end }: ProbeOutcome, testName: string | undefined): FailureFacts {
  const { stop } = hits.at(-1)?.report ?? {};
  const [first] = stop?.exception?.differences ?? [];
  const actual = first?.actual ?? first?.left;
  return {
    ...(first === undefined || actual === undefined ? {} : { difference: { path: first.path, actual } }),
    differences: stop?.exception?.differences?.map(({ path, actual: one, left, expected, right }) => ({
      path,
      actual: one ?? left,
      expected: expected ?? right,
    })),
    isLacking: first !== undefined && (actual === undefined || /^(undefined|None|null|<nothing>)$/.test(actual)),
    lineText: statementText(stop?.source),
    testName,
    got: stop === undefined ? gotIn(end.output.text) : undefined,
  };
}

function statementText(source: StopView['source']): string | undefined {
  const { statement, lines = [] } = source ?? {};
  return lines
    .filter(({ number, isCurrent }) =>
      statement === undefined ? isCurrent : number >= statement.start && number <= statement.end,
    )
    .map(({ content }) => content)
    .join('\n');
}

/** The value that a runner says it got. */
function gotIn(output: string): string | undefined {
  const found = /\bgot (['"])(.+?)\1(?=\s|$)/.exec(output) ?? /^\s*(?:Received|actual): *(['"]?)(.+?)\1$/m.exec(output);
  return found?.[2] ?? (/\d+ failing|FAIL|not ok/.test(output) ? '' : undefined);
}

/** Tests say what is expected; what lies in their files and folders is not suspected. */
function testCode({ test }: RunArguments, { root }: Project): (fn: FunctionEvent) => boolean {
  const own = test === undefined ? undefined : splitTest(test)[0];
  return ({ file, name }) =>
    (own !== undefined && (file === own || file.endsWith(`/${own}`))) ||
    isTestPath(file.slice(root.length)) ||
    /^(it|test|describe|specify|suite|beforeEach|afterEach|beforeAll|afterAll|callback of (describe|it|test))\b/.test(
      name,
    );
}
