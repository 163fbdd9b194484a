import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { advise, step, wireName } from '../../src/base/text/advice.ts';
import { instructionsFor } from '../../src/server/mcp/instructions.ts';
import { prompts } from '../../src/server/mcp/prompts.ts';
import { builtinNames } from '../../src/tools/clientQuirks.ts';
import { faceNames } from '../../src/tools/faces.ts';
import { hintOn } from '../../src/tools/hints.ts';
import { allTools, listedTool, toolsOfFace } from '../../src/tools/registry.ts';

const toolNames = new Set(allTools.map((tool) => tool.name));

/** Words that are names of tools. `ide_refactor_*` stands for several. */
function named(text: string): string[] {
  return (text.match(/\b[a-z]+(?:_[a-z]+)+\b(?!_?\*)/g) ?? []).filter((name) => name !== 'ide_refactor');
}

/** What stands in the first 150 characters must be a whole sentence: some clients show no more at first. */
function standsAlone(text: string): boolean {
  return text.length <= 150 || /[.;:](?=\s)/.test(text.slice(0, 151));
}

describe.each(faceNames)('on face %s', (face) => {
  const tools = toolsOfFace(face);
  const listed = new Set(tools.map((tool) => tool.name));
  const instructions = instructionsFor(listed);

  it('instructions name only tools that are listed, in at most 120 words', () => {
    expect(named(instructions).filter((name) => !listed.has(name))).toEqual([]);
    expect(named(instructions).filter((name) => builtinNames.has(name))).toEqual([]);
    expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(120);
    expect(standsAlone(instructions)).toBe(true);
  });

  it('descriptions name only tools that are listed, and none of a client', () => {
    for (const tool of tools) {
      const { description, inputSchema } = listedTool(tool, false);
      const names = named(`${description} ${JSON.stringify(inputSchema)}`).filter(
        // A parameter may be called like the tool whose arguments it takes.
        (name) => toolNames.has(name) && !Object.hasOwn(inputSchema.properties, name),
      );
      expect(
        names.filter((name) => !listed.has(name)),
        tool.name,
      ).toEqual([]);
      expect(
        names.filter((name) => builtinNames.has(name) && name !== tool.name),
        tool.name,
      ).toEqual([]);
    }
  });

  it('hints are said so that they can be followed', () => {
    for (const { name } of allTools) {
      const hint =
        hintOn(
          { face, enabledToolsets: new Set() },
          advise`Calling again is safe. This: ${step(name)} shows more: ${step(name, { a: 1 })}.`,
        ) ?? '';
      const callable = new Set([...listed, ...(listed.has('sightline_tools') ? toolNames : [])]);
      expect(
        named(hint).filter((one) => toolNames.has(one) && !callable.has(one)),
        name,
      ).toEqual([]);
      expect(hint).toContain('Calling again is safe.');
      const isAmbiguous = builtinNames.has(name) && listed.has(name);
      expect(hint.includes(`Sightline's ${name} {"a": 1}`), name).toBe(isAmbiguous);
    }
  });
});

it('a hint of the default face leads through sightline_tools to what it does not list', () => {
  const client = { face: 'default', enabledToolsets: new Set<never>() } as const;
  expect(hintOn(client, advise`${step('readIdeLog')} shows what happened.`)).toBe(
    'sightline_tools {"call": "read_ide_log"} shows what happened.',
  );
  expect(hintOn(client, advise`Wait with ${step('waitJob', { waitMs: 5 })}.`)).toBe(
    'Wait with sightline_tools {"call": "wait_job", "arguments": {"wait_ms": 5}}.',
  );
  expect(hintOn({ ...client, face: 'index' }, advise`${step('readIdeLog')} shows what happened.`)).toBeUndefined();
});

it('every step that is advised is a tool, with parameters that it has', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const steps = files.flatMap((file) =>
    [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(
        /\b(?:step|toStep)\('(\w+)'(?:, (?:\{ ?([^}]*)\}|\[([^\]]*)\]))?/g,
      ),
    ].map(([, tool = '', pairs = '', names = '']) => ({
      file,
      tool: wireName(tool),
      args: [...pairs.matchAll(/(?:^|, )(\w+)(?=[:,\s])/g), ...names.matchAll(/'(\w+)'/g)].map(([, name = '']) =>
        wireName(name),
      ),
    })),
  );
  expect(steps.length).toBeGreaterThan(100);
  const unknown = steps.filter(({ tool, args }) => {
    const properties = allTools.find(({ name }) => name === tool)?.inputSchema.properties;
    return properties === undefined || !args.every((name) => name in properties);
  });
  expect(unknown).toEqual([]);
});

it('each description stands alone in its first 150 characters', () => {
  expect(allTools.filter((tool) => !standsAlone(tool.description)).map((tool) => tool.name)).toEqual([]);
});

it('prompts name only tools that exist', () => {
  const names = prompts.flatMap((prompt) => named(prompt.render({})));
  expect(names).toContain('debug_explain');
  expect(names.filter((name) => !toolNames.has(name))).toEqual([]);
});

it('annotations are true: edits can be undone and stay here, what runs programs may reach anything', () => {
  const hints = (of: (tool: (typeof allTools)[number]) => boolean) =>
    new Set(allTools.filter(of).map((tool) => JSON.stringify(listedTool(tool, false).annotations)));
  const isEdit = ({ toolset }: { toolset: string }) => toolset === 'editing' || toolset === 'refactoring';
  expect(hints((tool) => isEdit(tool) && tool.effect === 'edit')).toEqual(
    new Set(['{"destructiveHint":false,"openWorldHint":false}']),
  );
  expect(
    [...hints((tool) => tool.effect === 'execute')].filter((text) => !text.includes('"openWorldHint":true')),
  ).toEqual([]);
  expect([...hints((tool) => tool.effect !== 'read')].filter((text) => text.includes('readOnly'))).toEqual([]);
  // It can stand for any other tool.
  expect(hints((tool) => tool.name === 'sightline_tools')).toEqual(
    new Set(['{"destructiveHint":true,"openWorldHint":true}']),
  );
});

it('three or four tools are there from the start, and all of them on the default face', () => {
  const always = allTools.filter((tool) => '_meta' in listedTool(tool, false)).map((tool) => tool.name);
  expect(always.length).toBeGreaterThanOrEqual(3);
  expect(always.length).toBeLessThanOrEqual(4);
  expect(always.filter((name) => !toolsOfFace('default').some((tool) => tool.name === name))).toEqual([]);
});
