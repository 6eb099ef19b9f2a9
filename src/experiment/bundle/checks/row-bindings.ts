import type { Observation } from '../../asking/observation.js';
import type { CheckedBundle } from './checked-bundle.js';

/** A row is bound to what its run is bound to: matrix, corpus, load, labels, prompt, state and banks. */
export function checkBindings({ record, findings }: CheckedBundle, row: Observation, file: string): void {
  const { manifest, result, matrix } = record;
  const of = `of ${row.question}, repeat ${row.repeat},`;
  const same = (what: string, found: unknown, expected: unknown) =>
    findings.same(file, `the ${what} ${of}`, found, expected);
  const facts = manifest.fixtures.find(({ id }) => id === row.fixture);
  const formed = result.formation.find((one) => one.fixture === row.fixture && one.replicate === row.replicate);
  if (!manifest.matrices.some(({ digest }) => digest === row.matrix))
    findings.fault(file, `the matrix ${of} is ${row.matrix}, which the run never had`);
  same('corpus', row.corpus, facts?.corpus);
  same('load', row.load, facts?.load);
  same('labels', row.labels, facts?.labels);
  if (row.recall === 'automatic') same('prompt', row.prompt, matrix.reader.prompt.digest);
  if (row.parity !== 'not-applicable') {
    const live = formed?.live_states?.find(({ arm }) => arm === row.arm);
    same('state', row.state, live?.state ?? formed?.state);
    same('bank', row.bank, formed?.bank ?? null);
  }
  const vectors = formed?.vectors.map(({ vector_bank }) => vector_bank) ?? [];
  if (row.vector_bank !== null && !vectors.some((digest) => digest === row.vector_bank))
    findings.fault(file, `the vector bank ${of} is ${row.vector_bank}, which the run did not use`);
  const { formation, index, query, reader, nano_usd } = row.attributed;
  const parts = [formation, index, query, reader].map((part) => part.nano_usd);
  same(
    'attributed cost',
    nano_usd,
    parts.includes(null) ? null : parts.reduce((sum, part) => (sum ?? 0) + (part ?? 0), 0),
  );
}
