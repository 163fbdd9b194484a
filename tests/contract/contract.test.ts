import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../src/base/errors.ts';
import { commands } from '../../src/cli/main.ts';
import { settingKeys, settingOf } from '../../src/engine/workspace/settings/settings.ts';
import { parameterAliases, toolAliases } from '../../src/tools/aliases.ts';
import { faces, toolsets } from '../../src/tools/faces.ts';
import { allTools, findTool, listedTool } from '../../src/tools/registry.ts';

/**
 * What users rely on, pinned: a change here is a change of the contract and must be meant. `npx vitest run tests/contract -u`
 * writes the new state; the difference then shows in review.
 */
const snapshots = join(import.meta.dirname, 'snapshots');
const sourceFolder = join(import.meta.dirname, '../../src');

function pinned(name: string): string {
  return join(snapshots, name);
}

describe('each tool keeps its schemas and description', () => {
  test.each(allTools.map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    const contract = {
      ...listedTool(tool, false),
      outputSchema: tool.outputSchema,
      faces: tool.faces,
      toolset: tool.toolset,
      effect: tool.effect,
      requires: tool.requires,
      paths: tool.paths,
    };
    await expect(`${JSON.stringify(contract, null, 2)}\n`).toMatchFileSnapshot(pinned(`tools/${name}.json`));
  });

  test('no snapshot is left of a tool that is gone', () => {
    const known = new Set(allTools.map((tool) => `${tool.name}.json`));
    expect(readdirSync(pinned('tools')).filter((file) => !known.has(file))).toEqual([]);
  });
});

test('names are unique, in one style, and every alias leads to a tool of a face or to nothing yet', () => {
  const names = allTools.map((tool) => tool.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{2,40}$/);
  for (const [alias, name] of Object.entries(toolAliases).filter(([, target]) => names.includes(target)))
    expect(findTool(alias).name).toBe(name);
  expect(names.filter((name) => name in toolAliases)).toEqual([]);
});

test('every tool says what it is for, in static text', () => {
  for (const tool of allTools) {
    expect(tool.description.length, tool.name).toBeGreaterThan(20);
    expect(tool.description.length, tool.name).toBeLessThan(700);
    expect(tool.title.length, tool.name).toBeGreaterThan(2);
    expect(Object.keys(toolsets)).toContain(tool.toolset);
    for (const parameter of Object.keys(tool.inputSchema.properties ?? {}))
      expect(parameter).toMatch(/^[a-z][a-z0-9_]*$/);
    for (const place of Object.keys(tool.paths ?? {})) {
      const [parameter = ''] = place.split(/(?:\[\])?\./);
      expect(Object.keys(tool.inputSchema.properties ?? {}), `${tool.name}: ${place}`).toContain(parameter);
    }
  }
});

test('the names of errors', async () => {
  expect(new Set(errorCodes).size).toBe(errorCodes.length);
  await expect(`${[...errorCodes].sort().join('\n')}\n`).toMatchFileSnapshot(pinned('errorCodes.txt'));
});

test('the commands and flags of the command line', async () => {
  const lines = commands.map((command) => {
    const flags = new Set(command.usage.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []);
    return `${command.name} ${[...flags].sort().join(' ')}`.trim();
  });
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot(pinned('commandLine.txt'));
});

test('the settings, their defaults and who may set them', async () => {
  const lines = settingKeys.map(
    (key) => `${key} = ${JSON.stringify(settingOf(key).default)} (${settingOf(key).scope})`,
  );
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot(pinned('settings.txt'));
});

test('every setting does something', () => {
  const source = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('/settings.ts'))
    .map((file) => readFileSync(join(sourceFolder, file), 'utf8'))
    .join('\n');
  expect(settingKeys.filter((key) => !source.includes(`['${key}']`))).toEqual([]);
});

test('the faces and other names that are accepted', async () => {
  const text = JSON.stringify({ faces, toolAliases, parameterAliases }, null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot(pinned('faces.json'));
});
