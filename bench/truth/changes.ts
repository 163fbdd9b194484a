import type { Language } from './projects.ts';
export async function tryChanges(_l: Language, _n: number, _s: number, _o?: string[]): Promise<{ broken: number }> {
  return { broken: 0 };
}
