import fc from 'fast-check';
import type { JsonSchema, Tool } from '../../src/tools/defineTool.ts';

/** Arguments for tools, made from their schemas: such as a caller would send, and such as nobody should. */
export interface ArgumentHints {
  /** Values that fit by the parameter's name: an existing file, a line in it. */
  [parameter: string]: unknown;
}

/** Values that have broken programs before. None of them does harm, even where it is really executed. */
export function hostileValues(canary: string): unknown[] {
  return [
    null,
    '',
    ' ',
    '\0',
    'a\0b',
    '..',
    '../../../../etc/passwd',
    '/etc/passwd',
    '/proc/self/mem',
    '/dev/zero',
    'file:///etc/passwd',
    'x.jar!/../../etc/passwd',
    '-',
    '--help',
    `--output=${canary}`,
    `; touch ${canary} ;`,
    `$(touch ${canary})`,
    `\`touch ${canary}\``,
    `| touch ${canary}`,
    `\n touch ${canary}\n`,
    `' ; touch ${canary} ; '`,
    `" && touch ${canary} && "`,
    'a'.repeat(100_000),
    '\u202e\u0000\ud800',
    '𝕏'.repeat(500),
    '(((((((((((((((((((((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+$',
    '{"a":',
    '${jndi:ldap://x}',
    '%00%2e%2e%2f',
    0,
    -1,
    1,
    1.5,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    NaN,
    Infinity,
    true,
    false,
    [],
    [[]],
    [null],
    Array.from({ length: 1000 }, (_, index) => index),
    {},
    { toString: 'x', constructor: null, length: -1 },
    JSON.parse('{"__proto__": {"polluted": true}}'),
    nested(200),
  ];
}

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Arguments that fit the schema, with hints where a name calls for them. */
export function plausibleArguments(tool: Tool, hints: ArgumentHints, withOptional: boolean): Record<string, unknown> {
  const required = new Set(tool.inputSchema.required ?? []);
  const result: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
    if (required.has(name) || (withOptional && name in hints)) result[name] = plausible(name, schema, hints);
  }
  return result;
}

function plausible(name: string, schema: JsonSchema, hints: ArgumentHints): unknown {
  if (name in hints) return hints[name];
  if (schema.enum !== undefined) return schema.enum[0];
  const first = schema.anyOf?.[0];
  if (first !== undefined) return plausible(name, first, hints);
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return schema.items === undefined ? [] : [plausible(name, schema.items, hints)];
  if (schema.type !== 'object') return 'text';
  return Object.fromEntries(
    (schema.required ?? []).map((key) => [key, plausible(key, schema.properties?.[key] ?? {}, hints)]),
  );
}

/** The same list of mutated arguments for the same seed, whatever else runs. */
export function mutatedArguments(
  tool: Tool,
  hints: ArgumentHints,
  canary: string,
  seed: number,
  count: number,
): unknown[] {
  const hostile = fc.constantFrom(...hostileValues(canary));
  const anything = fc.oneof({ weight: 4, arbitrary: hostile }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
  const names = [
    ...Object.keys(tool.inputSchema.properties ?? {}),
    'project_path',
    'max_chars',
    'unknown_thing',
    '__proto__',
  ];
  const mutated = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom(...names), anything), { minLength: 1, maxLength: 3 }))
    .map(([withOptional, changes]) => {
      const args = plausibleArguments(tool, hints, withOptional);
      for (const [name, value] of changes)
        Object.defineProperty(args, name, { value, enumerable: true, configurable: true, writable: true });
      return args;
    });
  return fc.sample(fc.oneof({ weight: 9, arbitrary: mutated }, { weight: 1, arbitrary: anything }), {
    seed,
    numRuns: count,
  });
}

/** Plausible arguments with this path at one of the places where the tool takes paths. */
export function argumentsWith(tool: Tool, place: string, path: string): Record<string, unknown> {
  const [parameter = '', inner] = place.split('[].');
  const schema = tool.inputSchema.properties?.[parameter] ?? {};
  const plausible = plausibleArguments(
    tool,
    { wait_ms: 100, line: 1, program: 'src/app.ts', file: 'src/app.ts', file_path: 'src/app.ts' },
    false,
  );
  const [holder = '', held] = place.split('.');
  if (inner === undefined && held !== undefined) {
    const object = plausibleItem({ items: tool.inputSchema.properties?.[holder] ?? {} });
    return { ...plausible, [holder]: { ...object, [held]: path } };
  }
  if (inner !== undefined) return { ...plausible, [parameter]: [{ ...plausibleItem(schema), [inner]: path }] };
  return { ...plausible, [parameter]: schema.type === 'array' ? [path] : path };
}

/** What an item of a list must have, and a line where it can have one. */
function plausibleItem({ items = {} }: JsonSchema): Record<string, unknown> {
  const required = (items.required ?? []).map((name) => [name, 'x'] as const);
  return { ...Object.fromEntries(required), ...('line' in (items.properties ?? {}) ? { line: 1 } : {}) };
}
