/** Text for tools that have no renderer of their own: one line per field, lists as rows of values. */
export function defaultRender(data: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([key, value]) => field(key, value, ''))
    .join('\n');
}

function field(key: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}${key}: none`];
    if (value.every((item) => typeof item !== 'object' || item === null))
      return [`${indent}${key}: ${value.map(String).join(', ')}`];
    return [`${indent}${key}:`, ...value.map((item) => `${indent}  ${inline(item)}`)];
  }
  if (typeof value === 'object' && value !== null) {
    return [
      `${indent}${key}:`,
      ...Object.entries(value)
        .filter(([, item]) => item !== undefined && item !== null)
        .flatMap(([name, item]) => field(name, item, `${indent}  `)),
    ];
  }
  return [`${indent}${key}: ${inline(value)}`];
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.map(inline).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, item]) => item !== undefined && item !== null)
      .map(([key, item]) => `${key}=${inline(item)}`)
      .join(' ');
  }
  return String(value);
}
