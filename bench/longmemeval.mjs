// FX-4: peak memory of an import and of a run of LongMemEval's layout, few questions against many. Made-up data.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { report } from './machine.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const SHAPE = { sessions: 5, turns: 6, words: 40 };
const sizes = (process.argv[2] ?? '50,500').split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-longmemeval-'));
const peak = join(folder, 'peak');
// Written by the command itself when it ends: kibibytes, on Linux and macOS alike.
const PRELOAD = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(peak)},String(process.resourceUsage().maxRSS)))`;

const { module } = await runnerImport(join(project, 'test/support/longmemeval-sample.ts'), {
  root: project,
  configFile: false,
  logLevel: 'error',
});

function measured(args) {
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', PRELOAD, join(project, 'dist/cli/main.js'), ...args, '--json'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 900_000, killSignal: 'SIGKILL' },
  );
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  const seconds = Math.round(Number(process.hrtime.bigint() - start) / 1e8) / 10;
  return { document: JSON.parse(stdout), seconds, peak_mib: Math.round(Number(readFileSync(peak, 'utf8')) / 1024) };
}

const MATRIX = `version: 1
name: bench-longmemeval
budget_usd: "0.50"
fixtures: ["fixtures/*"]
formation: none
reader: { provider: local, model: extractive-reader-1 }
providers:
  local: { kind: local }
arms:
  - { name: none, retrieval: { strategy: none } }
  - { name: bm25, retrieval: { strategy: bm25, unit: turns, limit: 10 } }
baseline: bm25
scoring: [token-f1, evidence-recall@10]
`;

try {
  const figures = [];
  for (const questions of sizes) {
    const place = join(folder, String(questions));
    mkdirSync(place);
    const input = join(place, 'in.json');
    await module.writeLongMemEval(input, { ...SHAPE, questions, irregular: true });
    const imported = measured(['import', 'longmemeval', input, '--out', join(place, 'fixtures')]);
    const matrix = join(place, 'm.yaml');
    writeFileSync(matrix, MATRIX);
    const ran = measured(['run', matrix, '--out', join(place, 'runs')]);
    const { status, arms, databases } = ran.document;
    figures.push({
      questions,
      input_kib: Math.round(statSync(input).size / 1024),
      import: { seconds: imported.seconds, peak_mib: imported.peak_mib },
      run: { status, arms: arms.length, databases, seconds: ran.seconds, peak_mib: ran.peak_mib },
    });
  }
  report('longmemeval', { ...SHAPE, figures });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
