// Which assets have a row in a listing, by the contract: the active ones, and of several with one ticker the best-ranked.

import type { AgreeAsset, AgreeMarket } from './market.ts';
import { baseOf, type Interval, isFine, lastPeriodOf, millisOf, periodOf } from './periods.ts';
import { intervalOf, type View } from './requests.ts';
import { type BaseBars, viewBars } from './view-bars.ts';

/** How many periods older than the newest bar the latest one of a listed asset may be: a week, or 48 shorter periods. */
function activePeriods(interval: Interval): number {
  return isFine(interval) ? 48 : interval === '1w' ? 1 : 7;
}

/** The last period of the rows. */
export function untilOf(view: View): number {
  return view.asOf === null ? Number.POSITIVE_INFINITY : lastPeriodOf(intervalOf(view), view.asOf);
}

export function quoteOf({ quotes }: AgreeMarket, { quote }: Pick<View, 'quote'>): BaseBars | null {
  if (quote === null || quote === 'USD') return null;
  return quotes.find(({ names }) => names.includes(quote))!.bars; // one of them
}

export function listedAssets(market: AgreeMarket, view: View): AgreeAsset[] {
  const { asOf, inactive } = view;
  const [interval, until, quote] = [intervalOf(view), untilOf(view), quoteOf(market, view)];
  const lastPeriod = ({ bars }: AgreeAsset) =>
    viewBars(bars, quote, interval).day.findLast(period => period <= until) ?? Number.NEGATIVE_INFINITY;
  const priced = market.assets.filter(asset => Number.isFinite(lastPeriod(asset)));
  const newest = Math.max(...priced.map(lastPeriod));
  const base = baseOf(interval);
  const ended = ({ bars }: AgreeAsset) => periodOf(interval, bars[base].day.at(-1)! * millisOf(base)) < until;
  // Of a past day, a delisted asset is listed as long as it had closes.
  const isActive = (asset: AgreeAsset) =>
    newest - lastPeriod(asset) <= activePeriods(interval) && !(asset.delisted && (asOf === null || ended(asset)));
  const listed = priced.filter(asset => inactive || isActive(asset));
  const best = (one: AgreeAsset, other: AgreeAsset) =>
    Number(isActive(other)) - Number(isActive(one)) || byRank(one, other);
  const byTicker = Map.groupBy(listed, ({ symbol }) => symbol.toUpperCase());
  return [...byTicker.values()].map(same => same.sort(best)[0]!); // a group has a member
}

/** Of the assets with its ticker, the best-ranked one. */
export function benchmarkOf({ assets }: AgreeMarket): AgreeAsset {
  return assets.filter(({ symbol }) => symbol === 'BTC').sort(byRank)[0]!; // there is one
}

function byRank(one: AgreeAsset, other: AgreeAsset): number {
  return (one.rank ?? 1e9) - (other.rank ?? 1e9) || Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}
