/** Looking at what an agent sent without believing anything of it. */
export type Loose = Readonly<Record<string, unknown>>;

export function record(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
