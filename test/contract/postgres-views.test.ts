// The views of a PostgreSQL store: every value that they show is the one that HTTP serves.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Day, dayFromIso, isoFromDay } from '../../src/domain/day.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl, NO_POSTGRES_15, type PostgresVersion, runSql } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Bar, batch, draft, profile } from './fixtures.ts';

const DAYS = 420;
const LAST = dayFromIso('2024-03-01')! + DAYS - 1;

/** Assets of every kind: listed, sharing a ticker, unranked, delisted, ended long ago, without prices. */
const ASSETS = [
  draft('btc-bitcoin', { symbol: 'BTC', rank: 1, type: 'coin', supply: 19_876_543.25 }),
  draft('duo-second', { symbol: 'duo', rank: 8 }),
  draft('duo-first', { symbol: 'DUO', rank: 3 }),
  draft('duo-unranked', { symbol: 'Duo' }),
  draft('tie-b', { symbol: 'TIE', rank: 5 }),
  draft('tie-a', { symbol: 'TIE', rank: 5, supply: 0.1 }),
  draft('gap-gappy', { symbol: 'GAP', supply: 1e300 }),
  draft('new-newcomer', { symbol: 'NEW' }),
  draft('del-delisted', { symbol: 'DEL', rank: 2, delisted: true }),
  draft('old-ended', { symbol: 'OLD' }),
  draft('edge-week', { symbol: 'EDGE' }),
  draft('none-priceless', { symbol: 'NONE' }),
];
/** First and last day of the prices of each, counted from the end; others have all days. */
const SPANS: Readonly<Record<string, readonly [number, number]>> = {
  'new-newcomer': [3, 0],
  'old-ended': [DAYS - 1, 8],
  'edge-week': [DAYS - 1, 7],
};

function barsOf(id: string, assetNumber: number): Bar[] {
  const [from, to] = SPANS[id] ?? [DAYS - 1, 0];
  const bars: Bar[] = [];
  for (let back = id === 'none-priceless' ? -1 : from; back >= to; back--) {
    const day = DAYS - 1 - back;
    if (id === 'gap-gappy' && (day % 7 === 3 || (day > 100 && day < 180))) continue;
    const close = Math.exp(Math.sin(day * 0.1 + assetNumber) + assetNumber / 3) / 3;
    const known =
      assetNumber % 2 === 0 ? { open: close * 0.99, high: close * 1.01, low: close * 0.98, volume: day + 0.1 } : {};
    bars.push({ assetNumber, day, close, ...(day % 50 === 0 ? { volume: 7 } : known) });
  }
  return bars;
}

for (const version of [18, 15] as const) {
  const skip = version === 15 ? (NO_POSTGRES_15 ?? false) : false;
  describe(`the views on PostgreSQL ${version}`, { skip }, () => viewTests(version));
}

function viewTests(version: PostgresVersion): void {
  let url = '';
  let server: ServerProcess;
  let bars: readonly (Bar & { readonly id: string })[] = [];
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${server.url}/v1/crypto/${path}`)).json()) as T; // as the test expects it

  before(async () => {
    url = await freshPostgresUrl(version);
    const store = await openStore(url);
    const assetNumbers = await store.putAssets(ASSETS);
    bars = ASSETS.flatMap(({ id }, i) => barsOf(id, assetNumbers[i]!).map(bar => ({ ...bar, id })));
    await store.putBars(batch(bars));
    await store.putProfiles(
      ASSETS.slice(0, 3).map(({ id, symbol }, i) => ({
        assetNumber: assetNumbers[i]!,
        sourced: profile(
          id,
          { symbol, description: 'say "hé" \\ \u2028 \0', started_at: '2009-01-03T00:00:00Z' },
          { more: i },
        ),
      })),
    );
    await recomputePending(store);
    await store.close();
    server = await ServerProcess.start('--open', '--store', url, '--workers', '1');
  });
  after(() => server.stop());

  /** The listing through the view and through a server, by symbol, and the ids of its assets. */
  async function listings(at: string) {
    // Those of quality are counted by servers: the table findings has what they count.
    const groups = 'market,trend,momentum,risk,range';
    const path = `/v1/crypto/ta-cur?limit=100000&sort=symbol&order=asc&incl_cols=${groups}`;
    const { result } = (await (await fetch(`${at}${path}`)).json()) as { result: Record<string, unknown>[] }; // as the contract has it
    const rows = await runSql<Record<string, unknown> & { asset_id: string; symbol: string }>(
      url,
      'SELECT * FROM tidemark.ta_cur ORDER BY symbol COLLATE "C"',
    );
    const shown = rows.map(({ asset_id: _, ...row }) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
      ),
    );
    return { shown, served: result, ids: rows.map(row => row.asset_id).sort() };
  }
  const LISTED = ['btc-bitcoin', 'duo-first', 'edge-week', 'gap-gappy', 'new-newcomer', 'tie-a'];

  it('ta_cur has the rows and the values of the listing', async () => {
    const { shown, served, ids } = await listings(server.url);
    assert.deepEqual(ids, LISTED);
    assert.deepEqual(Object.keys(shown[0]!), Object.keys(served[0]!));
    // A market capitalisation that is not a usual number is NULL.
    const gap = shown.find(row => row['symbol'] === 'GAP')!;
    assert.equal(gap['market_cap'], null);
    gap['market_cap'] = served.find(row => row['symbol'] === 'GAP')!['market_cap'];
    assert.deepEqual(shown, served);
  });

  it('ta_cur has the assets that are active by the setting of the server that started last', async () => {
    for (const [days, expected] of [
      ['8', [...LISTED, 'old-ended'].sort()],
      ['6', LISTED.filter(id => id !== 'edge-week')],
      ['7', LISTED],
    ] as const) {
      const other = await ServerProcess.start('--open', '--store', url, '--workers', '1', '--active-days', days);
      try {
        const { shown, served, ids } = await listings(other.url);
        assert.deepEqual(ids, expected);
        assert.deepEqual(
          shown.map(row => row['symbol']),
          served.map(row => row['symbol']),
        );
      } finally {
        await other.stop();
      }
    }
  });

  it('bars_daily has every bar as it was loaded, and as it is served', async () => {
    type Shown = { asset_id: string; day: string; close: number };
    const columns = `asset_id, symbol, day::text, open, high, low, close, volume`;
    const rows = await runSql<Shown>(url, `SELECT ${columns} FROM tidemark.bars_daily ORDER BY asset_id, day`);
    const expected = bars
      .map(({ id, day, open = null, high = null, low = null, close, volume = null }) => {
        const iso = isoFromDay((LAST - DAYS + 1 + day) as Day); // a whole number
        return {
          asset_id: id,
          symbol: ASSETS.find(asset => asset.id === id)!.symbol,
          day: iso,
          open,
          high,
          low,
          close,
          volume,
        };
      })
      .sort((a, b) => (a.asset_id === b.asset_id ? (a.day < b.day ? -1 : 1) : a.asset_id < b.asset_id ? -1 : 1));
    assert.deepEqual(rows, expected);

    type Served = { datetimeUTC: string; open: number; close: number };
    const served: unknown[] = [];
    for (const { id, symbol } of ASSETS.slice(0, -1).sort((one, other) => (one.id < other.id ? -1 : 1))) {
      const { result } = await get<{ result: Served[] }>(`bars?id=${id}&order=asc&limit=100000`);
      for (const { datetimeUTC, ...numbers } of result) {
        served.push({ asset_id: id, symbol, day: datetimeUTC.slice(0, 10), ...numbers });
      }
    }
    assert.deepEqual(rows, served);
  });

  it('bars_daily has the number of the asset and the block of each bar, and a condition on the block is one on what is read', async () => {
    const wrong = await runSql(
      url,
      `SELECT 1 FROM tidemark.bars_daily JOIN tidemark.assets ON id = asset_id
       WHERE key <> asset_number OR block <> (day - date '1970-01-01') / 32`,
    );
    assert.deepEqual(wrong, []);
    const plan = await runSql<Record<string, string>>(
      url,
      `EXPLAIN SELECT close FROM tidemark.bars_daily WHERE block = (date '2026-06-30' - date '1970-01-01') / 32`,
    );
    assert.match(JSON.stringify(plan), /(Index Cond|Filter): \(block = \d+\)/);
  });

  it('asset_profiles has the profiles as they are served, apart from what prices decide', async () => {
    const rows = await runSql<{ asset_id: string; symbol: string; text: string }>(
      url,
      `SELECT asset_id, symbol, rank, profile::text AS text FROM tidemark.asset_profiles ORDER BY asset_id`,
    );
    assert.deepEqual(
      rows.map(row => row.asset_id),
      ASSETS.slice(0, 3)
        .map(asset => asset.id)
        .sort(),
    );
    for (const { asset_id, symbol, text } of rows) {
      const served = await get<Record<string, unknown>>(`assets/${asset_id}`);
      const { rank, is_new, is_active, type, first_data_at, ...decided } = served;
      const { rank: _r, is_new: _n, is_active: _a, type: _t, first_data_at: _f, ...shown } = JSON.parse(text);
      assert.deepEqual(shown, decided);
      assert.equal(symbol, served['symbol']);
      assert.ok([rank, is_new, is_active, type, first_data_at].every(value => value !== undefined));
    }
  });

  it('every view and column has a comment', async () => {
    const missing = await runSql(
      url,
      `SELECT c.relname, a.attname FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
       WHERE c.relnamespace = 'tidemark'::regnamespace AND c.relkind = 'v'
         AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid) IS NULL)`,
    );
    assert.deepEqual(missing, []);
    const [described] = await runSql<{ text: string }>(
      url,
      `SELECT col_description('tidemark.ta_cur'::regclass, attnum) AS text FROM pg_attribute
       WHERE attrelid = 'tidemark.ta_cur'::regclass AND attname = 'change7'`,
    );
    assert.match(described!.text, /percent.*C₇/);
  });

  it('a role that may only read the views reads them, and nothing else', async () => {
    const role = `reader_${version}`;
    await runSql(
      url,
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA tidemark TO ${role};
       GRANT SELECT ON tidemark.bars_daily, tidemark.ta_cur, tidemark.asset_profiles TO ${role}`,
    );
    const reader = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
    assert.ok((await runSql(reader, 'SELECT * FROM tidemark.ta_cur')).length > 0);
    // Other columns are added to the view: the rights stay, and so does a user's view that is built on it.
    await runSql(url, 'CREATE VIEW public.cheap AS SELECT symbol, price FROM tidemark.ta_cur WHERE price < 1');
    const store = await openStore(url);
    const [assetNumber = 0] = await store.pending('more');
    const values = Float64Array.of(42);
    await store.publish('more', [
      { rows: [{ assetNumber, day: LAST as Day, history: 1, price: 7, values }], removed: [] },
    ]);
    await store.close();
    const rows = await runSql(reader, 'SELECT asset_id, price, more, change1 FROM tidemark.ta_cur');
    assert.deepEqual(rows, [{ asset_id: 'btc-bitcoin', price: 7, more: 42, change1: null }]);
    assert.deepEqual(await runSql(url, 'SELECT * FROM public.cheap'), []);
    for (const statement of [
      'SELECT * FROM tidemark.api_keys',
      'DELETE FROM tidemark.published',
      'SELECT * FROM tidemark.meta',
    ]) {
      await assert.rejects(runSql(reader, statement), { code: '42501' });
    }
  });
}
