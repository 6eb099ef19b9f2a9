import { counted } from '../../core/counted.js';
import { shortDigest } from '../../core/digest.js';
import type { PlannedCost, PlannedVectors, RunPlan } from '../../experiment/experiment.js';
import { showNanoUsd } from '../money-text.js';
import { plainTable } from './table.js';

const ACTIONS = { replay: 'replays', record: 'to be recorded', live: 'live, unpaired', none: 'no formation' } as const;

const VECTOR_ACTIONS = { replay: 'replay', record: 'to be recorded', embed: 'to be embedded, no bank' } as const;

/** A plan as people read it. */
export function showPlan(plan: RunPlan): string {
  const hasReplicates = plan.blocks.some(({ replicate }) => replicate > 1);
  const own = hasReplicates ? ['replicate'] : [];
  const blocks = plainTable(
    ['fixture', ...own, 'questions', 'formation calls', 'bank', 'vectors'],
    plan.blocks.map((block) => [
      block.fixture,
      ...own.map(() => String(block.replicate)),
      String(block.questions),
      String(block.formation_calls),
      `${ACTIONS[block.bank]}${block.digest === null ? '' : ` ${shortDigest(block.digest)}`}${block.nearest.map((near) => `; ${shortDigest(near.digest)} differs in ${near.differs.join(', ')}`).join('')}`,
      block.vectors.map(showVectors).join(', ') || '–',
    ]),
    hasReplicates ? [1, 2, 3] : [1, 2],
  );
  const costs = plainTable(
    ['stage', 'calls', 'sent', 'expected', 'worst case'],
    [
      row('formation', plan.formation),
      ...(plan.index.calls === 0 ? [] : [row('vectors of items', plan.index)]),
      ...(plan.query.calls === 0 ? [] : [row('vectors of questions', plan.query)]),
      ...plan.arms.map((arm) => row(`reader, ${arm.arm}`, arm)),
      ...plan.judges.map((judge) => row(`judge, ${judge.judge}`, judge)),
      row('total', plan.total),
    ],
    [1, 2, 3, 4],
  );
  const admission = {
    yes: 'the budget holds the worst case',
    'not-the-worst-case': 'THE BUDGET DOES NOT HOLD THE WORST CASE',
    no: 'THE BUDGET ADMITS NOTHING',
    unknown: 'unknown: a price is missing',
  }[plan.admitted_by_budget];
  const vectors =
    plan.embedding.questions === 0
      ? []
      : [
          `embedding: ${counted(plan.query.calls, 'preparation')} (${counted(plan.embedding.sends, 'send')}) of ${counted(plan.embedding.questions, 'question')} that no vector bank pins`,
        ];
  return [
    blocks,
    ...showSample(plan),
    costs,
    [
      `budget ${showNanoUsd(plan.budget_nano_usd)}: ${admission}`,
      ...vectors,
      ...showCeilings(plan.embedding),
      ...plan.notes,
    ].join('\n'),
  ].join('\n\n');
}

const CEILINGS_HOLD = {
  yes: 'the ceilings hold the worst case',
  'not-the-worst-case': 'THE CEILINGS DO NOT HOLD THE WORST CASE',
  no: 'A REQUEST IS ABOVE THE CEILING: run refuses',
  unknown: 'unknown: a price is missing',
} as const;

function showCeilings({ ceilings, owners }: RunPlan['embedding']): string[] {
  if (ceilings === null || owners.length === 0) return [];
  const { request_nano_usd: request, day_nano_usd: day } = ceilings;
  return [
    `ceilings of embedding: ${showNanoUsd(request)} a request, ${showNanoUsd(day)} an owner and UTC day; what was spent today is not looked at`,
    ...owners.map((owner) => {
      const { expected_nano_usd: expected, worst_nano_usd: worst, largest_request_nano_usd: largest } = owner;
      const needs = `${owner.requests} requests, ${showNanoUsd(expected)} expected, ${showNanoUsd(worst)} at worst, the largest ${showNanoUsd(largest)}`;
      return `embeddings of ${owner.tenant}/${owner.principal}: ${needs}: ${CEILINGS_HOLD[owner.admitted]}`;
    }),
  ];
}

function showVectors({ unit, action, digest, kept, nearest }: PlannedVectors): string {
  const near = nearest.map((one) => `; ${shortDigest(one.digest)} differs in ${one.differs.join(', ')}`).join('');
  const rest = kept === null ? '' : ` (${kept} kept)`;
  return `${unit} ${VECTOR_ACTIONS[action]}${digest === null ? '' : ` ${shortDigest(digest)}`}${rest}${near}`;
}

function showSample({ sample }: RunPlan): string[] {
  if (sample === null) return [];
  const strata = plainTable(
    ['fixture', 'category', 'drawn', 'of'],
    sample.strata.map(({ fixture, category, drawn, of }) => [fixture, category, String(drawn), String(of)]),
    [2, 3],
  );
  return [`a sample of ${sample.size} of ${counted(sample.of, 'question')}, seed ${sample.seed}:\n${strata}`];
}

function row(stage: string, cost: PlannedCost): string[] {
  return [
    stage,
    String(cost.calls),
    String(cost.sends),
    showNanoUsd(cost.expected_nano_usd),
    showNanoUsd(cost.worst_nano_usd),
  ];
}
