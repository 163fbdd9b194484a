import { dirname, join } from 'node:path';
import { advise, step } from '../../../../base/text/advice.ts';
import { assetPath } from '../../../../base/assets.ts';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { listFiles } from '../../fileListing.ts';
import { ownCmakeFolder, ownFolder } from '../../nativeBuilds.ts';
import type { Project } from '../../project.ts';
import type { RunRequest, SuiteRunner, TestPackage, TestRef, TestSelection } from '../../tests/model.ts';
import { emptyPlan } from '../emptyPlan.ts';
import { escaped } from '../names.ts';
import { readText } from '../packages.ts';
import { CtestEvents } from './ctestEvents.ts';
import { filterOf, googleTests, type GoogleTest } from './googleTests.ts';

const sourceFile = /\.(?:cc|cpp|cxx|c\+\+|C)$/;
const declares =
  /\b(?:enable_testing|add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests)\s*\(|include\s*\(\s*CTest\b/;

/** CTest, with the tests of GoogleTest one by one: a package is the outermost CMakeLists.txt. */
export const ctest: SuiteRunner = {
  id: 'ctest',
  packages: (_project, files) => {
    const folders = files.filter((file) => file.endsWith('/CMakeLists.txt')).map((file) => dirname(file));
    return folders
      .filter((folder) => !folders.some((outer) => outer !== folder && isInside(outer, folder)))
      .filter((folder) =>
        folders.some((each) => isInside(folder, each) && declares.test(readText(join(each, 'CMakeLists.txt')) ?? '')),
      )
      .map(packageAt);
  },
  packageOf: (project, file) => {
    if (!sourceFile.test(file) || googleTests(readText(file) ?? '', file).length === 0) return undefined;
    const folder = topFolder(project, file);
    return folder === undefined ? undefined : packageAt(folder);
  },
  plan: (request) => planned(request, false),
  collect: (request) => planned(request, true),
  // Which target needs which is CMake's business: rather all tests than too few.
  affectedTests: ({ folder }, changed, files) =>
    changed.some(
      (file) => isInside(folder, file) && /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|cmake|in)$|CMakeLists\.txt$/i.test(file),
    )
      ? files.filter(
          (file) =>
            isInside(folder, file) && sourceFile.test(file) && googleTests(readText(file) ?? '', file).length > 0,
        )
      : [],
  testsInFile: (_project, file) => googleTests(readText(file) ?? '', file).map(refOf),
};

async function planned(request: RunRequest, isList: boolean) {
  const { project, selection, scratch, locate } = request;
  const { folder } = request.package;
  if (request.coverage === true)
    throw new ToolError('unsupported', 'Coverage of C and C++ is not measured.', {
      hint: advise`Run without coverage; ${step('getCoverage')} reads lcov and Cobertura reports that the build itself makes.`,
    });
  const written = await writtenTests(project, folder);
  const choice = choiceOf(selection, written);
  if (choice === undefined)
    return emptyPlan(
      folder,
      written.map(({ suite, name }) => `${suite}.${name}`),
    );
  const build = ownCmakeFolder(folder) ?? ownFolder('cmake', folder);
  const isNew = readText(join(build, 'CMakeCache.txt')) === undefined;
  const told = {
    cmake: 'cmake',
    ctest: await locate('ctest'),
    source: folder,
    build,
    settings: isNew ? ['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'] : [],
    ...choice,
    scratch,
    isList,
  };
  return {
    command: [process.execPath, assetPath('reporters/ctest.mjs')],
    cwd: folder,
    env: { SIGHTLINE_CTEST: JSON.stringify(told) },
    stdoutIsEvents: true as const,
    reader: new CtestEvents(folder, scratch, written),
  };
}

interface Choice {
  /** A regular expression for the names that CTest has. */
  chosen?: string;
  /** What GoogleTest is to run, where a program of it is one test to CTest. */
  filter?: string;
}

/** Undefined when the source shows that nothing is meant; tests that are none of GoogleTest are known only to CTest. */
function choiceOf(selection: TestSelection, written: readonly GoogleTest[]): Choice | undefined {
  const { files, tests, pattern } = selection;
  const name = selection.name?.replaceAll(/ > |::/g, '.');
  if (tests !== undefined) return exactly(tests, written);
  if (files === undefined && name === undefined && pattern === undefined) return {};
  const wanted = pattern === undefined ? undefined : new RegExp(pattern);
  const inFiles = written.filter(({ file }) => files === undefined || files.some((place) => isInside(place, file)));
  const meant = inFiles.filter(({ suite, name: own }) => {
    const whole = `${suite}.${own}`;
    return (wanted?.test(`${suite} ${own}`) ?? true) && (name === undefined || whole.includes(bareName(name)));
  });
  const exact = meant.filter(({ suite, name: own }) => `${suite}.${own}` === name);
  const found = exact.length > 0 ? exact : meant;
  if (found.length > 0) return chosenOf(found);
  return files === undefined ? { chosen: name === undefined ? (pattern ?? '') : escaped(name) } : undefined;
}

function exactly(tests: readonly TestRef[], written: readonly GoogleTest[]): Choice {
  const names = tests.map(({ suite, name }) => [...suite, name].join('.'));
  const google = written.filter(({ suite, name }) => names.some((each) => bareName(each) === `${suite}.${name}`));
  return {
    chosen: `^(?:${names.map(escaped).join('|')})$`,
    ...(google.length === 0 ? {} : { filter: names.join(':') }),
  };
}

/** `All/Many.Positive/0` as it is written: `Many.Positive`. */
function bareName(name: string): string {
  const [suite = '', test] = name.split('.');
  const parts = suite.split('/');
  if (test === undefined) return name;
  return `${parts.length > 1 && /^\d+$/.test(parts[1] ?? '') ? parts[0] : parts.at(-1)}.${test.split('/')[0]}`;
}

function chosenOf(found: readonly GoogleTest[]): Choice {
  const parts = found.map(({ suite, name }) => `${escaped(suite)}(?:/[^.]*)?\\.${escaped(name)}(?:/.*)?`);
  return { chosen: `^(?:[^.]*/)?(?:${parts.join('|')})$`, filter: found.map(filterOf).join(':') };
}

async function writtenTests(project: Project, folder: string): Promise<GoogleTest[]> {
  const { files } = await listFiles(project, { folder, globs: ['**/*.{cc,cpp,cxx,c++,C}'] });
  return files.map((file) => join(project.root, file)).flatMap((file) => googleTests(readText(file) ?? '', file));
}

function refOf({ suite, name, file, line }: GoogleTest): TestRef {
  return { suite: [suite], name, file, line };
}

function packageAt(folder: string): TestPackage {
  return { runner: 'ctest', folder, reason: 'CMake is told of tests' };
}

/** The outermost CMakeLists.txt around a file. */
function topFolder(project: Project, file: string): string | undefined {
  let top: string | undefined;
  for (let place = dirname(file); isInside(project.root, place); place = dirname(place)) {
    if (readText(join(place, 'CMakeLists.txt')) !== undefined) top = place;
    if (place === project.root) break;
  }
  return top;
}
