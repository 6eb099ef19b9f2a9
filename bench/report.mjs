// RP-5, PF-5: what writing a report takes, and how soon a browser shows its questions. Made-up rows; the browser is Chromium, without a network.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { runnerImport } from 'vite';
import { report, spread } from './machine.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const ARMS = ['bm25', 'semantic', 'hybrid', 'recency', 'none'];
const QUESTIONS = 200;
const sizes = (process.argv[2] ?? '10000,100000').split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-report-'));
const peak = join(folder, 'peak');
// Written by the command itself when it ends: kibibytes, on Linux and macOS alike.
const PRELOAD = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(peak)},String(process.resourceUsage().maxRSS)))`;

const { module } = await runnerImport(join(project, 'test/support/recorded-run.ts'), {
  root: project,
  configFile: false,
  logLevel: 'error',
  // Folders that a test removes when it ends: here there is no test.
  plugins: [
    {
      name: 'no-tests',
      enforce: 'pre',
      resolveId: (id) => (id.endsWith('/temporary-folder.js') ? '\0no-tests' : null),
      load: (id) => (id === '\0no-tests' ? 'export const temporaryFolder = undefined;' : null),
    },
  ],
});

function written(run) {
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', PRELOAD, join(project, 'dist/cli/main.js'), 'report', run, '--json'],
    { cwd: folder, encoding: 'utf8', timeout: 900_000, killSignal: 'SIGKILL' },
  );
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  const seconds = Math.round(Number(process.hrtime.bigint() - start) / 1e8) / 10;
  const { path, bytes } = JSON.parse(stdout);
  const peak_mib = Math.round(Number(readFileSync(peak, 'utf8')) / 1024);
  return { path, figures: { seconds, peak_mib, file_mib: Math.round(bytes / 2 ** 18) / 4 } };
}

/** Seconds until the list stands, until a text was searched for, and until a question is open. */
async function opened(browser, path) {
  const page = await (await browser.newContext({ offline: true, reducedMotion: 'reduce' })).newPage();
  const start = process.hrtime.bigint();
  const since = () => Number(process.hrtime.bigint() - start) / 1e9;
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('#question-browser[data-ready]');
  const list = since();
  await page.getByLabel('Search').fill('number 200 of');
  const search = since() - list;
  await page.locator('button.question').first().click();
  await page.waitForSelector('dialog .answer');
  const question = since() - list - search;
  await page.context().close();
  return { list, search, question };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const figures = [];
  for (const rows of sizes) {
    const fixtures = Array.from({ length: rows / QUESTIONS / ARMS.length }, (_, index) => ({
      id: `c${index + 1}`,
      questions: QUESTIONS,
    }));
    const place = join(folder, String(rows));
    const run = await module.writeRecordedRun({
      folder: place,
      fixtures,
      arms: ARMS,
      requests: true,
      row: ({ arm, index }) => (arm === 'none' || index % 3 === 0 ? 0 : 1),
    });
    const { path, figures: writing } = written(run);
    const times = [];
    for (let turn = 0; turn < 5; turn += 1) times.push(await opened(browser, path));
    const of = (name) => spread(times.map((one) => one[name]));
    figures.push({ rows, writing, seconds_to: { list: of('list'), search: of('search'), question: of('question') } });
    rmSync(place, { recursive: true });
  }
  report('report', { sizes: figures });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
