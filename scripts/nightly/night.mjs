// One night: run the matrix, hold the run against the last good one, and say what it comes to. Everything outside is handed in.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Of the command (docs/compare.md). */
const [DONE, INVALID_INPUT, REGRESSION, PROVIDER, DATABASE] = [0, 2, 3, 7, 8];
/** Nothing can be said tonight, and nobody's code is at fault. */
const OUTAGES = [PROVIDER, DATABASE];

/**
 * @typedef {object} NightOptions
 * @property {string} matrix
 * @property {readonly string[]} failIf conditions of `compare --fail-if`; none is the plan's own gate.
 * @property {'new' | 'these'} gateScope
 * @property {string} maxProviderErrors a share.
 * @property {number} keep nights that are kept.
 * @property {number} maxOutages from so many in a row on the job fails.
 * @property {boolean} beginAnew take this night for the base, held against nothing.
 * @property {boolean} report whether report.html is written.
 * @property {readonly string[]} runFlags handed to `run` as they are.
 * @property {readonly string[]} compareFlags handed to `compare` as they are.
 *
 * @typedef {object} NightWorld
 * @property {(args: readonly string[]) => Promise<{ code: number | null, stdout: string, stderr: string }>} command runs recall-matrix.
 * @property {import('./artefacts.mjs').Artefacts} artefacts
 * @property {() => string} now ISO 8601.
 *
 * @typedef {{ outcome: 'passed' | 'first' | 'regression' | 'outage' | 'refused' | 'failed', exit_code: number, run: string | null, base: string | null, anchor: string | null, said: string[] }} Night
 */

/** @param {NightOptions} options @param {NightWorld} world @returns {Promise<Night>} */
export async function night(options, world) {
  const { artefacts } = world;
  const at = world.now();
  // Read before money is spent.
  const [lastGood, anchor] = [options.beginAnew ? null : artefacts.pointer('last-good'), artefacts.pointer('anchor')];
  const folder = artefacts.newNight(at);
  const ran = await world.command(['run', options.matrix, '--out', artefacts.runs, '--json', ...options.runFlags]);
  writeFileSync(join(folder, 'run.log'), ran.stderr);
  const run = runOf(ran.stdout);
  const bases = options.beginAnew
    ? []
    : [
        ['last good', lastGood],
        ['anchor', anchor],
      ];
  const verdict = await verdictOf(options, world, { folder, ran, run, bases });
  if (run !== null && options.report) await report(world, run, verdict);
  const told = { format: 'night@1', at, run, base: lastGood, anchor, ...withStreak(verdict, options, artefacts) };
  // The mark last: killed before it, the next night is held against the same base; killed after it, nothing is missing.
  artefacts.writeNight(folder, told);
  if (verdict.outcome === 'passed' || verdict.outcome === 'first') artefacts.moveLastGood(/** @type {string} */ (run));
  artefacts.prune(options.keep);
  return told;
}

async function verdictOf(options, world, { folder, ran, run, bases }) {
  const isHeld = bases.some(([, base]) => base !== null);
  const isOutage = OUTAGES.includes(ran.code);
  if (ran.code !== DONE && !isOutage)
    return { outcome: 'failed', exit_code: ran.code ?? 1, said: [`run ended with ${ran.code}:`, ran.stderr.trim()] };
  // Without a run folder, or with nothing to hold it against, what the provider lost cannot be weighed.
  if (isOutage && (run === null || !isHeld))
    return { outcome: 'outage', exit_code: DONE, said: [`run ended with ${ran.code}:`, ran.stderr.trim()] };
  if (!isHeld)
    return { outcome: 'first', exit_code: DONE, said: ['no last good run to hold it against: this one is it now'] };
  const verdicts = [];
  for (const [name, base] of bases) {
    if (base !== null) verdicts.push(await held(options, world, { folder, run, name, base }));
  }
  return ['refused', 'regression', 'outage', 'passed'].flatMap((outcome) => {
    const found = verdicts.filter((verdict) => verdict.outcome === outcome);
    return found.length === 0 ? [] : [{ ...found[0], said: verdicts.flatMap(({ said }) => said) }];
  })[0];
}

/** What `compare` makes of the run against one other, kept in each form. */
async function held(options, world, { folder, run, name, base }) {
  const stem = join(folder, name === 'anchor' ? 'anchor' : 'comparison');
  const conditions = options.failIf.length === 0 ? ['--gate'] : options.failIf.flatMap((text) => ['--fail-if', text]);
  const compared = await world.command([
    ...['compare', base, run, '--out', world.artefacts.runs, '--json', ...conditions],
    ...['--gate-scope', options.gateScope, '--max-provider-errors', options.maxProviderErrors],
    ...['--csv', `${stem}.csv`, '--markdown', `${stem}.md`, '--junit', `${stem}.junit.xml`],
    ...options.compareFlags,
  ]);
  writeFileSync(`${stem}.json`, compared.stdout);
  const sentences = (documentOf(compared.stdout)?.gates ?? []).map(({ sentence }) => `${name}: ${sentence}`);
  switch (compared.code) {
    case DONE:
      return { outcome: 'passed', exit_code: DONE, said: sentences };
    case REGRESSION:
      return { outcome: 'regression', exit_code: REGRESSION, said: sentences };
    case PROVIDER:
      return { outcome: 'outage', exit_code: DONE, said: sentences };
    default:
      return {
        outcome: 'refused',
        exit_code: compared.code ?? INVALID_INPUT,
        said: [
          ...sentences,
          `compare ${base} ${run} ended with ${compared.code}:`,
          compared.stderr.trim(),
          anewRemedy(name),
        ],
      };
  }
}

function anewRemedy(name) {
  return name === 'anchor'
    ? 'where the change was meant, pin another run: write its id into the file `anchor`'
    : 'where the change was meant, begin anew from this state: add --begin-anew for one night';
}

/** A job that only ever warns is not read: outages in a row end in failure. */
function withStreak(verdict, { maxOutages }, artefacts) {
  if (verdict.outcome !== 'outage') return verdict;
  const before = artefacts.pastNights().reverse();
  const first = before.findIndex(({ outcome }) => outcome !== 'outage');
  const streak = 1 + (first === -1 ? before.length : first);
  const said = [...verdict.said, `night ${streak} in a row that says nothing; from ${maxOutages} on the job fails`];
  return streak < maxOutages ? { ...verdict, said } : { ...verdict, exit_code: PROVIDER, said };
}

/** A report that fails is said, and changes no verdict. */
async function report(world, run, verdict) {
  const { code, stderr } = await world.command(['report', run, '--out', world.artefacts.runs]);
  if (code !== DONE) verdict.said.push(`no report: ${stderr.trim()}`);
}

/** The run's id below the artefacts; null where no run folder was made. */
function runOf(stdout) {
  const result = documentOf(stdout);
  return result?.format === 'run-result@1' ? basename(result.path) : null;
}

function documentOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
