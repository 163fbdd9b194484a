import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from './tokens.ts';

const prose =
  'The runner checks the arguments, resolves the paths, asks for approval where the policy wants it, and writes the call down.';

test.each([
  ['code', readFileSync(new URL('../processes.ts', import.meta.url), 'utf8')],
  ['JSON', JSON.stringify(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')))],
  ['prose', prose],
])('%s is estimated within a fifth', (_kind, text) => {
  const real = encode(text).length;
  expect(Math.abs(estimateTokens(text) - real) / real).toBeLessThan(0.2);
});

test('nothing is nothing', () => expect(estimateTokens('')).toBe(0));
