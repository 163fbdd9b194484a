import { join } from 'node:path';
import type { Dependency } from '../dependencies/model.ts';
import type { Project } from '../project.ts';
import type { ProjectModule } from '../structure.ts';
import { packageFolder, readText } from '../testRunners/packages.ts';
import { scriptRunners } from '../testRunners/scriptRunners.ts';
import type { TestFile } from '../testRunners/model.ts';

export interface TestSetup {
  runner: string;
  /** Of the module, relative to the root. */
  path: string;
  why: string;
}

/** Which runner the tests of each module are for, as far as files and manifests tell. */
export function testSetups(
  project: Project,
  modules: readonly ProjectModule[],
  files: readonly string[],
  dependencies: readonly Dependency[],
): TestSetup[] {
  const setups = modules.flatMap((module) => {
    const own = filesBelow(module, modules, files);
    return [
      ...(module.kinds.includes('npm') ? scriptSetups(project, module.path, own) : []),
      ...otherSetups(module, own, dependencies),
    ];
  });
  return setups.length > 0 ? setups : pythonAlone(files);
}

const scriptTest = /(\.(test|spec)\.[cm]?[jt]sx?|(^|\/)tests?\/[^/]+\.[cm]?js)$/;
/** A few tests stand for the others of a module. */
const maxTestsRead = 5;

function scriptSetups(project: Project, path: string, files: readonly string[]): TestSetup[] {
  // What the root says holds for the modules in it, and is told there.
  const folders = [packageFolder(join(project.root, path))];
  const tests = files.filter((file) => scriptTest.test(file)).slice(0, maxTestsRead);
  const texts = tests.length === 0 ? [''] : tests.map((file) => readText(join(project.root, file)) ?? '');
  const found = texts.flatMap((text) =>
    scriptRunners.flatMap((runner) => {
      const file: TestFile = { path: join(project.root, path, 'any.test.js'), text, root: project.root, folders };
      const evidence = runner.detect(file);
      return evidence === undefined ? [] : [{ runner: runner.id, why: evidence.reason, strength: evidence.strength }];
    }),
  );
  const [best] = found.toSorted((one, other) => other.strength - one.strength);
  return best === undefined ? [] : [{ runner: best.runner, path, why: best.why }];
}

const pythonTest = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

function otherSetups(
  { path, kinds }: ProjectModule,
  files: readonly string[],
  dependencies: readonly Dependency[],
): TestSetup[] {
  const setups: TestSetup[] = [];
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  const depends = (name: RegExp) => dependencies.some((each) => each.module === path && name.test(each.name));
  if (kinds.includes('python') && has(pythonTest)) setups.push(pythonSetup(path, files, depends(/^pytest$/i)));
  if (kinds.includes('go') && has(/_test\.go$/))
    setups.push({ runner: 'go test', path, why: 'there are _test.go files' });
  if (kinds.includes('cargo')) setups.push({ runner: 'cargo test', path, why: 'it is a crate' });
  if (kinds.includes('cmake') && has(/(^|[/_-])tests?([/_.-]|$)/i))
    setups.push({ runner: 'ctest', path, why: 'it is built by CMake and has tests' });
  if ((kinds.includes('maven') || kinds.includes('gradle')) && depends(/junit|testng/i))
    setups.push({ runner: 'junit', path, why: 'the build depends on it' });
  return setups;
}

function pythonSetup(path: string, files: readonly string[], dependsOnPytest: boolean): TestSetup {
  const configured = files.find((file) => /(^|\/)(conftest\.py|pytest\.ini)$/.test(file));
  if (configured !== undefined) return { runner: 'pytest', path, why: `${configured} is there` };
  return dependsOnPytest
    ? { runner: 'pytest', path, why: 'the project depends on it' }
    : { runner: 'unittest', path, why: 'there are test files and no pytest' };
}

/** Scripts without a manifest. */
function pythonAlone(files: readonly string[]): TestSetup[] {
  return files.some((file) => pythonTest.test(file)) ? [pythonSetup('.', files, false)] : [];
}

/** The files of a module without those of modules inside it. */
function filesBelow(module: ProjectModule, modules: readonly ProjectModule[], files: readonly string[]): string[] {
  const isBelow = (file: string, folder: string) => folder === '.' || file.startsWith(`${folder}/`);
  const inner = modules.filter((other) => other.path !== module.path && isBelow(`${other.path}/`, module.path));
  return files.filter((file) => isBelow(file, module.path) && !inner.some(({ path }) => isBelow(file, path)));
}
