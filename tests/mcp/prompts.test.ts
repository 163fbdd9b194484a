import { readFile } from 'node:fs/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTools } from '../../src/tools/registry.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  ide = await startSightline({ project: { 'a.js': '' } });
  agent = await ide.connect({ face: 'probe' });
});
afterAll(() => ide.dispose());

const textOf = async (args: Record<string, string>): Promise<string> => {
  const { messages } = await agent.mcp.getPrompt({ name: 'debug-this-failure', arguments: args });
  const content = messages[0]?.content;
  return content?.type === 'text' ? content.text : '';
};

test('the prompt for a failure is listed, short, and names only tools that there are, in the order of their use', async () => {
  const { prompts } = await agent.mcp.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain('debug-this-failure');
  const text = await textOf({ failure: 'AssertionError: 1 !== 2', command: 'node --test a.test.js' });
  expect(text).toContain('AssertionError: 1 !== 2');
  expect(text).toContain('It shows when running: node --test a.test.js');
  expect(encode(text).length).toBeLessThan(450);
  const named = [...new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g))];
  expect(named).toEqual([
    'debug_explain',
    'debug_who_changed',
    'debug_trace',
    'debug_compare',
    'debug_try',
    'ide_find_references',
    'run_tests',
    'get_problems',
  ]);
  expect(named.filter((name) => !allTools.some((tool) => tool.name === name))).toEqual([]);
});

test('a prompt without what it is about is refused', async () => {
  await expect(textOf({})).rejects.toThrow('The prompt debug-this-failure needs "failure".');
});

test('the skill file has the same steps', async () => {
  const text = await textOf({ failure: 'x' });
  const skill = await readFile('docs/skills/debug-this-failure.md', 'utf8');
  const steps = (whole: string) => whole.slice(whole.indexOf('Budget:')).trim();
  expect(steps(skill)).toBe(steps(text));
});
