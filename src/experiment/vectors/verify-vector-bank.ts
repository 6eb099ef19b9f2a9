import { dirname } from 'node:path';
import { openBankFolder } from '../../bank/bank-folder.js';
import { readState } from '../../bank/state-file.js';
import type { VectorBankHeader } from '../../bank/vector-bank.js';
import { readVectorBankFile } from '../../bank/vector-bank-folder.js';
import { parseVectorBankName } from '../../bank/vector-bank-names.js';
import type { Digest } from '../../core/digest.js';
import { bankRefused, type RecallMatrixError } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import { loadFixture } from '../../fixture/load.js';
import type { RecallUnit } from '../../memory/memory.js';
import { assertThere } from '../inspect-banks.js';
import { beliefsOf, foundVectors, turnsOf, unpinnedQuestions, type VectorSubject } from '../planning/plan-vectors.js';

/** What `bank verify` found of a vector bank. */
export interface VerifiedVectorBank {
  readonly format: 'vector-bank-verification@1';
  readonly vector_bank: Digest;
  readonly fixture: string;
  readonly unit: RecallUnit;
  readonly items: number;
  /** Of the fixture, and how many of them are pinned. */
  readonly questions: number;
  readonly queries: number;
}

/**
 * Checks every byte of a vector bank, and that its texts are those of the fixture: of its turns, or of the state that a formation bank in the
 * same folder seals. Nothing is embedded: a provider may give other vectors today.
 *
 * @throws exit 5 where the file was changed, is of other texts, or its state's bank is not beside it.
 */
export async function verifyVectorBank(path: string, fixturePath: string): Promise<VerifiedVectorBank> {
  await assertThere(path, 'bank');
  const file = await readVectorBankFile(path);
  const { header } = file;
  const fixture = await loadFixture(fixturePath);
  const { id } = fixture.manifest;
  const subject = await subjectOf(path, header, fixture);
  if (subject.identity.source !== header.identity.source || parseVectorBankName(path)?.fixture !== id) {
    throw differs(path, `it is not of ${id}`);
  }
  if (subject.identity.texts !== header.identity.texts) throw differs(path, `its texts are not those of ${id}`);
  const plan = {
    unit: header.identity.unit,
    action: 'replay' as const,
    found: foundVectors(file),
    nearest: [],
    kept: null,
    size: null,
  };
  const questions = fixture.questions.length;
  return {
    format: 'vector-bank-verification@1',
    vector_bank: header.digest,
    fixture: id,
    unit: header.identity.unit,
    items: header.items.length,
    questions,
    queries: questions - unpinnedQuestions([plan], fixture.questions).length,
  };
}

async function subjectOf(path: string, { identity }: VectorBankHeader, fixture: Fixture): Promise<VectorSubject> {
  if (identity.unit === 'turns') return turnsOf(fixture, identity);
  const { completed } = await openBankFolder(dirname(path)).list();
  const sealing = completed.find(({ bank }) => bank.state.digest === identity.source);
  if (sealing === undefined) {
    throw bankRefused(
      'VECTOR_BANK_WITHOUT_STATE',
      `no formation bank beside ${path} seals the state ${identity.source}`,
      {
        remedy: 'copy the formation bank and its state into the same folder',
      },
    );
  }
  return beliefsOf(identity.source, await readState(sealing.path, sealing.bank), identity);
}

function differs(path: string, why: string): RecallMatrixError {
  return bankRefused('VECTOR_BANK_DIFFERS', `${path} does not fit: ${why}`, {
    remedy: 'name the fixture that it was recorded from, or move it away and record anew',
  });
}
