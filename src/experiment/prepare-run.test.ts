import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { InvalidInputErrors } from '../core/errors.js';
import { prepareInput, prepareRun, senders } from './prepare-run.js';

const FIXTURES = resolve(fileURLToPath(import.meta.url), '../../../fixtures');
const FORMATION = '{ bank: record-if-missing, profile: { provider: local, model: extractive-facts-1 } }';

interface Parts {
  readonly formation?: string;
  readonly more?: string;
  readonly reader?: string;
  /** Changes a file of the copied fixture. */
  readonly change?: { readonly file: string; readonly to: (text: string) => string };
}

async function matrix({ formation = FORMATION, more = '', reader = 'local', change }: Parts = {}): Promise<string> {
  const folder = await temporaryFolder();
  const fixture = join(folder, 'fixtures/allotment-band');
  await mkdir(join(folder, 'fixtures'));
  await cp(join(FIXTURES, 'allotment-band'), fixture, { recursive: true });
  if (change !== undefined) {
    const path = join(fixture, change.file);
    await writeFile(path, change.to(await readFile(path, 'utf8')));
  }
  const path = join(folder, 'm.yaml');
  await writeFile(
    path,
    `version: 1
name: sound
budget_usd: "0.50"
fixtures: [fixtures/allotment-band]
formation: ${formation}
reader: { provider: ${reader}, model: ${reader === 'local' ? 'extractive-reader-1' : 'some-model'} }
providers:
  local: { kind: local }
  script: { kind: transcript }
  remote: { kind: openai, base_url: "http://127.0.0.1:9/v1" }
prices:
  some-model: { as_of: "2026-01-01", source: none, input: "1", output: "1" }
arms:
  - { name: none, retrieval: { strategy: none } }
${more}`,
  );
  return path;
}

async function codes(path: string): Promise<string[]> {
  try {
    await prepareInput(path, {});
  } catch (error) {
    if (error instanceof InvalidInputErrors) return error.errors.map(({ code, exitCode }) => `${code} ${exitCode}`);
    throw error;
  }
  return [];
}

describe('MX-2, FB-8 what a matrix and its fixtures must be together', () => {
  it('MX-2 a sound one is loaded with its questions in order', async () => {
    const { fixtures, selected } = await prepareInput(await matrix(), {});
    expect(fixtures).toHaveLength(1);
    expect(selected.get('allotment-band')).toEqual(fixtures[0]?.questions.map(({ id }) => id));
  });

  /** A history of so many sessions of one turn, so of so many formation calls. */
  const sessions = (count: number): NonNullable<Parts['change']> => ({
    file: 'history.jsonl',
    to: (text) => {
      const kept = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; session: string });
      const already = new Set(kept.filter(({ kind }) => kind === 'turn').map(({ session }) => session)).size;
      const others = kept.filter(({ kind }) => kind === 'correction').length;
      const last = kept.at(-1) as { at?: string };
      const more = Array.from({ length: count - already - others }, (_, index) => ({
        ...(kept.find(({ kind }) => kind === 'turn') as object),
        id: `extra-${index}`,
        session: `extra-${index}`,
        at: last.at,
      }));
      return `${[...kept, ...more].map((event) => JSON.stringify(event)).join('\n')}\n`;
    },
  });

  it('FB-8 a history of 129 calls is refused before anything is sent, one of 128 is not', async () => {
    expect(await codes(await matrix({ change: sessions(128) }))).toEqual([]);
    expect(await codes(await matrix({ change: sessions(129) }))).toEqual(['HISTORY_TOO_LONG 2']);
  });

  it('FB-8 the bound is the bank’s: without one there is none', async () => {
    const live = FORMATION.replace('record-if-missing', 'off');
    expect(await codes(await matrix({ formation: live, change: sessions(129) }))).toEqual([]);
  });

  it('PR-1 formation by transcript needs a transcript in every fixture', async () => {
    const formation = '{ profile: { provider: script, model: published } }';
    expect(await codes(await matrix({ formation }))).toEqual(['TRANSCRIPT_MISSING 2']);
  });

  it('MX-5 a pin of a fixture that is not there is refused', async () => {
    const formation = FORMATION.replace('{ bank', `{ pinned: { elsewhere: "sha256:${'0'.repeat(64)}" }, bank`);
    expect(await codes(await matrix({ formation }))).toEqual(['PIN_OF_NO_FIXTURE 2']);
  });

  it('MX-2 a broken fixture is reported by its own faults', async () => {
    const change = { file: 'questions.jsonl', to: (text: string) => `${text}{"not": "a question"}\n` };
    const found = await codes(await matrix({ change }));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map((code) => code.split(' ')[1]))).toEqual(new Set(['2']));
  });
});

describe('MX-4 whose variables an invocation needs', () => {
  it('MX-4 formation’s provider only where a bank is to be recorded, or cells form live', async () => {
    const prepared = await prepareRun(await matrix({ reader: 'remote' }), {});
    expect(prepared.plans.map(({ action }) => action)).toEqual(['record']);
    expect(senders(prepared, true)).toEqual(['remote', 'local']);
    expect(senders(prepared, false)).toEqual(['local']);
    const replaying = { ...prepared, plans: prepared.plans.map((plan) => ({ ...plan, action: 'replay' as const })) };
    expect(senders(replaying, true)).toEqual(['remote']);
  });

  it('MX-4 without formation nobody forms', async () => {
    const prepared = await prepareRun(await matrix({ formation: 'none' }), {});
    expect(prepared.plans.map(({ action }) => action)).toEqual(['none']);
    expect(senders(prepared, false)).toEqual([]);
  });

  it('FB-5 replay-only without a fitting bank is exit 5, naming the fixture', async () => {
    const path = await matrix({ formation: FORMATION.replace('record-if-missing', 'replay-only') });
    await expect(prepareRun(path, {})).rejects.toMatchObject({
      code: 'BANK_NOT_FOUND',
      exitCode: 5,
      message: expect.stringContaining('allotment-band'),
    });
  });
});
