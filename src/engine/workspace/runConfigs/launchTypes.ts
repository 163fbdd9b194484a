import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { splitArguments } from '../../../base/commandLine.ts';
import { readEnvFile } from './envFile.ts';
import type { AttachPlan, BeforeStep, LaunchPlan, RunPlan } from './model.ts';
import { asList, asRecord, asText, asTexts } from './projectText.ts';
import { textRecord } from './vscodeTasks.ts';

/** The entry cannot be started as it stands. */
export class LaunchProblem extends Error {
  override readonly name = 'LaunchProblem';
}

type Entry = Readonly<Record<string, unknown>>;

interface Place {
  root: string;
  before: readonly BeforeStep[];
}

interface LaunchType {
  title: string;
  /** How an entry is read; a text says why none of this type can be started. */
  read: ((entry: Entry, place: Place) => Promise<RunPlan>) | string;
}

const browser = 'It debugs a page in a browser, which Sightline does not do.';
const node: LaunchType = { title: 'Node.js', read: nodePlan };
const python: LaunchType = { title: 'Python', read: pythonPlan };
const native: LaunchType = { title: 'C/C++/Rust', read: nativePlan };

/** The `type` of an entry in launch.json, as the extensions that own them define it. */
export const launchTypes: Readonly<Record<string, LaunchType>> = {
  node,
  'pwa-node': node,
  'node-terminal': { title: 'JavaScript terminal', read: terminalPlan },
  bun: node,
  python,
  debugpy: python,
  go: { title: 'Go', read: goPlan },
  cppdbg: native,
  lldb: native,
  'lldb-dap': native,
  gdb: native,
  cppvsdbg: native,
  java: { title: 'Java', read: javaPlan },
  chrome: { title: 'Chrome', read: browser },
  'pwa-chrome': { title: 'Chrome', read: browser },
  msedge: { title: 'Edge', read: browser },
  'pwa-msedge': { title: 'Edge', read: browser },
  firefox: { title: 'Firefox', read: browser },
  extensionHost: { title: 'VS Code extension', read: 'It needs VS Code itself.' },
  'pwa-extensionHost': { title: 'VS Code extension', read: 'It needs VS Code itself.' },
};

async function nodePlan(entry: Entry, place: Place): Promise<RunPlan> {
  if (entry['request'] === 'attach') return attachPlan('node', entry, place);
  const common = await commonParts('node', entry, place);
  const runtime = asText(entry['runtimeExecutable']);
  const runtimeArgs = argumentsOf(entry['runtimeArgs']);
  const outFiles = asTexts(entry['outFiles']);
  const more = { ...(outFiles.length === 0 ? {} : { outFiles }), ...testMark([runtime, ...runtimeArgs]) };
  const program = asText(entry['program']);
  const isNode = runtime === undefined || /^node(js)?(\.exe)?$/.test(basename(runtime));
  if (program === undefined || !isNode) {
    if (runtime === undefined) throw new LaunchProblem('It names neither a program nor a runtimeExecutable.');
    const file = program === undefined ? [] : [resolve(place.root, program)];
    const command = [localProgram(runtime, place.root), ...runtimeArgs, ...file, ...common.args];
    return { ...common, ...more, form: 'command', command, args: [] };
  }
  return {
    ...common,
    ...more,
    form: 'program',
    program: existingProgram(program, place),
    ...(runtime === undefined || runtime === 'node' ? {} : { runtime: localProgram(runtime, place.root) }),
    ...(runtimeArgs.length === 0 ? {} : { runtimeArgs }),
    ...testMark([basename(program), ...runtimeArgs]),
  };
}

async function terminalPlan(entry: Entry, place: Place): Promise<RunPlan> {
  const line = asText(entry['command']);
  if (line === undefined) throw new LaunchProblem('It opens a terminal and names no command.');
  const common = await commonParts('node', entry, place);
  return { ...common, form: 'command', command: ['/bin/sh', '-c', line], args: [], ...testMark(splitArguments(line)) };
}

async function pythonPlan(entry: Entry, place: Place): Promise<RunPlan> {
  if (entry['request'] === 'attach') return attachPlan('python', entry, place);
  if (
    asTexts(entry['purpose']).includes('debug-test') &&
    entry['program'] === undefined &&
    entry['module'] === undefined
  )
    throw new LaunchProblem('It is a template that an editor uses for tests; it names no program.');
  const common = await commonParts('python', entry, place);
  const runtime = asText(entry['python']);
  const runtimeArgs = argumentsOf(entry['pythonArgs']);
  const extra = picked(entry, [
    'django',
    'jinja',
    'pyramid',
    'gevent',
    'subProcess',
    'sudo',
    'redirectOutput',
    'rules',
  ]);
  const shared = {
    ...common,
    ...(runtime === undefined ? {} : { runtime }),
    ...(runtimeArgs.length === 0 ? {} : { runtimeArgs }),
    ...(entry['justMyCode'] === false ? { justMyCode: false } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  const module = asText(entry['module']);
  if (module !== undefined) return { ...shared, form: 'module', module, ...testMark([module]) };
  const program = asText(entry['program']);
  if (program === undefined) throw new LaunchProblem('It names neither a program nor a module.');
  return { ...shared, form: 'program', program: existingProgram(program, place), ...testMark([basename(program)]) };
}

async function goPlan(entry: Entry, place: Place): Promise<RunPlan> {
  if (entry['request'] === 'attach') return attachPlan('go', entry, place);
  const common = await commonParts('go', entry, place);
  const mode = asText(entry['mode']) ?? 'auto';
  const program = resolve(place.root, asText(entry['program']) ?? '.');
  // What is debugged is compiled here, with the flags that the entry has for that.
  const flags = entry['buildFlags'];
  const runtimeArgs = typeof flags === 'string' ? splitArguments(flags) : asTexts(flags);
  const extra = picked(entry, ['substitutePath']);
  return {
    ...common,
    form: 'program',
    program,
    isTest: mode === 'test',
    ...(runtimeArgs.length === 0 ? {} : { runtimeArgs }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

async function nativePlan(entry: Entry, place: Place): Promise<RunPlan> {
  if (entry['request'] === 'attach') return attachPlan('cpp', entry, place);
  const common = await commonParts('cpp', entry, place);
  const cargo = asRecord(entry['cargo']);
  if (cargo !== undefined) {
    const command = ['cargo', ...asTexts(cargo['args'])];
    return { ...common, language: 'rust', form: 'command', command, args: [], ...testMark(command) };
  }
  const program = asText(entry['program']);
  if (program === undefined) throw new LaunchProblem('It names no program.');
  return { ...common, form: 'program', program: existingProgram(program, place) };
}

/** The class is compiled with the class path of its build, whatever the configuration says about that. */
async function javaPlan(entry: Entry, place: Place): Promise<RunPlan> {
  if (entry['request'] === 'attach') return attachPlan('java', entry, place);
  const main = asText(entry['mainClass']);
  if (main === undefined) throw new LaunchProblem('It names no mainClass.');
  const vmArgs = entry['vmArgs'];
  const runtimeArgs = typeof vmArgs === 'string' ? splitArguments(vmArgs) : asTexts(vmArgs);
  const common = await commonParts('java', entry, place);
  const shared = { ...common, ...(runtimeArgs.length === 0 ? {} : { runtimeArgs }) };
  if (main.endsWith('.java')) return { ...shared, form: 'program', program: existingProgram(main, place) };
  return { ...shared, form: 'module', module: main.replace(/^.*\//, '') };
}

type CommonParts = Pick<LaunchPlan, 'kind' | 'language' | 'args' | 'cwd' | 'env' | 'stopOnEntry' | 'before'>;

async function commonParts(language: string, entry: Entry, place: Place): Promise<CommonParts> {
  const envFile = asText(entry['envFile']);
  const fromFile = envFile === undefined ? {} : await readEnvFile(place.root, envFile);
  // The Python extension passes over a missing file, and many configurations name one that is not kept in git.
  if (fromFile === undefined && language !== 'python')
    throw new LaunchProblem(`Its envFile ${envFile} does not exist.`);
  // cppdbg lists its variables as pairs of name and value.
  const listed = asList(entry['environment']).map(asRecord);
  const pairs = listed.map((each) => [asText(each?.['name']) ?? '', asText(each?.['value']) ?? ''] as const);
  return {
    kind: 'launch',
    language,
    args: argumentsOf(entry['args']),
    cwd: resolve(place.root, asText(entry['cwd']) ?? '.'),
    env: { ...fromFile, ...Object.fromEntries(pairs), ...textRecord(entry['env']) },
    stopOnEntry: entry['stopOnEntry'] === true || entry['stopAtEntry'] === true,
    before: place.before,
  };
}

function attachPlan(language: string, entry: Entry, place: Place): AttachPlan {
  const connect = asRecord(entry['connect']);
  const port = numberOf(connect?.['port'] ?? entry['port']);
  const pid = numberOf(entry['processId'] ?? entry['pid']);
  if (port === undefined && pid === undefined) throw new LaunchProblem('It names neither a port nor a process id.');
  const host =
    asText(connect?.['host']) ?? asText(entry['address']) ?? asText(entry['host']) ?? asText(entry['hostName']);
  const mappings = asList(entry['pathMappings']).map(asRecord);
  const local = asText(entry['localRoot']);
  const remote = asText(entry['remoteRoot']);
  return {
    kind: 'attach',
    language,
    ...(pid === undefined ? { host: host ?? '127.0.0.1', port } : { pid }),
    pathMappings: [
      ...mappings.map((each) => ({
        localRoot: resolve(place.root, asText(each?.['localRoot']) ?? '.'),
        remoteRoot: asText(each?.['remoteRoot']) ?? '.',
      })),
      ...(remote === undefined ? [] : [{ localRoot: resolve(place.root, local ?? '.'), remoteRoot: remote }]),
    ],
    cwd: resolve(place.root, asText(entry['cwd']) ?? '.'),
    before: place.before,
  };
}

/** A program that a task builds first need not be there yet. */
function existingProgram(program: string, place: Place): string {
  const path = resolve(place.root, program);
  const candidates = [path, `${path}.js`, `${path}.ts`, join(path, 'index.js')];
  const found = candidates.find((each) => existsSync(each));
  // What is asked for is not known yet.
  if (path.includes('${input:')) return path;
  if (found === undefined && place.before.length === 0) throw new LaunchProblem(`${program} does not exist.`);
  return found ?? path;
}

/** A runtime given by its bare name is the project's own one if there is such. */
function localProgram(runtime: string, root: string): string {
  if (isAbsolute(runtime)) return runtime;
  if (runtime.includes('/')) return resolve(root, runtime);
  const local = join(root, 'node_modules', '.bin', runtime);
  return existsSync(local) ? local : runtime;
}

const testRunner = /^(vitest|jest|mocha|ava|tap|pytest|unittest|nose2?|--test|test)(\.m?js)?$/;

function testMark(words: readonly (string | undefined)[]): { isTest?: true } {
  return words.some((word) => word !== undefined && testRunner.test(basename(word))) ? { isTest: true } : {};
}

function argumentsOf(value: unknown): string[] {
  const text = asText(value);
  return text === undefined ? asList(value).map(String) : splitArguments(text);
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

function picked(entry: Entry, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]));
}
