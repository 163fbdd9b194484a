import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { quoteArgument } from '../../../base/commandLine.ts';
import { platform } from '../../../base/platform/here.ts';
import type { BeforeStep } from './model.ts';
import { packageManager } from './packageScripts.ts';
import { asList, asRecord, asText, parseJsonObject, projectText } from './projectText.ts';
import { readInputs, substitute, type VariableContext } from './variables.ts';

export type Task = Readonly<Record<string, unknown>>;

export const tasksPath = '.vscode/tasks.json';

/** `.vscode/tasks.json`, with what its variables stand for. */
export interface TaskFile {
  tasks: readonly Task[];
  context: VariableContext;
  problem?: string;
}

export async function readTasks(
  root: string,
  env: NodeJS.ProcessEnv,
  answers: Readonly<Record<string, string>> = {},
): Promise<TaskFile> {
  const settingsPath = '.vscode/settings.json';
  const settingsText = await projectText(root, settingsPath);
  const settings = settingsText === undefined ? {} : parseJsonObject(settingsText, settingsPath).value;
  const text = await projectText(root, tasksPath);
  const { value, problem } = text === undefined ? { value: {} } : parseJsonObject(text, tasksPath);
  const shared = forThisSystem(value);
  const tasks = asList(value['tasks'])
    .map(asRecord)
    .filter((task) => task !== undefined)
    .map((task) => ({
      options: shared['options'],
      ...forThisSystem(task),
    }));
  const context = { root, env, settings, inputs: readInputs(value['inputs']), answers, open: new Map() };
  return { tasks, context, ...(problem === undefined ? {} : { problem }) };
}

/** A task could not be turned into something to run. */
export class TaskProblem extends Error {
  override readonly name = 'TaskProblem';
}

/** The steps of a task: what it depends on first, then itself. Inputs without an answer are added to `open`. */
export function taskSteps(label: string, { tasks, context }: TaskFile, open: VariableContext['open']): BeforeStep[] {
  return stepsOf(label, tasks, { ...context, open }, []);
}

function stepsOf(label: string, tasks: readonly Task[], context: VariableContext, above: string[]): BeforeStep[] {
  if (above.includes(label)) throw new TaskProblem(`The task "${label}" depends on itself.`);
  const task = tasks.find((each) => labelOf(each) === label) ?? defaultBuild(label, tasks) ?? wellKnownTask(label);
  if (task === undefined) throw new TaskProblem(`The task "${label}" is not in ${tasksPath}.`);
  const before = dependenciesOf(task).flatMap((each) => stepsOf(each, tasks, context, [...above, label]));
  const own = stepOf(label, task, context);
  return own === undefined ? before : [...before, own];
}

export function dependenciesOf(task: Task): string[] {
  const depends = task['dependsOn'];
  return (Array.isArray(depends) ? depends : [depends])
    .map((each: unknown) => asText(each) ?? asText(asRecord(each)?.['task']))
    .filter((each) => each !== undefined);
}

function stepOf(label: string, raw: Task, context: VariableContext): BeforeStep | undefined {
  const task = asRecord(substitute(raw, context)) ?? {};
  const options = asRecord(task['options']);
  const cwd = resolve(context.root, asText(options?.['cwd']) ?? '.');
  const env = textRecord(options?.['env']);
  const command = commandOf(task, context.root);
  if (command === undefined) return undefined;
  const folder = task['type'] === 'npm' ? resolve(cwd, asText(task['path']) ?? '.') : cwd;
  return { label, command, cwd: folder, env, isBackground: task['isBackground'] === true };
}

function commandOf(task: Task, root: string): string[] | undefined {
  const type = asText(task['type']) ?? 'shell';
  if (type === 'npm') return [packageManager(root), 'run', asText(task['script']) ?? ''];
  if (type === 'typescript') {
    const local = join(root, 'node_modules', '.bin', 'tsc');
    const watch = task['option'] === 'watch' ? ['--watch'] : [];
    return [existsSync(local) ? local : 'tsc', '-p', asText(task['tsconfig']) ?? 'tsconfig.json', ...watch];
  }
  const command = asText(task['command']) ?? asText(asRecord(task['command'])?.['value']);
  if (command === undefined || command === '') return undefined;
  const args = asList(task['args']).map((each) => asText(each) ?? asText(asRecord(each)?.['value']) ?? '');
  if (type === 'process') return [command, ...args];
  if (type !== 'shell') throw new TaskProblem(`The task type "${type}" belongs to an extension of an editor.`);
  // A shell task is a line for a shell; its separate arguments are quoted when they need to be.
  return platform.customs.shell(args.length === 0 ? command : `${command} ${args.map(quoteArgument).join(' ')}`, {});
}

export function labelOf(task: Task): string | undefined {
  return (
    asText(task['label']) ??
    asText(task['taskName']) ??
    (task['type'] === 'npm' ? `npm: ${String(task['script'])}` : undefined)
  );
}

function defaultBuild(label: string, tasks: readonly Task[]): Task | undefined {
  if (label !== '${defaultBuildTask}') return undefined;
  return tasks.find((task) => {
    const group = asRecord(task['group']);
    return group?.['kind'] === 'build' && group['isDefault'] === true;
  });
}

/** Labels of tasks that VS Code finds by itself, without tasks.json. */
function wellKnownTask(label: string): Task | undefined {
  const npm = /^npm: (\S+)$/.exec(label)?.[1];
  if (npm !== undefined) return { type: 'npm', script: npm };
  const tsconfig = /^tsc: (?:build|watch) - (.+)$/.exec(label)?.[1];
  if (tsconfig === undefined) return undefined;
  return {
    type: 'typescript',
    tsconfig,
    ...(label.startsWith('tsc: watch') ? { option: 'watch', isBackground: true } : {}),
  };
}

/** The block for this operating system goes over the rest. */
export function forThisSystem<T extends Readonly<Record<string, unknown>>>(entry: T): T {
  const name = { darwin: 'osx', win32: 'windows', linux: 'linux' }[platform.system];
  return { ...entry, ...asRecord(entry[name]) };
}

export function textRecord(value: unknown): Record<string, string> {
  const entries = Object.entries(asRecord(value) ?? {}).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
}
