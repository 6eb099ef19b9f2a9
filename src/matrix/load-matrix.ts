import { dirname, relative, resolve, sep } from 'node:path';
import { type Digest, digestText } from '../core/digest.js';
import { InvalidInputErrors, invalidInput, messageOf, RecallMatrixError } from '../core/errors.js';
import { readText } from '../core/text-file.js';
import { checkYaml, parseYamlSource, type YamlSource } from '../core/yaml-source.js';
import { findFixtures, findFixturesThere } from '../fixture/find-fixtures.js';
import type { SampleSettings } from '../fixture/sample-questions.js';
import { parseUsd } from '../ledger/money.js';
import { READER_PRESETS, readerPreset } from '../memory/reader/presets.js';
import { loadPriceTable } from '../provider/price-table.js';
import { inlinePriceEntries, type PriceEntry } from '../provider/prices.js';
import { checkedAa } from './aa-arm.js';
import { expandAxes } from './axes.js';
import { checkMatrix, type KnownParts } from './check-matrix.js';
import { priceFaults } from './check-prices.js';
import type { JudgeChoice, LedgerSettings, LoadedMatrix } from './matrix.js';
import { type AuthoredMatrix, matrixSchema } from './matrix-schema.js';
import { digestOfNamed, namedFiles } from './named-files.js';
import { readPrompt } from './read-prompt.js';
import { matrixDigest, type ReadParts, resolveMatrix } from './resolve-matrix.js';

/** What a command line replaces in a matrix; bound in the resolved matrix like anything written there. */
export interface MatrixOverrides {
  /** Folders and globs, relative to `from`. */
  readonly fixtures?: { readonly patterns: readonly string[]; readonly from: string };
  readonly bankDirectory?: string;
  /** How many questions to draw (MX-9). */
  readonly sample?: number;
  /** The seed of the draw. */
  readonly sampleSeed?: string;
  /** The ledger lives in the database whose URL this variable holds. */
  readonly ledgerUrlEnv?: string;
  /** The arm that runs twice (RP-8). */
  readonly aa?: string;
  /** The same where neither the command line nor the matrix names one: what a run that is continued began with. */
  readonly aaOfRun?: string | null;
  /** Fixtures that the matrix names and that are not there are passed over: one of them is needed, and the caller says which. */
  readonly fixturesAsFound?: boolean;
}

/**
 * Reads a matrix file, checks it whole, and fills in its defaults.
 *
 * @param path absolute.
 * @throws {InvalidInputErrors} with every fault of the file, each with line and column (MX-2).
 */
export async function loadMatrix(
  path: string,
  known: KnownParts,
  overrides: MatrixOverrides = {},
): Promise<LoadedMatrix> {
  const written = parseYamlSource(path, await readMatrixText(path));
  const checked = checkYaml(written, matrixSchema);
  if (checked.value === null) throw new InvalidInputErrors(checked.faults);
  const { authored, source, faults: axisFaults } = expandAxes(written, checked.value);
  const faults = [...axisFaults, ...checkMatrix(source, authored, known)];
  const collect = async <T>(
    at: readonly (string | number)[] | null,
    read: () => T | Promise<T>,
    fallback: T,
  ): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      faults.push(...faultsAt(source, at, error));
      return fallback;
    }
  };
  const folder = dirname(path);
  const budget = await collect(['budget_usd'], () => parseUsd(authored.budget_usd), 0n);
  const find = overrides.fixturesAsFound === true ? findFixturesThere : findFixtures;
  // What the command line named is no fault of a line of the matrix.
  const named = overrides.fixtures;
  const fixtures =
    named === undefined
      ? await collect(['fixtures'], () => find(authored.fixtures, folder), [])
      : await collect(null, () => find(named.patterns, named.from), []);
  const prompt = await collect(
    ['reader', 'prompt'],
    () => readPrompt(authored.reader.prompt, folder, READER_PRESETS, readerPreset),
    null,
  );
  const judges: ReadParts['judges'] = {};
  for (const [name, judge] of Object.entries(authored.judges)) {
    const { names, text } = known.judgePresets;
    const at = ['judges', name];
    const judgePrompt = await collect([...at, 'prompt'], () => readPrompt(judge.prompt, folder, names, text), null);
    const labels = await collect([...at, 'labels'], () => bindLabels(judge.labels, folder), null);
    if (judgePrompt !== null) judges[name] = { prompt: judgePrompt, labels };
  }
  const aa = await collect(overrides.aa === undefined ? ['aa'] : null, () => aaArm(authored, overrides), null);
  const prices = await collect(['prices'], () => readPrices(authored, folder), null);
  const files = new Map<string, Digest>();
  const found = new Set<string>();
  for (const named of namedFiles(authored)) {
    if (found.has(`${named.kind} ${named.path}`)) continue;
    found.add(`${named.kind} ${named.path}`);
    const { time_limit_ms } = authored.modules;
    const digest = await collect(named.at, () => digestOfNamed(named, folder, time_limit_ms), null);
    if (digest !== null) files.set(named.path, digest);
  }
  // Of a table with faults nothing is known: that a model has no price would follow from them.
  if (prices !== null) faults.push(...priceFaults(source, authored, prices));
  if (faults.length > 0 || prompt === null || prices === null) throw new InvalidInputErrors(faults);
  const directory = authored.formation === 'none' ? '.' : authored.formation.formation_bank_directory;
  const bankFolder = (written: string): string =>
    relativeTo(
      folder,
      overrides.bankDirectory === undefined ? resolve(folder, written) : resolve(overrides.bankDirectory),
    );
  const vectorDirectory = authored.vector_banks.directory ?? (authored.formation === 'none' ? './banks' : directory);
  const matrix = resolveMatrix(
    authored,
    {
      sample: sampleOf(authored, overrides),
      fixtures: fixtures.map((fixture) => relativeTo(folder, fixture)),
      bankDirectory: bankFolder(directory),
      vectorBankDirectory: bankFolder(vectorDirectory),
      prompt,
      judges,
      aa,
      prices,
      files: { digests: files, relative: (file) => relativeTo(folder, resolve(folder, file)) },
    },
    budget,
  );
  const output = authored.output === undefined ? null : resolve(folder, authored.output.folder);
  return {
    path,
    matrix,
    digest: matrixDigest(matrix),
    output_folder: output,
    ledger: ledgerSettings(authored, overrides),
    locate: source.locate,
  };
}

function aaArm(authored: AuthoredMatrix, { aa, aaOfRun }: MatrixOverrides): string | null {
  const name = aa ?? authored.aa ?? aaOfRun ?? null;
  return name === null ? null : checkedAa(authored, name);
}

const DEFAULT_SAMPLE_SEED = '1';

function sampleOf({ load }: AuthoredMatrix, { sample, sampleSeed }: MatrixOverrides): SampleSettings | null {
  const size = sample ?? load.sample;
  if (size === undefined) return null;
  return { size, seed: sampleSeed ?? load.seed ?? DEFAULT_SAMPLE_SEED };
}

function ledgerSettings({ ledger }: AuthoredMatrix, { ledgerUrlEnv }: MatrixOverrides): LedgerSettings {
  if (ledgerUrlEnv !== undefined) return { home: 'postgres', url_env: ledgerUrlEnv };
  return { home: ledger.home, url_env: ledger.home === 'postgres' ? (ledger.url_env ?? null) : null };
}

/** An absolute path from one that a resolved matrix holds. */
export function pathInMatrix(loaded: LoadedMatrix, path: string): string {
  return resolve(dirname(loaded.path), path);
}

function relativeTo(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/') || '.';
}

async function readMatrixText(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw invalidInput('MATRIX_UNREADABLE', `cannot read the matrix ${path}: ${messageOf(error)}`, {
      remedy: 'name a matrix file, in UTF-8, e.g. matrices/quickstart.yaml',
      location: { file: path },
    });
  }
}

function faultsAt(source: YamlSource, path: readonly (string | number)[] | null, error: unknown): RecallMatrixError[] {
  const faults = error instanceof InvalidInputErrors ? error.errors : [error];
  return faults.map((fault) => {
    if (!(fault instanceof RecallMatrixError)) throw error;
    return path === null ? fault : placed(source, path, fault);
  });
}

/** A fault without a line of its own is of the place in the matrix that named the file. */
function placed(source: YamlSource, path: readonly (string | number)[], error: RecallMatrixError): RecallMatrixError {
  if (error.location?.line !== undefined) return error;
  return error.at(source.locate(path));
}

/** A file of people's verdicts, bound by digest; it is parsed with the fixtures that it is about. */
async function bindLabels(path: string | undefined, folder: string): Promise<JudgeChoice['labels']> {
  if (path === undefined) return null;
  try {
    return { path, digest: digestText(await readText(resolve(folder, path))) };
  } catch (error) {
    throw invalidInput('LABELS_UNREADABLE', `cannot read ${path}: ${messageOf(error)}`, {
      remedy: 'name a file of JSON lines, in UTF-8; see docs/formats/judge-labels.md',
    });
  }
}

async function readPrices(authored: AuthoredMatrix, folder: string): Promise<ReadonlyMap<string, PriceEntry>> {
  if (typeof authored.prices === 'string') return loadPriceTable(resolve(folder, authored.prices));
  return inlinePriceEntries(authored.prices);
}
