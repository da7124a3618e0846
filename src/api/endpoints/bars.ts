// `bars`: open, high, low, close and volume of one asset per period.

import { BARS } from '../../domain/datasets.ts';
import { barsTable } from '../../history/bars-table.ts';
import { perContext, publishedOf } from '../context.ts';
import { assetSource, NO_BARS, oneAssetEndpoint } from '../listing/one-asset.ts';

/** The charts of other services read them too. */
export const barsOf = perContext(context =>
  assetSource(context, context.barsBytes, {
    read: (atTurn, asset, interval, version, quote = null) =>
      publishedOf(context).inQuote(quote).bars(asset, interval, version, atTurn),
    none: NO_BARS,
    *make(_, bars, interval) {
      yield;
      return barsTable(bars, interval);
    },
  }),
);

export const bars = oneAssetEndpoint(BARS, barsOf, {
  weeks: ['Two weeks of one asset', '?symbol=ALDM&interval=1w&limit=2'],
  csv: ['As CSV', '?id=aldm-aldermoor&interval=1mo&limit=3&format=csv'],
});
