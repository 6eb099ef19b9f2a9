import { defineConfig } from 'vitest/config';

/** What takes long, or needs more of the machine than `npm test` asks for: a browser, many nights. `.ci/run` runs it. */
export default defineConfig({
  test: {
    include: ['test/extended/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    globalSetup: ['test/support/postgres-global-setup.ts'],
  },
});
