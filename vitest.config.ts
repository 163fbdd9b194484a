import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/fixtures/**', '**/projects/**', '**/node_modules/**'],
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/propertySeed.ts'],
    pool: 'forks',
    // Many tests start real debuggers and language servers; more side by side only makes each slower.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
