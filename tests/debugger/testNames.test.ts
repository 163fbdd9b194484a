import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';

const suite = `describe('basket', () => {
  it('adds *a* (twice)', () => { console.log('RAN adds'); });
  it('adds *a* (twice) and more', () => { console.log('RAN more'); });
});
it('is empty', () => { console.log('RAN empty'); });
`;
/** The test itself is never reached. */
const hooked = (before: string) => `describe('hooked', () => {
  ${before}(() => { throw new Error('no database'); });
  it('is never reached', () => {});
});
it.skip('comes later', () => {});
`;
const manifest = (more: object) => JSON.stringify({ private: true, type: 'commonjs', ...more });

/** One package for each way in which a runner is recognised; none of the files but those of node:test, ava and tap import theirs. */
const files = {
  'package.json': manifest({}),
  'node/basket.test.mjs': `import { describe, it } from 'node:test';\n${suite}`,
  'node/hook.test.mjs': `import { before, describe, it } from 'node:test';\n${hooked('before')}`,
  'vitest/package.json': manifest({}),
  'vitest/vitest.config.mjs': `export default { test: { globals: true, projects: [{ extends: true, test: { name: 'one', include: ['lib/*.spec.js'] } }] } };\n`,
  'vitest/lib/basket.spec.js': suite,
  'vitest/lib/hook.spec.js': hooked('beforeAll'),
  'jest/package.json': manifest({ scripts: { test: 'jest' } }),
  'jest/jest.config.js': `module.exports = { projects: ['<rootDir>/packages/*'] };\n`,
  'jest/packages/a/package.json': manifest({ name: 'a' }),
  'jest/packages/a/jest.config.js': `module.exports = { displayName: 'a' };\n`,
  'jest/packages/a/basket.test.js': suite,
  'jest/packages/a/hook.test.js': hooked('beforeAll'),
  'mocha/package.json': manifest({ scripts: { test: 'FROM_SCRIPT=yes mocha' } }),
  'mocha/.mocharc.json': '{ "spec": ["test/*.js"], "require": ["./setup.js"], "ui": "bdd" }',
  'mocha/setup.js': `console.log('SET UP', process.env.FROM_SCRIPT);\n`,
  'mocha/test/basket.js': suite,
  'mocha/test/hook.js': hooked('before'),
  'mocha/test/other.js': `it('of another file', () => { console.log('RAN other'); });\n`,
  'ava/package.json': manifest({ type: 'module', scripts: { test: 'ava' }, ava: { files: ['*.js'] } }),
  'ava/basket.js': `import it from 'ava';
it('adds *a* (twice)', (t) => { console.log('RAN adds'); t.pass(); });
it('is empty', (t) => { console.log('RAN empty'); t.pass(); });
`,
  'tape/basket.js': `const test = require('tape');\ntest('one', (t) => t.end());\n`,
  'unknown/basket.test.js': suite,
};

const runners: [string, string][] = [
  ['node:test', 'node/basket.test.mjs'],
  ['vitest', 'vitest/lib/basket.spec.js'],
  ['jest', 'jest/packages/a/basket.test.js'],
  ['mocha', 'mocha/test/basket.js'],
  ['ava', 'ava/basket.js'],
];

describe('a test that is chosen by its name', () => {
  let ide: RunningSightline;
  let probe: TestClient;
  beforeAll(async () => {
    const foreign = await installed('mocha@11 jest@29 ava@6');
    ide = await startSightline({ project: files });
    await symlink(resolve('node_modules'), join(ide.root, 'vitest/node_modules'));
    for (const each of ['jest', 'mocha', 'ava']) await symlink(foreign, join(ide.root, each, 'node_modules'));
    probe = await ide.connect({ face: 'probe' });
  }, 240_000);
  afterAll(() => ide.dispose());

  const run = (test: string) => probe.text('debug_probe', { test, wait_ms: 38_000 });
  const ran = (text: string) => [...text.matchAll(/RAN \w+/g)].map(([each]) => each);

  it.each(runners)(
    'is found by %s with every character of the name taken as it stands',
    async (_, file) => {
      const name = file.startsWith('ava') ? 'adds *a* (twice)' : 'basket > adds *a* (twice)';
      const text = await run(`${file}::${name}`);
      expect(ran(text)).toEqual(['RAN adds']);
      expect(text).toMatch(/^Program ended with exit code 0\./);
    },
    60_000,
  );

  it.each(runners)(
    'is an error of %s when there is none, with those that there are',
    async (runner, file) => {
      const { error } = await probe.call('debug_probe', { test: `${file}::adds *b* twice`, wait_ms: 38_000 });
      expect(error).toMatchObject({ name: 'test_not_found' });
      expect(error?.message).toContain(`No test named "adds *b* twice" was run (by ${runner})`);
      expect(JSON.stringify(error)).toContain('adds *a* (twice)');
    },
    60_000,
  );

  it.each([
    ['node:test', 'node/hook.test.mjs', 3],
    ['vitest', 'vitest/lib/hook.spec.js', 2],
    ['jest', 'jest/packages/a/hook.test.js', 2],
    ['mocha', 'mocha/test/hook.js', 2],
  ])(
    'fails with its hook under %s, and one that is skipped is told to be there',
    async (runner, file, line) => {
      const text = await run(`${file}::hooked > is never reached`);
      expect(text).toMatch(new RegExp(`^Stopped \\(exception\\) at ${file}:${line}\\b.*\\nError: no database`));
      const { error } = await probe.call('debug_probe', { test: `${file}::comes later`, wait_ms: 38_000 });
      expect(error?.message).toContain(`The test "comes later" is there, but ${runner} did not run it.`);
    },
    90_000,
  );

  it('may be named as runners name it, with spaces between suite and test', async () => {
    expect(ran(await run('jest/packages/a/basket.test.js::basket adds *a* (twice) and more'))).toEqual(['RAN more']);
    expect(ran(await run('node/basket.test.mjs > is empty'))).toEqual(['RAN empty']);
  }, 60_000);

  it('of mocha runs with the configuration and environment of the project, and without its other files', async () => {
    const text = await run('mocha/test/basket.js');
    expect(text).toContain('SET UP yes');
    expect(ran(text)).toEqual(['RAN empty', 'RAN adds', 'RAN more']);
  });

  it('cannot be chosen where no runner could do so; the answer says how the file would be run', async () => {
    const tape = await probe.call('debug_probe', { test: 'tape/basket.js::one' });
    expect(tape.error).toMatchObject({ name: 'unsupported' });
    expect(JSON.stringify(tape.error)).toContain('node FILE');
    const unknown = await probe.call('debug_probe', { test: 'unknown/basket.test.js' });
    expect(unknown.error).toMatchObject({ name: 'launch_failed' });
    expect(JSON.stringify(unknown.error)).toContain('vitest, jest, mocha, ava, node:test');
  });

  it('stops at its beginning when it is launched, and ends a session with an error when it is not there', async () => {
    const text = await probe.text('debug_launch', { test: 'node/basket.test.mjs::is empty' });
    expect(text).toContain('basket.test.mjs:6');
    await probe.text('debug_stop');
    const agent = await ide.connect({ face: 'debugger' });
    const { error } = await agent.call('start_debug_session', { test: 'node/basket.test.mjs::nothing' });
    expect(error).toMatchObject({ name: 'test_not_found' });
  });
});
