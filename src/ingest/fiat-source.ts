// A source whose assets are fiat currencies: whoever loads them says so.

import { FIAT } from '../domain/quote.ts';
import { type AssetRef, type Source, type SourceItem, SourceUsageError } from './source.ts';

export function fiatSource(source: Source): Source {
  return {
    ...source,
    bars: async function* (since, signal): AsyncGenerator<SourceItem, void, undefined> {
      const items = source.bars((ref, interval) => since(asFiat(ref), interval), signal);
      for await (const item of items) {
        if (item.kind === 'bars') yield { ...item, batch: { ...item.batch, assets: item.batch.assets.map(asFiat) } };
        else yield item.kind === 'delisted' ? { ...item, asset: asFiat(item.asset) } : item;
      }
    },
  };
}

/** Prices of a pair in another quote than the dollar, such as `USD/JPY`, are not in dollars per unit of a currency. */
function asFiat(ref: AssetRef): AssetRef {
  if (ref.symbol.includes('/')) {
    throw new SourceUsageError(
      `--type fiat: ${ref.symbol} is a pair whose prices are not in dollars`,
      'Load dollars per unit of each currency, such as EUR or EUR/USD. Invert a rate such as USD/JPY, and name it JPY.',
    );
  }
  return { ...ref, type: FIAT };
}
