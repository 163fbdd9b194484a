import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { foreignRunners, installed } from '../harness/foreignTool.ts';
import { expectGolden } from '../harness/golden.ts';
import { startSightline } from '../harness/harness.ts';
import { testCacheDir } from '../support/engines.ts';
import { failingRunners } from './failingRunners.ts';
import { ensureDebugpy } from './python/harness.ts';

const goldens = new URL('goldens/', import.meta.url).pathname;

/** What each runner prints about the failure and what its line reads, however the runner words it. */
const decisive = [
  [/2\. Hof/, /2\. Hof links/, /lines['"\]]*\[1\]/, /total['"\]]*: 8(\.0)?/],
  [/line 3: ["']pear {4}2["'](,| !=)/, /pear {4}3/, /report\(items\(\)\)/],
  [/not enough of pear/, /wanted = 2/, /left = 1/, /checkout\(stock=/, /checkout\(stock, items\(\), ['"]Ann['"]\)/],
  [/(caused by KeyError: 'EUR' at shop\.py:|contains RangeError: negative quantity -3 at shop\.m?js:)\d+/],
];

describe('the first answer about a failing test', () => {
  beforeAll(async () => {
    await Promise.all([installed(foreignRunners), ensureDebugpy()]);
  }, 300_000);

  it.each(failingRunners)('of $name', async ({ name, files, names }) => {
    const ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    const isOurs = name === 'vitest';
    await symlink(isOurs ? resolve('node_modules') : await installed(foreignRunners), join(ide.root, 'node_modules'));
    const agent = await ide.connect({ face: 'default' });
    const cards: string[] = [];
    for (const [index, test] of names.entries()) {
      const card = await agent.text('debug_probe', { test, wait_ms: 35_000 });
      // How soon its runner is done differs from machine to machine.
      cards.push(`# ${test}\n${card.split('\n').slice(0, -1).join('\n')}`);
      expect(card.split('\n').at(-1)).toMatch(
        /^(Program ended with exit code 1|The program was ended after the failure)\.$/,
      );
      for (const pattern of decisive[index] ?? []) expect(card).toMatch(pattern);
      expect(Buffer.byteLength(card)).toBeLessThanOrEqual(1500);
    }
    await expectGolden(join(goldens, `failures.${name}.txt`), cards.join('\n\n'));
    await ide.dispose();
  });
});
