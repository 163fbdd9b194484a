import type { Probe, Watch } from '../../../engine/debugger/ask/model.ts';
import type { ToolCall } from '../../defineTool.ts';
import type { Engines } from '../../engines.ts';
import { type Question, type QuestionArguments, questionsOf } from './questions.ts';

/** Further questions, and what the recorder is to note for them and for what the tool itself wants to know. */
export interface Asked {
  questions: Question[];
  wish: { probes: Probe[]; watches?: Watch[]; needsCalls: boolean };
}

export function askedOf(
  engines: Engines,
  { project }: ToolCall,
  wanted: readonly QuestionArguments[] | undefined,
  own: { probes?: readonly Probe[]; watches?: readonly Watch[] } = {},
): Asked {
  const questions = questionsOf(wanted, project.root, (path) => engines.debugger.ask.fileOf(project, path));
  const watches = [...(own.watches ?? []), ...questions.flatMap((each) => each.watches)];
  return {
    questions,
    wish: {
      needsCalls: questions.some((each) => each.needsCalls === true),
      probes: [...(own.probes ?? []), ...questions.flatMap((each) => each.probes)],
      // Languages that are not recorded can be asked for probes alone.
      ...(watches.length === 0 ? {} : { watches }),
    },
  };
}
