import { invalidInput } from '../core/errors.js';
import type { ArmSettings } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';

const SUFFIX = '-aa';

/**
 * The arm that is to run twice (RP-8), found fit: what an arm and itself differ by is the noise beside which every difference is read.
 *
 * @throws `ARM_UNKNOWN`; `AA_OF_REFERENCE`; `AA_NAME_TAKEN`.
 */
export function checkedAa({ arms }: Pick<AuthoredMatrix, 'arms'>, name: string): string {
  const arm = arms.find((one) => one.name === name);
  if (arm === undefined)
    throw invalidInput('ARM_UNKNOWN', `there is no arm ${name} to run twice`, {
      remedy: `the arms are: ${arms.map((one) => one.name).join(', ')}`,
    });
  const { strategy } = arm.retrieval;
  if (strategy === 'full-history' || strategy === 'evidence')
    throw invalidInput('AA_OF_REFERENCE', `${name} is a reference: no difference from it is judged`, {
      remedy: 'run an arm twice that others are compared with, such as the baseline',
    });
  const taken = arms.find((one) => one.name.toLowerCase() === aaName(name).toLowerCase());
  if (taken !== undefined)
    throw invalidInput(
      'AA_NAME_TAKEN',
      `${name} would run again as ${aaName(name)}, and ${taken.name} is there already`,
      {
        remedy: `give the arm ${taken.name} another name`,
      },
    );
  return name;
}

/** The arms, and after them the one that runs again under a name of its own. */
export function withAa(arms: readonly ArmSettings[], name: string | null): ArmSettings[] {
  const arm = arms.find((one) => one.name === name);
  return arm === undefined ? [...arms] : [...arms, { ...arm, name: aaName(arm.name), aa_of: arm.name }];
}

/** Which arm of a matrix runs twice; null where none does. */
export function aaOf({ arms }: { readonly arms: readonly ArmSettings[] }): string | null {
  return arms.find(({ aa_of }) => aa_of !== undefined)?.aa_of ?? null;
}

function aaName(name: string): string {
  return `${name}${SUFFIX}`;
}
