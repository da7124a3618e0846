// `ta-hist`: the indicators of one asset in each period.

import { TA_HIST } from '../../domain/datasets.ts';
import type { ListedInterval } from '../../domain/interval.ts';
import { BenchmarkSeries } from '../../history/benchmark-series.ts';
import { historyTableInSteps } from '../../history/history-table.ts';
import { perContext, publishedOf } from '../context.ts';
import { type AssetSource, assetSource, NO_BARS, oneAssetEndpoint } from '../listing/one-asset.ts';
import { requireSnapshot } from '../served-snapshot.ts';

/** The tools show histories too. */
export const historiesOf = perContext((context): AssetSource => {
  const histories = publishedOf(context);
  const benchmarks = new BenchmarkSeries(histories);
  return assetSource(context, context.historyBytes, {
    async read(atTurn, asset, interval, wanted) {
      for (;;) {
        const { version, data: bars } = await histories.bars(asset, interval, wanted, atTurn);
        const benchmark = bars && (await benchmarks.of(version, requireSnapshot(context), interval));
        if (benchmark !== null) {
          const facts = await context.facts(asset.assetNumber);
          return { version, data: { bars: bars ?? NO_BARS, series: benchmark.series, facts } };
        }
        if (wanted !== undefined) return { version, data: null };
        // Another version was published between the two.
      }
    },
    none: { bars: NO_BARS, series: null, facts: [] },
    // The dataset has no months.
    make: (symbol, { bars, series, facts }, interval) =>
      historyTableInSteps(symbol, bars, series, interval as ListedInterval, facts),
  });
});

export const taHist = oneAssetEndpoint(TA_HIST, historiesOf, {
  days: ['Two days of one asset', '?symbol=ALDM&from=2026-06-29&to=2026-06-30'],
  csv: ['As CSV', '?id=aldm-aldermoor&from=2026-06-01&limit=2&order=asc&format=csv'],
  missing: ['Without an asset', '?from=2026-06-01'],
  conflict: ['An asset named twice', '?symbol=ALDM&id=aldm-aldermoor'],
  'days-reversed': ['Days the wrong way round', '?symbol=ALDM&from=2026-06-30&to=2026-06-01'],
  unknown: ['A ticker that nothing has', '?symbol=NOBODY'],
});
