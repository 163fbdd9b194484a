import { ToolError } from '../base/errors.ts';
import { parameterAliases } from './aliases.ts';
import type { JsonSchema, Tool } from './defineTool.ts';
import { closest } from './closest.ts';
import { isRecord } from '../base/text/records.ts';

/** Parameters every tool takes. They are handled by the runner and need not be declared. */
const commonParameters: Readonly<Record<string, JsonSchema>> = {
  project_path: { type: 'string' },
  max_chars: { type: 'integer', minimum: 200, maximum: 200_000 },
};

interface NormalisedArguments {
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
    const other = name in values ? values[name] : name === givenName ? undefined : source[name];
    if (other !== undefined && other !== null) {
      if (isSameValue(coerce(properties[name] ?? {}, value, name, { tool, notes: [] }), other)) continue;
      throw invalid(
        tool,
        `"${givenName}" and "${name}" are the same argument of ${tool.name}, and their values differ.`,
      );
    }
    if (name !== givenName) notes.push(`"${givenName}" was read as "${name}"`);
    if (value === null && !(tool.inputSchema.required ?? []).includes(name)) continue;
    values[name] = coerce(properties[name] ?? {}, value, name, { tool, notes });
  }
  return { values, notes };
}

function parameterName(tool: Tool, properties: Record<string, JsonSchema>, given: string): string {
  const name = declaredName(properties, given);
  if (name !== undefined) return name;
  throw unknownName(tool, tool.name, given, tool.inputSchema, argumentSummary(tool));
}

/** The declared name that a given one means: itself, in another spelling, or a word others use for it. */
function declaredName(properties: Record<string, JsonSchema>, given: string): string | undefined {
  if (given in properties) return given;
  const spelling = Object.keys(properties).find((name) => plain(name) === plain(given));
  return spelling ?? parameterAliases[snakeCase(given)]?.find((name) => name in properties);
}

function unknownName(tool: Tool, owner: string, given: string, schema: JsonSchema, summary: string): ToolError {
  const near = closest(snakeCase(given), Object.keys(schema.properties ?? {}));
  return invalid(
    tool,
    `${owner} has no argument "${given}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    `It takes: ${summary}.`,
  );
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function argumentSummary(tool: Tool): string {
  const schema = tool.inputSchema;
  const isTakingProject = tool.scope !== 'none' && !('project_path' in (schema.properties ?? {}));
  const names = [propertySummary(schema), ...(isTakingProject ? ['project_path'] : [])].filter((part) => part !== '');
  return names.length === 0 ? 'no arguments' : names.join(', ');
}

function propertySummary(schema: JsonSchema): string {
  const required = new Set(schema.required);
  return Object.keys(schema.properties ?? {})
    .map((name) => (required.has(name) ? `${name} (required)` : name))
    .join(', ');
}

export function invalid(tool: Tool, message: string, hint?: string): ToolError {
  return new ToolError('invalid_arguments', message, { hint: hint ?? `It takes: ${argumentSummary(tool)}.` });
}

/** Where a value stands among the arguments, and what was changed so far. */
interface Reading {
  tool: Tool;
  notes: string[];
}

function coerce(schema: JsonSchema, value: unknown, name: string, reading: Reading): unknown {
  const wanted = schema.type;
  const noteChange = (from: unknown, to: unknown) => {
    reading.notes.push(`${name}: ${JSON.stringify(from)} was read as ${JSON.stringify(to)}`);
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
      if (parsed !== undefined) return coerce(schema, noteChange(value, parsed), name, reading);
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
      ? list.map((item, index) => coerce(schema.items ?? {}, item, `${name}[${index}]`, reading))
      : list;
  }
  if (wanted === 'object' && schema.properties !== undefined) {
    if (isRecord(value)) return coerceObject(schema, value, name, reading);
    throw invalid(
      reading.tool,
      `${name} must be an object, not ${describeType(value)}.`,
      `It takes: ${propertySummary(schema)}.`,
    );
  }
  return value;
}

function coerceObject(
  schema: JsonSchema,
  value: Record<string, unknown>,
  name: string,
  reading: Reading,
): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const required = schema.required ?? [];
  const result: Record<string, unknown> = {};
  for (const [given, item] of Object.entries(value)) {
    const key = declaredName(properties, given) ?? (isOpen(schema) ? given : undefined);
    // A key that is passed over in silence would look as if it had been obeyed.
    if (key === undefined) throw unknownName(reading.tool, name, given, schema, propertySummary(schema));
    const other = key in result ? result[key] : key === given ? undefined : value[key];
    if (other !== undefined && other !== null) {
      if (isSameValue(coerce(properties[key] ?? {}, item, key, { ...reading, notes: [] }), other)) continue;
      throw invalid(reading.tool, `"${given}" and "${key}" are the same argument of ${name}, and their values differ.`);
    }
    if (key !== given) reading.notes.push(`${name}: "${given}" was read as "${key}"`);
    if (item === null && !required.includes(key)) continue;
    result[key] = coerce(properties[key] ?? {}, item, `${name}.${key}`, reading);
  }
  const missing = required.filter((key) => !(key in result));
  if (missing.length > 0)
    throw invalid(reading.tool, `${name} lacks ${missing.join(' and ')}.`, `It takes: ${propertySummary(schema)}.`);
  return result;
}

/** Said twice is no contradiction; `"5"` and `5` are the same too. */
function isSameValue(a: unknown, b: unknown): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return text(a) === text(b);
}

function isOpen(schema: JsonSchema): boolean {
  return schema.additionalProperties !== undefined && schema.additionalProperties !== false;
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
