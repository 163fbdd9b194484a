import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import { listFiles } from '../../fileListing.ts';
import type { Project } from '../../project.ts';
import type { RunRequest, SuiteRunner, TestPackage, TestRef, TestSelection } from '../../tests/model.ts';
import { escaped } from '../names.ts';
import { goAffected } from './goAffected.ts';
import { GoEvents } from './goEvents.ts';
import { GoList } from './goList.ts';
import { functionsIn, goFunctions, type GoFunction } from './goSource.ts';
import { emptyPlan } from '../emptyPlan.ts';

/** `go test -json`: one package of ours is one Go module. */
export const goTest: SuiteRunner = {
  id: 'go test',
  packages: (_project, files) => {
    const tests = files.filter(isGoTest);
    return files
      .filter((file) => file.endsWith('/go.mod'))
      .map((file) => dirname(file))
      .filter((folder) => tests.some((test) => isInside(folder, test) && moduleFolder(test, files) === folder))
      .map(packageAt);
  },
  packageOf: (project, file) => {
    if (!isGoTest(file)) return undefined;
    const folder = nearestModule(project, file);
    return folder === undefined ? undefined : packageAt(folder);
  },
  plan: async (request) => {
    const { folder } = request.package;
    const all = await allFunctions(request);
    const choice = choiceOf(request.selection, folder, all);
    const available = all.map(({ name }) => name);
    if (choice === undefined) return emptyPlan(folder, available);
    const { functions, packages, run } = choice;
    const profile = join(request.scratch, 'cover.out');
    const coverage = request.coverage === true ? [`-coverprofile=${profile}`, '-coverpkg=./...'] : [];
    const go = await request.locate('go');
    return {
      command: [go, 'test', '-json', '-count=1', ...(run === undefined ? [] : ['-run', run]), ...coverage, ...packages],
      cwd: folder,
      stdoutIsEvents: true,
      reader: new GoEvents({ folder, modulePath: modulePath(folder), functions, available }),
      ...(request.coverage === true ? { coverage: [{ format: 'go', path: profile }] } : {}),
    };
  },
  collect: async (request) => {
    const { folder } = request.package;
    const all = await allFunctions(request);
    const choice = choiceOf(request.selection, folder, all);
    if (choice === undefined) return emptyPlan(folder, []);
    return {
      command: [await request.locate('go'), 'test', '-json', '-list', choice.run ?? '.', ...choice.packages],
      cwd: folder,
      stdoutIsEvents: true,
      reader: new GoList(all, folder),
    };
  },
  affectedTests: ({ folder }, changed, files) => goAffected(folder, modulePath(folder), changed, files),
  testsInFile: (_project, file) => functionsIn(read(file) ?? '', file).map(refOf),
};

function refOf({ name, file, line }: GoFunction): TestRef {
  return { suite: [], name, file, line };
}

async function allFunctions({ project, package: { folder } }: RunRequest): Promise<GoFunction[]> {
  const { files } = await listFiles(project, { folder, globs: ['**/*_test.go'] });
  const paths = files.map((file) => join(project.root, file)).filter(isGoTest);
  return goFunctions(paths.filter((path) => nearestModule(project, path) === folder));
}

interface Choice {
  functions: readonly GoFunction[];
  packages: readonly string[];
  run?: string;
}

/** What the selection means in `-run` and packages: exact names wherever the source tells them. Undefined when it means nothing. */
function choiceOf(selection: TestSelection, folder: string, all: readonly GoFunction[]): Choice | undefined {
  if (selection.tests !== undefined) return exactly(selection.tests, all, folder);
  const { files, name, pattern } = selection;
  const inFiles = all.filter(({ file }) => files === undefined || files.some((place) => isInside(place, file)));
  if (name === undefined && pattern === undefined) {
    const isNarrow = files?.some((place) => place.endsWith('.go')) === true;
    return inFiles.length === 0
      ? undefined
      : { functions: inFiles, packages: packagesOf(files, folder), ...(isNarrow ? { run: runOf(inFiles) } : {}) };
  }
  const found = byName(selection, inFiles);
  if (found.length > 0) return { functions: found, packages: packagesWith(found, folder), run: runOf(found) };
  // No function has that name: it may be a test inside one, which only running tells.
  const [top = '', ...rest] = (name ?? '').split(/ > |\//);
  const parents = rest.length === 0 ? [] : inFiles.filter((each) => each.name === top);
  if (parents.length === 0) return undefined;
  const run = [top, ...rest].map(segment).join('/');
  return { functions: parents, packages: packagesWith(parents, folder), run };
}

function byName({ name, pattern }: TestSelection, functions: readonly GoFunction[]): GoFunction[] {
  if (pattern !== undefined) {
    const wanted = new RegExp(pattern);
    return functions.filter((each) => wanted.test(each.name));
  }
  const exact = functions.filter((each) => each.name === name);
  return exact.length > 0 ? exact : functions.filter((each) => each.name.includes(name ?? ''));
}

function exactly(tests: readonly TestRef[], all: readonly GoFunction[], folder: string): Choice {
  const functions = all.filter((each) =>
    tests.some((test) => each.name === (test.suite[0] ?? test.name) && (test.file ?? each.file) === each.file),
  );
  const patterns = tests.map((test) => [...test.suite, test.name].map(segment).join('/'));
  // A test that is named together with one inside it would bring all that it holds.
  const innermost = patterns.filter((each) => !patterns.some((other) => other.startsWith(`${each}/`)));
  return { functions, packages: packagesWith(functions, folder), run: innermost.join('|') };
}

/** Go writes blanks in the names of tests inside tests as underscores. */
function segment(name: string): string {
  return `^${escaped(name.replace(/\s/g, '_'))}$`;
}

function runOf(functions: readonly GoFunction[]): string {
  return `^(${[...new Set(functions.map(({ name }) => name))].join('|')})$`;
}

function packagesWith(functions: readonly GoFunction[], folder: string): string[] {
  return packagesOf(
    functions.map(({ file }) => file),
    folder,
  );
}

function packagesOf(places: readonly string[] | undefined, folder: string): string[] {
  if (places === undefined) return ['./...'];
  const found = places.map((place) => {
    const isFile = place.endsWith('.go');
    const inside = relative(folder, isFile ? dirname(place) : place);
    return isFile ? `./${inside}` : join('.', inside, '...').replace(/^(?!\.)/, './');
  });
  return [...new Set(found)];
}

function packageAt(folder: string): TestPackage {
  return { runner: 'go test', folder, reason: 'it is a Go module' };
}

function isGoTest(file: string): boolean {
  return file.endsWith('_test.go') && !/\/(?:vendor|testdata)\//.test(file);
}

function moduleFolder(file: string, files: readonly string[]): string | undefined {
  const modules = files.filter((each) => each.endsWith('/go.mod')).map((each) => dirname(each));
  return modules.filter((folder) => isInside(folder, file)).toSorted((a, b) => b.length - a.length)[0];
}

function nearestModule(project: Project, file: string): string | undefined {
  for (let folder = dirname(file); isInside(project.root, folder); folder = dirname(folder)) {
    if (manifest(folder) !== undefined) return folder;
    if (folder === project.root) return undefined;
  }
  return undefined;
}

function modulePath(folder: string): string {
  return /^module\s+"?([^\s"]+)/m.exec(manifest(folder) ?? '')?.[1] ?? '';
}

function manifest(folder: string): string | undefined {
  return read(join(folder, 'go.mod'));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
