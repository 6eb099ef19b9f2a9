import { defineConfig } from 'vitest/config';

/**
 * What takes long, or needs more of the machine than `npm test` asks for: a browser, many nights, the commands of every page, thirty random kills.
 * `.ci/run` runs it.
 */
export default defineConfig({
  test: {
    include: ['test/extended/**/*.test.ts', 'test/docs/commands.test.ts', 'test/crash/run-crash.test.ts'],
    env: { RECALL_MATRIX_TEST_PAGES: 'all', RECALL_MATRIX_TEST_KILLS: '30' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    globalSetup: ['test/support/postgres-global-setup.ts'],
  },
});
