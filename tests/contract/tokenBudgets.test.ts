import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { faces, type FaceName } from '../../src/tools/faces.ts';
import { listedTool, toolsOfFace } from '../../src/tools/registry.ts';

/** What a face may cost a model before it has done anything: tokens (o200k) of the exact `tools/list` result. */
const budgets: Readonly<Partial<Record<FaceName, number>>> = {
  default: 3800,
  debugger: 5000,
  index: 4500,
  workspace: 7000,
  probe: 3000,
};

describe.each(Object.entries(budgets) as [FaceName, number][])('face %s', (face, budget) => {
  const tools = toolsOfFace(face).map((tool) => listedTool(tool, faces[face].output !== 'text'));
  const cost = encode(JSON.stringify({ tools })).length;

  test(`costs at most ${budget} tokens`, () => {
    const dearest = tools
      .map((tool) => ({ name: tool.name, tokens: encode(JSON.stringify(tool)).length }))
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, 8)
      .map(({ name, tokens }) => `${name} ${tokens}`);
    expect(cost, `${tools.length} tools cost ${cost} tokens; the dearest: ${dearest.join(', ')}`).toBeLessThanOrEqual(
      budget,
    );
  });
});
