import { join } from 'node:path';
import { canonicalJson } from '../../core/canonical-json.js';
import { invalidInput, messageOf } from '../../core/errors.js';
import { observationSchema } from '../asking/observation.js';
import { verdictSchema } from '../judging/judgement-file.js';
import type { RunRecord } from '../run-record.js';
import { RUN_FOLDER } from './bundle-format.js';
import { type BundleStage, readWhole } from './bundle-stage.js';
import type { PortableText } from './portable-text.js';
import { portableValue } from './portable-text.js';
import { REDACTED_PARTS } from './redacted-parts.js';
import type { Redaction } from './redaction.js';
import { type RunPart, runFiles, runPart } from './run-parts.js';

/** How a run folder is put into a bundle. */
export interface RunPutting {
  readonly stage: BundleStage;
  readonly record: RunRecord;
  readonly say: PortableText;
  /** Null: nothing is taken out. */
  readonly redaction: Redaction | null;
  /** Where the matrix file lies in the bundle. */
  readonly matrixFile: string;
}

/**
 * Puts a run folder into a bundle.
 *
 * @returns the files that have no place in one.
 * @throws `BUNDLE_SOURCE_BROKEN` (exit 2) for a file whose lines are not what they should be.
 */
export async function putRun(putting: RunPutting): Promise<string[]> {
  const { stage, record, redaction } = putting;
  const left: string[] = [];
  for (const path of await runFiles(record.path)) {
    const part = runPart(path);
    if (part === null) left.push(path);
    if (part === null || (redaction !== null && REDACTED_PARTS.has(part))) continue;
    const from = join(record.path, path);
    const bytes = await readWhole(from);
    if (bytes !== null) await stage.write(`${RUN_FOLDER}/${path}`, await portablePart(part, bytes, from, putting));
  }
  return left;
}

function portablePart(part: RunPart, bytes: Buffer, from: string, putting: RunPutting): Buffer {
  const { redaction, say } = putting;
  switch (part) {
    case 'manifest':
      return portableManifest(bytes, putting);
    case 'rows':
      return eachLine(bytes, from, (line) => {
        const row = observationSchema.parse(line);
        const portable = {
          ...row,
          outcome: portableValue(row.outcome, say),
          judgements: portableValue(row.judgements, say),
          // A server may call its model by the file that it was loaded from: `run.json` and the rows say the same of it.
          reported_models: row.reported_models.map(say),
        } as typeof row;
        return redaction === null ? portable : redaction.row(portable);
      });
    case 'judgements':
      return redaction === null ? bytes : eachLine(bytes, from, (line) => redaction.verdict(verdictSchema.parse(line)));
    case 'ledger':
      return redaction === null
        ? bytes
        : eachLine(bytes, from, (line) => redaction.ledgerLine(line as object as never));
    default:
      return bytes;
  }
}

/** Where its matrix lies is said as it lies in the bundle, and its ledger lies in the folder, wherever it was kept. */
function portableManifest(bytes: Buffer, { say, redaction, matrixFile }: RunPutting): Buffer {
  const manifest = JSON.parse(bytes.toString('utf8'));
  const portable = {
    ...(portableValue(manifest, say) as object),
    matrix: { ...manifest.matrix, path: `../${matrixFile}` },
    ledger_home: { home: 'file' },
  };
  return Buffer.from(
    `${JSON.stringify(redaction === null ? portable : redaction.manifest(portable), null, 2)}\n`,
    'utf8',
  );
}

/** Whole lines alone: what a crash tore off was promised to nobody. */
function eachLine(bytes: Buffer, from: string, change: (line: unknown) => unknown): Buffer {
  const text = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1).toString('utf8');
  try {
    const lines = text.split('\n').filter((line) => line !== '');
    return Buffer.from(lines.map((line) => `${canonicalJson(change(JSON.parse(line)))}\n`).join(''), 'utf8');
  } catch (cause) {
    throw invalidInput(
      'BUNDLE_SOURCE_BROKEN',
      `${from} holds a line that is not what it should be: ${messageOf(cause)}`,
      {
        remedy: 'restore the file from a copy',
        location: { file: from },
        cause,
      },
    );
  }
}
