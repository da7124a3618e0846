// A source whose assets are fiat currencies: whoever loads them says so.

import { FIAT } from '../domain/quote.ts';
import type { AssetRef, Source, SourceItem } from './source.ts';

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

function asFiat(ref: AssetRef): AssetRef {
  return { ...ref, type: FIAT };
}
