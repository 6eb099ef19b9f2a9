import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { RunRecord } from '../../experiment/run-record.js';
import type { CompareOptions } from '../../report/comparison/compare-options.js';
import type { Comparison } from '../../report/comparison/comparison.js';
import type { GateOptions } from '../../report/comparison/gate/apply-gates.js';
import { type CliIo, print, printJson } from '../io.js';
import { writeComparison } from '../write-comparison.js';

interface CompareFlags {
  readonly out: string;
  readonly arm?: string;
  readonly against?: string;
  readonly scorer?: string[];
  readonly allScorers?: boolean;
  readonly treatment?: string[];
  readonly acrossBanks?: boolean;
  readonly allowDegraded?: boolean;
  readonly failIf?: string[];
  readonly gate?: boolean;
  readonly gateScope: 'new' | 'these';
  readonly maxProviderErrors: number;
  readonly json?: boolean;
  readonly csv?: string;
  readonly markdown?: string;
  readonly junit?: string;
}

/** `compare`: two runs, or two arms of one, paired by question (RP-2, RP-3); with a gate, for a nightly job (RP-4). Sends nothing. */
export function compareVerb(io: CliIo): Command {
  return new Command('compare')
    .description(
      'Compare two runs, or two arms of one run, question by question: what differs between them, each difference with its intervals, verdicts in words. With --gate or --fail-if it ends with 3 where a fall is shown. Sends nothing.',
    )
    .argument('<base>', 'a run id under --out, `latest`, or a run folder')
    .argument('[head]', 'the run that is held against it; without one, arms of the first are compared')
    .option('--out <folder>', 'where run folders lie', './runs')
    .option('--arm <name>', "only this arm; with --against the head's side (default: every arm but references)")
    .option('--against <name>', "the base's side, where it is another arm")
    .option('--scorer <name>', "only this scorer; may be given again (default: the plan's primary one)", collect)
    .addOption(new Option('--all-scorers', 'every scorer that both sides have, the primary first').conflicts('scorer'))
    .option('--treatment <factor>', 'what was meant to differ between two runs; may be given again', collect)
    .option('--across-banks', 'compare although banks differ: questions are paired, formation is not')
    .option('--allow-degraded', 'compare arms whose lookups fell back')
    .option('--fail-if <condition>', "a gate, such as 'token-f1 < -0.02'; may be given again", collect)
    .option('--gate', "the gate of the plan: the primary scorer fell by more than the matrix's margin")
    .addOption(
      new Option('--gate-scope <scope>', 'what gates conclude about: new conversations, or these')
        .choices(['new', 'these'] as const)
        .default('new'),
    )
    .option(
      '--max-provider-errors <share>',
      'gates say neither pass nor regression where more of the rows of a side were lost',
      readShare,
      0.05,
    )
    .option('--json', 'print one JSON document')
    .option('--csv <file>', 'write a line for each contrast')
    .option('--markdown <file>', 'write a summary; it is added to $GITHUB_STEP_SUMMARY too, where that is set')
    .option('--junit <file>', 'write JUnit XML: a test case for each gate')
    .addHelpText('after', HELP)
    .action((base: string, head: string | undefined, flags: CompareFlags) => compare(io, base, head, flags));
}

const HELP = `
Examples:
  $ recall-matrix compare latest                              the planned contrasts of one run
  $ recall-matrix compare latest --arm semantic --against bm25
  $ recall-matrix compare latest --all-scorers
  $ recall-matrix compare runs/monday runs/tuesday --gate
  $ recall-matrix compare runs/monday runs/tuesday --fail-if 'token-f1 < -0.02' --gate-scope these --junit gate.xml
  $ recall-matrix compare runs/monday runs/tuesday --fail-if 'evidence-recall@10 estimate < -0.05' --json

A gate fails where a one-sided bound of the difference, head - base, lies beyond the threshold: a fall is shown, not merely seen. \`estimate\` in it
holds the difference itself against the threshold, noise and all.

Exit codes: 0 done, gates passed; 2 refused, or a gate that can never fail; 3 a gate failed; 7 too many rows were lost for the gates to say.`;

async function compare(io: CliIo, base: string, head: string | undefined, flags: CompareFlags): Promise<void> {
  const { parseCondition, plannedCondition } = await import('../../report/comparison/gate/condition.js');
  const { applyGates } = await import('../../report/comparison/gate/apply-gates.js');
  const asked = (flags.failIf ?? []).map(parseCondition);
  const plain = await compared(io, base, head, flags, asked);
  const conditions = [...(flags.gate ? [plannedCondition(plain)] : []), ...asked];
  const comparison = applyGates(plain, {
    conditions,
    scope: flags.gateScope === 'new' ? 'new-conversations' : 'these-conversations',
    max_lost_share: flags.maxProviderErrors,
  });
  const { showComparison } = await import('../../report/tables/comparison-table.js');
  await writeComparison(io, comparison, flags);
  if (flags.json) printJson(io, comparison);
  else print(io, showComparison(comparison));
  io.fail(KINDS[comparison.gate]);
}

const KINDS = {
  none: [],
  passed: [],
  regression: ['difference'],
  invalid: ['provider'],
  untestable: ['invalid-input'],
} as const;

async function compared(
  io: CliIo,
  base: string,
  head: string | undefined,
  flags: CompareFlags,
  conditions: GateOptions['conditions'],
): Promise<Comparison> {
  const { compareArms, compareRuns } = await import('../../report/comparison/compare.js');
  const first = await opened(io, base, flags);
  const second = head === undefined ? first : await opened(io, head, flags);
  const ofPlan = flags.gate ? [second.matrix.analysis.primary] : [];
  const options: Partial<CompareOptions> = {
    arm: flags.arm ?? null,
    against: flags.against ?? null,
    scorers: flags.scorer ?? (flags.allScorers ? 'all' : 'primary'),
    gated: [...ofPlan, ...conditions.map(({ scorer }) => scorer)],
    treatments: flags.treatment ?? [],
    across_banks: flags.acrossBanks === true,
    allow_degraded: flags.allowDegraded === true,
  };
  return head === undefined ? compareArms(first, options) : compareRuns(first, second, options);
}

async function opened(io: CliIo, run: string, { out }: CompareFlags): Promise<RunRecord> {
  const { findRun } = await import('../../experiment/find-run.js');
  const { openRunRecord } = await import('../../experiment/reading/open-run-record.js');
  return openRunRecord(await findRun(resolve(io.workingFolder, out), run, 'run@1'));
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function readShare(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share < 1))
    throw new InvalidArgumentError('It is a share, from 0 to below 1.');
  return share;
}
