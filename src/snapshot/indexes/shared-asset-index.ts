// Finds assets of a snapshot in the shared memory of its table, so that no thread has to build an index before its first lookup.

import { nearest } from '../../common/nearest.ts';
import { partitionPoint } from '../../common/partition-point.ts';
import { tickerKey } from '../../domain/asset-state.ts';
import { ASSET_COLUMNS } from '../../domain/catalogue.ts';
import { type Day, isDay } from '../../domain/day.ts';
import { compareTexts, packTexts, textAt } from '../columns/texts.ts';
import type { AssetIndex, ColumnData, IndexedAsset, Table, TextData } from '../table.ts';

/** Can be posted to another thread. Indexed by the rows of the table of assets. */
export interface AssetIndexData {
  readonly assetNumbers: Uint32Array<SharedArrayBuffer>;
}

/** A misspelt id usually starts like the right one. Comparing a million ids would block other requests. */
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
    return Array.from(this.#table.symbols.rowsOf([tickerKey(symbol)]), row => this.#at(row));
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
    return partitionPoint(0, this.#table.rows, row => compareTexts(ids, row, wanted, 0) < 0);
  }

  #at(row: number): IndexedAsset {
    const rank = this.#number('rank', row);
    return {
      assetNumber: this.#data.assetNumbers[row]!,
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
    if (column.kind !== 'text') throw new Error(`${name} is not a column of texts`);
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
