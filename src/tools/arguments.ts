import { ToolError } from '../base/errors.ts';
import { parameterAliases } from './aliases.ts';
import type { JsonSchema, Tool } from './defineTool.ts';
import { closest } from './closest.ts';

/** Parameters every tool takes. They are handled by the runner and need not be declared. */
export const commonParameters: Readonly<Record<string, JsonSchema>> = {
  project_path: { type: 'string' },
  max_chars: { type: 'integer', minimum: 200, maximum: 200_000 },
};

export interface NormalisedArguments {
  values: Record<string, unknown>;
  /** Corrections that were made, in words, so that the caller learns the right form. */
  notes: string[];
}

/**
 * Brings arguments into the declared form: other spellings of names, "5" for 5, one value for a list, an enum in another case.
 * What cannot be told for certain is refused with the right names.
 */
export function normaliseArguments(tool: Tool, given: unknown): NormalisedArguments {
  const source = given ?? {};
  if (!isRecord(source))
    throw invalid(tool, `The arguments of ${tool.name} must be an object, not ${describeType(source)}.`);
  const properties = { ...tool.inputSchema.properties, ...commonParameters };
  const notes: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [givenName, value] of Object.entries(source)) {
    const name = parameterName(tool, properties, givenName);
    if (name in values || (name !== givenName && name in source)) {
      throw invalid(tool, `"${givenName}" and "${name}" are the same argument of ${tool.name}; both were given.`);
    }
    if (name !== givenName) notes.push(`"${givenName}" was read as "${name}"`);
    if (value === null && !(tool.inputSchema.required ?? []).includes(name)) continue;
    values[name] = coerce(properties[name] ?? {}, value, name, notes);
  }
  return { values, notes };
}

function parameterName(tool: Tool, properties: Record<string, JsonSchema>, given: string): string {
  if (given in properties) return given;
  const snake = given
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (snake in properties) return snake;
  const alias = parameterAliases[snake]?.find((name) => name in properties);
  if (alias !== undefined) return alias;
  const known = Object.keys(tool.inputSchema.properties ?? {});
  const near = closest(snake, known);
  throw invalid(
    tool,
    `${tool.name} has no argument "${given}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    `It takes: ${argumentSummary(tool)}.`,
  );
}

function argumentSummary(tool: Tool): string {
  const required = new Set(tool.inputSchema.required);
  const names = Object.keys(tool.inputSchema.properties ?? {});
  if (!names.includes('project_path') && tool.scope !== 'none') names.push('project_path');
  return names.length === 0
    ? 'no arguments'
    : names.map((name) => (required.has(name) ? `${name} (required)` : name)).join(', ');
}

export function invalid(tool: Tool, message: string, hint?: string): ToolError {
  return new ToolError('invalid_arguments', message, { hint: hint ?? `It takes: ${argumentSummary(tool)}.` });
}

function coerce(schema: JsonSchema, value: unknown, name: string, notes: string[]): unknown {
  const wanted = schema.type;
  const noteChange = (from: unknown, to: unknown) => {
    notes.push(`${name}: ${JSON.stringify(from)} was read as ${JSON.stringify(to)}`);
    return to;
  };
  if (schema.enum !== undefined && typeof value === 'string' && !schema.enum.includes(value)) {
    const match = schema.enum.find((option) => typeof option === 'string' && plain(option) === plain(value));
    return match === undefined ? value : noteChange(value, match);
  }
  if (typeof value === 'string') {
    const trimmed = value.trim();
    if ((wanted === 'integer' || wanted === 'number') && trimmed !== '' && Number.isFinite(Number(trimmed)))
      return noteChange(value, Number(trimmed));
    if (wanted === 'boolean' && /^(true|false|yes|no|1|0)$/i.test(trimmed))
      return noteChange(value, /^(true|yes|1)$/i.test(trimmed));
    if ((wanted === 'array' && trimmed.startsWith('[')) || (wanted === 'object' && trimmed.startsWith('{'))) {
      const parsed = parseJson(trimmed);
      if (parsed !== undefined) return coerce(schema, noteChange(value, parsed), name, notes);
    }
  }
  if (
    wanted === 'integer' &&
    typeof value === 'number' &&
    Number.isFinite(value) &&
    !Number.isInteger(value) &&
    Number.isInteger(Number(value.toFixed(6)))
  )
    return Number(value.toFixed(6));
  if (wanted === 'boolean' && (value === 0 || value === 1)) return noteChange(value, value === 1);
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return noteChange(value, String(value));
  if (wanted === 'array') {
    const list = Array.isArray(value) ? value : noteChange(value, [value]);
    return Array.isArray(list)
      ? list.map((item, index) => coerce(schema.items ?? {}, item, `${name}[${index}]`, notes))
      : list;
  }
  if (wanted === 'object' && isRecord(value) && schema.properties !== undefined)
    return coerceObject(schema, value, name, notes);
  return value;
}

function coerceObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  name: string,
  notes: string[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const alias =
      key in (schema.properties ?? {})
        ? key
        : (parameterAliases[key]?.find((other) => other in (schema.properties ?? {})) ?? key);
    if (item === null && !(schema.required ?? []).includes(alias)) continue;
    result[alias] = coerce(schema.properties?.[alias] ?? {}, item, `${name}.${alias}`, notes);
  }
  return result;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeType(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
