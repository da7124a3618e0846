// The index of a snapshot's assets, in shared memory like its tables: lookups are binary searches, and no thread has to
// build anything before its first one.

import { tickerKey } from '../domain/asset-state.ts';
import { ASSET_COLUMNS } from '../domain/columns.ts';
import { type Day, isDay } from '../domain/day.ts';
import { nearest } from '../domain/nearest.ts';
import type { AssetFacts } from '../store/store.ts';
import type { AssetIndex, IndexedAsset } from './asset-index.ts';
import { identity } from './orders.ts';
import { sharedCounts } from './shared-memory.ts';
import type { ColumnData, Table, TextData } from './table.ts';
import { compareTexts, packTexts, sortedByText, textAt } from './texts.ts';

/** Can be posted to another thread. Rows are those of the table of assets. */
export interface AssetIndexData {
  readonly keys: Uint32Array<SharedArrayBuffer>;
  /** Tickers without regard to case, and the rows in their order. */
  readonly tickers: TextData;
  readonly byTicker: Uint32Array<SharedArrayBuffer>;
}

/** A misspelt id mostly begins as the right one does; looking at all of a million would hold up everybody else. */
const NEIGHBOURS = 200;

export class SharedAssetIndex implements AssetIndex {
  readonly #data: AssetIndexData;
  readonly #table: Table;

  constructor(data: AssetIndexData, table: Table) {
    this.#data = data;
    this.#table = table;
  }

  byId(id: string): IndexedAsset | null {
    const wanted = packTexts([id.toLowerCase()]);
    const row = this.#firstId(wanted);
    return row < this.#table.rows && compareTexts(this.#texts('id'), row, wanted, 0) === 0 ? this.#at(row) : null;
  }

  bySymbol(symbol: string): IndexedAsset[] {
    const { tickers, byTicker } = this.#data;
    const wanted = packTexts([tickerKey(symbol)]);
    const compare = (place: number) => compareTexts(tickers, byTicker[place]!, wanted, 0);
    const found: IndexedAsset[] = [];
    let place = firstWhere(byTicker.length, at => compare(at) >= 0);
    while (place < byTicker.length && compare(place) === 0) found.push(this.#at(byTicker[place++]!));
    return found;
  }

  nearest(id: string): string | null {
    const wanted = id.toLowerCase();
    const place = this.#firstId(packTexts([wanted]));
    const [from, to] = [Math.max(0, place - NEIGHBOURS), Math.min(this.#table.rows, place + NEIGHBOURS)];
    return nearest(
      wanted,
      Array.from({ length: to - from }, (_, i) => this.#text('id', from + i)),
    );
  }

  #firstId(wanted: TextData): number {
    const ids = this.#texts('id');
    return firstWhere(this.#table.rows, row => compareTexts(ids, row, wanted, 0) >= 0);
  }

  #at(row: number): IndexedAsset {
    const rank = this.#number('rank', row);
    return {
      key: this.#data.keys[row]!,
      id: this.#text('id', row),
      symbol: this.#text('symbol', row),
      name: this.#text('name', row),
      rank: Number.isNaN(rank) ? null : rank,
      type: textAt(this.#texts('type'), row),
      isNew: this.#number('is_new', row) === 1,
      isActive: this.#number('is_active', row) === 1,
      firstDay: dayOrNull(this.#number('first_data_at', row)),
      lastDay: dayOrNull(this.#number('last_data_at', row)),
    };
  }

  #text(name: AssetColumnName, row: number): string {
    return textAt(this.#texts(name), row) ?? '';
  }

  #texts(name: AssetColumnName): TextData {
    const column = this.#column(name);
    if (column.kind !== 'text') throw new Error(`${name} is no column of texts`);
    return column;
  }

  #number(name: AssetColumnName, row: number): number {
    const column = this.#column(name);
    if (column.kind === 'text') throw new Error(`${name} is a column of texts`);
    return column.values[row]!;
  }

  #column(name: AssetColumnName): ColumnData {
    return this.#table.columns[POSITIONS[name]]!;
  }
}

type AssetColumnName = (typeof ASSET_COLUMNS)[number]['name'];

const POSITIONS = Object.fromEntries(ASSET_COLUMNS.map((column, i) => [column.name, i])) as Readonly<
  Record<AssetColumnName, number> // fromEntries forgets the names
>;

function dayOrNull(value: number): Day | null {
  return isDay(value) ? value : null;
}

/** The first of `count` places where a condition holds that, once it holds, goes on holding. */
function firstWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The assets in the order of the table's rows. */
export function assetIndexData(assets: readonly AssetFacts[]): AssetIndexData {
  const keys = sharedCounts(assets.length);
  for (let row = 0; row < assets.length; row++) keys[row] = assets[row]!.key;
  const tickers = packTexts(assets.map(asset => tickerKey(asset.symbol)));
  const byTicker = sharedCounts(assets.length);
  byTicker.set(sortedByText(tickers, identity(assets.length)));
  return { keys, tickers, byTicker };
}
