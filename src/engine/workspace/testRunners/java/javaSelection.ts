import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import { listFiles } from '../../fileListing.ts';
import type { RunRequest, TestPackage, TestRef, TestSelection } from '../../tests/model.ts';
import { readText } from '../packages.ts';
import type { JavaSources } from './javaReports.ts';
import { testsIn, type JavaTest } from './javaSource.ts';

const sourceFiles = ['**/*.java', '**/*.kt', '**/*.groovy', '**/*.scala'];

export function isJavaTest(file: string): boolean {
  return /\/src\/(?:test|\w*[tT]est)\/.*\.(?:java|kt|groovy|scala)$/.test(file);
}

/** For answers about names that nobody has. */
export async function allNames(request: RunRequest): Promise<string[]> {
  const { tests } = await javaChoice({ ...request, selection: {} });
  return tests.map((test) => wholeNames(test)[0] ?? test.method);
}

export function refOf({ className, method, file, line }: JavaTest): TestRef {
  return { suite: classesOf({ className }), name: method, ...(file === '' ? {} : { file, line }) };
}

/** Which module needs which is the build's business: rather all tests of it than too few. */
export function javaAffected({ folder }: TestPackage, changed: readonly string[], files: readonly string[]): string[] {
  const isOwn = (file: string) => isInside(folder, file);
  const matters = /\/src\/|\/pom\.xml$|\.gradle(?:\.kts)?$|\.(?:java|kt|groovy|scala)$/;
  return changed.some((file) => isOwn(file) && matters.test(file))
    ? files.filter((file) => isOwn(file) && isJavaTest(file) && javaTestsInFile(file).length > 0)
    : [];
}

export function javaTestsInFile(file: string): TestRef[] {
  return isJavaTest(file) ? testsIn(readText(file) ?? '', file).map(refOf) : [];
}

export interface JavaChoice extends JavaSources {
  /** Something was selected: `tests` is not everything. */
  isNarrow: boolean;
}

/** The tests of a build that a selection means. */
export async function javaChoice({ project, package: { folder }, selection }: RunRequest): Promise<JavaChoice> {
  const listed = await listFiles(project, { folder, globs: sourceFiles });
  const files = listed.files.map((file) => join(project.root, file));
  const texts = await Promise.all(
    files.filter(isJavaTest).map(async (file) => testsIn(await readFile(file, 'utf8').catch(() => ''), file)),
  );
  const all = texts.flat();
  const { files: places, tests, name, pattern } = selection;
  if (places === undefined && tests === undefined && name === undefined && pattern === undefined)
    return { tests: all, files, isNarrow: false };
  const chosen = all.filter((test) => isChosen(test, selection));
  const exact = chosen.filter((test) => wholeNames(test).includes(name ?? ''));
  return { tests: exact.length > 0 ? exact : chosen, files, isNarrow: true };
}

function isChosen(test: JavaTest, { files, tests, name, pattern }: TestSelection): boolean {
  if (files !== undefined && !files.some((place) => isInside(place, test.file))) return false;
  if (
    tests !== undefined &&
    !tests.some((each) => each.name.replace(/\[.*$/, '') === test.method && isOf(each.suite, each.file, test))
  )
    return false;
  const spaced = `${classesOf(test).join(' ')} ${test.method}`;
  if (pattern !== undefined && !new RegExp(pattern).test(spaced)) return false;
  return name === undefined || wholeNames(test).some((each) => each.includes(name));
}

function isOf(suite: readonly string[], file: string | undefined, test: JavaTest): boolean {
  return (
    (file === undefined || file === test.file) && (suite.length === 0 || suite.join('$') === classesOf(test).join('$'))
  );
}

/** The ways in which people and tools write a test's name. */
function wholeNames(test: JavaTest): string[] {
  const classes = classesOf(test);
  const { className, method } = test;
  return [
    `${classes.join('.')}.${method}`,
    `${className}.${method}`,
    `${className}#${method}`,
    `${classes.join('$')}#${method}`,
    [...classes, method].join(' > '),
    method,
    classes.join('$'),
    className,
  ];
}

function classesOf({ className }: Pick<JavaTest, 'className'>): string[] {
  return (className.split('.').at(-1) ?? className).split('$');
}
