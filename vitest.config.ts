import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longestFirst.ts';

export default defineConfig({
  // Its package names a module for browsers that it does not have.
  resolve: { alias: { '@xterm/headless': '@xterm/headless/lib-headless/xterm-headless.js' } },
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
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
