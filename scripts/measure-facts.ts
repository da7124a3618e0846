// What a year of daily facts takes in a store, in bytes per asset and day, and how long they take to read.
//
//   npm run measure:facts -- [--assets 10000] [--days 365] [--store sqlite|postgres|both]
//
// `daily`: a load per day changes the rank and the supply of every asset, as a ticker source does. `file`: a file brings the rank, the
// supply and the market capitalisation of every day. Supplies have two decimals, as providers give them.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Day, dayFromIso } from '../src/domain/day.ts';
import { openStore } from '../src/store/open.ts';
import type { FactRow, Store } from '../src/store/store.ts';
import { freshPostgresUrl, runSql } from '../test/support/postgres.ts';

const { values } = parseArgs({
  options: {
    assets: { type: 'string', default: '10000' },
    days: { type: 'string', default: '365' },
    store: { type: 'string', default: 'both' },
  },
});
const [ASSETS, DAYS] = [Number(values.assets), Number(values.days)];
const FIRST = dayFromIso('2025-01-01')!;
const PER_LOAD = 500;
const PER_FILE_BATCH = 200;

const draft = (i: number, rank: number | null, supply: number | null) => ({
  ...{
    id: `asset-${i}`,
    symbol: `A${i}`,
    name: `Asset ${i}`,
    type: null,
    tags: '',
    provisional: false,
    delisted: false,
  },
  ...{ rank, supply },
});

/** Each asset on each day: a rank that moves by a few places, a supply that grows, a price that walks. */
function factsOf(asset: number, day: number): Omit<FactRow, 'assetNumber' | 'day'> & { rank: number; supply: number } {
  const noise = (salt: number) => ((Math.imul(asset * 7919 + day * 104_729 + salt, 2_654_435_761) >>> 8) % 1e6) / 1e6;
  const rank = Math.max(1, asset + Math.round(6 * (noise(1) - 0.5)) + (day % 2));
  const supply = Math.round((1e6 * (1 + (asset % 997)) * (1 + day / 9000) + noise(2) * 1000) * 100) / 100;
  return { rank, supply, marketCap: Math.round(supply * (0.01 + noise(3)) * 100) / 100 };
}

/** Of the file; in PostgreSQL, of the table with its index. */
async function sizeOf(url: string, path: string): Promise<number> {
  if (url.startsWith('sqlite:')) return statSync(path).size;
  const [found] = await runSql(url, "SELECT pg_total_relation_size('tidemark.fact_blocks')::int AS bytes");
  return Number(found?.['bytes']);
}

type Fill = (store: Store, assets: readonly number[], url: string) => Promise<void>;

const daily: Fill = async (store, _, url) => {
  for (let day = 0; day < DAYS; day++) {
    for (let from = 0; from < ASSETS; from += PER_LOAD) {
      const drafts = Array.from({ length: Math.min(PER_LOAD, ASSETS - from) }, (_, i) => {
        const { rank, supply } = factsOf(from + i, day);
        return draft(from + i, rank, supply);
      });
      await store.putAssets(drafts, { day: (FIRST + day) as Day, load: day + 1 });
    }
    // Between two days, PostgreSQL does this by itself.
    if (url.startsWith('postgres'))
      await runSql(url, 'VACUUM tidemark.fact_blocks, tidemark.assets, tidemark.coverage');
  }
};

const file: Fill = async (store, assets) => {
  for (let from = 0; from < ASSETS; from += PER_FILE_BATCH) {
    const rows = assets.slice(from, from + PER_FILE_BATCH).flatMap((assetNumber, i) =>
      Array.from({ length: DAYS }, (_, day) => ({
        assetNumber,
        day: (FIRST + day) as Day,
        ...factsOf(from + i, day),
      })),
    );
    await store.putFacts(rows, 7);
  }
};

async function measure(kind: 'sqlite' | 'postgres', name: string, fill: Fill): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-facts-'));
  const path = join(folder, 'store.db');
  const url = kind === 'sqlite' ? `sqlite:${path}` : await freshPostgresUrl();
  let store = await openStore(url);
  // A closed file has nothing left in the log beside it.
  const sized = async () => {
    await store.close();
    store = await openStore(url);
    return sizeOf(url, path);
  };
  try {
    const assets = await store.putAssets(Array.from({ length: ASSETS }, (_, i) => draft(i, null, null)));
    const empty = await sized();
    const began = performance.now();
    await fill(store, assets, url);
    const seconds = (performance.now() - began) / 1000;
    const bytes = (await sized()) - empty;
    const day = FIRST + Math.floor(DAYS / 2);
    const readBegan = performance.now();
    await store.factsOn(
      assets,
      assets.map(() => day),
    );
    const allMillis = performance.now() - readBegan;
    const oneBegan = performance.now();
    for (const asset of assets.slice(0, 100)) await store.factsOf(asset);
    const oneMillis = (performance.now() - oneBegan) / 100;
    const per = bytes / ASSETS / DAYS;
    console.log(
      `${kind.padEnd(8)} ${name.padEnd(5)} ${ASSETS} assets, ${DAYS} days: ${per.toFixed(1)} bytes per asset and day, ` +
        `written in ${seconds.toFixed(1)} s; all assets on one day ${allMillis.toFixed(0)} ms, one asset on all days ${oneMillis.toFixed(2)} ms`,
    );
    if (per > 24) process.exitCode = 1;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

for (const kind of ['sqlite', 'postgres'] as const) {
  if (values.store !== 'both' && values.store !== kind) continue;
  await measure(kind, 'daily', daily);
  await measure(kind, 'file', file);
}
process.exit();
