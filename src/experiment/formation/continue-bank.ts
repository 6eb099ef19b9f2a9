import { dirname } from 'node:path';
import { checkContinuable, continueRecording, readInterrupted } from '../../bank/continue-recording.js';
import { implementationDigest } from '../../bank/implementation-digest.js';
import { counted } from '../../core/counted.js';
import { type RunOptions, withSession } from '../open-session.js';
import { loadMatrixAsFound, prepareOneFixture } from '../reproducing/prepare-one-fixture.js';
import { type BankPlan, bankIdentity, recordThrough } from './formation-bank.js';
import { type RecordOutcome, recordAll } from './record.js';

/**
 * Continues an interrupted recording, out of a budget of its own (FB-9, LG-1). What its journal holds is taken over; the old run's ledger
 * keeps what it holds as uncertain, and a reservation whose completion is not there is asked again as a new send.
 *
 * @param journal absolute; its folder is the bank folder.
 * @throws exit 2 where it is no journal, or the matrix lacks its fixture; exit 5 where it cannot be continued (`checkContinuable`): before
 * a server starts.
 */
export async function continueBank(journal: string, options: RunOptions): Promise<RecordOutcome> {
  const folder = dirname(journal);
  const { header } = await readInterrupted(journal);
  const overrides = { ...options.overrides, bankDirectory: folder };
  const matrix = await loadMatrixAsFound(options.matrixPath, overrides);
  const { loaded, fixture, selected } = await prepareOneFixture(matrix, header.fixture);
  const implementation = implementationDigest();
  const { replicate } = header.identity;
  const identity = bankIdentity(loaded, fixture, implementation, replicate);
  const { earlier } = await checkContinuable(journal, { folder, fixture: header.fixture, identity });
  const plan: BankPlan = { fixture, replicate, identity, found: null, nearest: [], action: 'record' };
  const prepared = {
    loaded,
    fixtures: [fixture],
    replicates: [replicate],
    selected: new Map([[header.fixture, selected]]),
    judgeLabels: new Map(),
    implementation,
    plans: [plan],
    vectors: new Map(),
  };
  options.progress({
    kind: 'note',
    text: `${header.fixture}: taking over ${counted(earlier.calls.length, 'completion')} of ${journal}; what is missing is asked`,
  });
  return withSession(
    options,
    prepared,
    { reads: false, place: { kind: 'new', prefix: 'continue-' } },
    (session, runFolder) =>
      recordAll(session, prepared, runFolder, (_session, opened, due, account) =>
        recordThrough(session, opened, due, account, (recording) => continueRecording(recording, journal)),
      ),
  );
}
