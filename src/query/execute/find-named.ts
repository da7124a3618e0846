// Finds what a request names: its asset, its quote, its interval and its day. If there is none, the error lists those that there are.

import { nearest } from '../../common/nearest.ts';
import { bestRanked, outranks, tickerKey } from '../../domain/asset-state.ts';
import { type Day, dayOfMillis, isoFromDay, LAST_DAY } from '../../domain/day.ts';
import { baseOf, type Interval, startOfPeriod } from '../../domain/interval.ts';
import { periodWord } from '../../domain/interval-words.ts';
import { DOLLAR, type QuoteAsset } from '../../domain/quote.ts';
import type { ServedInterval } from '../../domain/served-intervals.ts';
import { ApiError, type ErrorContext, nearestHint, quoted } from '../../errors.ts';
import type { AssetIndex, IndexedAsset, Snapshot } from '../../snapshot/table.ts';
import { PARAMETERS } from '../parameters.ts';
import type { AssetChoice } from '../parse/plan.ts';

export function chosenAsset(index: AssetIndex, { by, text }: AssetChoice): IndexedAsset {
  return by === 'id' ? assetById(index, text, by) : assetBySymbol(index, text, by);
}

/** By slug, or by ticker if only one asset has it. `param` is the parameter that held the id, if any. */
export function assetById(index: AssetIndex, id: string, param?: string): IndexedAsset {
  const bySlug = index.byId(id);
  if (bySlug !== null) return bySlug;
  const candidates = index.bySymbol(id);
  const [only] = candidates;
  if (only === undefined) throw unknownAsset(index, id, param);
  if (candidates.length === 1) return only;
  throw new ApiError('ambiguous_symbol', `${candidates.length} assets have the ticker ${quoted(id)}`, {
    ...at(param),
    hint: 'Use the id of one of the candidates.',
    candidates: candidates.map(asset => asset.id),
  });
}

/** By slug, or by ticker the asset that the listing shows. `param` is the parameter that held it, if any. */
export function listedAsset(index: AssetIndex, text: string, param?: string): IndexedAsset {
  return index.byId(text) ?? assetBySymbol(index, text, param);
}

function assetBySymbol(index: AssetIndex, symbol: string, param: string | undefined): IndexedAsset {
  const found = assetOfTicker(index, symbol);
  if (found === null) throw unknownAsset(index, symbol, param);
  return found;
}

/** The asset that the listing shows for the ticker; if none is active, the best-ranked one; null if no asset has it. */
export function assetOfTicker(index: AssetIndex, symbol: string): IndexedAsset | null {
  const [first, ...others] = index.bySymbol(symbol);
  if (first === undefined) return null;
  return others.reduce((best, rival) => (comesBefore(rival, best) ? rival : best), first);
}

function comesBefore(one: IndexedAsset, other: IndexedAsset): boolean {
  return one.isActive === other.isActive ? outranks(one, other) : one.isActive;
}

function unknownAsset(index: AssetIndex, text: string, param: string | undefined): ApiError {
  const near = index.nearest(text);
  return new ApiError('unknown_asset', `Unknown asset ${quoted(text)}.`, {
    ...at(param),
    ...nearestHint(near, 'Ids look like btc-bitcoin; search for assets with assets?q='),
  });
}

function at(param: string | undefined): ErrorContext {
  return param === undefined ? {} : { param };
}

type QuoteSource = Pick<Snapshot, 'fiats' | 'assetIndex'>;

/** `name`: null for dollars, as the result is. A fiat currency comes before an asset with the same ticker. */
export function requireQuote(snapshot: QuoteSource, name: string | null): QuoteAsset | null {
  if (name === null) return null;
  const found = findQuote(snapshot, name);
  if (found === null) throw unknownQuote(snapshot, name);
  if (found.lastDay !== null) return found;
  throw new ApiError('unknown_quote', `${found.id} has no prices.`, { param: 'quote', ...hintFor(snapshot, null) });
}

/** Null if nothing has the name. */
export function findQuote({ fiats, assetIndex }: QuoteSource, name: string): QuoteAsset | null {
  const ticker = tickerKey(name);
  const named = fiats.filter(fiat => tickerKey(fiat.symbol) === ticker).map(fiat => ({ ...fiat, rank: null }));
  return (
    bestRanked(named) ??
    fiats.find(({ id }) => id === name.toLowerCase()) ??
    assetIndex.byId(name) ??
    assetOfTicker(assetIndex, name)
  );
}

function unknownQuote(snapshot: QuoteSource, name: string): ApiError {
  const tickers = snapshot.fiats.map(({ symbol }) => tickerKey(symbol));
  const near = nearest(name, [DOLLAR, ...tickers]) ?? snapshot.assetIndex.nearest(name);
  return new ApiError('unknown_quote', `Unknown quote ${quoted(name)}.`, {
    param: 'quote',
    ...hintFor(snapshot, near),
  });
}

/** Fiat currencies that an error lists. */
const MOST_LISTED = 20;

function hintFor({ fiats }: QuoteSource, near: string | null) {
  const candidates = [...new Set([...(near === null ? [] : [near]), DOLLAR, ...fiats.map(({ symbol }) => symbol)])];
  const meant = near === null ? '' : `Did you mean ${near}? `;
  const hint = `${meant}quote takes USD, the ticker of a fiat currency of the store, or the ticker or id of an asset that has prices.`;
  return { hint, candidates: candidates.slice(0, MOST_LISTED) };
}

/** Of a quote that has no bars of the base that the interval is read from. */
export function noBarsOfQuote({ symbol }: QuoteAsset, interval: Interval): ApiError {
  const base = baseOf(interval);
  const detail = `${symbol} has no bars of ${base}, which prices of ${interval} would be divided by.`;
  return new ApiError('unknown_quote', detail, {
    param: 'quote',
    hint: `Load closes of ${symbol} for each ${periodWord(base)}, or request another quote, or interval=1d.`,
  });
}

/** Fails unless there are bars of the interval. `taken`: those that the request may have. Days are always there. */
export function requireInterval(
  served: readonly ServedInterval[],
  interval: Interval,
  taken: readonly Interval[],
): void {
  if (baseOf(interval) === '1d' || served.some(each => each.interval === interval)) return;
  const candidates = served.map(each => each.interval).filter(each => taken.includes(each));
  throw new ApiError('unknown_interval', `There are no bars of ${interval}.`, {
    param: 'interval',
    hint: `There are those of ${candidates.length === 0 ? 'days and longer intervals' : candidates.join(', ')}.`,
    candidates,
  });
}

/** Fails if the day of the period is in the future. `now`: milliseconds since 1970. Of today, any period: the last one stands for the whole day. */
export function requireReached(period: number, now: number, interval: Interval = '1d'): void {
  const day = dayOfMillis(Math.max(0, startOfPeriod(interval, period))) ?? LAST_DAY;
  if (day <= (dayOfMillis(now) ?? LAST_DAY)) return;
  throw new ApiError('invalid_value', `as_of is ${isoFromDay(day satisfies Day)}, which is in the future.`, {
    param: 'as_of',
    hint: `as_of takes ${PARAMETERS.as_of.takes}.`,
  });
}
