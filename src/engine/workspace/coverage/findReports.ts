import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';

/** Where tools put their reports unless they are told otherwise. */
const usualPlaces = [
  '**/coverage-final.json',
  '**/lcov.info',
  '**/coverage.xml',
  '**/cobertura.xml',
  '**/cobertura-coverage.xml',
  '**/coverage.json',
  '**/jacoco.xml',
  '**/jacocoTestReport.xml',
  '**/cover.out',
  '**/coverage.out',
  '**/coverage.txt',
  '**/cover.profile',
  '**/coverprofile',
  '!**/node_modules/**',
  '!**/.venv/**',
  '!**/venv/**',
  '!**/site-packages/**',
];

/** Reports in the project, newest first. They are ignored by git nearly always, so what it ignores is looked at too. */
export async function findReports(project: Project, signal?: AbortSignal): Promise<string[]> {
  const { files } = await listFiles(project, { globs: usualPlaces, includeIgnored: true, signal });
  const dated = await Promise.all(
    files.map(async (file) => {
      const path = join(project.root, file);
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  return dated.toSorted((a, b) => b.at - a.at).map(({ path }) => path);
}
