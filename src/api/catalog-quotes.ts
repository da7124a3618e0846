// The quotes that a client is offered: any other asset can be named as well.

import { ASSETS } from '../domain/datasets.ts';
import { type Day, isoFromDay } from '../domain/day.ts';
import { DOLLAR, FIAT, type QuoteAsset } from '../domain/quote.ts';
import { findQuote } from '../query/execute/find-named.ts';
import { textAt } from '../snapshot/columns/texts.ts';
import { columnOf, type IndexedAsset, type Snapshot } from '../snapshot/table.ts';

export interface CatalogQuote {
  readonly quote: string;
  readonly id: string | null;
  readonly name: string;
  readonly type: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

export const US_DOLLAR: CatalogQuote = {
  ...{ quote: DOLLAR, id: null, name: 'US dollar', type: FIAT, first: null, last: null },
};

/** Assets that are listed beside the currencies. */
const ASSET_QUOTES = 5;

/** The dollar, the fiat currencies of the store, and its best-ranked assets. */
export const catalogQuotes: (snapshot: Snapshot | null) => readonly CatalogQuote[] = oncePer(snapshot => {
  if (snapshot === null) return [US_DOLLAR];
  const fiats = snapshot.fiats.map(fiat => entryOf(fiat, FIAT));
  return [US_DOLLAR, ...fiats, ...largestAssets(snapshot).map(asset => entryOf(asset, asset.type))];
});

function entryOf({ symbol, id, name, firstDay, lastDay }: QuoteAsset, type: string | null): CatalogQuote {
  const isoOf = (day: Day | null) => (day === null ? null : isoFromDay(day));
  return { quote: symbol, id, name, type, first: isoOf(firstDay), last: isoOf(lastDay) };
}

function largestAssets(snapshot: Snapshot): IndexedAsset[] {
  const { assetIndex, tables } = snapshot;
  const { assets } = tables;
  const ids = columnOf(assets, 'id', 'text');
  const found: IndexedAsset[] = [];
  const byRank = assets.order(ASSETS.columns.findIndex(({ name }) => name === 'rank'));
  for (const row of byRank?.slice(0, MOST_TRIED) ?? []) {
    const asset = assetIndex.byId(textAt(ids, row) ?? '');
    // A ticker that another asset or a currency has would name that one.
    if (asset === null || findQuote(snapshot, asset.symbol)?.id !== asset.id) continue;
    if (asset.rank !== null && asset.isActive) found.push(asset);
    if (found.length === ASSET_QUOTES) break;
  }
  return found;
}

/** Best-ranked assets that are looked at. */
const MOST_TRIED = 50;

/** Computed again for another snapshot only. */
function oncePer<T, R>(compute: (given: T) => R): (given: T) => R {
  let known: { readonly given: T; readonly result: R } | null = null;
  return given => {
    if (known === null || known.given !== given) known = { given, result: compute(given) };
    return known.result;
  };
}
