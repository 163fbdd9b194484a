import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { editDistance } from '../nearMisses.ts';
import type { Project } from '../project.ts';
import { detected } from './detected.ts';
import { ideaConfigurations } from './ideaConfigurations.ts';
import { launchJson } from './launchJson.ts';
import type { Draft, RunConfiguration } from './model.ts';
import { packageScripts } from './packageScripts.ts';
import { pyprojectScripts } from './pyprojectScripts.ts';
import { scratchConfigurations } from '../scratch/scratchRuns.ts';
import { taskConfigurations } from './taskConfigurations.ts';
import { readTasks } from './vscodeTasks.ts';

interface RunConfigurationOptions {
  /** Languages that the debugger has an adapter for. */
  debuggable: ReadonlySet<string>;
  /** Values for the inputs that configurations ask for, by id. */
  inputs?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

export interface RunConfigurationList {
  configurations: RunConfiguration[];
  /** Files that could not be read in full. */
  problems: string[];
}

/** Every run configuration of a project: what people wrote down first, then what can be told from the files. Reads, never runs. */
export async function listRunConfigurations(
  project: Project,
  options: RunConfigurationOptions,
): Promise<RunConfigurationList> {
  const found = await detected(project, options.signal);
  const tasks = await readTasks(project.root, project.env, options.inputs ?? {});
  const sources = await Promise.all([
    launchJson(tasks),
    ideaConfigurations(project.root),
    packageScripts(project.root, found.manifests),
    pyprojectScripts(project.root),
    Promise.resolve(taskConfigurations(tasks)),
  ]);
  const written = sources.flatMap(({ drafts }) => drafts);
  const programs = new Set(written.map(startedBy).filter((each) => each !== undefined));
  const told = found.drafts.filter((draft) => !programs.has(startedBy(draft) ?? ''));
  const scratches = await scratchConfigurations(project.root, project.env);
  const drafts = uniquelyNamed([...written, ...told, ...scratches]);
  const configurations = drafts.map((draft) => finished(draft, drafts, project, options));
  return { configurations, problems: sources.flatMap(({ problems }) => problems) };
}

/** The configuration of that name, or of a script by its bare name; otherwise an error that lists the nearest. */
export function findRunConfiguration(list: RunConfigurationList, name: string): RunConfiguration {
  const { configurations } = list;
  const exact = configurations.find((each) => each.name === name);
  if (exact !== undefined) return exact;
  const wanted = name.toLowerCase();
  const similar = configurations.filter((each) => {
    const other = each.name.toLowerCase();
    return (
      other === wanted || (['npm', 'task', 'scratch'].includes(each.typeId) && other.replace(/^\w+: /, '') === wanted)
    );
  });
  const [only] = similar;
  if (only !== undefined && similar.length === 1) return only;
  const nearest = configurations
    .map((each) => ({ name: each.name, distance: distanceTo(wanted, each.name.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 5)
    .map((each) => each.name);
  const listed =
    nearest.length === 0 ? 'The project has none.' : `Nearest: ${nearest.map((each) => `"${each}"`).join(', ')}.`;
  throw new ToolError('configuration_not_found', `There is no run configuration "${name}". ${listed}`, {
    hint: advise`${step('listRunConfigurations')} shows all of them.`,
    data: { nearest },
  });
}

/** How far a name is from what was asked for; `npm: ` before it and `.js` after it are not what people mistype. */
function distanceTo(wanted: string, name: string): number {
  const bare = name.replace(/^\w+: /, '').replace(/\.\w+$/, '');
  if (name.includes(wanted)) return 0;
  return Math.min(editDistance(name, wanted), editDistance(bare, wanted));
}

function finished(
  draft: Draft,
  all: readonly Draft[],
  project: Project,
  { debuggable }: RunConfigurationOptions,
): RunConfiguration {
  const { problem, debugProblem, plan, inputs: own = [], isTemporary = false, ...rest } = draft;
  const notAtAll = problem ?? (plan === undefined ? 'It cannot be started.' : undefined) ?? untrusted(project);
  const notRun = notAtAll ?? runProblem(draft, all);
  const notDebugged = notAtAll ?? debugProblem ?? languageProblem(draft, all, debuggable);
  const whyNot = notAtAll ?? notRun ?? (notDebugged === undefined ? undefined : `Not debuggable: ${notDebugged}`);
  const inputs = [...own, ...membersOf(draft, all).flatMap((member) => member.inputs ?? [])];
  const asked = inputs.filter(({ id }, index) => inputs.findIndex((each) => each.id === id) === index);
  return {
    ...rest,
    isTemporary,
    ...(asked.length === 0 ? {} : { inputs: asked }),
    canRun: notRun === undefined,
    canDebug: notDebugged === undefined,
    ...(whyNot === undefined ? {} : { whyNot }),
    ...(plan === undefined ? {} : { plan }),
  };
}

function untrusted(project: Project): string | undefined {
  return project.trusted ? undefined : `The project is not trusted; a person can say: sightline trust ${project.root}`;
}

/** The configurations that a compound starts, those of compounds in it included. */
function membersOf({ plan }: Draft, all: readonly Draft[], above: readonly string[] = []): Draft[] {
  if (plan?.kind !== 'compound') return [];
  const members = all.filter(({ name }) => plan.members.includes(name) && !above.includes(name));
  return members.flatMap((member) => [member, ...membersOf(member, all, [...above, member.name])]);
}

const attaches = 'It attaches to a running program, so it can only be debugged.';

function runProblem(draft: Draft, all: readonly Draft[]): string | undefined {
  if (draft.plan?.kind === 'attach') return attaches;
  for (const { name, problem, plan } of membersOf(draft, all)) {
    const why = problem ?? (plan?.kind === 'attach' ? attaches : undefined);
    if (why !== undefined) return `${name}: ${why}`;
  }
  return undefined;
}

function languageProblem(draft: Draft, all: readonly Draft[], debuggable: ReadonlySet<string>): string | undefined {
  const ofOne = ({ plan }: Draft) =>
    plan === undefined || plan.kind === 'compound' || debuggable.has(plan.language)
      ? undefined
      : `there is no debugger for ${plan.language} yet.`;
  for (const member of membersOf(draft, all)) {
    const problem = member.problem ?? member.debugProblem ?? ofOne(member);
    if (problem !== undefined) return `${member.name}: ${problem}`;
  }
  return ofOne(draft);
}

/** Two sources may use one name; the second then says where it is from. */
function uniquelyNamed(drafts: readonly Draft[]): Draft[] {
  const names = new Set<string>();
  return drafts.map((draft) => {
    let name = draft.name;
    if (names.has(name)) name = `${draft.name} (${draft.source})`;
    for (let count = 2; names.has(name); count++) name = `${draft.name} (${draft.source} ${count})`;
    names.add(name);
    return { ...draft, name };
  });
}

/** What is started, so that a program that somebody wrote down is not listed again as detected. */
function startedBy({ plan }: Draft): string | undefined {
  if (plan?.kind !== 'launch') return undefined;
  return plan.program ?? (plan.module === undefined ? undefined : `-m ${plan.module} ${plan.args.join(' ')}`);
}
