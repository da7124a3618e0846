// The asset that a request names as its quote.

import { nearest } from '../../common/nearest.ts';
import { bestRanked, tickerKey } from '../../domain/asset-state.ts';
import { baseOf, type Interval } from '../../domain/interval.ts';
import { periodWord } from '../../domain/interval-words.ts';
import { DOLLAR, type QuoteAsset } from '../../domain/quote.ts';
import { ApiError, quoted } from '../../errors.ts';
import type { Snapshot } from '../../snapshot/table.ts';
import { assetOfTicker } from './find-asset.ts';

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
