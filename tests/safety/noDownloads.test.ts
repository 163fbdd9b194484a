import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeDirectory, startSightline, temporaryDirectory, type RunningSightline } from '../harness/harness.ts';

/** Language servers like to fetch type declarations of what a project names; asking about code must not reach for the network. */
let ide: RunningSightline;
let home: string;
beforeAll(async () => {
  home = await temporaryDirectory('home');
  ide = await startSightline({
    project: {
      'package.json': JSON.stringify({ name: 'old', dependencies: { react: '^18.0.0' } }),
      'app.js':
        "const react = require('react');\nconst lodash = require('lodash');\nmodule.exports = { react, lodash };\n",
    },
    trusted: false,
    env: { HOME: home },
  });
});
afterAll(async () => {
  await ide.dispose();
  await removeDirectory(home);
});

it('reading JavaScript fetches no type declarations', async () => {
  const agent = await ide.connect({ face: 'index' });
  expect(await agent.data('ide_analyze_code', { file: 'app.js' })).toMatchObject({ index: { state: 'ready' } });
  await agent.data('ide_find_references', { file: 'app.js', line: 1, text: 'react' });
  // The server starts to fetch a moment after it has loaded the project.
  await delay(1500);
  expect(existsSync(join(home, '.cache', 'typescript'))).toBe(false);
});
