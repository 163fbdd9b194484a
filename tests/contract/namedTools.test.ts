import { expect, it } from 'vitest';
import { instructions } from '../../src/server/mcp/instructions.ts';
import { prompts } from '../../src/server/mcp/prompts.ts';
import { allTools } from '../../src/tools/registry.ts';

const toolNames = new Set(allTools.map((tool) => tool.name));

it('instructions and prompts name only tools that exist', () => {
  const texts = [instructions, ...prompts.map((prompt) => prompt.render({}))];
  const named = texts.flatMap((text) => text.match(/\b[a-z]+(?:_[a-z]+)+\b(?!_?\*)/g) ?? []);
  expect(named).toContain('debug_probe');
  expect(named.filter((name) => !toolNames.has(name) && name !== 'ide_refactor')).toEqual([]);
});
