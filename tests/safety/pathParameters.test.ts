import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../src/tools/defineTool.ts';
import { allTools } from '../../src/tools/registry.ts';
import { testBench, type TestBench } from '../support/sightline.ts';
import { argumentsWith } from '../support/toolArguments.ts';

/** Every parameter of every tool that is a path goes through the one resolver. Tools of later days are covered by themselves. */
let bench: TestBench;
let outside: string;

beforeAll(async () => {
  bench = await testBench({ files: { 'package.json': '{}', 'src/app.ts': 'export const a = 1;\n', 'lib.jar': 'x' } });
  outside = join(bench.root, '..', 'project-sibling');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'TOP-SECRET');
  writeFileSync(join(outside, 'secret.jar'), 'TOP-SECRET');
  symlinkSync(outside, join(bench.root, 'link'));
  symlinkSync('link', join(bench.root, 'chain'));
  symlinkSync(join(outside, 'secret.txt'), join(bench.root, 'src/link.ts'));
});

afterAll(() => bench.dispose());

const isPathName =
  /^(file|file_path|files|directory|folder|program|target|target_file|target_directory|output_file|script)$/;

function pathPlaces(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    // Of a list of objects, what is in them counts.
    const own = isPathName.test(name) && inner.items?.properties === undefined ? [`${prefix}${name}`] : [];
    return [...own, ...(inner.items === undefined ? [] : pathPlaces(inner.items, `${prefix}${name}[].`))];
  });
}

test('no tool has a path that it does not declare', () => {
  const undeclared = allTools.flatMap((tool) =>
    pathPlaces(tool.inputSchema)
      .filter((place) => tool.paths?.[place] === undefined)
      .map((place) => `${tool.name}: ${place}`),
  );
  expect(undeclared).toEqual([]);
});

const places = allTools.flatMap((tool) =>
  Object.keys(tool.paths ?? {}).map((place) => [`${tool.name} ${place}`, tool, place] as const),
);

describe.each(places)('%s', (_title, tool, place) => {
  test('stays in the project', async () => {
    const escaping = [
      '../project-sibling/secret.txt',
      'src/../../project-sibling/secret.txt',
      join(outside, 'secret.txt'),
      `file://${outside}/secret.txt`,
      'link/secret.txt',
      'chain/secret.txt',
      'src/link.ts',
      '..',
      '../project-sibling/secret.jar!/x',
    ];
    const answers: string[] = [];
    for (const path of escaping) {
      const answer = await bench.call(tool.name, argumentsWith(tool, place, path));
      answers.push(`${path}: ${answer.error?.code ?? 'answered'}`);
      expect(answer.text).not.toContain('TOP-SECRET');
    }
    // Some mean the link itself, which lies in the project, and never what it leads to.
    const isLinkItself = (path: string) => tool.paths?.[place] === 'entry' && path === 'src/link.ts';
    expect(answers.filter((_, index) => !isLinkItself(escaping[index] ?? ''))).toEqual(
      escaping.filter((path) => !isLinkItself(path)).map((path) => `${path}: path_outside_project`),
    );
    expect(readdirSync(outside)).toEqual(['secret.jar', 'secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('TOP-SECRET');
  });
});
