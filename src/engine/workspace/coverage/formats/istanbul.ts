import type { NamedCoverage } from '../model.ts';
import { isRecord } from '../../../../base/text/records.ts';

/** `coverage-final.json` of Istanbul, which vitest, jest, nyc and c8 write: statements, counted on the line where each begins. */
export function readIstanbul(report: Record<string, unknown>): NamedCoverage[] {
  return Object.entries(report).flatMap(([key, value]) => {
    if (!isRecord(value)) return [];
    const file = isRecord(value['data']) ? value['data'] : value;
    const { statementMap, s: counts, path } = file;
    if (!isRecord(statementMap) || !isRecord(counts)) return [];
    const lines = new Map<number, number>();
    for (const [id, place] of Object.entries(statementMap)) {
      const line = isRecord(place) && isRecord(place['start']) ? place['start']['line'] : undefined;
      const count = counts[id];
      if (typeof line !== 'number' || typeof count !== 'number') continue;
      lines.set(line, Math.max(lines.get(line) ?? 0, count));
    }
    return [{ name: typeof path === 'string' ? path : key, lines }];
  });
}
