import { invalidInput, type RecallMatrixError } from '../core/errors.js';
import type { YamlPath, YamlSource } from '../core/yaml-source.js';
import { type PriceEntry, pricesOutput } from '../provider/prices.js';
import { isRemote } from './matrix.js';
import type { AuthoredMatrix } from './matrix-schema.js';

interface ModelUse {
  readonly path: YamlPath;
  readonly provider: string;
  readonly model: string;
  readonly embeds: boolean;
}

/** A model that can be sent to has a price (LG-8, R-26); what never leaves the process needs none. */
export function priceFaults(
  source: YamlSource,
  authored: AuthoredMatrix,
  prices: ReadonlyMap<string, PriceEntry>,
): RecallMatrixError[] {
  return modelUses(authored)
    .filter(({ provider }) => isRemote(authored.providers[provider]))
    .flatMap(({ path, model, embeds }) => {
      const price = prices.get(model);
      const location = source.locate(path);
      if (price === undefined)
        return invalidInput('PRICE_UNKNOWN', `the model ${model} has no price`, {
          location,
          remedy:
            'add it under `prices` (USD a million tokens, with the date that you looked it up): without a price nothing can be reserved',
        });
      if (embeds || pricesOutput(price)) return [];
      return invalidInput('PRICE_WITHOUT_OUTPUT', `the price of ${model} has no \`output\``, {
        location,
        remedy: 'add it: only a model that embeds is priced by its input alone',
      });
    });
}

function modelUses(authored: AuthoredMatrix): readonly ModelUse[] {
  const { formation, reader, query_preparation: preparation } = authored;
  const uses: ModelUse[] = [
    { path: ['reader', 'model'], provider: reader.provider, model: reader.model, embeds: false },
  ];
  if (formation !== 'none') {
    const { provider, model } = formation.profile;
    uses.push({ path: ['formation', 'profile', 'model'], provider, model, embeds: false });
  }
  if (preparation !== undefined && preparation !== 'off') {
    const { provider, model } = preparation.embedding;
    uses.push({ path: ['query_preparation', 'embedding', 'model'], provider, model, embeds: true });
  }
  for (const [name, { provider, model }] of Object.entries(authored.judges))
    uses.push({ path: ['judges', name, 'model'], provider, model, embeds: false });
  return uses;
}
