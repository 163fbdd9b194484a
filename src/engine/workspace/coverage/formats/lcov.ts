import { mergeCoverage, type NamedCoverage } from '../model.ts';

/** `lcov.info`: one record per file and, where `TN` names one, per test. */
export function readLcov(text: string): NamedCoverage[] {
  const found: NamedCoverage[] = [];
  let test = '';
  let name: string | undefined;
  let lines = new Map<number, number>();
  for (const row of text.split(/\r?\n/)) {
    const colon = row.indexOf(':');
    const [key, value] = colon === -1 ? [row, ''] : [row.slice(0, colon), row.slice(colon + 1)];
    if (key === 'TN') test = value.trim();
    else if (key === 'SF') [name, lines] = [value, new Map<number, number>()];
    else if (key === 'DA') {
      const [line = Number.NaN, hits = Number.NaN] = value.split(',').map(Number);
      if (Number.isInteger(line) && Number.isFinite(hits)) lines.set(line, (lines.get(line) ?? 0) + hits);
    } else if (key === 'end_of_record' && name !== undefined) {
      found.push({ name, lines, ...(test === '' ? {} : { tests: ranBy(lines, test) }) });
      name = undefined;
    }
  }
  return mergeCoverage(found);
}

function ranBy(lines: ReadonlyMap<number, number>, test: string): Map<number, string[]> {
  return new Map([...lines].filter(([, hits]) => hits > 0).map(([line]) => [line, [test]]));
}
