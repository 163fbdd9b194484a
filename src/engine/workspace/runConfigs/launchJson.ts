import { errorMessage } from '../../../base/errors.ts';
import { LaunchProblem, launchTypes } from './launchTypes.ts';
import type { BeforeStep, Draft, Drafts, RunInput, RunPlan } from './model.ts';
import { asList, asRecord, asText, parseJsonObject, projectText } from './projectText.ts';
import { UnresolvedVariable, readInputs, substitute, type VariableContext } from './variables.ts';
import { TaskProblem, forThisSystem, taskSteps, type TaskFile } from './vscodeTasks.ts';

export const launchJsonPath = '.vscode/launch.json';

interface LaunchFile {
  root: string;
  tasks: TaskFile;
  context: VariableContext;
}

/** `.vscode/launch.json`: configurations and compounds. */
export async function launchJson(tasks: TaskFile): Promise<Drafts> {
  const { root } = tasks.context;
  const text = await projectText(root, launchJsonPath);
  if (text === undefined) return { drafts: [], problems: [] };
  const { value, problem } = parseJsonObject(text, launchJsonPath);
  const file: LaunchFile = { root, tasks, context: { ...tasks.context, inputs: readInputs(value['inputs']) } };
  const entries = asList(value['configurations']).map(asRecord);
  const drafts: Draft[] = [];
  for (const entry of entries) if (entry !== undefined) drafts.push(await configurationDraft(entry, file));
  const compounds = asList(value['compounds']).map(asRecord);
  for (const entry of compounds) if (entry !== undefined) drafts.push(await compoundDraft(entry, drafts, file));
  return { drafts, problems: problem === undefined ? [] : [problem] };
}

async function configurationDraft(raw: Record<string, unknown>, file: LaunchFile): Promise<Draft> {
  const entry = forThisSystem(raw);
  const typeId = asText(entry['type']) ?? 'unknown';
  const known = launchTypes[typeId];
  const draft = draftOf(entry, typeId, known?.title ?? typeId);
  if (known === undefined) return { ...draft, problem: `Sightline has no debugger for the type "${typeId}".` };
  if (typeof known.read === 'string') return { ...draft, problem: known.read };
  const readEntry = known.read;
  return withPlan(draft, entry, file, async (before, context) => {
    // The project's interpreter is what that command of the Python extension answers.
    const { python, pythonPath, ...rest } = entry;
    const chosen = [python, pythonPath].find((each) => asText(each)?.includes('${command:') === false);
    const resolved = asRecord(substitute({ ...rest, python: chosen }, context)) ?? {};
    return readEntry(resolved, { root: file.root, before });
  });
}

function draftOf(entry: Record<string, unknown>, typeId: string, type: string): Draft {
  const presentation = asRecord(entry['presentation']);
  const folder = asText(presentation?.['group']);
  const preLaunchTask = asText(entry['preLaunchTask']);
  return {
    name: asText(entry['name']) ?? '(unnamed)',
    type,
    typeId,
    source: launchJsonPath,
    ...(folder === undefined || folder === '' ? {} : { folder }),
    ...(preLaunchTask === undefined ? {} : { preLaunchTask }),
  };
}

/** Reads the entry; what cannot be known without an editor, or is not there, becomes the reason why it cannot be started. */
async function withPlan(
  draft: Draft,
  entry: Record<string, unknown>,
  file: LaunchFile,
  read: (before: readonly BeforeStep[], context: VariableContext) => Promise<RunPlan>,
): Promise<Draft> {
  const open = new Map<string, RunInput>();
  try {
    const task = asText(entry['preLaunchTask']);
    const before = task === undefined ? [] : taskSteps(task, file.tasks, open);
    const plan = await read(before, { ...file.context, open });
    return { ...draft, ...(open.size === 0 ? {} : { inputs: [...open.values()] }), plan };
  } catch (error) {
    if (error instanceof UnresolvedVariable || error instanceof TaskProblem || error instanceof LaunchProblem) {
      return { ...draft, problem: errorMessage(error) };
    }
    throw error;
  }
}

async function compoundDraft(
  entry: Record<string, unknown>,
  others: readonly Draft[],
  file: LaunchFile,
): Promise<Draft> {
  const members = asList(entry['configurations'])
    .map((each) => asText(each) ?? asText(asRecord(each)?.['name']))
    .filter((each) => each !== undefined);
  const draft: Draft = { ...draftOf(entry, 'compound', 'Compound'), description: members.join(' + ') };
  const missing = members.find((member) => !others.some(({ name }) => name === member));
  if (missing !== undefined) return { ...draft, problem: `Its member "${missing}" is not in ${launchJsonPath}.` };
  const broken = others.find(({ name, problem }) => members.includes(name) && problem !== undefined);
  if (broken !== undefined)
    return { ...draft, problem: `Its member "${broken.name}" cannot be started: ${broken.problem}` };
  return withPlan(draft, entry, file, async (before) => ({
    kind: 'compound',
    members,
    stopAll: entry['stopAll'] === true,
    before,
  }));
}
