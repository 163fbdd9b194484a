import { mergeCoverage, type NamedCoverage } from '../model.ts';
import { recordsIn } from './values.ts';

interface Segment {
  line: number;
  count: number;
  hasCount: boolean;
  isRegionEntry: boolean;
  isGap: boolean;
}

/** `llvm-cov export`, also as cargo-llvm-cov writes it: places where the count changes, from which LLVM tells lines. */
export function readLlvmCov(report: Record<string, unknown>): NamedCoverage[] {
  const found = recordsIn(report['data']).flatMap((part) =>
    recordsIn(part['files']).flatMap((file) => {
      const { filename, segments } = file;
      if (typeof filename !== 'string' || !Array.isArray(segments)) return [];
      return [{ name: filename, lines: linesOf(segments.flatMap(segmentOf)) }];
    }),
  );
  return mergeCoverage(found);
}

export function isLlvmCov(report: Record<string, unknown>): boolean {
  return typeof report['type'] === 'string' && report['type'].startsWith('llvm.coverage.');
}

function segmentOf(value: unknown): Segment[] {
  if (!Array.isArray(value)) return [];
  const parts: readonly unknown[] = value;
  const [line, , count, hasCount, isRegionEntry, isGap] = parts;
  if (typeof line !== 'number' || typeof count !== 'number') return [];
  return [{ line, count, hasCount: hasCount === true, isRegionEntry: isRegionEntry === true, isGap: isGap === true }];
}

/** As `llvm-cov` itself does it: the most that ran of what begins on the line and of what is still open from before. */
function linesOf(segments: readonly Segment[]): Map<number, number> {
  const lines = new Map<number, number>();
  const byLine = new Map<number, Segment[]>();
  for (const segment of segments) byLine.set(segment.line, [...(byLine.get(segment.line) ?? []), segment]);
  const last = segments.at(-1)?.line ?? 0;
  let open: Segment | undefined;
  for (let line = segments[0]?.line ?? 1; line <= last; line++) {
    const own = byLine.get(line) ?? [];
    const entries = own.filter(({ isRegionEntry, hasCount }) => isRegionEntry && hasCount);
    const startsSkipped = own[0] !== undefined && !own[0].hasCount && own[0].isRegionEntry;
    if (entries.length > 0 || (!startsSkipped && open?.hasCount === true)) {
      const counts = entries.filter(({ isGap }) => !isGap).map(({ count }) => count);
      lines.set(line, Math.max(open?.count ?? 0, ...counts));
    }
    open = own.at(-1) ?? open;
  }
  return lines;
}
