import type { ProbeOutcome } from '../../../engine/debugger/probe.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { recordedDebugging } from '../../recordedPrograms.ts';
import { type RunArguments, runLimits, startRequest, testNameOf } from '../runArguments.ts';
import { runNotes } from '../runText.ts';
import { askedOf } from './asked.ts';
import { answersOf, type QuestionArguments } from './questions.ts';

interface AnsweredRun {
  outcome: ProbeOutcome;
  answers: { answers?: string[] };
  notes: string[];
}

interface Wanted {
  questions: readonly QuestionArguments[];
  /** Whether it is to stop at places, which a recorded run does not. */
  hasStops: boolean;
  debug: () => Promise<ProbeOutcome>;
}

/**
 * A probe with questions: one recorded run answers them and shows the failure as the debugger would. Only for breakpoints, and for what the
 * recording has not seen, is the program run once more.
 */
export async function answeredRun(
  engines: Engines,
  args: RunArguments & { breakpoints?: unknown; max_hits?: unknown },
  call: ToolCall,
  { questions: wanted, hasStops, debug }: Wanted,
): Promise<AnsweredRun> {
  const { questions, wish } = askedOf(engines, call, wanted);
  const { breakpoints: _breakpoints, max_hits: _hits, ...runArguments } = args;
  const start = startRequest(runArguments);
  const run = await recordedDebugging(engines, call, () =>
    engines.debugger.ask.record(call.project, { start, ...wish, failures: true }, runLimits(args, call)),
  );
  const answers = answersOf(questions, run);
  const notes = runNotes(run);
  const seen = hasStops ? undefined : await engines.debugger.ask.failureOutcome(run, testNameOf(args));
  if (seen !== undefined) return { outcome: seen, answers, notes };
  const outcome = await debug();
  return { outcome, answers, notes: [...notes, 'Run twice: recorded for the questions, and under the debugger.'] };
}
