import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryEvent } from '../../src/fixture/history.js';
import { beliefMigrations } from '../../src/memory/beliefs/belief-migrations.js';
import { countFormationCalls } from '../../src/memory/formation/form-history.js';
import { readBeliefState } from '../../src/parity/read-belief-state.js';
import type { Completion, CompletionProvider, CompletionRequest } from '../../src/provider/completion.js';
import { useTestDatabase } from '../support/postgres.js';
import { formScripted, type ShownToFormation } from '../support/scripted-formation.js';

const database = useTestDatabase(beliefMigrations(), { per: 'suite' });

interface Move {
  readonly kind: 'turn' | 'correction' | 'erasure';
  readonly pick: number;
  readonly isNewSession: boolean;
}

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('turn', 'turn', 'turn', 'correction', 'erasure'),
    pick: fc.nat(),
    isNewSession: fc.boolean(),
  }),
  { minLength: 4, maxLength: 10 },
);

/** Each text is one word of its own, so that a word's presence says whose text is there. */
function historyOf(list: readonly Move[]): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const live: string[] = [];
  let session = 1;
  list.forEach(({ kind, pick, isNewSession }, index) => {
    const at = `2024-01-01T10:${String(index).padStart(2, '0')}:00`;
    const target = live[pick % Math.max(1, live.length)];
    if (kind === 'turn' || target === undefined) {
      if (isNewSession) session += 1;
      const id = `t${index}`;
      const speaker = pick % 2 === 0 ? 'Ada' : 'Bo';
      events.push({
        kind: 'turn',
        id,
        session: `s${session}.${index}`,
        at,
        speaker,
        text: `word${index}x`,
        caption: null,
        sensitivity: 'internal',
      });
      live.push(id);
    } else if (kind === 'correction') {
      events.push({ kind, id: `c${index}`, of: target, at, text: `word${index}x` });
    } else {
      events.push({ kind, id: `e${index}`, of: target, at });
      live.splice(live.indexOf(target), 1);
    }
  });
  return events;
}

/** Forms a belief and a person from each turn, and retires the first belief that is shown. */
class EchoProvider implements CompletionProvider {
  readonly requests: CompletionRequest[] = [];

  async complete(request: CompletionRequest): Promise<Completion> {
    this.requests.push(request);
    const shown = JSON.parse(request.messages[1]?.content ?? '') as ShownToFormation;
    const content = JSON.stringify({
      beliefs: shown.turns.map((turn, index) => ({
        statement: `Somebody said ${turn.text}.`,
        subjects: [],
        sources: [turn.id],
        confidence: 1,
        observed_at: null,
        supersedes: index === 0 && shown.beliefs.length > 1 ? ['B1'] : [],
      })),
      people: shown.turns.map((turn) => ({
        name: `P-${turn.text}`,
        aliases: [`A-${turn.text}`],
        role: turn.text,
        sources: [turn.id],
      })),
    });
    return { contents: [content], finish: 'stop', tool_calls: 0, reported_model: null, usage: null };
  }
}

/** For each request, the words that are gone by then. */
function wordsGoneBefore(history: readonly HistoryEvent[]): Map<string, string[]> {
  const current = new Map<string, string>();
  const gone: string[] = [];
  const byBatch = new Map<string, string[]>();
  for (const event of history) {
    const earlier = current.get(event.kind === 'turn' ? event.id : event.of);
    if (earlier !== undefined) gone.push(earlier);
    if (event.kind === 'erasure') current.delete(event.of);
    else current.set(event.kind === 'turn' ? event.id : event.of, event.text);
    if (event.kind === 'turn') byBatch.set(event.session, [...gone]);
    if (event.kind === 'correction') byBatch.set(`correction:${event.id}`, [...gone]);
  }
  return byBatch;
}

test('FX-2 no request holds words that were corrected or erased before it, whatever the history; equal runs give equal states', async () => {
  let wordsChecked = 0;
  const tables = ['supersession', 'belief_source', 'person_source', 'belief', 'person', 'turn'];
  await fc.assert(
    fc.asyncProperty(moves, async (list) => {
      const history = historyOf(list);
      const digests: string[] = [];
      for (let run = 0; run < 2; run += 1) {
        await database().admin.query(tables.map((table) => `delete from memory.${table};`).join('\n'));
        const provider = new EchoProvider();
        const outcome = await formScripted(database().runtime, history, provider);
        expect(outcome.calls).toBe(countFormationCalls(history));
        const gone = wordsGoneBefore(history);
        for (const request of provider.requests) {
          const bytes = JSON.stringify(request);
          for (const word of gone.get(String(request.metadata.batch)) ?? []) {
            expect(bytes).not.toContain(word);
            wordsChecked += 1;
          }
        }
        digests.push((await readBeliefState(database().admin)).digest);
      }
      expect(digests[1]).toBe(digests[0]);
    }),
    { seed: 20260201, numRuns: 6 },
  );
  expect(wordsChecked).toBeGreaterThan(10);
});
