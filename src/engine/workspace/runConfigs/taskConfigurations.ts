import { errorMessage } from '../../../base/errors.ts';
import type { Draft, Drafts, RunInput, RunPlan } from './model.ts';
import { asText } from './projectText.ts';
import { UnresolvedVariable } from './variables.ts';
import { TaskProblem, dependenciesOf, labelOf, taskSteps, tasksPath, type Task, type TaskFile } from './vscodeTasks.ts';

const prefix = 'task: ';

/** The tasks of an editor as configurations: what they depend on comes first, or beside them where they only gather others. */
export function taskConfigurations(file: TaskFile): Drafts {
  const drafts = file.tasks
    .filter((task) => task['hide'] !== true && labelOf(task) !== undefined)
    .map((task) => taskDraft(task, labelOf(task) ?? '', file));
  return { drafts, problems: file.problem === undefined ? [] : [file.problem] };
}

function taskDraft(task: Task, label: string, file: TaskFile): Draft {
  const description = asText(task['detail']);
  const draft: Draft = {
    name: `${prefix}${label}`,
    type: 'Task',
    typeId: 'task',
    source: tasksPath,
    debugProblem: 'it is a task.',
    ...(description === undefined ? {} : { description }),
  };
  const open = new Map<string, RunInput>();
  try {
    const plan = planOf(task, label, file, open);
    return { ...draft, ...(open.size === 0 ? {} : { inputs: [...open.values()] }), plan };
  } catch (error) {
    if (error instanceof UnresolvedVariable || error instanceof TaskProblem)
      return { ...draft, problem: errorMessage(error) };
    throw error;
  }
}

function planOf(task: Task, label: string, file: TaskFile, open: Map<string, RunInput>): RunPlan {
  const steps = taskSteps(label, file, open);
  const own = steps.at(-1);
  if (own === undefined) throw new TaskProblem('It names no command.');
  const gathered = dependenciesOf(task);
  // Without a command of its own it stands for the others, which an editor starts side by side.
  if (own.label !== label && gathered.length > 1 && task['dependsOrder'] !== 'sequence')
    return { kind: 'compound', members: gathered.map((each) => `${prefix}${each}`), stopAll: false, before: [] };
  return {
    kind: 'launch',
    language: 'shell',
    form: 'command',
    command: own.command,
    args: [],
    cwd: own.cwd,
    env: own.env,
    stopOnEntry: false,
    before: steps.slice(0, -1),
  };
}
