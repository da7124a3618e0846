// Compares the tables of a PostgreSQL store with one another. PostgreSQL itself compares the checksums of its pages with every read.

import { BLOCK_DAYS } from '../bars/blocks.ts';
import type { Sql } from './database.ts';
import { missingBars } from './faults.ts';
import type { RemoteDatabase } from './remote-database.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

interface Mismatch {
  readonly asset: number;
  readonly counted: number;
  readonly stored: number;
  /** How many assets there are with one. */
  readonly assets: number;
}

/** Fails if an asset has other bars than the table of coverage says. */
export function checkIntegrity(db: RemoteDatabase): Promise<void> {
  return db.readOnce(async sql => {
    for (const layout of Object.values(SERIES)) await checkBars(sql, db.name, layout);
  });
}

async function checkBars(sql: Sql, where: string, { blocks, coverage, first, last }: SeriesLayout): Promise<void> {
  // By asset, so that Citus compares on the workers.
  const {
    rows: [found],
  } = await sql.run<Mismatch>(
    `
      SELECT asset, counted, stored, count(*) OVER () AS assets FROM (
        SELECT coalesce(covered.asset, found.asset) AS asset, coalesce(covered.bars, 0) AS counted, coalesce(found.bars, 0) AS stored
        FROM ${coverage} AS covered FULL JOIN (
          SELECT stored.asset, count(*) AS bars, min(${BLOCK_DAYS}::int * block + place - 1) AS first,
            max(${BLOCK_DAYS}::int * block + place - 1) AS last
          FROM ${blocks} AS stored CROSS JOIN LATERAL unnest(stored.close) WITH ORDINALITY AS bar (close, place)
          WHERE bar.close IS NOT NULL GROUP BY stored.asset
        ) AS found ON found.asset = covered.asset
        WHERE coalesce(covered.bars, 0) <> coalesce(found.bars, 0)
          OR (covered.bars > 0 AND (covered.${first} <> found.first OR covered.${last} <> found.last))
      ) AS mismatches ORDER BY asset LIMIT 1`,
    [],
  );
  if (!found) return;
  const [asset] = await sql<{ id: string }>`SELECT id FROM tidemark.assets WHERE key = ${found.asset}`;
  const { counted, stored, assets } = found;
  const more = assets === 1 ? '' : `, and ${assets - 1} more`;
  throw missingBars(where, `${asset?.id ?? `asset ${found.asset}`}: ${stored} bars are stored, ${counted} were${more}`);
}
