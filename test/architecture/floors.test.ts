import { describe, expect, it } from 'vitest';
import { closureOf, modules } from './imports.js';

/** The floors of DESIGN.md, from the bottom. */
const FLOORS: Readonly<Record<string, number>> = {
  core: 0,
  ledger: 1,
  provider: 1,
  fixture: 1,
  postgres: 1,
  module: 1,
  memory: 2,
  matrix: 3,
  bank: 3,
  parity: 3,
  scoring: 3,
  experiment: 4,
  report: 4,
  lessons: 4,
  cli: 5,
};

/** The files of a room that rooms of its own floor may import: its port, and the words that it is stated in. */
const PORTS: Readonly<Record<string, readonly string[]>> = {
  ledger: ['ledger/ledger.ts'],
  provider: ['provider/completion.ts', 'provider/embedding.ts', 'provider/usage.ts', 'provider/prices.ts'],
  fixture: ['fixture/fixture.ts', 'fixture/history.ts', 'fixture/question.ts', 'fixture/label.ts'],
  postgres: ['postgres/postgres.ts', 'postgres/versioned-schema.ts'],
  module: ['module/module.ts'],
  bank: ['bank/bank.ts'],
  parity: ['parity/parity.ts'],
  scoring: ['scoring/scoring.ts'],
  matrix: ['matrix/matrix.ts'],
  experiment: [
    'experiment/experiment.ts',
    'experiment/bundle-document.ts',
    'experiment/reproduction-document.ts',
    'experiment/rescore-document.ts',
    'experiment/run-record.ts',
  ],
  lessons: ['lessons/lessons.ts', 'lessons/documents.ts'],
  report: ['report/statistics/statistics.ts'],
};

const room = (name: string): string => name.split('/')[0] as string;
const all = modules();
const byName = new Map(all.map((module) => [module.name, module]));

/** What is wrong with one import; null where nothing is. */
function fault(from: string, to: string): string | null {
  const [below, above] = [FLOORS[room(to)], FLOORS[room(from)]];
  if (below === undefined || above === undefined) return `${from} -> ${to}: a room without a floor`;
  if (below > above) return `${from} -> ${to}: upwards`;
  if (below === above && room(from) !== room(to) && !(PORTS[room(to)] ?? []).includes(to))
    return `${from} -> ${to}: not a port`;
  return null;
}

describe('the house', () => {
  it('imports go down only, and on one floor only to a port', () => {
    expect(all.length).toBeGreaterThan(100);
    expect(
      all.flatMap(({ name, imports }) => imports.map((to) => fault(name, to)).filter((found) => found !== null)),
    ).toEqual([]);
  });

  it('the check of floors can fail', () => {
    expect(fault('core/digest.ts', 'bank/bank.ts')).toContain('upwards');
    expect(fault('bank/attempts.ts', 'parity/compare-states.ts')).toContain('not a port');
    expect(fault('bank/attempts.ts', 'parity/parity.ts')).toBeNull();
  });

  it('every import is of a module that there is', () => {
    const missing = all.flatMap(({ name, imports }) =>
      imports.filter((to) => !byName.has(to)).map((to) => `${name} -> ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it('no module reaches itself by its imports, types included', () => {
    const circular = all
      .filter(({ imports }) => imports.length > 0)
      .filter(({ name, imports }) => imports.some((to) => closureOf(to, byName).has(name)));
    expect(circular.map(({ name }) => name)).toEqual([]);
  });

  it('FB-4 the memory room imports neither bank, ledger, experiment nor any provider adapter', () => {
    const adapters = /^provider\/(openai|anthropic|http|local|transcript)\//;
    const reached = all
      .filter(({ name }) => room(name) === 'memory')
      .flatMap(({ name }) => [...closureOf(name, byName)])
      .filter(
        (name) =>
          ['bank', 'experiment', 'report', 'lessons', 'matrix', 'cli'].includes(room(name)) || adapters.test(name),
      );
    expect([...new Set(reached)]).toEqual([]);
    // Money's words are reached by way of prices at most, never the journal or an account.
    const ledger = all
      .filter(({ name }) => room(name) === 'memory')
      .flatMap(({ imports }) => imports.filter((to) => room(to) === 'ledger'));
    expect(ledger).toEqual([]);
  });

  it('FB-4 the replaying provider reaches no adapter, no meter and no network', () => {
    const reached = closureOf('bank/replaying-provider.ts', byName);
    expect(
      [...reached].filter((name) => /^provider\/(openai|anthropic|http|local|transcript|metered)/.test(name)),
    ).toEqual([]);
    const network = [...reached].filter((name) =>
      /node:(http|https|net|tls|dgram)|\bfetch\(/.test(byName.get(name)?.text ?? ''),
    );
    expect(network).toEqual([]);
    expect(reached.size).toBeGreaterThan(3);
  });

  it('FX-3 no module that builds a request reaches labels; the scorers do', () => {
    const labels = ['fixture/label.ts', 'fixture/label-schema.ts', 'fixture/label-digest.ts'];
    const builders = all
      .filter(({ name }) => room(name) === 'memory' || room(name) === 'provider')
      .map(({ name }) => name);
    const reaching = builders.filter((name) => labels.some((label) => closureOf(name, byName).has(label)));
    expect(reaching).toEqual([]);
    expect(closureOf('scoring/token-f1.ts', byName).has('fixture/label.ts')).toBe(true);
  });

  it('LE-6 FX-3 what a lesson says and matches reaches no label', () => {
    const entries = ['lessons/injection/lesson-text.ts', 'lessons/question-scope.ts', 'lessons/fingerprint.ts'];
    const reached = entries.flatMap((entry) => [...closureOf(entry, byName)]);
    expect(reached.filter((name) => name.startsWith('fixture/'))).toEqual(['fixture/question.ts']);
  });

  it('LG-1 nothing but the meter sends a prepared call', () => {
    const senders = all.filter(({ text }) => /\.send\(/.test(text)).map(({ name }) => name);
    expect(senders).toEqual(['provider/metered.ts']);
  });

  it('ST-1 the snapshot reads a database connection and nothing of formation or beliefs', () => {
    const reached = [...closureOf('parity/read-belief-state.ts', byName)];
    expect(reached.filter((name) => name.startsWith('memory/'))).toEqual([]);
  });

  it('nothing outside core/clock.ts asks the machine for the time', () => {
    const asking = all
      .filter(({ text }) => /Date\.now\(|new Date\(\)|performance\.now\(|process\.hrtime/.test(text))
      .map(({ name }) => name);
    expect(asking).toEqual(['core/clock.ts']);
  });

  it('FX-5 nothing depends on a locale or a time zone', () => {
    const depending = all
      .filter(({ text }) => /toLocale|localeCompare|Intl\.|getTimezoneOffset|\.getHours\(|\.getDate\(/.test(text))
      .map(({ name }) => name);
    expect(depending).toEqual([]);
  });

  it('every file is small: one concept each', () => {
    const large = all
      .filter(({ text }) => text.split('\n').length > 300)
      .map(({ name, text }) => `${name}: ${text.split('\n').length}`);
    expect(large).toEqual([]);
  });
});
