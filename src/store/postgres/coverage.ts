// Coverage in PostgreSQL: the periods of each asset's oldest and newest bar of an interval, and how many bars it has.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Coverage } from '../bars/blocks.ts';
import { arrayText, type Sql } from './database.ts';
import { markPending } from './known-assets.ts';
import type { SeriesLayout } from './series-layout.ts';

/** What is written of the coverage of an asset whose bars changed. */
export interface ChangedCoverage extends Coverage {
  readonly assetNumber: AssetNumber;
}

/** One asset is compared by `=`: a distributed database then queries only the node that has it. */
export async function coverageOf(
  sql: Sql,
  { coverage, first, last }: SeriesLayout,
  assets: readonly AssetNumber[],
): Promise<Map<AssetNumber, Coverage>> {
  const wanted = assets.length === 1 ? `= ${assets[0]}` : `= ANY('${arrayText(assets)}'::int[])`;
  const found = new Map<AssetNumber, Coverage>();
  await sql.copyOut(`SELECT asset, ${first}, ${last}, bars FROM ${coverage} WHERE asset ${wanted}`, row =>
    found.set(row.integer(), { firstDay: row.integer(), lastDay: row.integer(), bars: row.integer() }),
  );
  return found;
}

export async function putCoverage(sql: Sql, layout: SeriesLayout, changed: readonly ChangedCoverage[]): Promise<void> {
  const { interval, coverage, first, last } = layout;
  const values = [
    arrayText(changed.map(one => one.assetNumber)),
    arrayText(changed.map(one => one.firstDay)),
    arrayText(changed.map(one => one.lastDay)),
    arrayText(changed.map(one => one.bars)),
  ];
  const rows = 'unnest($1::int[], $2::int[], $3::int[], $4::int[])';
  if (interval === '1d') {
    await sql.run(
      `UPDATE ${coverage} SET ${first} = new.first, ${last} = new.last, bars = new.bars, pending = true
       FROM ${rows} AS new (asset, first, last, bars)
       WHERE coverage.asset = new.asset
         AND ((coverage.${first}, coverage.${last}, coverage.bars) <> (new.first, new.last, new.bars) OR NOT coverage.pending)`,
      values,
    );
    return;
  }
  await sql.run(
    `INSERT INTO ${coverage} (asset, ${first}, ${last}, bars) SELECT * FROM ${rows}
     ON CONFLICT (asset) DO UPDATE SET ${first} = excluded.${first}, ${last} = excluded.${last}, bars = excluded.bars`,
    values,
  );
  await markPending(
    sql,
    changed.map(one => one.assetNumber),
  );
}
