// Quote currencies: the dollar, in which all prices are stored, and the assets of the store that prices can be divided by.

import type { Asset } from './asset.ts';
import type { AssetState } from './asset-state.ts';
import { type BaseInterval, MILLIS_PER_DAY, startOfPeriod } from './interval.ts';

export const DOLLAR = 'USD';

/** The type of an asset that is a currency of a state: it is a quote, and is not listed. */
export const FIAT = 'fiat';

/** How much older than a period the close of a quote may be that is carried forward into it: longer than a weekend with holidays. */
export const QUOTE_CARRY_DAYS = 7;

/** An asset that prices are divided by. */
export interface QuoteAsset
  extends Pick<Asset, 'assetNumber' | 'id' | 'symbol' | 'name'>,
    Pick<AssetState, 'firstDay' | 'lastDay'> {}

/** In periods of a base interval. */
export function quoteCarry(base: BaseInterval): number {
  return (QUOTE_CARRY_DAYS * MILLIS_PER_DAY) / startOfPeriod(base, 1);
}

/** A unit of the catalogue, which is written for dollars, in another quote: `USD²` is `BTC²`. */
export function unitIn(unit: string | null, quote: string | null): string | null {
  return unit === null || quote === null ? unit : unit.replace(/^USD(?=²?$)/, () => quote);
}
