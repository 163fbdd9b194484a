import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { isInside } from '../../../../base/paths.ts';
import { nearestNames } from '../../../workspace/testRunners/names.ts';
import { readText } from '../../../workspace/testRunners/packages.ts';
import { placeOf, testsIn, type RustFunction } from '../../../workspace/testRunners/rust/rustSource.ts';
import type { LaunchSpec } from '../../model.ts';
import type { TestRequest } from '../../target.ts';
import { cargoBuild, packageFolder, withManifest } from './rustProgram.ts';

/** `src/lib.rs`, `src/lib.rs::tests::adds`, `src/lib.rs:12`: the binary of the target, run with exactly those tests. */
export async function testLaunch(request: TestRequest): Promise<LaunchSpec> {
  const { project, args, env } = request;
  const { place, name: given, line } = parsed(request.test);
  const path = isAbsolute(place) ? place : resolve(project.root, place);
  if (!existsSync(path))
    throw new ToolError('file_not_found', `There is no test file ${place}.`, {
      hint: 'Give the test as src/lib.rs, src/lib.rs::tests::name or src/lib.rs:LINE.',
    });
  if (!isInside(project.root, path)) throw new ToolError('path_outside_project', `${path} lies outside the project.`);
  const folder = packageFolder(project, path);
  const target = folder === undefined ? undefined : placeOf(path, folder);
  if (folder === undefined || target === undefined)
    throw new ToolError('launch_failed', `${place} belongs to no target of a Cargo package.`);
  const known = testsIn(readText(path) ?? '', path, target.modules);
  const chosen = chosenTests(known, given, line, place);
  const { kind, name } = target.target;
  const flags = kind === 'lib' ? '--lib' : name === '' ? '--bins' : `--${kind}=${name}`;
  const packageName = /^\s*name\s*=\s*["']([^"']+)/m.exec(readText(join(folder, 'Cargo.toml')) ?? '')?.[1];
  const ofPackage = packageName === undefined ? [] : [`--package=${packageName}`];
  const { step, output } = await cargoBuild(project, folder, ['test', '--no-run', ...ofPackage, flags], {
    isTest: true,
  });
  const names = chosen.map((test) => test.path.join('::'));
  return {
    language: 'rust',
    name: `${relative(project.root, path) || basename(path)}${given === undefined ? '' : `::${given}`}`,
    kind: 'test',
    program: output,
    args: ['--exact', ...names, '--nocapture', '--test-threads=1', '--color=never', ...args],
    cwd: request.cwd ?? folder,
    env: withManifest(env, folder),
    stopOnEntry: false,
    isTest: true,
    test: { file: path, runner: 'cargo test', ...(given === undefined ? {} : { name: given }) },
    build: step,
  };
}

function parsed(test: string): { place: string; name?: string; line?: number } {
  const named = /^(.*?\.rs)(?:::| > )(.+)$/s.exec(test);
  if (named !== null) return { place: named[1] ?? '', name: (named[2] ?? '').replaceAll(' > ', '::') };
  const withLine = /^(.*):(\d+)$/.exec(test);
  return withLine === null ? { place: test } : { place: withLine[1] ?? '', line: Number(withLine[2]) };
}

function chosenTests(
  known: readonly RustFunction[],
  name: string | undefined,
  line: number | undefined,
  place: string,
): readonly RustFunction[] {
  if (known.length === 0) throw new ToolError('test_not_found', `There is no test in ${place}.`);
  if (name === undefined && line === undefined) return known;
  if (line !== undefined) {
    const at = known.filter((each) => each.line <= line).at(-1);
    if (at === undefined) throw new ToolError('test_not_found', `No test begins at or above line ${line}.`);
    return [at];
  }
  const wanted = `::${name ?? ''}`;
  const whole = (test: RustFunction) => `::${test.path.join('::')}`;
  const found = known.filter((test) => whole(test).endsWith(wanted) || whole(test).startsWith(`${wanted}::`));
  if (found.length > 0) return found;
  const names = known.map((test) => test.path.join('::'));
  const nearest = nearestNames(name ?? '', names);
  throw new ToolError('test_not_found', `There is no test named "${name}" in ${place}.`, {
    hint: `Tests there: ${(nearest.length > 0 ? nearest : names.slice(0, 5)).join(', ')}.`,
    data: { nearest },
  });
}
