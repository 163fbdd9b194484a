import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { functionsIn, type GoFunction } from '../../../workspace/testRunners/go/goSource.ts';
import { escaped, nearestNames } from '../../../workspace/testRunners/names.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import type { LaunchSpec } from '../../model.ts';
import type { TestRequest } from '../../target.ts';
import { buildStep, type GoTools } from './goProgram.ts';

/** `cart_test.go`, `cart_test.go::TestTotal/empty cart`, `cart_test.go:12`, or a package's folder in place of the file. */
export async function testLaunch(request: TestRequest, tools: GoTools): Promise<LaunchSpec> {
  const { project, args, env, progress } = request;
  const { place, name: given, line } = parsed(request.test);
  const path = isAbsolute(place) ? place : resolve(project.root, place);
  if (!existsSync(path))
    throw new ToolError('file_not_found', `There is no test file ${place}.`, {
      hint: 'Give the test as cart_test.go, cart_test.go::TestName/subtest or cart_test.go:LINE; a folder means its package.',
    });
  if (!isInside(project.root, path)) throw new ToolError('path_outside_project', `${path} lies outside the project.`);
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const known = testFiles(folder).flatMap((file) => functionsIn(readText(file) ?? '', file));
  const inFile = isFolder ? known : known.filter(({ file }) => file === path);
  const name = given ?? (line === undefined ? undefined : functionAt(inFile, line));
  const pattern = name === undefined ? filePattern(inFile, isFolder) : namePattern(name, known);
  const found = await tools(project, progress);
  const { step, output } = await buildStep({ ...found, project, folder, isTest: true, flags: [] });
  const top = name?.split(/ > |\//)[0];
  const file = known.find((each) => each.name === top)?.file ?? path;
  return {
    language: 'go',
    name: `${relative(project.root, path)}${name === undefined ? '' : `::${name}`}`,
    kind: 'test',
    program: output,
    args: ['-test.v', '-test.paniconexit0', ...(pattern === undefined ? [] : [`-test.run=${pattern}`]), ...args],
    cwd: request.cwd ?? folder,
    env,
    stopOnEntry: false,
    isTest: true,
    test: { file, runner: 'go test', ...(name === undefined ? {} : { name }) },
    build: step,
  };
}

function parsed(test: string): { place: string; name?: string; line?: number } {
  const named = /^(.*?)(?:::| > )(.+)$/s.exec(test);
  if (named !== null) return { place: named[1] ?? '', name: named[2] ?? '' };
  const withLine = /^(.*):(\d+)$/.exec(test);
  return withLine === null ? { place: test } : { place: withLine[1] ?? '', line: Number(withLine[2]) };
}

function testFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('_test.go'))
    .map((name) => join(folder, name));
}

/** The test that a line belongs to. */
function functionAt(functions: readonly GoFunction[], line: number): string | undefined {
  const at = functions.filter((each) => each.line <= line).at(-1);
  if (at === undefined) throw new ToolError('test_not_found', `No test begins at or above line ${line}.`);
  return at.name;
}

function filePattern(functions: readonly GoFunction[], isFolder: boolean): string | undefined {
  if (isFolder) return undefined;
  if (functions.length === 0) throw new ToolError('test_not_found', 'There is no test in this file.');
  return `^(${functions.map(({ name }) => name).join('|')})$`;
}

/** Each part of the name anchored, as `go test -run` takes it; blanks are written as it prints them. */
function namePattern(name: string, known: readonly GoFunction[]): string {
  const [top = '', ...rest] = name.split(/ > |\//);
  if (!known.some((each) => each.name === top)) {
    const nearest = nearestNames(
      top,
      known.map((each) => each.name),
    );
    throw new ToolError('test_not_found', `There is no test named "${top}" in this package.`, {
      hint: nearest.length === 0 ? 'No test is written in it.' : `Tests there: ${nearest.join(', ')}.`,
      data: { nearest },
    });
  }
  return [top, ...rest].map((part) => `^${escaped(part.replace(/\s/g, '_'))}$`).join('/');
}

/** The names of tests in a package, and of the tests inside them as far as they are written out. */
export function testNamesNear(path: string): string[] {
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  return testFiles(folder).flatMap((file) => {
    const text = readText(file) ?? '';
    const functions = functionsIn(text, file);
    const lines = text.split('\n');
    return functions.flatMap(({ name, line }, index) => {
      const end = functions[index + 1]?.line ?? lines.length + 1;
      const body = lines.slice(line - 1, end - 1).join('\n');
      const inner = [
        ...body.matchAll(/\.Run\(\s*"([^"\n]+)"|(?:name|desc|title):\s*"([^"\n]+)"|^\s*\{\s*"([^"\n]+)",/gim),
      ];
      return [
        name,
        ...inner.map(([, run, field, first]) => `${name}/${(run ?? field ?? first ?? '').replace(/\s/g, '_')}`),
      ];
    });
  });
}
