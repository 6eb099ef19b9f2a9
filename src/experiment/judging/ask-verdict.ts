import { canonicalJson } from '../../core/canonical-json.js';
import { type Digest, digestText } from '../../core/digest.js';
import { internalFault, interrupted, RecallMatrixError } from '../../core/errors.js';
import { scanForConfigured } from '../../core/secret-scan.js';
import type { Fixture, FixtureOutline } from '../../fixture/fixture.js';
import type { JudgeChoice } from '../../matrix/matrix.js';
import type { CompletionRequest } from '../../provider/completion.js';
import { judgeRequest } from '../../scoring/judge/judge-request.js';
import { readVerdict } from '../../scoring/judge/read-verdict.js';
import { CallAccount } from '../asking/call-account.js';
import type { RunFolder } from '../run-folder.js';
import type { SendingSession } from '../session.js';
import { jsonAmount } from '../summary/amounts.js';
import type { KeptVerdict } from './judgement-file.js';

/** One item before one judge. Two askings of one key are the same question to the same judge. */
export interface Asking {
  readonly key: string;
  readonly judge: string;
  readonly choice: JudgeChoice;
  readonly question: string;
  /** What is sent, and its digest: all that tells askings apart. */
  readonly sent: CompletionRequest;
  readonly text: string;
  readonly request: Digest;
}

/** An answer to a question of a fixture, as a judge is asked about it. */
export function askingOf(
  session: Pick<SendingSession, 'loaded' | 'providers'>,
  fixture: FixtureOutline,
  judge: string,
  id: string,
  answer: string,
): Asking {
  const choice = session.loaded.matrix.judges[judge];
  const question = fixture.questions.find((one) => one.id === id);
  const label = fixture.labels.get(id);
  if (choice === undefined || question === undefined || label === undefined)
    throw internalFault('JUDGE_UNPREPARED', `the judge ${judge}, or the question ${id}, was not checked`);
  const { prompt, parameters } = choice;
  const sent = judgeRequest(
    { question: question.question, present: question.asked_at, expected: label.expected, answer },
    { prompt, parameters, model: session.providers.resolve(choice) },
    { fixture: fixture.manifest.id, question: id },
  );
  const { messages, response_schema } = sent;
  const text = canonicalJson({ model: sent.model.model, messages, response_schema, parameters });
  const request = digestText(text);
  return { key: `${judge}\0${request}`, judge, choice, question: id, sent, text, request };
}

/**
 * Asks a judge once, through the ledger's stage `judge`, for no arm: all that give this answer share the verdict.
 *
 * @throws what the provider throws, `JUDGE_UNSUPPORTED_COMPLETION`, kind `budget` where the call was not admitted, kind `interrupted`.
 */
export async function askVerdict(
  session: SendingSession,
  folder: RunFolder,
  fixture: Fixture,
  asking: Asking,
  repeat: number,
): Promise<KeptVerdict> {
  const { judge, choice, question, sent, text, request } = asking;
  if (session.signal.aborted) throw interrupted('the run was interrupted before this verdict');
  const attribution = { arm: null, stage: 'judge' as const, fixture: fixture.manifest.id, unit: question };
  const account = new CallAccount();
  const live = session.providers.completions(choice, fixture, session.ledger, attribution, account.add);
  await folder.keepRequest(request, text);
  const { correct, reason } = readVerdict(sent, await live.complete(sent, session.signal));
  if (scanForConfigured(reason, session.providers.secretValues).length > 0) throw reasonHoldsSecret(judge);
  const cost = account.attributed_nano_usd;
  return {
    format: 'judgement@1',
    judge,
    request,
    repeat,
    fixture: fixture.manifest.id,
    question,
    correct,
    reason,
    usage: account.usage,
    nano_usd: cost === null ? null : jsonAmount(cost),
    reported_models: account.reported_models,
  };
}

/** A key that a model repeats is kept in no file (MX-4). */
function reasonHoldsSecret(judge: string): RecallMatrixError {
  return new RecallMatrixError({
    kind: 'provider',
    code: 'JUDGE_HOLDS_SECRET',
    message: `a reason that the judge ${judge} gave holds a configured secret, and is not kept`,
    remedy: 'take the key out of the history or the prompt, and change it',
  });
}
