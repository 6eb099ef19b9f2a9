import { readFile } from 'node:fs/promises';
import { InvalidInputErrors, invalidInput, messageOf } from '../core/errors.js';
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
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw invalidInput('PRICES_UNREADABLE', `cannot read the price table ${path}: ${messageOf(cause)}`, {
      remedy: 'name a price table, or write the prices into the matrix',
      cause,
    });
  }
  const checked = checkYaml(parseYamlSource(path, text), priceTableSchema);
  if (checked.value === null) throw new InvalidInputErrors(checked.faults);
  return priceEntries(checked.value);
}
