import { z } from 'zod';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { activityData, renderActivity } from '../debugger/shapes/activity.ts';
import { activityShape } from '../debugger/shapes/activityShape.ts';
import { defineTool } from '../defineTool.ts';

export const debugStuck = defineTool({
  name: 'debug_stuck',
  title: 'What a program waits for',
  description:
    'What each thread and task of a running process (pid, or a session) is busy with or waits for; the program goes on.',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'execute',
  input: z.object({ pid: z.int().optional(), session_id: z.string().optional(), language: z.string().optional() }),
  output: z.object({ activity: activityShape.optional(), state: z.string() }),
  run: async (engines, { pid, session_id, language }, call) => {
    const { project } = call;
    if (pid !== undefined) {
      const view = await engines.debugger.look(
        project,
        { pid, ...(language === undefined ? {} : { language }) },
        call.signal,
      );
      const activity = view === undefined ? undefined : activityData(view, project.root);
      return { state: 'running', ...(activity === undefined ? {} : { activity }) };
    }
    const session = engines.debugger.session(project, session_id);
    if (session.state === 'ended')
      throw new ToolError('not_running', 'The program of this session has ended.', {
        hint: call.hint(advise`${step('startDebugSession')} starts it again; pid asks a process that runs.`) ?? '',
      });
    if (session.state !== 'running')
      throw new ToolError('not_running', `The program of this session is ${session.state}.`, {
        hint: call.hint(advise`${step('getStackTrace')} shows where it stands.`) ?? '',
      });
    const view = await session.look();
    const activity = view === undefined ? undefined : activityData(view, project.root);
    return { state: session.state, ...(activity === undefined ? {} : { activity }) };
  },
  render: ({ activity, state }) =>
    activity === undefined
      ? `It is ${state}; its engine cannot tell what it does.`
      : [`It is ${activity.summary}.`, ...renderActivity(activity)].join('\n'),
});
