import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { filterOf, googleTests, type GoogleTest } from '../../../workspace/testRunners/cpp/googleTests.ts';
import { nearestNames } from '../../../workspace/testRunners/names.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { LaunchSpec } from '../../model.ts';
import type { TestRequest } from '../../target.ts';
import { buildOf } from './cppProgram.ts';

/** `calc_test.cpp`, `calc_test.cpp::Suite.Name`, `calc_test.cpp:12`: GoogleTest, whose failures stop the program where they happen. */
export async function testLaunch(request: TestRequest): Promise<LaunchSpec> {
  const { project, args, env } = request;
  const { place, name: given, line } = parsed(request.test);
  const path = isAbsolute(place) ? place : resolve(project.root, place);
  if (!existsSync(path))
    throw new ToolError('file_not_found', `There is no test file ${place}.`, {
      hint: 'Give the test as calc_test.cpp, calc_test.cpp::Suite.Name or calc_test.cpp:LINE.',
    });
  if (!isInside(project.root, path)) throw new ToolError('path_outside_project', `${path} lies outside the project.`);
  const tests = googleTests(readText(path) ?? '', path);
  if (tests.length === 0)
    throw new ToolError('test_not_found', `${place} has no tests of GoogleTest.`, {
      hint: 'A test program of another kind is debugged as program.',
    });
  const name = given ?? (line === undefined ? undefined : testAt(tests, line));
  const filter = name === undefined ? tests.map(filterOf).join(':') : matching(name, tests, place);
  const { step, output } = await buildOf(project, path, []);
  return {
    language: 'cpp',
    name: `${relative(project.root, path)}${name === undefined ? '' : `::${name}`}`,
    kind: 'test',
    program: output,
    args: [`--gtest_filter=${filter}`, ...stopping, ...args],
    cwd: request.cwd ?? project.root,
    env,
    stopOnEntry: false,
    isTest: true,
    test: { file: path, runner: 'GoogleTest', ...(name === undefined ? {} : { name }) },
    build: step,
  };
}

/** A failed assertion traps, and an exception is nobody's but the program's. */
const stopping = ['--gtest_break_on_failure', '--gtest_catch_exceptions=0', '--gtest_color=no', '--gtest_brief=1'];

function parsed(test: string): { place: string; name?: string; line?: number } {
  const named = /^(.*?)(?:::| > )(.+)$/s.exec(test);
  if (named !== null) return { place: named[1] ?? '', name: named[2] ?? '' };
  const withLine = /^(.*):(\d+)$/.exec(test);
  return withLine === null ? { place: test } : { place: withLine[1] ?? '', line: Number(withLine[2]) };
}

function testAt(tests: readonly GoogleTest[], line: number): string {
  const at = tests.filter((each) => each.line <= line).at(-1);
  if (at === undefined) throw new ToolError('test_not_found', `No test begins at or above line ${line}.`);
  return `${at.suite}.${at.name}`;
}

function matching(name: string, tests: readonly GoogleTest[], place: string): string {
  const wanted = name.replaceAll(/ > |::/g, '.');
  const found = tests.filter(
    ({ suite, name: own }) => wanted === `${suite}.${own}` || wanted === own || wanted === suite,
  );
  if (found.length > 0) return found.map(filterOf).join(':');
  const names = tests.map(({ suite, name: own }) => `${suite}.${own}`);
  const nearest = nearestNames(wanted, names);
  throw new ToolError('test_not_found', `There is no test named "${name}" in ${place}.`, {
    hint: `Tests there: ${(nearest.length > 0 ? nearest : names.slice(0, 5)).join(', ')}.`,
    data: { nearest },
  });
}
