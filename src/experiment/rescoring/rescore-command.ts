import { shellWord } from '../../core/shell-word.js';
import type { AddedScorers } from './rescored-matrix.js';

/** The exact command that scores a run again, ready to be pasted into a shell. */
export function rescoreCommand(
  folder: string,
  { matrixPath, scorers, labelsChanged }: AddedScorers & { readonly labelsChanged: boolean } = PLAIN,
): string {
  return [
    'recall-matrix rescore',
    shellWord(folder),
    ...(matrixPath === null ? [] : [shellWord(matrixPath)]),
    ...scorers.map((scorer) => `--scorer ${shellWord(scorer)}`),
    ...(labelsChanged ? ['--labels-changed'] : []),
  ].join(' ');
}

/** By what the run is scored by as it is. */
const PLAIN = { matrixPath: null, scorers: [], labelsChanged: false };
