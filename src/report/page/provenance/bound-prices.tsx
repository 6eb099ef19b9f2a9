import type { VNode } from 'preact';
import type { ResolvedMatrix } from '../../../matrix/matrix.js';
import { DataText } from '../data-text.js';
import { DigestText } from '../digest.js';
import { FigureTable } from '../figure-table.js';

/** The prices that costs were reckoned by, each with its date (LG-8). */
export function BoundPrices({
  prices,
  digest,
}: {
  readonly prices: ResolvedMatrix['prices'];
  readonly digest: string | null;
}): VNode {
  const tiers = Object.values(prices).flatMap((entry) => entry.tiers.map((tier) => ({ entry, tier })));
  return (
    <>
      <h3>Prices</h3>
      {tiers.length === 0 ? (
        <p>No model of this matrix has a price: its attributed costs are not known, and not 0.</p>
      ) : (
        <FigureTable
          caption="US dollars a million tokens"
          head={['model', 'as of', 'above input tokens', 'input', 'cache read', 'cache write', 'output', 'source']}
          texts={[1, 7]}
          rows={tiers.map(({ entry, tier }) => ({
            name: <DataText text={entry.model} />,
            cells: [
              entry.as_of,
              tier.above_input_tokens,
              tier.input,
              tier.cache_read ?? 'as input',
              tier.cache_write ?? 'as input',
              tier.output ?? '–',
              <DataText text={entry.source ?? 'not stated'} />,
            ],
          }))}
        />
      )}
      <p class="note">
        Digest of these prices: <DigestText digest={digest} />
      </p>
    </>
  );
}
