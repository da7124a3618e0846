// The client against the real service.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError, column, Tidemark, where } from '../../client/src/index.ts';
import {
  ASSETS,
  type Envelope,
  HISTORY,
  LISTING,
  PROFILE_FIELDS,
  ROW_FIELDS,
  startContractService,
} from '../http/contract.ts';
import { MARKET, marketSource } from '../http/market.ts';
import type { TestService } from '../support/service.ts';

let service: TestService;
let client: Tidemark;
before(async () => {
  service = await startContractService();
  client = new Tidemark({ url: service.url });
});
after(() => service.close());

const get = async (path: string) => (await service.get<Envelope>(path)).result;

describe('rows', () => {
  it('of all pages are those of one large page', async () => {
    const rows: object[] = [];
    for await (const row of client.listing({ limit: 3, sort: 'symbol', order: 'asc' })) rows.push(row);
    assert.ok(rows.length > 6, 'several pages');
    assert.deepEqual(rows, await get(`${LISTING}?limit=1000&sort=symbol&order=asc`));
    assert.deepEqual(Object.keys(rows[0]!), ROW_FIELDS);
  });

  it('come page by page, with the limit and the version that the headers state', async () => {
    const sizes: number[] = [];
    for await (const page of client.history({ id: 'btc-bitcoin', limit: 100 }).pages()) {
      sizes.push(page.result.length);
      assert.equal(page.limitApplied, 100);
      assert.ok(page.dataVersion! > 0);
    }
    const all = await get(`${HISTORY}?id=btc-bitcoin&limit=100000`);
    assert.ok(sizes.length > 1);
    assert.equal(
      sizes.reduce((sum, size) => sum + size),
      all.length,
    );
  });

  it('have the columns that the query selects', async () => {
    const query = {
      limit: 1,
      sort: 'symbol',
      excl_cols: ['price', 'sma5'],
      calc: { twice: where`price * ${2}` },
    } as const;
    const { result, metadata } = await client.listing({ ...query, meta: true }).page();
    const names = [...ROW_FIELDS.filter(name => name !== 'price' && name !== 'sma5'), 'twice'];
    assert.deepEqual(Object.keys(result[0]!), names);
    assert.deepEqual(Object.keys(metadata!), names);
  });

  it('are those that every kind of filter leaves', async () => {
    const filters = {
      price: ['1:', ':1e6'],
      comparison: '[sma50]>:[sma200]',
      not_null: ['change30'],
      symbol: undefined,
    };
    const path = `${LISTING}?price=1:1e6&[sma50]>:[sma200]&not_null=change30&limit=100`;
    assert.deepEqual(await client.listing({ ...filters, limit: 100 }).toArray(), await get(path));
  });

  it('of bars, assets and statistics are typed and read', async () => {
    const [bar] = await client.bars({ id: 'btc-bitcoin', interval: '1mo' }).toArray();
    assert.equal(typeof bar?.close, 'number');
    const assets = await client.assets({ q: 'bitcoin', is_active: true }).toArray();
    assert.deepEqual(assets, await get(`${ASSETS}?q=bitcoin&is_active=true&limit=1000`));
    const [stats] = await client.stats({ cols: ['price'], bins: 4 }).toArray();
    assert.equal(stats?.column, 'price');
    assert.equal(
      stats.histogram?.counts.reduce((sum, count) => sum + count),
      stats.count - stats.nulls,
    );
    const facets = await client.facets({ where: where`price > ${1}` }).toArray();
    assert.ok(facets.length > 0);
    assert.deepEqual(facets, await get(`${LISTING}/facets?where=price%20%3E%201&limit=1000`));
  });
});

describe('a stream', () => {
  it('gives the page, then the rows that each publication changes, until the signal', async () => {
    const stopping = new AbortController();
    const rows = new Map<string, object>();
    const seen: string[] = [];
    const read = async () => {
      for await (const event of client.stream({ sort: 'symbol', limit: 1000 }, { signal: stopping.signal })) {
        seen.push(event.event);
        if (event.event === 'rows') for (const row of event.result) rows.set(row.symbol, row);
        else for (const row of [...event.entered, ...event.changed]) rows.set(row.symbol, row);
        if (seen.length === 3) stopping.abort();
        else await service.load(marketSource([movedBitcoin(seen.length)]));
      }
    };
    await assert.rejects(read, { name: 'AbortError' });
    assert.deepEqual(seen, ['rows', 'changes', 'changes']);
    const listed = await client.listing({ limit: 1000 }).toArray();
    assert.deepEqual(rows, new Map(listed.map(row => [row.symbol, row])));
  });

  it('of publications has one event each', async () => {
    const before = (await client.listing({ limit: 1 }).page()).dataVersion!;
    const publications = client.publications({ lastEventId: before });
    const next = publications.next();
    await service.load(marketSource([movedBitcoin(9)]));
    const { value } = await next;
    assert.equal(value?.event, 'publication');
    assert.ok(value.version > before);
    await publications.return();
  });

  const movedBitcoin = (round: number) => ({ ...MARKET[0]!, closes: MARKET[0]!.closes.with(-1, 70_000 + round) });
});

describe('single documents', () => {
  it('are the profile, the explanation and the catalogue', async () => {
    const profile = await client.profile('btc-bitcoin');
    assert.deepEqual(Object.keys(profile), PROFILE_FIELDS);
    const { value, column: name } = await client.explain('btc-bitcoin', 'sma20');
    const [row] = await client.history({ id: 'btc-bitcoin', limit: 1 }).toArray();
    assert.deepEqual([name, value], ['sma20', row?.sma20]);
    const { datasets } = await client.catalog();
    assert.ok(datasets.some(dataset => dataset.name === 'ta-cur'));
  });

  it('are the closes of several assets, and the alerts if the tier has them', async () => {
    const { days, result } = await client.closes({ symbol: ['BTC', 'ETH'], days: 30 });
    assert.equal(days, 30);
    assert.deepEqual(
      result.map(({ symbol }) => symbol),
      ['BTC', 'ETH'],
    );
    const prices = await client.history({ symbol: 'ETH', limit: 30 }).page();
    assert.deepEqual(result[1]?.closes, prices.result.map(({ price }) => price).toReversed());
    await assert.rejects(client.alerts(), { code: 'not_in_tier' });
  });

  it('have names that need encoding', async () => {
    await assert.rejects(client.profile('a/b c?d'), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, 'unknown_asset');
      return true;
    });
  });

  it('come in any other format by request()', async () => {
    const response = await client.request('ta-cur', { format: 'csv', limit: 2 });
    const lines = (await response.text()).trimEnd().split('\r\n');
    assert.equal(lines.length, 3);
    assert.equal(lines[0], ROW_FIELDS.join());
  });
});

describe('an expression', () => {
  const symbols = async (text: ReturnType<typeof where>) =>
    (await client.listing({ where: text, sort: 'symbol', order: 'asc', limit: 1000 }).toArray()).map(row => row.symbol);

  it('finds a text whatever it contains', async () => {
    const all = await symbols(where`price > ${0}`);
    assert.ok(all.length > 1);
    for (const symbol of all) assert.deepEqual(await symbols(where`symbol = ${symbol}`), [symbol]);
    for (const hostile of ["' or 1 = 1 or symbol = '", "''", "\\'", '%27', '") or (price > 0', '\u2019', '+&=#?']) {
      assert.deepEqual(await symbols(where`symbol = ${hostile}`), [], hostile);
      assert.deepEqual(await symbols(where`symbol in ${[hostile, all[0]!]}`), [all[0]], hostile);
    }
  });

  it('compares with numbers exactly as they are', async () => {
    const rows = await client.listing({ limit: 1000 }).toArray();
    for (const { symbol, price, change1 } of rows) {
      const found = await symbols(where`price = ${price} and symbol = ${symbol}`);
      assert.deepEqual(found, [symbol]);
      if (change1 !== null)
        assert.deepEqual(await symbols(where`change1 = ${change1} and symbol = ${symbol}`), [symbol]);
    }
  });

  it('takes columns, dates, lists and other expressions', async () => {
    const [{ datetimeUTC } = { datetimeUTC: '' }] = await client.listing({ limit: 1 }).toArray();
    const cheap = where`${column('price')} < ${1} or price > ${100}`;
    const found = await symbols(where`${cheap} and datetimeUTC = ${new Date(datetimeUTC)}`);
    const rows = await client.listing({ limit: 1000, sort: 'symbol', order: 'asc' }).toArray();
    const expected = rows.filter(row => (row.price < 1 || row.price > 100) && row.datetimeUTC === datetimeUTC);
    assert.deepEqual(
      found,
      expected.map(row => row.symbol),
    );
  });

  it('that is wrong is an error with its position and a hint', async () => {
    await assert.rejects(client.listing({ where: 'pric > 1' }).page(), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.param, error.position], [400, 'where', 0]);
      assert.match(error.hint ?? '', /price/);
      return true;
    });
  });
});
