import { InvalidInputErrors, invalidInput, messageOf } from '../core/errors.js';
import { readText } from '../core/text-file.js';
import { checkYaml, parseYamlSource } from '../core/yaml-source.js';
import { type ThresholdProfile, thresholdProfileSchema } from './threshold-profile.js';

/**
 * Reads a `threshold-profile@1` file, YAML or JSON (LE-5).
 *
 * @throws `LESSON_PROFILE_UNREADABLE`, or every fault of the file with line and column (exit 2).
 */
export async function loadThresholdProfile(path: string): Promise<ThresholdProfile> {
  let text: string;
  try {
    text = await readText(path);
  } catch (cause) {
    throw invalidInput('LESSON_PROFILE_UNREADABLE', `cannot read the threshold profile ${path}: ${messageOf(cause)}`, {
      remedy: 'name a threshold-profile@1 file: recall-matrix schema threshold-profile shows its keys',
      cause,
    });
  }
  const source = parseYamlSource(path, text, 'recall-matrix schema threshold-profile');
  const checked = checkYaml(source, thresholdProfileSchema);
  if (checked.value === null) throw new InvalidInputErrors(checked.faults);
  return checked.value;
}
