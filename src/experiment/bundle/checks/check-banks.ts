import { basename, join } from 'node:path';
import { bankPath, statePath } from '../../../bank/bank-names.js';
import { readBankFile } from '../../../bank/completed-banks.js';
import { readState } from '../../../bank/state-file.js';
import { readVectorBankFile } from '../../../bank/vector-bank-folder.js';
import { vectorBankPath } from '../../../bank/vector-bank-names.js';
import { expectationPath, readExpectation } from '../../reproducing/expectation.js';
import { usedBanks, usedVectorBanks } from '../used-banks.js';
import type { CheckedBundle } from './checked-bundle.js';

/** Banks are intact, of the fixtures that they are used for, and their states are what they seal. */
export async function checkBanks(bundle: CheckedBundle): Promise<void> {
  await checkFormationBanks(bundle);
  await checkVectorBanks(bundle);
}

async function checkFormationBanks({ folder, record, workspace, findings, has }: CheckedBundle): Promise<void> {
  const { formation } = record.matrix;
  const place = formation === null ? null : workspace.place(formation.formation_bank_directory);
  for (const { fixture, replicate, digest } of usedBanks(record)) {
    if (place === null) continue;
    const path = bankPath(place, fixture, digest);
    if (!has(path)) {
      findings.skipped(`bank ${digest} of ${fixture}`, 'it is not in the bundle');
      continue;
    }
    findings.looked('banks and their states');
    const file = join(folder, ...path.split('/'));
    const read = await findings.reading(path, () => readBankFile(file));
    if (read === null) continue;
    const { bank } = read;
    findings.same(path, 'its digest', bank.digest, digest);
    findings.same(path, 'its replicate', bank.identity.replicate, replicate);
    const facts = record.manifest.fixtures.find(({ id }) => id === fixture);
    findings.same(path, 'its corpus', bank.identity.corpus, facts?.corpus);
    await findings.reading(statePath(path), () => readState(file, bank));
    await findings.reading(expectationPath(path), () => readExpectation(file, digest));
    const formed = record.result.formation.find((one) => one.fixture === fixture && one.replicate === replicate);
    if (formed?.state != null) findings.same(path, 'the state that it seals', bank.state.digest, formed.state);
  }
}

async function checkVectorBanks({ folder, record, workspace, findings, has }: CheckedBundle): Promise<void> {
  const place = workspace.place(record.matrix.vector_banks.directory);
  for (const { fixture, unit, digest } of usedVectorBanks(record)) {
    if (place === null) continue;
    const path = vectorBankPath(place, fixture, unit, digest);
    if (!has(path)) {
      findings.skipped(`vector bank ${digest} of ${fixture}`, 'it is not in the bundle');
      continue;
    }
    findings.looked('vector banks');
    const read = await findings.reading(path, () => readVectorBankFile(join(folder, ...path.split('/'))));
    if (read !== null) findings.same(path, `the digest of ${basename(path)}`, read.header.digest, digest);
  }
}
