import type { PathKind } from '../tools/defineTool.ts';
import { isRecord } from '../base/text/records.ts';

type Resolve = (path: string, kind: PathKind) => Promise<string>;

/** The path parameters of a call, as they stand there. */
export async function pathsIn(
  args: Record<string, unknown>,
  kinds: Readonly<Record<string, PathKind>>,
): Promise<string[]> {
  const found: string[] = [];
  await mapPaths(args, kinds, async (path) => {
    found.push(path);
    return path;
  });
  return found;
}

/** Replaces the path parameters of a call by what the resolver makes of them. `at.file` reaches into an object, `list[].file` into a list of them. */
export async function mapPaths(
  args: Record<string, unknown>,
  kinds: Readonly<Record<string, PathKind>>,
  resolve: Resolve,
): Promise<Record<string, unknown>> {
  let result = args;
  for (const [place, kind] of Object.entries(kinds)) result = await mapPlace(result, place, kind, resolve);
  return result;
}

async function mapPlace(
  args: Record<string, unknown>,
  place: string,
  kind: PathKind,
  resolve: Resolve,
): Promise<Record<string, unknown>> {
  const [, holder, inner = ''] = /^(\w+)\.(.+)$/.exec(place) ?? [];
  if (holder !== undefined) {
    const held = args[holder];
    return isRecord(held) ? { ...args, [holder]: await mapPlace(held, inner, kind, resolve) } : args;
  }
  const [head = '', ...rest] = place.split('[].');
  const value = args[head];
  if (value === undefined) return args;
  if (rest.length > 0) {
    if (!Array.isArray(value)) return args;
    const items: unknown[] = value;
    return {
      ...args,
      [head]: await Promise.all(
        items.map((item) => (isRecord(item) ? mapPlace(item, rest.join('[].'), kind, resolve) : item)),
      ),
    };
  }
  if (Array.isArray(value))
    return {
      ...args,
      [head]: await Promise.all(
        value.map((item: unknown) => (typeof item === 'string' ? resolveOne(item, kind, resolve) : item)),
      ),
    };
  return typeof value === 'string' ? { ...args, [head]: await resolveOne(value, kind, resolve) } : args;
}

async function resolveOne(value: string, kind: PathKind, resolve: Resolve): Promise<string> {
  if (kind !== 'test') return resolve(value, kind);
  const [, path = value, rest = ''] = /^(.+?)(::.*|:\d+)?$/s.exec(value) ?? [];
  return (await resolve(path, 'existing')) + rest;
}
