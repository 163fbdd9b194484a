import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import { openForReading } from '../safeOpen.ts';
import { parseReport } from './formats/detect.ts';
import { readV8 } from './formats/v8.ts';
import type { Coverage, CoverageArtifact, CoverageFormat, FileCoverage, NamedCoverage } from './model.ts';
import { SourceFinder } from './sourceFinder.ts';

const maxReportBytes = 300_000_000;

/** A report that lies in the project. Files that changed after it was written are stale. */
export async function readReport(project: Project, path: string): Promise<Coverage> {
  const shown = displayPath(project.root, path);
  const handle = await openForReading([project.root], path);
  try {
    const { size, mtime } = await handle.stat();
    if (size > maxReportBytes) throw new ToolError('file_too_large', `${shown} has ${size} bytes.`);
    const { format, files, sources } = parseReport(await handle.readFile('utf8'), shown);
    const finder = new SourceFinder(project, [...(sources ?? []), ...foldersAround(project.root, path)]);
    const found = await inProject(project, format, files, finder);
    const dated = await Promise.all(
      found.files.map(async (file) => {
        const changedAt = await stat(file.path).catch(() => undefined);
        return changedAt !== undefined && changedAt.mtime > mtime ? { ...file, stale: true } : file;
      }),
    );
    return { format, madeAt: mtime, report: shown, files: dated, unknown: found.unknown, notes: notesOf([format]) };
  } finally {
    await handle.close();
  }
}

interface RunArtifacts {
  batchId: string;
  artifacts: readonly CoverageArtifact[];
  /** Files of tests: they are what measures, not what is measured. */
  testFiles?: ReadonlySet<string>;
}

/** What a run of tests left; undefined when that is nothing. */
export async function readArtifacts(project: Project, run: RunArtifacts): Promise<Coverage | undefined> {
  const parts: { format: CoverageFormat; files: FileCoverage[]; unknown: string[] }[] = [];
  for (const { format, path } of run.artifacts) {
    if ((await stat(path).catch(() => undefined)) === undefined) continue;
    const report =
      format === 'v8'
        ? { format, files: await readV8(path, project.root) }
        : parseReport(await readFile(path, 'utf8'), path);
    const bases = 'sources' in report ? report.sources : undefined;
    const found = await inProject(project, format, report.files, new SourceFinder(project, bases ?? []));
    parts.push({ format, ...found });
  }
  const [first] = parts;
  if (first === undefined) return undefined;
  const files = parts.flatMap((part) => part.files).filter(({ path }) => run.testFiles?.has(path) !== true);
  return {
    format: first.format,
    madeAt: new Date(),
    batchId: run.batchId,
    files: await Promise.all(files.map(async (file) => ({ ...file, version: await versionOf(file.path) }))),
    testFiles: [...(run.testFiles ?? [])],
    unknown: parts.flatMap((part) => part.unknown),
    notes: notesOf(parts.map(({ format }) => format)),
  };
}

/** Hash of what lies there now; undefined when nothing does. */
export async function versionOf(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? undefined : contentHash(bytes);
}

async function inProject(
  project: Project,
  format: CoverageFormat,
  named: readonly NamedCoverage[],
  finder: SourceFinder,
): Promise<{ files: FileCoverage[]; unknown: string[] }> {
  const files: FileCoverage[] = [];
  const unknown: string[] = [];
  for (const { name, lines, tests } of named) {
    const path = await finder.find(name);
    if (path === undefined) unknown.push(displayPath(project.root, name));
    else {
      const counted = format === 'go' ? await withCode(path, lines) : lines;
      files.push({ path, lines: counted, ...(tests === undefined ? {} : { tests }) });
    }
  }
  return { files, unknown };
}

/** Go counts blocks, which also hold blank lines, comments and closing brackets. */
async function withCode(path: string, lines: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const text = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  return new Map([...lines].filter(([line]) => /^\s*[^\s/]*\w|^\s*\/[^/]/.test(text[line - 1] ?? '')));
}

/** From the report's folder out to the root: tools write names relative to where they ran, reports below it. */
function foldersAround(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); isInside(root, folder) && folder !== root; folder = dirname(folder))
    folders.push(folder);
  return folders.toReversed();
}

function notesOf(formats: readonly CoverageFormat[]): string[] {
  return formats.includes('v8') ? ['Files that no test loaded are not in it.'] : [];
}
