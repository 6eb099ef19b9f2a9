import { z } from 'zod';
import { type Digest, digestJson, digestText } from '../../../core/digest.js';
import type { Fixture } from '../../../fixture/fixture.js';
import type { Observation } from '../../asking/observation.js';
import type { CheckedBundle } from './checked-bundle.js';

/** What the user message of a reader's request holds (docs/formats/model-requests.md). */
const askedSchema = z.looseObject({ context: z.array(z.string()), present: z.string(), question: z.string() });

/** What was sent for a row is there: its prompt, the context of the row's digest, and the question as the fixture asks it. */
export async function checkRowRequest(
  { record, paths, findings, has, manifest }: CheckedBundle,
  row: Observation,
  fixture: Fixture | null,
  file: string,
): Promise<void> {
  if (manifest.redaction !== null) return;
  const fileOf = (request: string) => paths.requestPath(request as Digest);
  const of = `${row.question}, repeat ${row.repeat}`;
  for (const search of row.searches)
    if (!has(fileOf(search.request))) findings.fault(file, `the request of a search of ${of} is not there`);
  if (row.request === null) {
    if (row.outcome.kind === 'answered' && row.strategy !== 'file')
      findings.fault(file, `the answer to ${of} names no request`);
    return;
  }
  const path = fileOf(row.request);
  if (!has(path)) return findings.fault(file, `the request of ${of}, ${row.request}, is not there`);
  const request = await findings.reading(path, () => record.request(row.request as Digest));
  if (request === null) return;
  const [system, user] = request.messages;
  const asked = askedSchema.safeParse(parsed(user?.content));
  if (system === undefined || !asked.success) return findings.fault(path, `it is no reader's request of ${of}`);
  findings.looked('requests of rows: prompt, context and question');
  const { context, question, present } = asked.data;
  findings.same(path, `the model of ${of}`, request.model, record.matrix.reader.model);
  findings.same(path, `the prompt of ${of}`, digestText(system.content), row.prompt);
  if (row.context !== null) findings.same(path, `the context of ${of}`, digestJson(context), row.context.digest);
  const own = fixture?.questions.find(({ id }) => id === row.question);
  if (own === undefined) return;
  findings.same(path, `the question of ${of}`, question, own.question);
  findings.same(path, `the time of ${of}`, present, own.asked_at);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
