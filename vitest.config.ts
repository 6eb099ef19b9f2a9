import { defineConfig } from 'vitest/config';

/** Files that mock modules, or change their process: each needs a process of its own. All others share one a worker, and load what they import once. */
const ALONE = [
  'src/experiment/many-fixtures.test.ts',
  'src/matrix/load-matrix.test.ts',
  'src/module/module-host.test.ts',
  'src/postgres/embedded/kept-cluster.test.ts',
  'src/postgres/embedded/start.test.ts',
  'src/provider/*/sdk-wire.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: ['test/support/postgres-global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ALONE,
          isolate: false,
          globalSetup: ['test/support/postgres-global-setup.ts'],
        },
      },
    ],
  },
});
