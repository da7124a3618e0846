// SPEC 28 over HTTP: ranks, supplies and market capitalisations of past days are those that were known then, in every place that has them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Day } from '../../src/domain/day.ts';
import type { Source, StatedFacts } from '../../src/ingest/source.ts';
import { uniform } from '../support/oracle/series.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import type { TestService } from '../support/service.ts';
import { ASSETS, type Envelope, HISTORY, LISTING, type Row, startContractService } from './contract.ts';
import { idOf, TODAY } from './market.ts';
import { PAST_ASSETS, pastSources } from './past-market.ts';

const iso = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const dayOf = (row: Row) => Date.parse(String(row['datetimeUTC'])) / 86_400_000;
const FACTS = 'incl_cols=rank,supply,market_cap';

/** The assets whose id is known and whose ticker is theirs alone. */
const NAMED = PAST_ASSETS.filter(
  asset =>
    asset.profile !== null &&
    PAST_ASSETS.filter(other => other.symbol.toUpperCase() === asset.symbol.toUpperCase()).length === 1,
);

type Stated = { day: number; rank?: number; supply?: number; marketCap?: number };

/** What a file says of each asset, on days of its own; never twice of one day. */
const random = uniform(28);
const STATED = new Map<string, Stated[]>(
  NAMED.map(asset => {
    const days = new Set(Array.from({ length: 12 }, () => TODAY - 1 - Math.floor(random() * 300)));
    const rows = [...days].map(day => ({
      day,
      ...(random() < 0.6 ? { rank: 1 + Math.floor(random() * 100) } : {}),
      ...(random() < 0.6 ? { supply: Math.round(random() * 1e9) / 7 } : {}),
      ...(random() < 0.3 ? { marketCap: Math.round(random() * 1e12) / 3 } : {}),
    }));
    return [idOf(asset), rows];
  }),
);

function factsSource(): Source {
  const rows = [...STATED].flatMap(([id, own]) =>
    own.map((row, i): StatedFacts['rows'][number] => ({
      ...row,
      day: row.day as Day,
      asset: { id, symbol: '' },
      line: i + 1,
    })),
  );
  return {
    name: 'facts',
    async *profiles() {},
    async *bars() {
      yield { kind: 'facts', stated: { origin: 'test', rows } };
    },
  };
}

/** By the definition: the newest statement up to the day; of today, what the profiles said. */
function known(id: string, day: number, price: number) {
  const rows = STATED.get(id)!.filter(row => row.day <= day);
  const newest = (name: 'rank' | 'supply') =>
    rows.filter(row => row[name] !== undefined).sort((a, b) => b.day - a.day)[0]?.[name] ?? null;
  const [rank, supply] = [newest('rank'), newest('supply')];
  const stated = rows.find(row => row.day === day)?.marketCap;
  return { rank, supply, market_cap: stated ?? (supply === null ? null : price * supply) };
}

const picked = ({ rank, supply, market_cap }: Row) => ({ rank, supply, market_cap });

for (const database of ['SQLite', 'PostgreSQL'] as const) {
  describe(`SPEC 28: facts of past days, on ${database}`, () => {
    let service: TestService;
    before(async () => {
      const storeUrl = database === 'SQLite' ? {} : { storeUrl: await freshPostgresUrl() };
      service = await startContractService({ sources: [...pastSources(), factsSource()], ...storeUrl });
    });
    after(() => service.close());

    const rowsOf = async (path: string) => (await service.get<Envelope>(path)).result;
    const listing = (day: number, query = '') =>
      rowsOf(`${LISTING}?limit=1000&inactive=true&as_of=${iso(day)}&${FACTS}${query}`);

    it('are in ta-hist those of the newest statement up to each day', async () => {
      let numbers = 0;
      for (const asset of NAMED) {
        const id = idOf(asset);
        const rows = await rowsOf(`${HISTORY}?limit=1000&id=${encodeURIComponent(id)}&${FACTS}`);
        for (const row of rows) {
          if (dayOf(row) === TODAY) continue;
          assert.deepEqual(picked(row), known(id, dayOf(row), Number(row['price'])), `${id} on ${iso(dayOf(row))}`);
          if (row['market_cap'] !== null) numbers++;
        }
      }
      assert.ok(numbers > 500, `${numbers} numbers`);
    });

    it('are in a listing as of a day, bit for bit those of ta-hist', async () => {
      let compared = 0;
      for (let i = 0; i < 12; i++) {
        const rows = new Map((await listing(TODAY - 1 - Math.floor(random() * 310))).map(row => [row['symbol'], row]));
        for (const asset of NAMED) {
          const row = rows.get(asset.symbol);
          if (row === undefined) continue;
          const day = iso(dayOf(row));
          const path = `${HISTORY}?id=${encodeURIComponent(idOf(asset))}&from=${day}&to=${day}&${FACTS}`;
          assert.deepEqual(await rowsOf(path), [row]);
          compared++;
        }
      }
      assert.ok(compared > 50, `${compared} rows`);
    });

    it('of today are those that profiles brought today, and null before', async () => {
      const profiled = PAST_ASSETS.filter(({ profile }) => typeof profile?.['rank'] === 'number');
      const rows = await rowsOf(`${HISTORY}?symbol=BTC&order=desc&limit=1&${FACTS}`);
      assert.ok(profiled.some(({ symbol }) => symbol === 'BTC'));
      assert.equal(rows[0]?.['rank'], 1);
      const first = Math.min(...STATED.get('btc-bitcoin')!.map(({ day }) => day));
      const [before] = await rowsOf(`${HISTORY}?symbol=BTC&from=${iso(first - 1)}&to=${iso(first - 1)}&${FACTS}`);
      assert.deepEqual(before && picked(before), { rank: null, supply: null, market_cap: null });
    });

    it('select, order and count rows of a past day', async () => {
      const day = TODAY - 60;
      const all = await listing(day);
      const ranks = all.filter(row => row['rank'] !== null);
      assert.ok(ranks.length > 3 && ranks.length < all.length);
      const sorted = await listing(day, '&sort=rank&order=asc&rank=:50');
      const expected = ranks.map(row => Number(row['rank'])).filter(rank => rank <= 50);
      assert.deepEqual(
        sorted.map(row => row['rank']),
        expected.sort((a, b) => a - b),
      );
      const where = await listing(day, `&where=${encodeURIComponent('market_cap > 1e6 and supply is not null')}`);
      const wanted = all.filter(row => Number(row['market_cap']) > 1e6 && row['supply'] !== null);
      assert.equal(where.length, wanted.length);
      const stats = await rowsOf(`${LISTING}/stats?inactive=true&as_of=${iso(day)}&cols=rank`);
      assert.equal(Number(stats[0]?.['count']) - Number(stats[0]?.['nulls']), ranks.length);
      const assets = await rowsOf(`${ASSETS}?limit=1000&as_of=${iso(day)}&rank=1:`);
      for (const row of assets.filter(({ id }) => STATED.has(String(id)))) {
        const last = Date.parse(String(row['last_data_at'])) / 86_400_000;
        assert.equal(row['rank'], known(String(row['id']), last, 0).rank);
      }
      assert.ok(assets.length > 3);
    });

    it('can be compared with those of earlier days', async () => {
      const day = TODAY - 40;
      const rows = await listing(day, `&calc=${encodeURIComponent('before:lag(rank, 30)')}`);
      let compared = 0;
      for (const row of rows) {
        const asset = NAMED.find(({ symbol }) => symbol === row['symbol']);
        if (asset === undefined) continue;
        const path = `${HISTORY}?id=${encodeURIComponent(idOf(asset))}&from=${iso(dayOf(row) - 30)}&to=${iso(dayOf(row) - 30)}&${FACTS}`;
        const [earlier] = await rowsOf(path);
        // In a gap, lag() has the row before it.
        if (earlier !== undefined && asset.symbol !== 'GAPPY') {
          assert.equal(row['before'], earlier['rank']);
          compared++;
        }
      }
      assert.ok(compared > 3);
    });

    it('are explained with the day since which they are known, and the load', async () => {
      const [row] = STATED.get('btc-bitcoin')!
        .filter(({ supply }) => supply !== undefined)
        .sort((a, b) => b.day - a.day);
      const path = (column: string, day: number) => `/v1/crypto/explain/btc-bitcoin/${column}?as_of=${iso(day)}`;
      const found = await service.get<Record<string, unknown>>(path('supply', TODAY - 1));
      assert.equal(found['value'], row!.supply);
      const fact = found['fact'] as Record<string, unknown>;
      assert.deepEqual([fact['known_since'], fact['load'], fact['source']], [iso(row!.day), 3, 'facts']);
      const capped = STATED.get('btc-bitcoin')!.find(({ marketCap }) => marketCap !== undefined)!;
      const cap = await service.get<Record<string, unknown>>(path('market_cap', capped.day));
      assert.deepEqual([cap['value'], cap['formula'], cap['inputs']], [capped.marketCap, 'as the source gives it', []]);
      const none = await service.get<Record<string, unknown>>(path('rank', TODAY - 400));
      assert.deepEqual([none['value'], 'fact' in none], [null, false]);
    });

    it('are the market caps of CoinGecko and CoinPaprika paths', async () => {
      const history = await rowsOf(`${HISTORY}?symbol=BTC&limit=100&order=desc&${FACTS}`);
      const caps = new Map(history.map(row => [dayOf(row), row['market_cap']]));
      const chart = await service.get<{ market_caps: [number, number | null][] }>(
        '/coingecko/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=95&interval=daily',
      );
      const past = chart.market_caps.slice(0, -1);
      assert.ok(past.length > 80);
      for (const [time, cap] of past) assert.equal(cap, caps.get(time / 86_400_000 - 1), iso(time / 86_400_000 - 1));
      const ticks = await service.get<{ timestamp: string; market_cap: number | null }[]>(
        `/coinpaprika/v1/tickers/btc-bitcoin/historical?start=${iso(TODAY - 90)}&interval=1d`,
      );
      for (const { timestamp, market_cap } of ticks.slice(0, -1)) {
        assert.equal(market_cap, caps.get(Date.parse(timestamp) / 86_400_000), timestamp);
      }
      assert.ok(past.some(([, cap]) => cap !== null) && ticks.some(({ market_cap }) => market_cap !== null));
    });
  });
}
