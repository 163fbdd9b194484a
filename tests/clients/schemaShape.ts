/** What a schema says of names, types and choices. Clients leave out bounds and formats, and sort. */
export function schemaShape(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type, properties, required, items, enum: choices, anyOf } = schema as Record<string, unknown>;
  const parts: Record<string, unknown> = { type };
  if (typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0)
    parts['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, schemaShape(property)]),
    );
  if (Array.isArray(required) && required.length > 0) parts['required'] = required.map(String).sort();
  if (items !== undefined) parts['items'] = schemaShape(items);
  if (choices !== undefined) parts['enum'] = choices;
  if (Array.isArray(anyOf)) parts['anyOf'] = anyOf.map((choice) => schemaShape(choice));
  return parts;
}

/** The schema without parameters that a client added to it. */
export function withoutParameters(schema: unknown, names: readonly string[] = []): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema;
  const properties = Object.entries(Object(schema.properties)).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}
