// Applies each kept mutant (test/mutants) to a private copy of the project and wants its tests to fail (RS-6). See docs/testing.md.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runnerImport } from 'vite';

const PROJECT = resolve(fileURLToPath(import.meta.url), '../..');
const VITEST = join(PROJECT, 'node_modules/vitest/vitest.mjs');
const TIMEOUT_MS = 180_000;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
});

/** Tests that run what was built, which has to have the fault too. */
const RUNS_THE_BUILD = /^(test\/(end-to-end|crash|docs)\/|src\/report\/page\/write-report)/;

const load = async (path) =>
  (await runnerImport(join(PROJECT, path), { root: PROJECT, configFile: false, logLevel: 'error' })).module;

const { MUTANTS } = await load('test/mutants/mutants.ts');
const chosen = flags.only === undefined ? MUTANTS : MUTANTS.filter(({ id }) => flags.only.includes(id));
for (const id of flags.only ?? [])
  if (!MUTANTS.some((mutant) => mutant.id === id)) throw new Error(`there is no mutant ${id}`);

if (flags.list) {
  for (const { id, requirement, file } of chosen) console.log(`${id.padEnd(42)} ${requirement.padEnd(14)} ${file}`);
} else process.exitCode = (await runAll()) ? 0 : 1;

async function runAll() {
  const { startTestServer } = await load('test/support/postgres-global-setup.ts');
  const { useMemoryFolder } = await load('test/support/memory-folder.ts');
  const removeMemory = await useMemoryFolder();
  const place = await mkdtemp(join(tmpdir(), 'recall-matrix-mutants-'));
  const server = await startTestServer();
  const problems = [];
  try {
    const copies = await Promise.all(
      Array.from({ length: Number(flags.jobs) }, (_, index) => copyProject(join(place, `copy-${index}`))),
    );
    const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))].sort();
    const control = await runTests(copies[0], tests, server.url, []);
    console.log(`control    ${tests.length} test files unmutated: ${control.passed ? 'pass' : 'FAIL'}`);
    if (!control.passed) problems.push(`the control fails: ${control.failures.join('; ')}`);
    const waiting = control.passed ? [...chosen] : [];
    await Promise.all(
      copies.map(async (copy) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          const problem = await tryMutant(copy, mutant, server.url);
          if (problem !== null) problems.push(`${mutant.id} (${mutant.requirement}): ${problem}`);
        }
      }),
    );
  } finally {
    await server.stop();
    await rm(place, { recursive: true, force: true });
    await removeMemory();
  }
  console.log(problems.length === 0 ? `\nall ${chosen.length} mutants were found` : `\n${problems.length} problems:`);
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length === 0;
}

/** @returns what is wrong with the mutant or its tests; null where they fail on it. */
async function tryMutant(copy, mutant, serverUrl) {
  const path = join(copy, mutant.file);
  const sound = await readFile(path, 'utf8');
  const [before, after, ...more] = sound.split(mutant.find);
  if (after === undefined || more.length > 0) return `its text stands in ${mutant.file} not exactly once`;
  await writeFile(path, `${before}${mutant.replace}${after}`);
  try {
    const { passed, failures } = await runTests(copy, mutant.tests, serverUrl, ['--bail=1']);
    const [killer] = failures;
    console.log(
      `${passed ? 'SURVIVED' : 'found   '}   ${mutant.id.padEnd(42)} ${mutant.requirement.padEnd(14)} ${killer ?? ''}`,
    );
    if (passed) return `survived ${mutant.tests.join(', ')}`;
    // A file that cannot even be loaded proves nothing of the rule.
    return killer === undefined ? 'its tests could not be loaded' : null;
  } finally {
    await writeFile(path, sound);
  }
}

/** The files of git, tracked or new, with the installed packages linked. */
async function copyProject(target) {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: PROJECT, maxBuffer: 1 << 26 },
  );
  const files = stdout.split('\0').filter((name) => name !== '' && !name.startsWith('.git'));
  for (const name of files) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    // A tracked file may have been deleted.
    await cp(join(PROJECT, name), join(target, name)).catch((error) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(PROJECT, 'node_modules'), join(target, 'node_modules'));
  return target;
}

async function builds(copy) {
  const child = spawn(process.execPath, [join(copy, 'scripts/ensure-build.mjs')], { stdio: 'ignore' });
  return (await new Promise((done) => child.once('exit', done))) === 0;
}

/** Runs test files; `failures` are the titles of the tests that failed, or `timed out`. */
async function runTests(copy, tests, serverUrl, more) {
  if (tests.some((test) => RUNS_THE_BUILD.test(test)) && !(await builds(copy))) return { passed: false, failures: [] };
  const report = join(copy, `report-${Math.random().toString(36).slice(2)}.json`);
  const child = spawn(
    process.execPath,
    [VITEST, 'run', ...tests, '--reporter=json', `--outputFile=${report}`, ...more],
    {
      cwd: copy,
      env: { ...process.env, RECALL_MATRIX_TEST_POSTGRES_URL: serverUrl },
      stdio: 'ignore',
      detached: true,
    },
  );
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      process.kill(-child.pid, 'SIGKILL');
    },
    more.length === 0 ? 3 * TIMEOUT_MS : TIMEOUT_MS,
  );
  const code = await new Promise((done) => child.once('exit', done));
  clearTimeout(timer);
  if (timedOut) return { passed: false, failures: ['timed out'] };
  const { testResults } = JSON.parse(await readFile(report, 'utf8'));
  const failures = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  return { passed: code === 0, failures };
}
