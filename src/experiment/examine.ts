import { implementationDigest } from '../bank/implementation-digest.js';
import type { Clock } from '../core/clock.js';
import { counted } from '../core/counted.js';
import { type ErrorKind, kindOf, messageOf, RecallMatrixError } from '../core/errors.js';
import type { AdmissionMigration } from '../memory/query-preparation/admission/admission-migrations.js';
import { type CleanReport, cleanPostgres, type PostgresFacts, probePostgres } from '../postgres/doctor.js';
import { createLocalEmbeddingAdapter } from '../provider/local/embedding.js';
import { takeSpendingDown } from './owner-ledger/kept-spending.js';

/** One thing that a run needs. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy: string | null;
}

/** Looks at everything that a run needs on this machine (`doctor`), each for real. */
export async function examine(options: {
  readonly databaseUrl: string | null;
  /** Removes first what killed runs left on the server (PG-5). */
  readonly clean: boolean;
  /** Takes the owners' ledger of embeddings down to a migration first, for an earlier version of this tool (SQ-11). */
  readonly embeddingLedger: AdmissionMigration | 'none' | 'kept';
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<{ checks: readonly Check[]; kinds: readonly ErrorKind[]; cleaned: CleanReport | null }> {
  const kinds: ErrorKind[] = [];
  const check = async (name: string, look: () => Promise<string>): Promise<Check> => {
    try {
      return { name, ok: true, found: await look(), remedy: null };
    } catch (error) {
      kinds.push(kindOf(error));
      return {
        name,
        ok: false,
        found: messageOf(error),
        remedy: error instanceof RecallMatrixError ? (error.remedy ?? null) : null,
      };
    }
  };
  let cleaned: CleanReport | null = null;
  const cleaning = async (): Promise<string> => {
    cleaned = await cleanPostgres(options);
    return `${cleaned.removed.length} removed, ${cleaned.kept.length} left alone`;
  };
  const target = options.embeddingLedger;
  const takingDown = async (): Promise<string> => {
    const undone = await takeSpendingDown(options, target === 'none' || target === 'kept' ? null : target);
    return undone.length === 0 ? 'nothing was to be undone' : `undid ${undone.join(', ')}`;
  };
  const checks = [
    await check('node', async () => `${process.version} on ${process.platform} ${process.arch}`),
    await check('formation implementation', async () => implementationDigest()),
    ...(target === 'kept' ? [] : [await check('embedding ledger', takingDown)]),
    ...(options.clean ? [await check('clean', cleaning)] : []),
    await check('postgres', async () => {
      const facts = await probePostgres({
        databaseUrl: options.databaseUrl,
        clock: options.clock,
        signal: options.signal,
      });
      return showPostgres(facts);
    }),
    await check('local embedding model', async () => {
      const { tuple } = createLocalEmbeddingAdapter();
      return `${tuple.model}, ${tuple.dimensions} dimensions`;
    }),
  ];
  return { checks, kinds, cleaned };
}

function showPostgres(facts: PostgresFacts): string {
  return [
    `${facts.kind} server, version ${facts.version}`,
    `${facts.kind === 'embedded' ? 'started' : 'answered'} in ${Math.ceil(facts.startMs)} ms as ${facts.runsAs}`,
    ...(facts.cacheFolder === null ? [] : [`programs in ${facts.cacheFolder}`]),
    ...(facts.clusterFolder === null ? [] : [`cluster in ${facts.clusterFolder}`]),
    facts.leftovers === 0
      ? 'killed runs left nothing'
      : `killed runs left ${counted(facts.leftovers, 'database or role', 'databases and roles')}, which the next run or --clean removes`,
    ...(facts.note === null ? [] : [facts.note]),
  ].join('; ');
}
