// A store with the benchmark's assets: their published rows, as a load would have left them.

import { publicationColumns } from '../../src/publish/columns.ts';
import { openStore } from '../../src/store/open.ts';
import type { CurrentRow } from '../../src/store/store.ts';
import { PLAIN_FACTS, universe } from '../query/universe.ts';

const ROWS_AT_ONCE = 1000;

/** Returns the address of the store. */
export async function fillStore(url: string, assets: number): Promise<void> {
  const store = await openStore(url);
  const { assets: listed, rows } = universe(assets);
  const drafts = listed.map(({ id, symbol, name, rank, type }) => ({
    ...{ id, symbol, name, rank, type },
    ...PLAIN_FACTS,
  }));
  const assetNumbers = await store.putAssets(drafts);
  await store.publish(
    publicationColumns('all', 'BTC'),
    parts(rows.map((row, i) => ({ ...row, assetNumber: assetNumbers[i]! }))),
  );
  await store.close();
}

function* parts(rows: readonly CurrentRow[]) {
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) yield { rows: rows.slice(i, i + ROWS_AT_ONCE), removed: [] };
}
