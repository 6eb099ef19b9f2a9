import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mock modules, or change their process: each needs a process of its own. All others share one a worker, and load what they import once. */
const ALONE = [
  'src/experiment/many-fixtures.test.ts',
  'src/matrix/load-matrix.test.ts',
  'src/module/module-host.test.ts',
  'src/postgres/embedded/kept-cluster.test.ts',
  'src/postgres/embedded/start.test.ts',
  'src/provider/*/sdk-wire.test.ts',
];

/** The longest of the others. Vitest knows neither a fresh checkout's durations nor what hooks take, and one that begins last leaves a core idle. */
const LONGEST = [
  'test/docs/commands.test.ts',
  'test/end-to-end/quickstart.test.ts',
  'test/crash/run-crash.test.ts',
  'test/end-to-end/reproduce.test.ts',
  'test/end-to-end/priced-budget.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      if (project.name === 'alone') return -1;
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
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
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],

          exclude: [...ALONE, 'test/extended/**'],
          isolate: false,
          globalSetup: ['test/support/postgres-global-setup.ts'],
        },
      },
    ],
  },
});
