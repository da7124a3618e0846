import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { barColumns } from '../../src/domain/bar.ts';
import type { TestService } from '../support/service.ts';
import {
  ASSETS,
  allRows,
  assertProblem,
  type Envelope,
  HISTORY,
  LISTING,
  type Row,
  startContractService,
} from './contract.ts';
import { idOf, MARKET, marketSource, TODAY } from './market.ts';
import { GAP, GAP_LATER, GONE, PAST_ASSETS, pastSources } from './past-market.ts';

const iso = (age: number) => new Date((TODAY - age) * 86_400_000).toISOString().slice(0, 10);

let service: TestService;
before(async () => {
  service = await startContractService({ sources: pastSources() });
});
after(() => service.close());

const listed = async (day: string, query = '') =>
  (await service.get<Envelope>(`${LISTING}?limit=1000&sort=symbol&order=asc&as_of=${day}&${query}`)).result;

/** The last close of an asset at least so many days ago: its age, and how many closes there were; null without one. */
function lastClose({ closes, age = 0 }: { closes: readonly number[]; age?: number }, ago: number) {
  const count = Math.min(closes.length, closes.length + age - ago);
  return count <= 0 ? null : { age: Math.max(age, ago), count };
}

/** The tickers that were active then, by the definition: a close within a week before the newest close of that time. */
function activeThen(ago: number): string[] {
  const gap = [GAP, GAP_LATER];
  const ages = [...MARKET, GONE].map(asset => ({ asset, last: lastClose(asset, ago) }));
  const gapAge = Math.min(...gap.map(part => lastClose(part, ago)?.age ?? Number.POSITIVE_INFINITY));
  const newest = Math.min(gapAge, ...ages.map(({ last }) => last?.age ?? Number.POSITIVE_INFINITY));
  // A delisted asset was listed as long as it had closes.
  const lives = ({ asset, last }: (typeof ages)[number]) =>
    last !== null && last.age <= newest + 7 && !(asset.profile?.['is_active'] === false && (asset.age ?? 0) > ago);
  const tickers = ages.filter(lives).map(({ asset }) => asset.symbol.toUpperCase());
  return [...new Set([...tickers, ...(gapAge <= newest + 7 ? ['GAPPY'] : [])])].sort();
}

describe('the listing as of a day', () => {
  for (const ago of [0, 1, 7, 8, 18, 25, 28, 31, 40, 41, 44, 60, 200, 419]) {
    it(`has the assets that were active then, with the rows of their histories, ${ago} days ago`, async () => {
      const rows = await listed(iso(ago), 'incl_cols=all');
      assert.deepEqual(rows.map(row => String(row['symbol']).toUpperCase()).sort(), activeThen(ago));
      for (const row of rows.slice(0, 40)) {
        const symbol = String(row['symbol']);
        const [asset] = PAST_ASSETS.filter(each => each.symbol === symbol && each.profile !== null);
        if (asset === undefined || symbol.toUpperCase() === 'TIDE') continue;
        const day = String(row['datetimeUTC']).slice(0, 10);
        const path = `${HISTORY}?id=${encodeURIComponent(idOf(asset))}&from=${day}&to=${day}&incl_cols=all`;
        assert.deepEqual((await service.get<Envelope>(path)).result, [row]);
      }
    });
  }

  it('is the current listing today, apart from assets that were delisted today', async () => {
    const delisted = new Set(['DEAD', 'TIDE']);
    const others = (rows: readonly Row[]) => rows.filter(row => !delisted.has(String(row['symbol']).toUpperCase()));
    assert.deepEqual(others(await listed(iso(0))), others(await allRows(service)));
  });

  it('knows nothing of later closes', async () => {
    const other = await startContractService({ sources: [marketSource(MARKET.map(asset => cut(asset, 100)))] });
    try {
      const { result } = await other.get<Envelope>(`${LISTING}?limit=1000&sort=symbol&order=asc`);
      assert.ok(result.length > 20);
      const then = (await listed(iso(100))).filter(
        row => !['GONE', 'GAPPY', 'TIDE'].includes(String(row['symbol']).toUpperCase()),
      );
      assert.deepEqual(
        then,
        result.filter(row => String(row['symbol']).toUpperCase() !== 'TIDE'),
      );
    } finally {
      await other.close();
    }
  });

  for (const day of ['2020-01-01', '1969-12-31', '0001-01-01']) {
    it(`is empty before the first close: ${day}`, async () => {
      assert.deepEqual(await listed(day), []);
      assert.deepEqual((await service.get<Envelope>(`${ASSETS}?as_of=${day}`)).result, []);
    });
  }

  it('takes filters, sorts, pages and formats, and links carry the day', async () => {
    const day = iso(50);
    const all = await listed(day);
    const dear = all.filter(row => Number(row['price']) >= 10);
    assert.deepEqual(await listed(day, 'price=10:'), dear);
    const { result, next } = await service.get<Envelope>(`${LISTING}?as_of=${day}&limit=2&sort=symbol&order=asc`);
    assert.deepEqual(result, all.slice(0, 2));
    assert.match(String(next), new RegExp(`page=2&as_of=${day}$`));
    assert.deepEqual((await service.get<Envelope>(String(next))).result, all.slice(2, 4));
    const csv = await service.ask(`${LISTING}?as_of=${day}&limit=1000&sort=symbol&order=asc&format=csv`);
    assert.equal(parse(csv.text).length, all.length + 1);
  });

  it('has an ETag for each day', async () => {
    const first = await service.ask(`${LISTING}?as_of=${iso(50)}`);
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service.ask(`${LISTING}?as_of=${iso(50)}`, { headers })).status, 304);
    assert.equal((await service.ask(`${LISTING}?as_of=${iso(51)}`, { headers })).status, 200);
    assert.equal((await service.ask(LISTING, { headers })).status, 200);
  });

  for (const [query, code] of [
    [`as_of=${iso(-1)}`, 'invalid_value'],
    ['as_of=2026-02-30', 'invalid_value'],
    ['as_of=', 'invalid_value'],
    [`as_of=${iso(1)}&as_of=${iso(1)}`, 'duplicate_parameter'],
  ] as const) {
    it(`answers ${query} with ${code}`, async () => {
      for (const path of [LISTING, ASSETS, `${LISTING}/stats`]) {
        assertProblem(await service.ask(`${path}?${query}`), 400, code, 'as_of');
      }
    });
  }
});

describe('a fact of the assets on a day before its first record', () => {
  const day = `as_of=${iso(50)}`;
  for (const query of [
    'market_cap=1e9:',
    'market_cap=not_null',
    '[market_cap]>:[turnover30]',
    'not_null=supply',
    'where=rank <= 50',
    'calc=share:volume/supply&share=0:',
  ]) {
    it(`is null, so that no row fits ${query}`, async () => {
      const { result } = await service.get<Envelope>(`${LISTING}?${day}&${query.replaceAll(' ', '%20')}`);
      assert.deepEqual(result, []);
      assert.equal((await service.ask(`${LISTING}?${query.replaceAll(' ', '%20')}`)).status, 200);
    });
  }

  it('is null in the rows', async () => {
    const rows = await listed(iso(50), 'incl_cols=rank,supply,market_cap');
    assert.ok(rows.length > 0 && rows.every(({ rank, supply, market_cap }) => (rank ?? supply ?? market_cap) === null));
  });
});

describe('the assets as of a day', () => {
  it('are those with a close up to that day, in their state of that day, without ranks', async () => {
    const { result } = await service.get<Envelope>(`${ASSETS}?limit=1000&as_of=${iso(42)}&sort=id&order=asc`);
    const row = result.find(({ id }) => id === 'gone-gone');
    assert.deepEqual(row, {
      id: 'gone-gone',
      name: 'Gone',
      symbol: 'GONE',
      rank: null,
      is_new: true,
      is_active: true,
      type: null,
      first_data_at: `${iso(44)}T00:00:00Z`,
      last_data_at: `${iso(42)}T00:00:00Z`,
    });
    assert.ok(result.every(({ rank }) => rank === null));
    assert.ok(!result.some(({ id }) => id === 'ghost-without-prices' || id === 'one-newcomer'));
  });
});

describe('statistics as of a day', () => {
  it('are of the rows of that day', async () => {
    const { result } = await service.get<Envelope>(`${LISTING}/stats?as_of=${iso(200)}&cols=price`);
    const prices = (await listed(iso(200))).map(row => Number(row['price']));
    assert.deepEqual(
      result.map(({ count, max, min }) => ({ count, max, min })),
      [{ count: prices.length, max: Math.max(...prices), min: Math.min(...prices) }],
    );
  });
});

describe('a past day while a load is under way', () => {
  it('is made of published closes', async () => {
    const other = await startContractService({ sources: [marketSource(MARKET.slice(0, 2))] });
    try {
      const path = `${LISTING}?as_of=${iso(10)}&sort=symbol&order=asc`;
      const published = (await other.get<Envelope>(path)).result;
      const [bitcoin] = (await other.store.assets()).filter(({ id }) => id === 'btc-bitcoin');
      const bars = barColumns(3);
      bars.day.set([bitcoin!.firstDay! - 1, TODAY - 11, TODAY - 10]);
      bars.close.fill(7);
      await other.store.putBars({ ...bars, count: 3, assetNumber: new Uint32Array(3).fill(bitcoin!.assetNumber) });
      assert.deepEqual((await other.get<Envelope>(path)).result, published);
    } finally {
      await other.close();
    }
  });
});

/** As it was so many days ago. */
function cut(asset: (typeof MARKET)[number], ago: number): (typeof MARKET)[number] {
  const last = lastClose(asset, ago);
  const { is_active: _, ...profile } = asset.profile ?? {};
  return {
    ...asset,
    profile: asset.profile === null ? null : profile,
    closes: asset.closes.slice(0, last?.count ?? 0),
    age: last?.age ?? 0,
  };
}
