import { expect, test } from 'vitest';
import { errorCures } from '../../src/base/errorMeanings.ts';
import { allTools } from '../../src/tools/registry.ts';

test('every tool that a cure names exists', () => {
  const tools = new Set(allTools.map(({ name }) => name));
  const named = Object.values(errorCures).flatMap((cure) => [...cure.matchAll(/`([a-z]+_[a-z_]+)[` ]/g)]);
  const parameters = ['project_path', 'replace_all', 'wait_ms'];
  expect(named.map(([, name = '']) => name).filter((name) => !tools.has(name) && !parameters.includes(name))).toEqual(
    [],
  );
});
