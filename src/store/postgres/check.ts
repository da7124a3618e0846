// Compares the tables of a PostgreSQL store with one another. PostgreSQL itself compares the checksums of its pages with every read.

import { BLOCK_DAYS } from '../bars/blocks.ts';
import { missingBars } from './faults.ts';
import type { RemoteDatabase } from './remote-database.ts';

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
    // By asset, so that Citus compares on the workers.
    const [found] = await sql<Mismatch>`
      SELECT asset, counted, stored, count(*) OVER () AS assets FROM (
        SELECT coalesce(coverage.asset, found.asset) AS asset, coalesce(coverage.bars, 0) AS counted, coalesce(found.bars, 0) AS stored
        FROM tidemark.coverage FULL JOIN (
          SELECT bar_blocks.asset, count(*) AS bars, min(${BLOCK_DAYS}::int * block + place - 1) AS first_day,
            max(${BLOCK_DAYS}::int * block + place - 1) AS last_day
          FROM tidemark.bar_blocks CROSS JOIN LATERAL unnest(bar_blocks.close) WITH ORDINALITY AS bar (close, place)
          WHERE bar.close IS NOT NULL GROUP BY bar_blocks.asset
        ) AS found ON found.asset = coverage.asset
        WHERE coalesce(coverage.bars, 0) <> coalesce(found.bars, 0)
          OR (coverage.bars > 0 AND (coverage.first_day <> found.first_day OR coverage.last_day <> found.last_day))
      ) AS mismatches ORDER BY asset LIMIT 1`;
    if (!found) return;
    const [asset] = await sql<{ id: string }>`SELECT id FROM tidemark.assets WHERE key = ${found.asset}`;
    const { counted, stored, assets } = found;
    const more = assets === 1 ? '' : `, and ${assets - 1} more`;
    throw missingBars(
      db.name,
      `${asset?.id ?? `asset ${found.asset}`}: ${stored} bars are stored, ${counted} were${more}`,
    );
  });
}
