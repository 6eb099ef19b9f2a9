import type { YamlPath } from '../core/yaml-source.js';
import type { AuthoredArm } from './arm-schema.js';
import { scoresVectors } from './matrix.js';

/** Reports one fault of a matrix at a place of it. */
export type Report = (path: YamlPath, code: string, message: string, remedy: string) => void;

/** Refuses recall modes that make no sense with an arm's strategy and unit (RT-1, SQ-6), and keys of a mode that the arm is not in. */
export function checkMode(arm: AuthoredArm, index: number, report: Report): void {
  const { retrieval } = arm;
  if (retrieval.strategy === 'file') return;
  const at = (key: string): YamlPath => ['arms', index, 'retrieval', key];
  const { strategy, unit, mode, as_of } = retrieval;
  if (as_of !== undefined && mode !== 'historical')
    report(
      at('as_of'),
      'KEY_WITHOUT_MODE',
      `the arm ${arm.name} has as_of, and its mode is ${mode}`,
      'add `mode: historical`',
    );
  if (retrieval.core_size !== undefined && mode !== 'core')
    report(
      at('core_size'),
      'KEY_WITHOUT_MODE',
      `the arm ${arm.name} has core_size, and its mode is ${mode}`,
      'add `mode: core`',
    );
  if (mode === 'standard') return;
  if (strategy === 'semantic' || strategy === 'hybrid') {
    report(
      at('mode'),
      'MODE_WITHOUT_VECTORS',
      `the arm ${arm.name} is ${strategy}, and no query vector is prepared for mode ${mode} (SQ-6)`,
      'use `bm25`, `full-text`, `recency`, `full-history` or a module, or mode standard',
    );
  }
  if (strategy === 'none')
    report(
      at('mode'),
      'MODE_WITHOUT_EFFECT',
      `the arm ${arm.name} reads nothing, in whatever mode`,
      'leave `mode` out',
    );
  if (mode === 'core' && unit === 'turns' && strategy !== 'none')
    report(
      at('mode'),
      'MODE_WITHOUT_EFFECT',
      `the arm ${arm.name} reads turns, and a core is of beliefs`,
      'add `unit: beliefs`',
    );
  if (mode === 'historical' && unit === 'turns' && (as_of ?? 'question') === 'question' && strategy !== 'none')
    report(
      at('mode'),
      'MODE_WITHOUT_EFFECT',
      `the arm ${arm.name} reads turns, of which none is superseded`,
      'add `unit: beliefs`, or a time as `as_of`',
    );
}

/** Refuses an arm that switches off what it has not (SQ-2): its rows would be those of the arm without the key. */
export function checkPreparation(arm: AuthoredArm, index: number, report: Report): void {
  const { strategy } = arm.retrieval;
  if (arm.query_preparation === 'on' || scoresVectors(strategy)) return;
  report(
    ['arms', index, 'query_preparation'],
    'PREPARATION_WITHOUT_VECTORS',
    `the arm ${arm.name} is ${strategy}, and no query of it is prepared, on or off`,
    'leave `query_preparation` out, or use `semantic` or `hybrid`',
  );
}
