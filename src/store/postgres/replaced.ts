// Closes in PostgreSQL that a load has replaced and that are not published yet.

import type { AssetNumber } from '../../domain/asset.ts';
import { ReplacedBatch, type ReplacedCloses } from '../port/replaced-closes.ts';
import { CopyWriter } from './copy.ts';
import { arrayText, type Sql } from './database.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

/** A period that is stored already stays as it is: its close was replaced twice. Into an empty table, as after each publication, COPY takes half the time. */
export async function addReplaced(sql: Sql, layout: SeriesLayout, batch: ReplacedBatch): Promise<void> {
  const { replaced, period } = layout;
  const { assetNumber, day, close } = batch;
  if (assetNumber.length === 0) return;
  const { rows: some } = await sql.run(`SELECT asset FROM ${replaced} LIMIT 1`, []);
  if (some.length === 0) {
    const rows = new CopyWriter();
    for (let i = 0; i < assetNumber.length; i++) {
      rows.row(3);
      rows.integer(assetNumber[i]!);
      rows.integer(day[i]!);
      rows.double(close[i]!);
    }
    return sql.copyInto(`${replaced} (asset, ${period}, close)`, rows);
  }
  await sql.run(
    `INSERT INTO ${replaced} SELECT * FROM unnest($1::int[], $2::int[], $3::float8[]) ON CONFLICT DO NOTHING`,
    [arrayText(assetNumber), arrayText(day), arrayText(close)],
  );
}

export async function replacedOf(
  sql: Sql,
  { replaced, period }: SeriesLayout,
  asset: AssetNumber,
): Promise<ReplacedCloses> {
  const { rows } = await sql.run<{ period: number; close: number | null }>(
    `SELECT ${period} AS period, close FROM ${replaced} WHERE asset = $1`,
    [asset],
  );
  return new Map(rows.map(row => [row.period, row.close ?? Number.NaN]));
}

export type ReplacedSpans = ReadonlyMap<AssetNumber, readonly [first: number, last: number]>;

/** The first and the last period of each of these assets; without those that have none. */
export async function replacedSpans(
  sql: Sql,
  { replaced, period }: SeriesLayout,
  assets: readonly AssetNumber[],
): Promise<ReplacedSpans> {
  const wanted = `asset = ANY('${arrayText(assets)}'::int[])`;
  const found = new Map<AssetNumber, readonly [first: number, last: number]>();
  await sql.copyOut(
    `SELECT asset, min(${period}), max(${period}) FROM ${replaced} WHERE ${wanted} GROUP BY asset`,
    row => found.set(row.integer(), [row.integer(), row.integer()]),
  );
  return found;
}

/** For each interval with replaced closes, their spans. */
export type AllReplacedSpans = readonly (readonly [layout: SeriesLayout, spans: ReplacedSpans])[];

/** Those of all assets, in one statement, because each statement takes a round trip. */
export async function allReplacedSpans(sql: Sql): Promise<AllReplacedSpans> {
  const layouts = Object.values(SERIES);
  const found = layouts.map(
    layout => [layout, new Map<AssetNumber, readonly [first: number, last: number]>()] as const,
  );
  const selects = layouts.map(
    ({ replaced, period }, i) => `SELECT ${i}, asset, min(${period}), max(${period}) FROM ${replaced} GROUP BY asset`,
  );
  await sql.copyOut(selects.join(' UNION ALL '), row => {
    const [, spans] = found[row.integer()]!; // of the statement
    spans.set(row.integer(), [row.integer(), row.integer()]);
  });
  return found.filter(([, spans]) => spans.size > 0);
}

export async function replacedOfAll(sql: Sql, { replaced, period }: SeriesLayout): Promise<ReplacedBatch> {
  const batch = new ReplacedBatch();
  await sql.copyOut(`SELECT asset, ${period}, close FROM ${replaced} ORDER BY asset, ${period}`, row => {
    batch.add(row.integer(), row.integer(), row.double());
  });
  return batch;
}

export async function forgetReplacedBefore(
  sql: Sql,
  { replaced, period }: SeriesLayout,
  before: number,
): Promise<void> {
  await sql.run(`DELETE FROM ${replaced} WHERE ${period} < $1`, [before]);
}
