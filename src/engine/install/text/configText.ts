import { isDeepStrictEqual } from 'node:util';
import { UnreadableConfig, jsonValue, withJsonValue, withoutJsonValue } from './jsonText.ts';
import { tomlValue, withTomlKeys, withoutTomlTable } from './tomlText.ts';

/** A configuration that names MCP servers: its text, the way to our entry, and whether it is TOML. */
export interface ConfigFormat {
  isToml: boolean;
  path: readonly string[];
}

type Entry = Readonly<Record<string, unknown>>;

/** What says how we are reached. The rest of an entry is the person's, who may have chosen tools, variables or time-outs there. */
const reachKeys = ['type', 'command', 'args', 'url', 'serverUrl', 'httpUrl', 'headers', 'http_headers'];

/** Our entry as it stands in the text; undefined when there is none. */
export function entryIn(text: string, format: ConfigFormat): Entry | undefined {
  const value = valueAt(bare(text), format);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableConfig(`"${format.path.join('.')}" is not an object`);
  // Checked above to be a plain object.
  return value as Entry;
}

/** The text with our entry. How we are reached is written anew where it differs; all else stays as the person wrote it. */
export function withEntry(text: string, format: ConfigFormat, entry: Entry): string {
  return guarded(text, format, (source) => {
    const present = entryIn(source, format);
    const wanted = present === undefined ? entry : changedParts(present, entry);
    const dropped = reachKeys.filter((key) => !Object.hasOwn(entry, key));
    if (format.isToml) return withTomlKeys(source, format.path, wanted, dropped);
    if (present === undefined) return withJsonValue(source, format.path, entry);
    const less = dropped.reduce((into, key) => withoutJsonValue(into, [...format.path, key]), source);
    return Object.entries(wanted).reduce(
      (into, [key, value]) => withJsonValue(into, [...format.path, key], value),
      less,
    );
  });
}

/** The text without our entry. `keepsParents` is false when the objects around it were ours too. */
export function withoutEntry(text: string, format: ConfigFormat, keepsParents = true): string {
  if (entryIn(text, format) === undefined) return text;
  return guarded(text, format, (source) => {
    if (format.isToml) return withoutTomlTable(source, format.path);
    const less = withoutJsonValue(source, format.path);
    const parent = format.path.slice(0, -1);
    return !keepsParents && isDeepStrictEqual(jsonValue(less, parent), {}) ? withoutJsonValue(less, parent) : less;
  });
}

/** Arguments that a person added behind ours (`stdio --face debugger`) are theirs. */
function changedParts(present: Entry, entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => {
      const now = present[key];
      if (!reachKeys.includes(key)) return now === undefined;
      return !isDeepStrictEqual(now, value) && !isLonger(now, value);
    }),
  );
}

export function isLonger(now: unknown, wanted: unknown): boolean {
  return Array.isArray(now) && Array.isArray(wanted) && isDeepStrictEqual(now.slice(0, wanted.length), wanted);
}

/** Whatever the text looked like: nothing but our entry may mean something else afterwards. */
function guarded(text: string, format: ConfigFormat, change: (source: string) => string): string {
  const source = bare(text);
  const after = change(source);
  const others = othersIn(source, format);
  let isSafe = false;
  try {
    isSafe = isDeepStrictEqual(others, othersIn(after, format));
  } catch (error) {
    // Inline tables and the like: what we would write does not go together with them.
    if (!(error instanceof UnreadableConfig)) throw error;
  }
  if (!isSafe)
    throw new UnreadableConfig(`the way "${format.path.join('.')}" is written there cannot be changed safely`);
  return text.slice(0, text.length - source.length) + after;
}

/** Whether the two texts mean the same but for our entry. */
export function hasSameOthers(one: string, other: string, format: ConfigFormat): boolean {
  return isDeepStrictEqual(othersIn(bare(one), format), othersIn(bare(other), format));
}

function othersIn(text: string, { isToml, path }: ConfigFormat): unknown {
  const all: unknown = isToml ? tomlValue(text, []) : text.trim() === '' ? {} : jsonValue(text, []);
  return without(all, path);
}

/** Without the value at the way, and without the objects on the way that are empty then. */
function without(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== key) return [[name, inner]];
    const left = rest.length === 0 ? undefined : without(inner, rest);
    return left === undefined || isDeepStrictEqual(left, {}) ? [] : [[name, left]];
  });
  return Object.fromEntries(entries);
}

function valueAt(text: string, { isToml, path }: ConfigFormat): unknown {
  if (text.trim() === '') return undefined;
  return isToml ? tomlValue(text, path) : jsonValue(text, path);
}

/** Without the mark that some editors put at the beginning. */
function bare(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
