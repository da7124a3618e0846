// What is done to assets by their numbers.

import type { AssetNumber } from '../../domain/asset.ts';
import { unknownAsset } from '../port/errors.ts';
import { arrayText, type Sql } from './database.ts';

/** Fails when one of them is not there. */
export async function requireAssets(sql: Sql, assetNumbers: readonly AssetNumber[]): Promise<void> {
  const rows = await sql<{
    key: number;
  }>`SELECT key FROM tidemark.assets WHERE key = ANY(${arrayText(assetNumbers)}::int[])`;
  const known = new Set(rows.map(row => row.key));
  const unknown = assetNumbers.find(assetNumber => !known.has(assetNumber));
  if (unknown !== undefined) throw unknownAsset(unknown);
}

export async function markPending(sql: Sql, assetNumbers: Iterable<AssetNumber>): Promise<void> {
  await sql`UPDATE tidemark.coverage SET pending = true WHERE asset = ANY(${arrayText(assetNumbers)}::int[]) AND NOT pending`;
}
