// The market capitalisation of a coin at the end of each of its bars.

import { dayOfMillis } from '../../domain/day.ts';
import type { Interval } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { FactSeries, factDay, factsInQuote } from '../../history/fact-history.ts';
import { marketCapOf } from '../../snapshot/columns/past-facts.ts';
import type { IndexedAsset } from '../../snapshot/table.ts';
import type { ServiceContext } from '../context.ts';
import { type AssetBars, marketCapNow } from './bars.ts';
import type { Market } from './market.ts';

/** By row of the bars. Of the latest day it is that of the listing; of past days what was known then, or null. */
export async function marketCaps(
  context: ServiceContext,
  market: Market,
  coin: IndexedAsset,
  bars: AssetBars,
  interval: Interval,
  quote: QuoteAsset | null = null,
): Promise<(row: number) => number | null> {
  const records = factsInQuote(await context.facts(coin.assetNumber), quote?.assetNumber ?? null);
  const facts = new FactSeries(records, interval);
  const capNow = marketCapNow(market, coin, bars, quote);
  const isNow = (row: number) => row === bars.rows - 1 && dayOfMillis(bars.start(row)) === coin.lastDay;
  return row => {
    if (isNow(row)) return capNow;
    const { supply, marketCap } = facts.on(factDay(interval, bars.period(row)));
    const cap = marketCapOf(bars.number(row, 'close') ?? Number.NaN, supply, marketCap);
    return Number.isNaN(cap) ? null : cap;
  };
}
