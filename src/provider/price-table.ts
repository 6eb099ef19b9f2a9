import { InvalidInputErrors, invalidInput, messageOf } from '../core/errors.js';
import { readText } from '../core/text-file.js';
import { checkYaml, parseYamlSource } from '../core/yaml-source.js';
import { type PriceEntry, priceEntries, priceTableSchema } from './prices.js';

/**
 * Reads a price table file (docs/formats/prices.md).
 *
 * @returns its entries by model name.
 * @throws `PRICES_UNREADABLE`, or every fault of the file with line and column (exit 2).
 */
export async function loadPriceTable(path: string): Promise<ReadonlyMap<string, PriceEntry>> {
  let text: string;
  try {
    text = await readText(path);
  } catch (cause) {
    throw invalidInput('PRICES_UNREADABLE', `cannot read the price table ${path}: ${messageOf(cause)}`, {
      remedy: 'name a price table, or write the prices into the matrix',
      cause,
    });
  }
  const checked = checkYaml(parseYamlSource(path, text, 'recall-matrix schema prices'), priceTableSchema);
  if (checked.value === null) throw new InvalidInputErrors(checked.faults);
  return priceEntries(checked.value);
}
