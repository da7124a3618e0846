// The full history of many assets, written by `tidemark export` into a folder: how fast, and in how much memory.

import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { barColumns } from '../../src/domain/bar.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { measured } from '../ingest/files.ts';
import { PROGRAM } from '../program.ts';

export const [ASSETS, DAYS] = [5000, 3650];
const LAST_DAY = 20_700;
const ASSETS_AT_ONCE = 20;
/** With it, the order of the ids has nothing to do with the order in which the assets were loaded. */
const PRIME = 7919;

export interface HistoryFigures {
  readonly dataset: string;
  readonly rows: number;
  /** 8 bytes for each number and time that is not null; texts do not count. */
  readonly valueBytes: number;
  readonly fileBytes: number;
  readonly millis: number;
  readonly megabytesPerSecondAndCore: number;
  readonly peakBytes: number;
}

/** Every asset has a bar on each day. */
export async function fillHistories(url: string): Promise<void> {
  const store = await openStore(url);
  const names = Array.from({ length: ASSETS }, (_, i) => String((i * PRIME) % ASSETS).padStart(4, '0'));
  const drafts = names.map((name, i) => ({
    ...{ id: `s${name}-asset-${name}`, symbol: `S${name}`, name: `Asset ${name}`, rank: i + 1, type: 'coin' },
    ...{ tags: '', supply: null, provisional: false, delisted: false },
  }));
  const assetNumbers = await store.putAssets(drafts);
  let state = 7;
  for (let from = 0; from < ASSETS; from += ASSETS_AT_ONCE) {
    const some = assetNumbers.slice(from, from + ASSETS_AT_ONCE);
    const count = some.length * DAYS;
    const bars = { count, assetNumber: new Uint32Array(count), ...barColumns(count) };
    for (const [i, assetNumber] of some.entries()) {
      let price = 1 + (assetNumber % 1000);
      for (let day = 0, at = i * DAYS; day < DAYS; day++, at++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const open = price;
        price *= 0.97 + (0.0601 * state) / 2 ** 32;
        bars.assetNumber[at] = assetNumber;
        bars.day[at] = LAST_DAY - DAYS + 1 + day;
        bars.open[at] = open;
        bars.high[at] = Math.max(open, price) * 1.01;
        bars.low[at] = Math.min(open, price) * 0.99;
        bars.close[at] = price;
        bars.volume[at] = Math.round(state / 1000);
      }
    }
    await store.putBars(bars);
  }
  await recomputePending(store);
  await store.close();
}

export async function exportHistories(url: string, dataset: string, out: string): Promise<HistoryFigures> {
  const args = ['export', '--dataset', dataset, '--out', out, '--store', url, '--json'];
  const { millis, peakBytes } = await measured(PROGRAM, args);
  const files = globSync('**/*.parquet', { cwd: out }).map(path => join(out, path));
  const duckdb = await (await DuckDBInstance.create()).connect();
  const read = await duckdb.runAndReadAll(`
    SELECT sum(num_values - stats_null_count), (SELECT count(*) FROM read_parquet('${out}/**/*.parquet'))
    FROM parquet_metadata('${out}/**/*.parquet') WHERE type IN ('DOUBLE', 'INT64')`);
  duckdb.closeSync();
  const [values, rows] = (read.getRows()[0] ?? []).map(Number) as [number, number]; // of two columns
  if (rows !== ASSETS * DAYS) throw new Error(`${rows} rows of ${dataset} were written, not ${ASSETS * DAYS}`);
  const valueBytes = 8 * values;
  return {
    dataset,
    rows,
    valueBytes,
    fileBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    millis,
    megabytesPerSecondAndCore: valueBytes / 1e3 / millis / availableParallelism(),
    peakBytes,
  };
}
