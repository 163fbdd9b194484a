import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longestFirst.ts';

const every = { include: ['src/**/*.test.ts', 'tests/**/*.test.ts'] };
/** What Linux does by the kernel's files is tested a second time by what every system has: ends, orphans, races for paths. */
const portable = {
  include: [
    'src/base/{endings,guard,orphans,processes,scratchFolders}.test.ts',
    'src/engine/workspace/paths.test.ts',
    'tests/daemon/endings.test.ts',
    'tests/edits/hostile.test.ts',
  ],
  env: { SIGHTLINE_TEST_PORTABLE: '1' },
};

export default defineConfig({
  // Its package names a module for browsers that it does not have.
  resolve: { alias: { '@xterm/headless': '@xterm/headless/lib-headless/xterm-headless.js' } },
  test: {
    projects: [
      { extends: true, test: { name: 'all', ...every } },
      { extends: true, test: { name: 'portable', ...portable } },
    ],
    exclude: ['**/fixtures/**', '**/projects/**', '**/node_modules/**'],
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/propertySeed.ts'],
    pool: 'forks',
    // Many tests start real debuggers and language servers; more side by side only makes each slower.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Limits are there to end what hangs, not to measure: a busy machine takes many times longer than an idle one.
    testTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
  },
});
