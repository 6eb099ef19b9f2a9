// The nightly job (RP-4, docs/nightly.md): runs a matrix with the built command, holds the run against the last good one, keeps what was made.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Artefacts, Refused } from './nightly/artefacts.mjs';
import { night } from './nightly/night.mjs';

const HELP = `node scripts/nightly.mjs [options] [MATRIX]

Runs MATRIX (matrices/nightly.yaml), compares with the last good run, and moves that mark only after a pass.

  --artefacts FOLDER            runs, nights and the mark of the last good run (nightly)
  --fail-if CONDITION           as of \`compare\`; may be given again (the gate of the matrix's plan)
  --gate-scope these|new        what gates conclude about (these)
  --max-provider-errors SHARE   more lost rows than this, and the night says nothing (0.05)
  --max-outages N               from so many such nights in a row on the job fails (3)
  --keep N                      nights that are kept (14)
  --begin-anew                  take this night for the last good one, held against nothing
  --no-report                   write no report.html
  --run-flag FLAG               handed to \`run\`, such as --run-flag=--sample=200; may be given again
  --compare-flag FLAG           handed to \`compare\`, such as --compare-flag=--across-banks; may be given again

Exit codes: 0 passed, or an outage (warned of); 2 refused; 3 regression; 7 too many outages in a row; others as \`run\` ended.`;

const COMMAND = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'cli', 'main.js');

const WORDS = {
  passed: 'PASSED',
  first: 'PASSED: the first night',
  regression: 'REGRESSION',
  outage: 'OUTAGE: neither pass nor regression; the last good run stays what it was',
  refused: 'REFUSED',
  failed: 'FAILED',
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const asked = optionsOf(args);
  if (typeof asked === 'string') {
    const isHelp = args.includes('--help');
    (isHelp ? process.stdout : process.stderr).write(`${asked}\n`);
    return isHelp ? 0 : 2;
  }
  const { options, folder } = asked;
  // A stale build is last night's program.
  await import('./ensure-build.mjs');
  try {
    const artefacts = openArtefacts(folder);
    const lock = await lockNights(folder);
    try {
      const told = await night(options, { artefacts, command, now });
      tell(told, options);
      return told.exit_code;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.stderr.write(`${error.message}\n  remedy: ${error.remedy}\n`);
    return 2;
  }
}

function now() {
  return new Date().toISOString();
}

/** Two nights at once would both move the mark. One that was killed holds nothing. */
async function lockNights(folder) {
  // From the build, which is there by now: there is one kind of lock.
  const { lockForProcess } = await import('../dist/core/process-lock.js');
  const path = join(folder, 'nightly.lock');
  return lockForProcess(path, now(), {
    inUse: ({ pid, host, since }) =>
      new Refused(`process ${pid} on ${host} has kept a night in ${folder} since ${since}`, 'wait for it to end'),
    broken: () => new Refused(`${path} does not name a process`, 'make sure that no night is under way, and remove it'),
  });
}

function openArtefacts(folder) {
  try {
    return new Artefacts(folder);
  } catch (error) {
    throw new Refused(`${folder} cannot be written to: ${error.message}`, 'name another folder with --artefacts');
  }
}

/** What is asked for; or what must be said instead. */
function optionsOf(args) {
  const text = { type: 'string' };
  const many = { type: 'string', multiple: true, default: [] };
  const flag = { type: 'boolean', default: false };
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        artefacts: { ...text, default: 'nightly' },
        'fail-if': many,
        'gate-scope': { ...text, default: 'these' },
        'max-provider-errors': { ...text, default: '0.05' },
        'max-outages': { ...text, default: '3' },
        keep: { ...text, default: '14' },
        'begin-anew': flag,
        'no-report': flag,
        'run-flag': many,
        'compare-flag': many,
        help: flag,
      },
    });
  } catch (error) {
    return `${error.message}\n\n${HELP}`;
  }
  const { values, positionals } = parsed;
  if (values.help || positionals.length > 1) return HELP;
  const counts = [values.keep, values['max-outages']];
  if (counts.some((count) => !/^[1-9]\d{0,4}$/.test(count))) return `--keep and --max-outages count from 1\n\n${HELP}`;
  // Before money is spent: `compare` would refuse them after the run.
  if (!['these', 'new'].includes(values['gate-scope'])) return `--gate-scope is these or new\n\n${HELP}`;
  if (!/^(0|0?\.\d+)$/.test(values['max-provider-errors']))
    return `--max-provider-errors is a share, from 0 to below 1\n\n${HELP}`;
  return {
    folder: resolve(values.artefacts),
    options: {
      matrix: positionals[0] ?? 'matrices/nightly.yaml',
      failIf: values['fail-if'],
      gateScope: values['gate-scope'],
      maxProviderErrors: values['max-provider-errors'],
      keep: Number(values.keep),
      maxOutages: Number(values['max-outages']),
      beginAnew: values['begin-anew'],
      report: !values['no-report'],
      runFlags: values['run-flag'],
      compareFlags: values['compare-flag'],
    },
  };
}

/** Runs the built command to its end; what it says beside its document is shown too. */
function command(args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text;
      process.stderr.write(text);
    });
    child.on('error', fail).on('close', (code) => done({ code, ...output }));
  });
}

/** To whoever looks: standard output, a warning that GitHub shows on the job, and the job's summary. */
function tell({ outcome, exit_code, run, said }, { matrix }) {
  const title = `nightly ${matrix}: ${WORDS[outcome]}${exit_code === 7 ? ', once too often' : ''}`;
  process.stdout.write(`${[title, `run ${run ?? 'none'}`, ...said].join('\n')}\n`);
  if (outcome === 'outage' && process.env.GITHUB_ACTIONS === 'true')
    process.stdout.write('::warning title=nightly::an outage: neither pass nor regression\n');
  const summary = process.env.GITHUB_STEP_SUMMARY;
  try {
    if (summary) appendFileSync(summary, `\n**nightly: ${WORDS[outcome]}** (exit ${exit_code})\n`);
  } catch (error) {
    // What the night came to is said above, and by the exit code.
    process.stderr.write(`GITHUB_STEP_SUMMARY cannot be written: ${error.message}\n`);
  }
}
