import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { splitArguments } from '../../../base/commandLine.ts';
import { errorMessage } from '../../../base/errors.ts';
import type { Draft, Drafts, LaunchPlan } from './model.ts';
import { asRecord, asText, asTexts, projectText } from './projectText.ts';

const source = 'pyproject.toml';

/** Entry points and tasks of `pyproject.toml`. */
export async function pyprojectScripts(root: string): Promise<Drafts> {
  const text = await projectText(root, source);
  if (text === undefined) return { drafts: [], problems: [] };
  let file: Record<string, unknown>;
  try {
    file = parse(text);
  } catch (error) {
    return { drafts: [], problems: [`${source}: ${errorMessage(error).split('\n')[0]}`] };
  }
  const tool = asRecord(file['tool']);
  const project = asRecord(file['project']);
  const entryPoints = [
    asRecord(project?.['scripts']),
    asRecord(project?.['gui-scripts']),
    asRecord(asRecord(tool?.['poetry'])?.['scripts']),
  ];
  const tasks = [
    asRecord(asRecord(tool?.['pdm'])?.['scripts']),
    asRecord(asRecord(tool?.['rye'])?.['scripts']),
    asRecord(asRecord(tool?.['taskipy'])?.['tasks']),
    asRecord(asRecord(tool?.['poe'])?.['tasks']),
  ];
  const drafts = [
    ...entryPoints.flatMap((table) =>
      Object.entries(table ?? {}).map(([name, target]) => entryPointDraft(root, name, target)),
    ),
    ...tasks.flatMap((table) => Object.entries(table ?? {}).map(([name, task]) => taskDraft(root, name, task))),
  ];
  return { drafts, problems: [] };
}

function entryPointDraft(root: string, name: string, target: unknown): Draft {
  const text = asText(target) ?? asText(asRecord(target)?.['reference']) ?? '';
  const draft: Draft = { name, type: 'Python entry point', typeId: 'python-script', source, description: text };
  const match = /^([\w.]+)\s*:\s*([\w.]+)/.exec(text);
  if (match === null) return { ...draft, problem: `"${text}" does not name a function.` };
  // Where the project is installed in its environment, the script that the installer wrote is what people start.
  const installed = ['.venv', 'venv', 'env']
    .map((folder) => join(root, folder, 'bin', name))
    .find((path) => existsSync(path));
  if (installed !== undefined) return { ...draft, plan: { ...pythonPlan(root), form: 'program', program: installed } };
  const [, module = '', callee = ''] = match;
  const [head = ''] = callee.split('.');
  const code = `import sys; from ${module} import ${head}; sys.exit(${callee}())`;
  return {
    ...draft,
    plan: { ...pythonPlan(root), form: 'command', command: ['python', '-c', code] },
    debugProblem: 'it is not installed in the environment of the project (pip install -e .).',
  };
}

function taskDraft(root: string, name: string, task: unknown): Draft {
  const table = asRecord(task);
  const line = asText(task) ?? asText(table?.['cmd']) ?? asText(table?.['shell']) ?? asTexts(table?.['cmd']).join(' ');
  const draft: Draft = { name, type: 'Python task', typeId: 'python-task', source, description: line };
  if (line === '') return { ...draft, problem: 'It is made of other tasks; start those.' };
  const isShell = asText(table?.['shell']) !== undefined || /[|&;<>$`*]/.test(line);
  const words = splitArguments(line);
  const [first = '', second = '', third, ...rest] = words;
  if (!isShell && /^python3?$/.test(first) && second === '-m' && third !== undefined) {
    return { ...draft, plan: { ...pythonPlan(root), form: 'module', module: third, args: rest } };
  }
  if (!isShell && /^python3?$/.test(first) && second.endsWith('.py')) {
    const args = third === undefined ? [] : [third, ...rest];
    return { ...draft, plan: { ...pythonPlan(root), form: 'program', program: join(root, second), args } };
  }
  const command = isShell ? ['/bin/sh', '-c', line] : words;
  return {
    ...draft,
    plan: { ...pythonPlan(root), form: 'command', command, isTest: words.includes('pytest') },
    debugProblem: 'it is a command line of its own, not a Python program.',
  };
}

function pythonPlan(root: string): Omit<LaunchPlan, 'form'> {
  // Projects with the src layout are importable from there without being installed.
  const src = join(root, 'src');
  const env: Record<string, string> = existsSync(src) ? { PYTHONPATH: src } : {};
  return { kind: 'launch', language: 'python', args: [], cwd: root, env, stopOnEntry: false, before: [] };
}
