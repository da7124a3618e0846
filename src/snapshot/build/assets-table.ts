// The table of `assets`: every asset that has a profile or prices.

import { isActive, isNew } from '../../domain/asset-state.ts';
import { ASSET_COLUMNS } from '../../domain/catalogue.ts';
import { ASSETS } from '../../domain/datasets.ts';
import { sharedBytes, sharedDoubles, sharedIntegers } from '../columns/shared-memory.ts';
import { factTexts } from '../indexes/profile-index.ts';
import type { ColumnData } from '../table.ts';
import type { TableColumns } from './shared-table.ts';
import { cells, type RowSource, type TableBuilder, type TableSource, texts } from './table-builder.ts';

export const assetsBuilder: TableBuilder = { usesMoment: true, selectSlots, build };

/** By id. Only a ticker without published prices has neither a profile nor prices. Since when a profile exists is not known. */
function selectSlots({ book: { byId, provisional }, rows: { day }, moment: { past } }: RowSource): Uint32Array {
  return byId.filter(slot => (provisional[slot] === 0 && !past) || day[slot]! >= 0);
}

function build(source: TableSource): TableColumns {
  const { book, rows, slots, before, moment, sameMoment } = source;
  const dayOf = (slot: number) => rows.day[slot]!;
  const flags = (old: ColumnData | undefined, isSet: (slot: number) => boolean): ColumnData => {
    const value = (slot: number) => Number(isSet(slot));
    const known = sameMoment && old?.kind === 'flag' ? old.values : undefined;
    return { kind: 'flag', values: cells(source, sharedBytes, known, value) };
  };
  const days = (old: ColumnData | undefined, value: (slot: number) => number): ColumnData => {
    const known = old?.kind === 'day' ? old.values : undefined;
    return { kind: 'day', interval: moment.interval, values: cells(source, sharedIntegers, known, value) };
  };
  const isActiveSlot = (slot: number) =>
    isActive(dayOf(slot), moment.newestDay, book.delisted[slot] === 1, moment.activeDays);
  const ranks = (): ColumnData => {
    const rankOf = (slot: number) => moment.past?.rank(book.assetNumbers[slot]!) ?? book.rank[slot]!;
    return { kind: 'number', values: cells(source, sharedDoubles, undefined, rankOf) };
  };
  const make: Readonly<Record<(typeof ASSET_COLUMNS)[number]['name'], (old: ColumnData | undefined) => ColumnData>> = {
    id: old => old ?? texts(source, 'id'),
    name: old => old ?? texts(source, 'name'),
    symbol: old => old ?? texts(source, 'symbol'),
    rank: old => old ?? ranks(),
    is_new: old => flags(old, slot => dayOf(slot) >= 0 && isNew(rows.firstDay(slot), moment.today)),
    is_active: old => flags(old, slot => dayOf(slot) >= 0 && isActiveSlot(slot)),
    type: old => old ?? texts(source, 'type'),
    first_data_at: old => days(old, slot => rows.firstDay(slot)),
    last_data_at: old => days(old, dayOf),
  };
  const columns = ASSET_COLUMNS.map(({ name }, i) => make[name](before?.table.columns[i]));
  const profiles = () => factTexts(fact => book.text(fact), slots);
  return { dataset: ASSETS, rows: slots.length, columns, history: sharedDoubles(0), profiles };
}
