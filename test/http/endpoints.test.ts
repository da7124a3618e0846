import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestService } from '../support/service.ts';
import {
  ASSET_FIELDS,
  ASSETS,
  allRows,
  byCodePoint,
  ENVELOPE_FIELDS,
  type Envelope,
  HISTORY,
  LISTING,
  OPTIONAL_FIELDS,
  ROW_FIELDS,
  type Row,
  startContractService,
} from './contract.ts';
import { idOf, MARKET } from './market.ts';

let service: TestService;
before(async () => {
  service = await startContractService();
});
after(() => service.close());

describe('SPEC 2: the endpoints', () => {
  const JSON_TYPE = 'application/json; charset=utf-8';
  const paths = [
    LISTING,
    `${ASSETS}/btc-bitcoin`,
    '/v1/coins/btc-bitcoin',
    ASSETS,
    `${HISTORY}?symbol=btc`,
    '/v1/catalog',
    '/healthz',
    '/readyz',
  ];
  for (const path of paths) {
    it(`serve ${path}`, async () => {
      const answer = await service.ask(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], JSON_TYPE);
      assert.equal(typeof answer.json(), 'object');
    });
  }

  it('have one path each, however it could be written, so that a proxy can keep them from the public', async () => {
    for (const path of ['/%6detrics', '/metric%73', '/v1/crypto/t%61-cur'])
      assert.equal((await service.ask(path)).status, 404, path);
  });

  it('serve the same profile at the path of CoinPaprika’s clients', async () => {
    const [own, other] = [await service.ask(`${ASSETS}/btc-bitcoin`), await service.ask('/v1/coins/btc-bitcoin')];
    assert.equal(own.text, other.text);
    assert.equal(own.headers.etag, other.headers.etag);
  });

  it('are under the group that the setting names', async () => {
    const other = await startContractService({ group: 'stocks' });
    try {
      assert.equal((await other.ask('/v1/stocks/ta-cur')).status, 200);
      assert.equal((await other.ask('/v1/stocks/assets')).status, 200);
      assert.equal((await other.ask('/v1/stocks/ta-hist?symbol=btc')).status, 200);
      assert.equal((await other.ask('/v1/coins/btc-bitcoin')).status, 200);
      assert.equal((await other.ask(LISTING)).status, 404);
      assert.match((await other.get<Envelope>('/v1/stocks/ta-cur?limit=1')).next ?? '', /\/v1\/stocks\/ta-cur\?/);
    } finally {
      await other.close();
    }
  });

  it('ignore one final slash, and have nothing at a path with more of them', async () => {
    assert.equal((await service.ask(`${LISTING}/`)).status, 200);
    for (const count of [2, 3, 30_000]) {
      assert.equal((await service.ask(`${LISTING}${'/'.repeat(count)}`)).status, 404, `${count} slashes`);
    }
  });
});

describe('SPEC 2: the asset list', () => {
  it('has the assets with a profile or prices, each with nine fields, in the listing’s envelope', async () => {
    const envelope = await service.get<Envelope>(`${ASSETS}?limit=1000`);
    assert.deepEqual(Object.keys(envelope), ENVELOPE_FIELDS);
    for (const row of envelope.result) assert.deepEqual(Object.keys(row), ASSET_FIELDS);
    const ids = envelope.result.map(row => String(row['id'])).sort(byCodePoint);
    assert.deepEqual(ids, MARKET.map(idOfAsset).sort(byCodePoint));
  });

  it('has the facts of an asset', async () => {
    const rows = new Map((await allRows(service, ASSETS)).map(row => [row['id'], row]));
    assert.deepEqual(rows.get('btc-bitcoin'), {
      id: 'btc-bitcoin',
      name: 'Bitcoin',
      symbol: 'BTC',
      rank: 1,
      is_new: false,
      is_active: true,
      type: 'coin',
      first_data_at: '2025-01-15T00:00:00Z',
      last_data_at: '2026-03-10T00:00:00Z',
    });
    assert.deepEqual(rows.get('ghost-without-prices'), {
      id: 'ghost-without-prices',
      name: 'Without prices',
      symbol: 'GHOST',
      rank: null,
      is_new: false,
      is_active: false,
      type: 'token',
      first_data_at: null,
      last_data_at: null,
    });
  });

  it('is sorted by rank, best first, unless asked otherwise', async () => {
    const { result } = await service.get<Envelope>(`${ASSETS}?limit=3`);
    assert.deepEqual(
      result.map(row => row['id']),
      ['btc-bitcoin', 'eth-ethereum', 'tide-tide-gone'],
    );
  });

  const cases: readonly [query: string, holds: (row: Row) => boolean][] = [
    ['rank=2:40', ({ rank }) => rank !== null && Number(rank) >= 2 && Number(rank) <= 40],
    ['rank=not_null', ({ rank }) => rank !== null],
    ['not_null=type', ({ type }) => type !== null],
    ['symbol=tide,eth', ({ symbol }) => ['TIDE', 'ETH'].includes(String(symbol).toUpperCase())],
    ['q=bit', ({ id, name, symbol }) => /bit/i.test(`${id}\n${name}\n${symbol}`)],
    ['q=BIT', ({ id, name, symbol }) => /bit/i.test(`${id}\n${name}\n${symbol}`)],
    ['q=crowd+1', ({ name }) => /crowd 1/i.test(String(name))],
    ['q=%E6%AF%94%E7%89%B9', ({ symbol }) => String(symbol).includes('比特')],
    ['q=crowd&rank=100:110', ({ rank }) => rank !== null && Number(rank) >= 100 && Number(rank) <= 110],
    ['q=no+such+asset', () => false],
  ];
  for (const [query, holds] of cases) {
    it(`takes ${query}`, async () => {
      const expected = (await allRows(service, ASSETS)).filter(holds);
      assert.deepEqual(
        (await service.get<Envelope>(`${ASSETS}?limit=1000&sort=id&order=asc&${query}`)).result,
        expected,
      );
    });
  }

  it('leaves columns out, describes them, and is paged', async () => {
    const path = `${ASSETS}?limit=2&page=2&q=crowd&meta=true&excl_cols=type,rank,is_new,is_active`;
    const { result, metadata, next, prev } = await service.get<Envelope>(path);
    const fields = ['id', 'name', 'symbol', 'first_data_at', 'last_data_at'];
    for (const row of result) assert.deepEqual(Object.keys(row), fields);
    assert.deepEqual(Object.keys(metadata ?? {}), fields);
    const rest = 'q=crowd&meta=true&excl_cols=type,rank,is_new,is_active';
    assert.equal(next, `${service.url}${ASSETS}?limit=2&sort=rank&order=asc&page=3&${rest}`);
    assert.equal(prev, `${service.url}${ASSETS}?limit=2&sort=rank&order=asc&page=1&${rest}`);
  });

  it('is CSV when asked for', async () => {
    const answer = await service.ask(`${ASSETS}?format=csv&limit=1`);
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(
      answer.text,
      `${ASSET_FIELDS.join()}\r\nbtc-bitcoin,Bitcoin,BTC,1,false,true,coin,2025-01-15T00:00:00Z,2026-03-10T00:00:00Z\r\n`,
    );
  });
});

describe('SPEC 2: the catalogue', () => {
  interface Catalog {
    readonly datasets: readonly {
      readonly name: string;
      readonly path: string;
      readonly columns: readonly { readonly name: string; readonly [fact: string]: unknown }[] | null;
    }[];
  }

  it('lists the datasets with their paths and columns', async () => {
    const { datasets } = await service.get<Catalog>('/v1/catalog');
    const columns = Object.fromEntries(datasets.map(({ path, columns }) => [path, columns?.map(({ name }) => name)]));
    assert.deepEqual(columns, {
      [LISTING]: [...ROW_FIELDS, ...OPTIONAL_FIELDS],
      [HISTORY]: [...ROW_FIELDS, ...OPTIONAL_FIELDS],
      [ASSETS]: ASSET_FIELDS,
      [`${LISTING}/stats`]: [
        ...['column', 'count', 'nulls', 'min', 'max', 'mean', 'stdev', 'p5', 'p25', 'p50', 'p75', 'p95'],
        'histogram',
      ],
      [`${LISTING}/facets`]: ['facet', 'value', 'count'],
      '/v1/crypto/bars': ['datetimeUTC', 'open', 'high', 'low', 'close', 'volume'],
      '/v1/crypto/findings': [
        ...['datetimeUTC', 'symbol', 'id', 'interval', 'rule', 'value', 'expected', 'source', 'detail', 'state'],
      ],
      '/v1/crypto/actions': ['datetimeUTC', 'symbol', 'id', 'ratio', 'from_id', 'reason'],
      [`${ASSETS}/{id}`]: undefined,
    });
  });

  it('says of each column what it is', async () => {
    const { datasets } = await service.get<Catalog>('/v1/catalog');
    for (const column of datasets.flatMap(dataset => dataset.columns ?? [])) {
      for (const fact of ['name', 'type', 'unit', 'nullable', 'description']) assert.ok(fact in column, column.name);
    }
    const sma50 = datasets[0]?.columns?.find(({ name }) => name === 'sma50');
    assert.deepEqual(sma50, {
      name: 'sma50',
      label: 'SMA 50',
      family: 'Moving average',
      type: 'number',
      unit: 'USD',
      nullable: false,
      description: 'Simple moving average of the last 50 daily closes, or of all available ones',
      window: 50,
      formula: 'mean(C₀ … C₄₉)',
      min_history: 50,
    });
  });
});

/** Without a profile the ticker stands for the name. */
function idOfAsset(asset: (typeof MARKET)[number]): string {
  return asset.profile === null ? idOf({ symbol: asset.symbol, name: asset.symbol }) : idOf(asset);
}
