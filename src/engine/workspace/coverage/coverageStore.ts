import { join } from 'node:path';
import { readStateFile, writeStateFile } from '../../../base/stateFile.ts';
import type { Project } from '../project.ts';
import { recordsIn, stringsIn } from './formats/values.ts';
import { isRecord } from '../../../base/text/records.ts';
import { coverageFormats, mergeCoverage, type Coverage, type FileCoverage } from './model.ts';
import { versionOf } from './readCoverage.ts';

const formatVersion = 1;

/** Keeps what the last run of tests with coverage left, beyond the end of the process. Runs of one batch are kept together. */
export async function addCoverage(project: Project, coverage: Coverage): Promise<void> {
  const kept = await readStateFile(placeOf(project), { version: formatVersion, parse, empty: () => undefined });
  await save(project, kept === undefined || kept.batchId !== coverage.batchId ? coverage : joined(kept, coverage));
}

function joined(first: Coverage, second: Coverage): Coverage {
  const byPath = new Map(first.files.map((file) => [file.path, file]));
  for (const file of second.files) {
    const known = byPath.get(file.path);
    const [lines] = mergeCoverage(
      [known ?? file, ...(known === undefined ? [] : [file])].map((each) => ({ ...each, name: '' })),
    );
    byPath.set(file.path, { ...file, ...lines });
  }
  return {
    ...second,
    files: [...byPath.values()],
    testFiles: [...(first.testFiles ?? []), ...(second.testFiles ?? [])],
    unknown: [...new Set([...first.unknown, ...second.unknown])],
    notes: [...new Set([...first.notes, ...second.notes])],
  };
}

async function save(project: Project, coverage: Coverage): Promise<void> {
  await writeStateFile(placeOf(project), formatVersion, {
    ...coverage,
    madeAt: coverage.madeAt.toISOString(),
    files: coverage.files.map(({ path, version, lines, tests }) => ({
      path,
      version,
      lines: [...lines],
      tests: tests === undefined ? undefined : [...tests],
    })),
  });
}

/** Files whose content is no longer what was measured are marked. */
export async function lastCoverage(project: Project): Promise<Coverage | undefined> {
  const kept = await readStateFile(placeOf(project), { version: formatVersion, parse, empty: () => undefined });
  if (kept === undefined) return undefined;
  const files = await Promise.all(
    kept.files.map(async (file) => ((await versionOf(file.path)) === file.version ? file : { ...file, stale: true })),
  );
  return { ...kept, files };
}

function placeOf(project: Project): string {
  return join(project.stateDir, 'coverage.json');
}

function parse(content: unknown): Coverage {
  if (!isRecord(content)) throw new Error('it holds no coverage');
  const format = coverageFormats.find((each) => each === content['format']);
  const madeAt = new Date(String(content['madeAt']));
  if (format === undefined || Number.isNaN(madeAt.getTime())) throw new Error('it does not say what it holds');
  return {
    format,
    madeAt,
    ...(typeof content['batchId'] === 'string' ? { batchId: content['batchId'] } : {}),
    files: recordsIn(content['files']).map(fileOf),
    testFiles: stringsIn(content['testFiles']),
    unknown: stringsIn(content['unknown']),
    notes: stringsIn(content['notes']),
  };
}

function fileOf(kept: Record<string, unknown>): FileCoverage {
  const { path, version, lines, tests } = kept;
  if (typeof path !== 'string') throw new Error('a file has no path');
  const named = pairs(tests).map(([line, names]) => [line, stringsIn(names)] as const);
  return {
    path,
    ...(typeof version === 'string' ? { version } : {}),
    lines: new Map(pairs(lines).flatMap(([line, hits]) => (typeof hits === 'number' ? [[line, hits] as const] : []))),
    ...(named.length === 0 ? {} : { tests: new Map(named) }),
  };
}

function pairs(value: unknown): (readonly [number, unknown])[] {
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.flatMap((item) => {
    if (!Array.isArray(item)) return [];
    const parts: readonly unknown[] = item;
    const [line, rest] = parts;
    return typeof line === 'number' ? [[line, rest] as const] : [];
  });
}
