import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { isPythonTest } from '../testRunners/pythonSuite.ts';
import { isPythonFile, isScriptFile } from '../../../base/languages/byPath.ts';
import { ToolError } from '../../../base/errors.ts';
import type { Project } from '../project.ts';
import { runRipgrep } from '../ripgrep.ts';
import { pythonTests, scriptTests, testAtLine } from '../testRunners/names.ts';
import { isScriptTest, readText } from '../testRunners/packages.ts';
import { suiteRunners } from '../testRunners/suites.ts';
import type { SuiteRunner, TestRef, TestRun, TestSelection } from './model.ts';
import { findPackages, packageOfFile, packagesOfFolder, runnerNames, type FoundPackage } from './packages.ts';

/** What a caller says about which tests are meant. */
export interface TestWish {
  /** Canonical paths of files or folders, or of a file with `::test` or `:line` after it. */
  files?: readonly string[] | undefined;
  name?: string | undefined;
  pattern?: string | undefined;
  line?: number | undefined;
}

/** One runner's share of what is to be run. */
export interface SelectedPackage extends FoundPackage {
  selection: TestSelection;
}

/** Files that are too many to be named are left to the runner's own search. */
const maxNamedFiles = 200;

export async function selectTests(project: Project, wish: TestWish, signal: AbortSignal): Promise<SelectedPackage[]> {
  const { pattern } = wish;
  if (pattern !== undefined) checkPattern(pattern);
  const places = (wish.files ?? []).map(placeOf);
  const wishedLine = wish.line ?? places.find((place) => place.line !== undefined)?.line;
  const line = wishedLine === undefined ? undefined : nameAtLine(project, places, wishedLine);
  const name = line ?? wish.name ?? single(places.flatMap((place) => place.name ?? []));
  const named = { ...(name === undefined ? {} : { name }), ...(pattern === undefined ? {} : { pattern }) };
  if (places.length > 0)
    return groupedPlaces(
      project,
      places.map(({ path }) => path),
      named,
      signal,
    );
  const all = await findPackages(project, signal);
  if (all.length === 0) throw nothingFound(project);
  // A name that is written out somewhere says by itself which files are meant.
  const files = name === undefined ? [] : await filesNaming(project, name, signal);
  if (files.length > 0 && files.length <= maxNamedFiles) {
    const grouped = await groupedPlaces(project, files, named, signal).catch(() => []);
    if (grouped.length > 0) return grouped;
  }
  return all.map((each) => ({ ...each, selection: named }));
}

/** Exactly these tests, each with the runner that had run it. */
export function selectAgain(project: Project, runs: readonly TestRun[], tests: readonly TestRef[]): SelectedPackage[] {
  const groups = new Map<string, SelectedPackage & { selection: { files: string[]; tests: TestRef[] } }>();
  for (const test of tests) {
    if (test.file === undefined || !existsSync(test.file)) continue;
    const found = packageOfFile(project, test.file);
    const run = runs.find(({ results }) => results.includes(test as TestRun['results'][number]));
    const folder = run?.folder ?? found.package.folder;
    const key = `${found.runner.id} ${folder}`;
    const group = groups.get(key) ?? {
      ...found,
      package: { ...found.package, folder },
      selection: { files: [], tests: [] },
    };
    if (!group.selection.files.includes(test.file)) group.selection.files.push(test.file);
    group.selection.tests.push(test);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function groupedPlaces(
  project: Project,
  paths: readonly string[],
  named: TestSelection,
  signal: AbortSignal,
): Promise<SelectedPackage[]> {
  const groups = new Map<string, SelectedPackage & { files: string[] }>();
  const add = (found: FoundPackage, path: string) => {
    const key = `${found.runner.id} ${found.package.folder}`;
    const group = groups.get(key) ?? { ...found, files: [], selection: {} };
    group.files.push(path);
    groups.set(key, group);
  };
  let all: FoundPackage[] | undefined;
  for (const path of paths) {
    if (!statSync(path).isDirectory()) {
      add(packageOfFile(project, path), path);
      continue;
    }
    all ??= await findPackages(project, signal);
    const found = packagesOfFolder(all, path);
    if (found.length === 0) throw nothingFound(project);
    for (const each of found) add(each, path);
  }
  return [...groups.values()].map(({ files, ...each }) => {
    // A folder that is the package, or holds it, is all of it.
    const narrowed = files.filter((file) => !each.package.folder.startsWith(file));
    return { ...each, selection: { ...named, ...(narrowed.length === 0 ? {} : { files: narrowed }) } };
  });
}

interface Place {
  path: string;
  name?: string;
  line?: number;
}

function placeOf(given: string): Place {
  const [, path = given, name, line] = /^(.+?)(?:::(.*)|:(\d+))?$/s.exec(given) ?? [];
  return { path, ...(name === undefined ? {} : { name }), ...(line === undefined ? {} : { line: Number(line) }) };
}

function nameAtLine(project: Project, places: readonly Place[], line: number): string {
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new ToolError('invalid_arguments', 'line needs exactly one file.', {
      hint: '{"files": ["x.test.ts"], "line": 12}',
    });
  const text = readText(place.path) ?? '';
  const isPython = isPythonFile(place.path);
  const written = runnerWithSource(project, place.path)
    ?.testsInFile?.(project, place.path)
    .map(({ suite, name, line: at = 1 }) => ({ suite, name, line: at, isSuite: false }));
  const test = testAtLine(written ?? (isPython ? pythonTests(text) : scriptTests(text)), line);
  if (test === undefined)
    throw new ToolError('test_not_found', `No test is written at or above line ${line} of ${place.path}.`, {
      hint: 'Leave line out to run the whole file.',
    });
  return [...test.suite, test.name].join(isPython ? '::' : ' > ');
}

function runnerWithSource(project: Project, file: string): SuiteRunner | undefined {
  return suiteRunners.find(
    (runner) => runner.testsInFile !== undefined && runner.packageOf(project, file) !== undefined,
  );
}

function single(names: readonly string[]): string | undefined {
  if (names.length > 1)
    throw new ToolError('invalid_arguments', 'Only one file::test can be named in a call.', {
      hint: 'Use pattern for several tests.',
    });
  return names[0];
}

/** Test files in which the last part of a name is written. */
async function filesNaming(project: Project, name: string, signal: AbortSignal): Promise<string[]> {
  const last =
    name
      .split(/ > |\s\u203A\s|::/)
      .at(-1)
      ?.replace(/\[.*$/, '')
      .trim() ?? name;
  const files: string[] = [];
  await runRipgrep(project, {
    args: [
      '--files-with-matches',
      '--null',
      '--fixed-strings',
      '--no-require-git',
      '-g',
      '*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,py,go,rs,java,kt,cc,cpp,cxx}',
      '--',
      last,
      '.',
    ],
    separator: '\0',
    signal,
    onRecord: (record) => {
      const file = resolve(project.root, record);
      if (!isScriptFile(file) || isScriptTest(file, project.root)) files.push(file);
      return files.length <= maxNamedFiles;
    },
  });
  const isTest = (file: string) => runnerWithSource(project, file) !== undefined;
  return files.filter((file) => isTest(file) || isScriptTest(file) || isPythonTest(file));
}

function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    throw new ToolError('invalid_arguments', `pattern is no regular expression: ${String(error)}`);
  }
}

function nothingFound(project: Project): ToolError {
  return new ToolError('test_not_found', `No tests were found in ${project.root}.`, {
    hint: advise`${step('runTests')} knows ${runnerNames()}, by a configuration, a test script or a dependency. ${step('listRunConfigurations')} shows what else can be run.`,
  });
}
