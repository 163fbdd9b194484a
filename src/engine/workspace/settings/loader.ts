import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { errorMessage, isErrnoException } from '../../../base/errors.ts';
import { LineIndex } from '../../../base/positions.ts';
import { editDistance } from '../nearMisses.ts';
import {
  environmentVariable,
  isSettingKey,
  settingKeys,
  settingOf,
  type SettingKey,
  type Settings,
} from './settings.ts';

/** What is wrong in one source, said so that a person finds the place. */
interface SettingsProblem {
  /** A file, `environment` or `flags`. */
  source: string;
  line?: number;
  column?: number;
  message: string;
}

export interface LoadedSettings {
  settings: Settings;
  problems: SettingsProblem[];
  /** Where each setting that is not the default came from. */
  origins: ReadonlyMap<SettingKey, string>;
}

export interface SettingsSources {
  /** The folder of the person's `config.json`. */
  configDir: string;
  env: NodeJS.ProcessEnv;
  /** Set on the command line, by key. */
  flags?: Partial<Record<SettingKey, unknown>>;
}

export const personFileName = 'config.json';
export const projectFileName = '.sightline.json';

interface Layer {
  source: string;
  isProject: boolean;
  values: Map<SettingKey, unknown>;
}

/** Lowest first: defaults, the person's file, the project's file (never looser), environment, flags. */
export async function loadSettings(sources: SettingsSources, projectRoot?: string): Promise<LoadedSettings> {
  const problems: SettingsProblem[] = [];
  const layers = [
    await fileLayer(join(sources.configDir, personFileName), false, problems),
    ...(projectRoot === undefined ? [] : [await fileLayer(join(projectRoot, projectFileName), true, problems)]),
    environmentLayer(sources.env, problems),
    flagLayer(sources.flags ?? {}, problems),
  ];
  const values = new Map<SettingKey, unknown>(settingKeys.map((key) => [key, settingOf(key).default]));
  const origins = new Map<SettingKey, string>();
  // The project's file is laid on last, over what the person decided, because it may only tighten that.
  for (const layer of layers.filter(({ isProject }) => !isProject)) {
    for (const [key, value] of layer.values) {
      values.set(key, value);
      origins.set(key, layer.source);
    }
  }
  for (const layer of layers.filter(({ isProject }) => isProject)) applyProject(layer, values, origins, problems);
  // Every value was checked by the setting's own schema, or is its default.
  const settings = Object.fromEntries(values) as unknown as Settings;
  return { settings, problems, origins };
}

export function problemText(problem: SettingsProblem): string {
  const place = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  return `${problem.source}${place}: ${problem.message}`;
}

function applyProject(
  layer: Layer,
  values: Map<SettingKey, unknown>,
  origins: Map<SettingKey, string>,
  problems: SettingsProblem[],
): void {
  for (const [key, value] of layer.values) {
    const setting = settingOf(key);
    const current = values.get(key);
    if (setting.scope === 'person') {
      problems.push({ source: layer.source, message: `${key} cannot be set by a project; it is left as it was.` });
    } else if (setting.additive && Array.isArray(current) && Array.isArray(value)) {
      values.set(key, [...new Set<unknown>([...current, ...value])]);
      origins.set(key, layer.source);
    } else if (setting.scope === 'tighten' && setting.strictness(value) < setting.strictness(current)) {
      problems.push({
        source: layer.source,
        message: `${key}: a project cannot loosen it to ${JSON.stringify(value)}; it stays ${JSON.stringify(current)}.`,
      });
    } else if (setting.scope === 'tighten' || !origins.has(key) || isFile(origins.get(key))) {
      values.set(key, value);
      origins.set(key, layer.source);
    }
  }
}

/** Environment and flags stand above the project's file where that may set something at all. */
function isFile(origin: string | undefined): boolean {
  return origin !== 'environment' && origin !== 'flags';
}

async function fileLayer(path: string, isProject: boolean, problems: SettingsProblem[]): Promise<Layer> {
  const layer: Layer = { source: path, isProject, values: new Map() };
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return layer;
    problems.push({ source: path, message: `cannot be read: ${errorMessage(error)}` });
    return failClosed(layer);
  }
  const lines = new LineIndex(text);
  const at = (offset: number) => lines.positionAt(offset);
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root?.type !== 'object') {
    const message =
      first === undefined ? 'it must be an object: {"policy": {…}}' : syntaxMessage(printParseErrorCode(first.error));
    problems.push({ source: path, ...at(first?.offset ?? 0), message });
    return failClosed(layer);
  }
  readObject(root, [], layer, (message, node) => problems.push({ source: path, ...at(node?.offset ?? 0), message }));
  return layer;
}

/** Settings are nested (`{"policy": {"edit": "ask"}}`) or dotted (`{"policy.edit": "ask"}`). */
function readObject(
  node: Node,
  path: string[],
  layer: Layer,
  report: (message: string, node: Node | undefined) => void,
): void {
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined || typeof name.value !== 'string') continue;
    const keyPath = [...path, name.value];
    const key = keyPath.join('.');
    if (key === '$schema') continue;
    if (isSettingKey(key)) setChecked(layer, key, plainValue(value), (message) => report(message, value));
    else if (value.type === 'object' && settingKeys.some((known) => known.startsWith(`${key}.`)))
      readObject(value, keyPath, layer, report);
    else report(`there is no setting "${key}".${suggestion(key)}`, name);
  }
}

function environmentLayer(env: NodeJS.ProcessEnv, problems: SettingsProblem[]): Layer {
  const layer: Layer = { source: 'environment', isProject: false, values: new Map() };
  for (const key of settingKeys) {
    const variable = environmentVariable(key);
    const text = env[variable];
    if (text === undefined || text === '') continue;
    setChecked(layer, key, fromText(key, text), (message) =>
      problems.push({ source: 'environment', message: message.replace(key, variable) }),
    );
  }
  return layer;
}

function flagLayer(flags: Partial<Record<SettingKey, unknown>>, problems: SettingsProblem[]): Layer {
  const layer: Layer = { source: 'flags', isProject: false, values: new Map() };
  for (const key of settingKeys) {
    const value = flags[key];
    if (value === undefined) continue;
    setChecked(layer, key, typeof value === 'string' ? fromText(key, value) : value, (message) =>
      problems.push({ source: 'flags', message }),
    );
  }
  return layer;
}

function setChecked(layer: Layer, key: SettingKey, value: unknown, report: (message: string) => void): void {
  const checked = settingOf(key).check(value);
  if ('value' in checked) layer.values.set(key, checked.value);
  else {
    const { whenBroken } = settingOf(key);
    report(`${key}: ${checked.problem}. It counts as ${JSON.stringify(whenBroken)}.`);
    layer.values.set(key, whenBroken);
  }
}

/** Nobody knows what a file that cannot be read would have forbidden. */
function failClosed(layer: Layer): Layer {
  for (const key of settingKeys) {
    const setting = settingOf(key);
    if (setting.scope === 'tighten' && setting.whenBroken !== setting.default)
      layer.values.set(key, setting.whenBroken);
  }
  return layer;
}

/** Text of a variable or flag: JSON where the setting is no string, and a list may be written with commas. */
function fromText(key: SettingKey, text: string): unknown {
  const schemaType = settingOf(key).jsonSchema()['type'];
  if (schemaType === 'string') return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return schemaType === 'array' ? text.split(',').map((item) => item.trim()) : text;
  }
}

function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).map((property) => {
      const [name, value] = property.children ?? [];
      return [String(name?.value), value === undefined ? undefined : plainValue(value)];
    }),
  );
}

function syntaxMessage(code: string): string {
  const words = code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `this is not valid JSON here (${words}); the file is ignored and the stricter policy holds.`;
}

function suggestion(key: string): string {
  const near = settingKeys
    .map((known) => ({ known, distance: editDistance(known.toLowerCase(), key.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near !== undefined && near.distance <= Math.max(3, key.length / 3) ? ` Did you mean "${near.known}"?` : '';
}
