import { createHmac } from 'node:crypto';
import type { Digest } from '../../core/digest.js';
import { digestJson } from '../../core/digest.js';
import { invalidInput } from '../../core/errors.js';
import type { Fixture } from '../../fixture/fixture.js';
import type { Observation } from '../asking/observation.js';
import { fixtureOfBlock } from '../block-id.js';
import type { KeptVerdict } from '../judging/judgement-file.js';
import type { RunRecord } from '../run-record.js';

/** What stands where a text of no fixture in particular stood. */
const REDACTED = '[redacted]';

/**
 * Takes the history's text out of what a run wrote, and keeps what it can of who equals whom: a digest of a short text can be guessed, so every
 * digest and text that rests on one conversation's words alone is replaced by a keyed one (HMAC-SHA-256), whose key is made of the whole
 * fixture. Who has the fixture can make the key and check everything; who has not cannot guess. The same run gives the same bytes.
 */
export class Redaction {
  private constructor(private readonly keys: ReadonlyMap<string, string>) {}

  /** @throws `REDACTION_NEEDS_FIXTURE` (exit 2): without it there is no key, and nothing can be told of what is left. */
  static async of(record: RunRecord): Promise<Redaction> {
    const keys = new Map<string, string>();
    for (const { id } of record.manifest.fixtures) {
      const fixture = await record.fixture(id);
      if ('missing' in fixture)
        throw invalidInput('REDACTION_NEEDS_FIXTURE', `the text of ${id} cannot be taken out: ${fixture.missing}`, {
          remedy: 'restore the fixture as it was when it was run, or export without --redact-history',
        });
      keys.set(id, redactionKey(fixture));
    }
    return new Redaction(keys);
  }

  row(row: Observation): Observation {
    const { fixture, outcome } = row;
    return {
      ...row,
      load: this.#digest(fixture, row.load),
      labels: this.#digest(fixture, row.labels),
      // A lesson's id is the digest of what is known beside it, and of people's names.
      lessons: row.lessons.map((lesson) => this.#digest(fixture, lesson)),
      searches: row.searches.map((search) => ({
        ...search,
        query: this.#text(fixture, search.query),
        subjects: search.subjects.map((subject) => this.#text(fixture, subject)),
        request: this.#digest(fixture, search.request),
      })),
      context: row.context === null ? null : { ...row.context, digest: this.#digest(fixture, row.context.digest) },
      answer: row.answer === null ? null : this.#text(fixture, row.answer),
      judgements: Object.fromEntries(
        Object.entries(row.judgements).map(([judge, judgement]) => [
          judge,
          {
            ...judgement,
            request: judgement.request === null ? null : this.#digest(fixture, judgement.request),
            cause: judgement.cause === null ? null : { ...judgement.cause, message: REDACTED },
          },
        ]),
      ),
      outcome:
        outcome.cause === null
          ? outcome
          : {
              ...outcome,
              cause: { ...outcome.cause, message: REDACTED, remedy: outcome.cause.remedy === null ? null : REDACTED },
            },
      request: row.request === null ? null : this.#digest(fixture, row.request),
    };
  }

  verdict(verdict: KeptVerdict): KeptVerdict {
    const { fixture, request } = verdict;
    return { ...verdict, request: this.#digest(fixture, request) as Digest, reason: REDACTED };
  }

  /** A line of a ledger: the body of a request is known by its digest, and why a call was held or released may quote what a provider said. */
  ledgerLine(line: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
    const { fixture, body, reason } = line;
    return {
      ...line,
      // A call is booked for a block, which is a fixture with the number of its bank.
      ...(typeof body === 'string' ? { body: this.#digest(fixtureOfBlock(String(fixture)), body) } : {}),
      ...(typeof reason === 'string' && !/^[a-z][a-z0-9-]*$/.test(reason) ? { reason: REDACTED } : {}),
    };
  }

  /** The manifest as it stands in `run.json`: messages may quote, differences between states do. */
  manifest(manifest: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
    const list = (key: string, change: (one: Record<string, unknown>) => unknown) =>
      Array.isArray(manifest[key]) ? { [key]: (manifest[key] as Record<string, unknown>[]).map(change) } : {};
    const relabelled = (one: Record<string, unknown>) => ({
      ...one,
      before: this.#digest(String(one.fixture), String(one.before)),
      after: this.#digest(String(one.fixture), String(one.after)),
    });
    return {
      ...manifest,
      stopped_by_budget: silenced(manifest.stopped_by_budget),
      lesson_projection: this.#projection(manifest.lesson_projection),
      lessons: this.#withProjection(manifest.lessons),
      ...list('fixtures', (one) => ({
        ...one,
        load: this.#digest(String(one.id), String(one.load)),
        labels: this.#digest(String(one.id), String(one.labels)),
      })),
      ...list('changed_labels', relabelled),
      ...list('sessions', (one) =>
        Array.isArray(one.changed_labels) ? { ...one, changed_labels: one.changed_labels.map(relabelled) } : one,
      ),
      ...list('problems', (one) => ({ ...one, message: REDACTED, remedy: silenced(one.remedy) })),
      ...list('arms', (one) => ({ ...one, reason: silenced(one.reason) })),
      ...list('formation', (one) => ({
        ...one,
        live_states: Array.isArray(one.live_states)
          ? one.live_states.map((state) => ({ ...state, difference: null }))
          : one.live_states,
      })),
    };
  }

  /** The lessons of a run are of all its fixtures: so is the key of their digest. */
  #projection(digest: unknown): unknown {
    if (typeof digest !== 'string') return digest;
    const key = digestJson([...this.keys.values()].sort());
    return `sha256:${createHmac('sha256', key).update(digest).digest('hex')}`;
  }

  #withProjection(lessons: unknown): unknown {
    if (typeof lessons !== 'object' || lessons === null || !('projection' in lessons)) return lessons;
    return { ...lessons, projection: this.#projection(lessons.projection) };
  }

  #digest(fixture: string, digest: string): Digest {
    return `sha256:${this.#keyed(fixture, digest)}`;
  }

  /** An empty answer is none, and says nothing. */
  #text(fixture: string, text: string): string {
    return text === '' ? '' : `[redacted ${this.#keyed(fixture, text).slice(0, 16)}]`;
  }

  #keyed(fixture: string, text: string): string {
    const key = this.keys.get(fixture);
    if (key === undefined)
      throw invalidInput('REDACTION_NEEDS_FIXTURE', `a row is of ${fixture}, which the run does not have`, {
        remedy: 'restore the run folder',
      });
    return createHmac('sha256', key).update(text).digest('hex');
  }
}

/** What keys a fixture's digests: its history, its questions and their labels, whole. */
function redactionKey({ history, questions, labels }: Fixture): string {
  return digestJson({ format: 'redaction-key@1', history, questions, labels: [...labels.values()] });
}

function silenced(text: unknown): unknown {
  return text === null || text === undefined ? text : REDACTED;
}
