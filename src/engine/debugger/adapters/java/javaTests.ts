import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import { testsIn, type JavaTest } from '../../../workspace/testRunners/java/javaSource.ts';
import { nearestNames } from '../../../workspace/testRunners/names.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { LaunchSpec } from '../../model.ts';
import type { TestRequest } from '../../target.ts';
import { reactorOf } from './mavenBuilds.ts';
import { moduleOf, plainBuild, type FindJdk, type JavaRun } from './javaProgram.ts';

/** `CalcTest.java`, `CalcTest.java::sums`, `CalcTest.java:12`, `CalcTest#sums`, or the name as Maven prints it. */
export async function testLaunch(
  request: TestRequest,
  findJdk: FindJdk,
  maven: (project: Project) => Promise<string>,
): Promise<LaunchSpec> {
  const { project, args, env, progress } = request;
  const { file, tests, name } = await chosen(project, request.test);
  const jdk = await findJdk(project, progress);
  const base: LaunchSpec = {
    language: 'java',
    name: `${relative(project.root, file)}${name === undefined ? '' : `::${name}`}`,
    kind: 'test',
    program: file,
    args,
    cwd: request.cwd ?? project.root,
    env,
    stopOnEntry: false,
    isTest: true,
    test: { file, runner: 'maven', ...(name === undefined ? {} : { name }) },
  };
  const module = moduleOf(project, file);
  if (module !== undefined) {
    const reactor = reactorOf(project, module);
    const command = [await maven(project), ...reactor.args, ...surefire(tests, name)];
    return { ...base, cwd: reactor.folder, command, extra: { run: { jdk, classPath: [] } } };
  }
  const { step, classes, jars } = await plainBuild(project, [file], jdk);
  const launcher = jars.find((jar) => /junit-platform-console-standalone-.*\.jar$/.test(jar));
  if (launcher === undefined)
    throw new ToolError('unsupported', `Nothing is known that runs ${base.name} under a debugger.`, {
      hint: 'A Maven build, or junit-platform-console-standalone-*.jar in lib/, runs JUnit tests.',
    });
  const run: JavaRun = { jdk, classPath: [classes, ...jars], mainClass: 'org.junit.platform.console.ConsoleLauncher' };
  const selected = tests.map(({ className, method }) =>
    name === undefined ? `--select-class=${className}` : `--select-method=${className}#${method}`,
  );
  return {
    ...base,
    args: ['execute', ...new Set(selected), '--details=tree', '--disable-banner', ...args],
    test: { file, runner: 'JUnit', ...(name === undefined ? {} : { name }) },
    extra: { run },
    build: step,
  };
}

function surefire(tests: readonly JavaTest[], name: string | undefined): string[] {
  const classes = [...new Set(tests.map(({ className }) => className))];
  const wanted =
    name === undefined ? classes : [...new Set(tests.map(({ className, method }) => `${className}#${method}`))];
  return [
    '--batch-mode',
    '--no-transfer-progress',
    '--quiet',
    `-Dtest=${wanted.join(',')}`,
    '-Dsurefire.failIfNoSpecifiedTests=false',
    // Its agent and the debugger's would both be in one machine; coverage is not what is looked for here.
    '-Djacoco.skip=true',
    'test',
  ];
}

async function chosen(project: Project, test: string): Promise<{ file: string; tests: JavaTest[]; name?: string }> {
  const { place, name, line } = parsed(test);
  const file = await fileOf(project, place);
  const all = testsIn(readText(file) ?? '', file);
  if (all.length === 0) throw new ToolError('test_not_found', `There is no test in ${relative(project.root, file)}.`);
  if (line !== undefined) {
    const at = all.filter((each) => each.line <= line).at(-1) ?? all[0];
    return at === undefined ? { file, tests: all } : { file, tests: [at], name: at.method };
  }
  if (name === undefined) return { file, tests: all };
  const method = name.split(/ > |::|[.#]/).at(-1) ?? name;
  const plain = method.replace(/[([].*$/, '');
  const tests = all.filter((each) => each.method === plain);
  if (tests.length > 0) return { file, tests, name: plain };
  const nearest = nearestNames(plain, [...new Set(all.map((each) => each.method))]);
  throw new ToolError('test_not_found', `There is no test named "${name}" in ${relative(project.root, file)}.`, {
    hint: `Tests there: ${nearest.join(', ')}.`,
    data: { nearest },
  });
}

function parsed(test: string): { place: string; name?: string; line?: number } {
  const named = /^(.*?\.java)(?:::| > |#)(.+)$/s.exec(test) ?? /^([\w.$]+)#(.+)$/.exec(test);
  if (named !== null) return { place: named[1] ?? '', name: named[2] ?? '' };
  const withLine = /^(.*\.java):(\d+)$/.exec(test);
  return withLine === null ? { place: test } : { place: withLine[1] ?? '', line: Number(withLine[2]) };
}

/** By path, or by the name of the class. */
async function fileOf(project: Project, place: string): Promise<string> {
  const path = isAbsolute(place) ? place : resolve(project.root, place);
  if (place.endsWith('.java') && existsSync(path)) {
    if (isInside(project.root, path)) return path;
    throw new ToolError('path_outside_project', `${path} lies outside the project.`);
  }
  const { files } = await listFiles(project, { globs: ['**/*.java'] });
  const wanted = `${place.replace(/\.java$/, '').replaceAll('.', '/')}.java`;
  const found = files.find((file) => file === wanted || file.endsWith(`/${wanted}`));
  if (found !== undefined) return join(project.root, found);
  const nearest = nearestNames(
    basename(wanted, '.java'),
    files.filter((file) => /test/i.test(file)),
  );
  throw new ToolError('file_not_found', `There is no test file ${place}.`, {
    hint: `Give the test as src/test/java/XTest.java, XTest.java::method or XTest.java:LINE.${nearest.length === 0 ? '' : ` There are: ${nearest.slice(0, 4).join(', ')}.`}`,
  });
}
