// A store with the benchmark's assets: their published rows, as a load would have left them.

import { type ColumnSet, publicationColumns, STORED_COLUMNS } from '../../src/publish/columns.ts';
import { openStore } from '../../src/store/open.ts';
import type { CurrentRow } from '../../src/store/store.ts';
import { PLAIN_FACTS, universe } from '../query/universe.ts';

const ROWS_AT_ONCE = 1000;

export async function fillStore(url: string, assets: number, columns: ColumnSet = 'all'): Promise<void> {
  const store = await openStore(url);
  const stored = STORED_COLUMNS[columns].valuesPerRow;
  const { assets: listed, rows } = universe(assets);
  const drafts = listed.map(({ id, symbol, name, rank, type }) => ({
    ...{ id, symbol, name, rank, type },
    ...PLAIN_FACTS,
  }));
  const assetNumbers = await store.putAssets(drafts);
  await store.publish(
    publicationColumns(columns, 'BTC'),
    parts(
      rows.map(({ values, ...row }, i) => ({
        ...row,
        assetNumber: assetNumbers[i]!,
        values: values.subarray(0, stored),
      })),
    ),
  );
  await store.close();
}

function* parts(rows: readonly CurrentRow[]) {
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) yield { rows: rows.slice(i, i + ROWS_AT_ONCE), removed: [] };
}
