import { dirname, join } from 'node:path';
import { isScriptFile } from '../../../base/languages/byPath.ts';
import { isInside } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import type { TestPackage } from '../tests/model.ts';
import type { Evidence, PackageFolder, TestRunner } from './model.ts';
import { isScriptTest, packageFolder, readText, testFile } from './packages.ts';
import { testScripts } from './scriptCall.ts';
import { runnerFor } from './scriptRunners.ts';

/** What every runner of JavaScript says about packages in the same way. */
export function scriptPackages(
  runner: TestRunner,
  command: RegExp,
  project: Project,
  files: readonly string[],
): TestPackage[] {
  const found = manifests(files).flatMap((path) => {
    const folder = packageFolder(path);
    const evidence = evidenceIn(runner, folder, project) ?? spoken(runner, folder, project, files);
    if (evidence === undefined) return [];
    const isCalled = testScripts(folder.scripts).some((line) => command.test(line));
    return [{ folder, evidence, isCalled, coversInner: isCalled || hasProjects(folder) || evidence.strength >= 7 }];
  });
  const isConfigured = ({ evidence, isCalled }: (typeof found)[number]) => isCalled || evidence.strength >= 2;
  return found
    .filter((each) => {
      const outer = found.some(
        (other) => other !== each && other.coversInner && isInside(other.folder.path, each.folder.path),
      );
      if (outer) return false;
      // A dependency alone says nothing beside packages that are set up; and tests there must be.
      const inner = found.some(
        (other) => other !== each && isConfigured(other) && isInside(each.folder.path, other.folder.path),
      );
      if (inner && !each.coversInner) return false;
      return isConfigured(each) || hasTests(each.folder.path, files);
    })
    .map(({ folder, evidence, isCalled }) => ({
      runner: runner.id,
      folder: folder.path,
      reason: isCalled ? 'the test script runs it' : evidence.reason,
    }));
}

/** The package of a file, when this runner is the one for it. */
export function scriptPackageOf(runner: TestRunner, project: Project, file: string): TestPackage | undefined {
  if (!isScriptFile(file)) return undefined;
  const found = runnerFor(testFile(file, project.root));
  if (found?.runner !== runner) return undefined;
  return { runner: runner.id, folder: found.evidence.folder, reason: found.evidence.reason };
}

function manifests(files: readonly string[]): string[] {
  return files.filter((file) => /(?:^|\/)package\.json$/.test(file)).map((file) => dirname(file));
}

function evidenceIn(runner: TestRunner, folder: PackageFolder, project: Project): Evidence | undefined {
  const path = join(folder.path, 'package.json');
  return runner.detect({ path, text: '', root: project.root, folders: [folder] });
}

const maxRead = 10;

const knownCall = /\b(?:vitest|jest|mocha|ava|tap|tape)\b|\s--test\b/;

/** A package whose test script calls nothing that is known: what its test files import tells it. */
function spoken(
  runner: TestRunner,
  { path, scripts }: PackageFolder,
  project: Project,
  files: readonly string[],
): Evidence | undefined {
  if (testScripts(scripts).some((line) => knownCall.test(line))) return undefined;
  const tests = files.filter((file) => isInside(path, file) && isScriptTest(file, path)).slice(0, maxRead);
  return tests
    .map((file) => runner.detect(testFile(file, project.root)))
    .find((evidence) => evidence !== undefined && evidence.strength >= 7 && evidence.folder === path);
}

/** A configuration that says where the packages are. */
function hasProjects({ path, files, manifest }: PackageFolder): boolean {
  if ([...files].some((name) => name.startsWith('vitest.workspace.'))) return true;
  const configurations = [...files].filter((name) => /^(vitest|vite|jest)\.config\./.test(name));
  const texts = configurations.map((name) => readText(join(path, name)) ?? '');
  return texts.some((text) => /\bprojects\b["']?\s*:/.test(text)) || 'projects' in Object(manifest?.['jest'] ?? {});
}

function hasTests(folder: string, files: readonly string[]): boolean {
  return files.some((file) => isInside(folder, file) && isScriptTest(file, folder));
}
