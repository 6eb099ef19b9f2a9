import { basename } from 'node:path';
import { counted } from '../../core/counted.js';
import { terminalLine, terminalText } from '../../core/terminal-text.js';
import type { BankDescription, BankListDocument, VectorBankDescription } from '../../experiment/experiment.js';
import { showNanoUsd } from '../money-text.js';
import { factLines } from './fact-lines.js';
import { plainTable } from './table.js';

const NAME_WIDTH = 16;

/** A bank folder as people read it. */
export function showBankList(listing: BankListDocument): string {
  const banks = plainTable(
    [
      'bank',
      'replicate',
      'model',
      'policy',
      'persistence',
      'calls',
      'attempts',
      'beliefs',
      'people',
      'bytes',
      'recorded',
    ],
    listing.banks.map((bank) => [
      basename(bank.path),
      String(bank.identity.replicate),
      bank.identity.profile.model,
      bank.identity.policy,
      bank.identity.persistence,
      String(bank.calls),
      String(bank.attempts),
      String(bank.state.beliefs),
      String(bank.state.people),
      String(bank.bytes),
      bank.recorded_at,
    ]),
    [1, 5, 6, 7, 8, 9],
  );
  const unfinished = [...listing.pending, ...listing.failed].map((pending) =>
    terminalText(
      `${pending.status}: ${pending.path} (${pending.completed} of ${counted(pending.reserved, 'reserved call')} completed)${pending.reason === null ? '' : `: ${terminalLine(pending.reason, 300)}`}`,
    ),
  );
  const vectorsUnderWay = listing.pending_vectors.map(({ status, path, items, of, queries, identity, reason }) =>
    terminalText(
      `${status}: ${path} (vectors of ${items} of ${of} ${identity.unit}, and of ${queries} questions, are kept)${reason === null ? '' : `: ${terminalLine(reason, 300)}`}`,
    ),
  );
  const broken = listing.broken.map(({ path, code, message }) => terminalText(`broken: ${path}: ${code}: ${message}`));
  const head = listing.banks.length === 0 ? `no completed bank in ${terminalText(listing.path)}` : banks;
  const vectors = listing.vector_banks.length === 0 ? [] : ['', showVectorBanks(listing.vector_banks)];
  return [head, ...unfinished, ...vectorsUnderWay, ...broken, ...vectors].join('\n');
}

function showVectorBanks(banks: readonly VectorBankDescription[]): string {
  return plainTable(
    ['vector bank', 'model', 'dimensions', 'items', 'questions', 'bytes'],
    banks.map(({ path, identity: { embedding }, items, queries, bytes }) => [
      basename(path),
      embedding.model,
      String(embedding.dimensions),
      String(items),
      String(queries),
      String(bytes),
    ]),
    [2, 3, 4, 5],
  );
}

/** One vector bank as people read it. */
export function showVectorBank(bank: VectorBankDescription): string {
  const { identity } = bank;
  const { kind, endpoint, model, dimensions } = identity.embedding;
  return factLines(NAME_WIDTH, [
    ['vector bank', bank.digest],
    ['file', `${bank.path} (${bank.bytes} bytes)`],
    ['of', `${identity.unit} of ${identity.unit === 'turns' ? 'the corpus' : 'the state'} ${identity.source}`],
    ['embedding', `${kind}, ${endpoint}, ${model}, ${dimensions} dimensions`],
    ['implementation', identity.implementation ?? 'behind the endpoint'],
    ['pricing', identity.pricing],
    ['items', `${bank.items}; usage ${showUsage(bank.usage)}`],
    ['questions', `${bank.queries}; usage ${showUsage(bank.query_usage)}`],
    ['attributed cost', showNanoUsd(bank.attributed_nano_usd)],
    ['reported models', bank.reported_models.join(', ') || 'none'],
  ]);
}

function showUsage(usage: BankDescription['usage']): string {
  return usage === null
    ? 'not known for every call'
    : `${usage.input_uncached} input, ${usage.cache_read} cache read, ${usage.cache_write} cache write, ${usage.output} output (${usage.reasoning} of it reasoning)`;
}

/** One bank as people read it (FB-15). */
export function showBank(bank: BankDescription): string {
  const { identity, usage } = bank;
  const { profile } = identity;
  return factLines(NAME_WIDTH, [
    ['bank', bank.digest],
    ['file', `${bank.path} (${bank.bytes} bytes)`],
    ['corpus', identity.corpus],
    ['owner', `${identity.owner.tenant} / ${identity.owner.principal}`],
    ['policy', `${identity.policy}, ${identity.persistence}`],
    [
      'profile',
      `${profile.kind}, ${profile.wire_api}, ${profile.endpoint}, ${profile.model}, ${JSON.stringify(profile.parameters)}`,
    ],
    ['implementation', identity.implementation],
    ['replicate', String(identity.replicate)],
    ['calls', `${bank.calls} in ${counted(bank.attempts, 'attempt')}`],
    ['usage', showUsage(usage)],
    ['attributed cost', showNanoUsd(bank.attributed_nano_usd)],
    ['reported models', bank.reported_models.join(', ') || 'none'],
    [
      'state',
      `${bank.state.digest}: ${counted(bank.state.beliefs, 'belief')}, ${counted(bank.state.people, 'person', 'people')}`,
    ],
    ...(bank.continues === null
      ? []
      : [
          [
            'continues',
            `${counted(bank.continues.completions, 'completion')} of the journal ${bank.continues.journal}`,
          ] as const,
        ]),
    ['recorded at', bank.recorded_at],
  ]);
}
