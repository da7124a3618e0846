// CoinGecko's paths answer in CoinGecko's shapes, with the numbers of our own endpoints.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PUBLISHED } from './coingecko-schemas.ts';
import { type CompatDemo, type Row, startCompat } from './compat.ts';

let gecko: CompatDemo;
before(async () => {
  gecko = await startCompat('/coingecko/api/v3/');
});
after(() => gecko.close());

describe('ping and simple', () => {
  it('ping answers', async () => {
    assert.deepEqual(await gecko.read('ping', PUBLISHED.ping), { gecko_says: '(V3) To the Moon!' });
  });

  it('lists the dollar', async () => {
    assert.deepEqual(await gecko.read('simple/supported_vs_currencies', PUBLISHED.currencies), ['usd']);
  });

  it('has the prices of the listing', async () => {
    const [row] = await gecko.rows('ta-cur?symbol=ALDM&incl_cols=market');
    const flags = 'include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true';
    const path = `simple/price?ids=aldermoor,aldm-aldermoor,nobody&vs_currencies=usd,eur&${flags}`;
    const expected = {
      usd: row?.['price'],
      usd_market_cap: row?.['market_cap'],
      usd_24h_vol: row?.['turnover'],
      usd_24h_change: row?.['change1'],
      last_updated_at: Date.parse('2026-06-30T12:00:00Z') / 1000,
    };
    assert.deepEqual(await gecko.read(path, PUBLISHED.simplePrice), {
      aldermoor: expected,
      'aldm-aldermoor': expected,
    });
  });

  it('rounds to the precision, and leaves an unsupported currency out', async () => {
    const rounded = await gecko.read('simple/price?ids=aldermoor&vs_currencies=usd&precision=0', PUBLISHED.simplePrice);
    assert.deepEqual(rounded, { aldermoor: { usd: 82726 } });
    const foreign = await gecko.read('simple/price?ids=aldermoor&vs_currencies=eur', PUBLISHED.simplePrice);
    assert.deepEqual(foreign, { aldermoor: {} });
  });

  it('misses a parameter with 422', async () => {
    assert.deepEqual(await gecko.fail('simple/price', 422), { error: 'Missing parameter ids' });
    assert.deepEqual(await gecko.fail('simple/price?ids=aldermoor', 422), { error: 'Missing parameter vs_currencies' });
  });
});

describe('coins/list', () => {
  it('has every active asset once', async () => {
    const coins = await gecko.read<Row[]>('coins/list', PUBLISHED.coinsList);
    const assets = (await gecko.rows('assets?limit=1000')).filter(each => each['is_active']);
    assert.equal(new Set(coins.map(coin => coin['id'])).size, assets.length);
    assert.deepEqual(new Set(coins.map(coin => coin['name'])), new Set(assets.map(each => each['name'])));
  });

  it('has the inactive ones and the platforms when asked', async () => {
    const coins = await gecko.read<Row[]>('coins/list?status=inactive&include_platform=true', PUBLISHED.coinsList);
    const assets = (await gecko.rows('assets?limit=1000')).filter(each => !each['is_active']);
    assert.equal(coins.length, assets.length);
    for (const coin of coins) assert.deepEqual(coin['platforms'], {});
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await gecko.ask('coins/list');
    assert.equal((await gecko.ask('coins/list', { 'if-none-match': String(headers['etag']) })).status, 304);
  });
});

describe('coins/markets', () => {
  const read = (query: string) => gecko.read<Row[]>(`coins/markets?vs_currency=usd${query}`, PUBLISHED.markets);
  const idsOf = (rows: readonly Row[]) => rows.map(row => row['id']);

  it('has the largest first, with the numbers of the listing', async () => {
    const coins = await read('&per_page=50');
    const rows = await gecko.rows('ta-cur?sort=market_cap&order=desc&limit=50&incl_cols=market,ath,ath_at,from_ath');
    assert.equal(coins.length, rows.length);
    for (const [i, coin] of coins.entries()) {
      const row = rows[i]!;
      assert.deepEqual(
        [coin['symbol'], coin['current_price'], coin['market_cap'], coin['total_volume'], coin['circulating_supply']],
        [String(row['symbol']).toLowerCase(), row['price'], row['market_cap'], row['turnover'], row['supply']],
      );
      assert.deepEqual(
        [
          coin['high_24h'],
          coin['low_24h'],
          coin['price_change_percentage_24h'],
          coin['ath'],
          coin['ath_change_percentage'],
        ],
        [row['high'], row['low'], row['change1'], row['ath'], row['from_ath']],
      );
    }
  });

  it('pages without repeating or skipping a coin', async () => {
    const whole = idsOf(await read('&per_page=60'));
    const pages = [...idsOf(await read('&per_page=20')), ...idsOf(await read('&per_page=20&page=2'))];
    assert.deepEqual([...pages, ...idsOf(await read('&per_page=20&page=3'))], whole);
    assert.deepEqual(await read('&per_page=250&page=9'), []);
  });

  it('sorts by id, volume and market cap, both ways', async () => {
    const up = idsOf(await read('&order=id_asc&per_page=250'));
    assert.deepEqual(up, up.toSorted());
    assert.deepEqual(idsOf(await read('&order=id_desc&per_page=250')), up.toReversed());
    const volumes = (await read('&order=volume_asc&per_page=20')).map(coin => Number(coin['total_volume']));
    assert.deepEqual(
      volumes,
      volumes.toSorted((a, b) => a - b),
    );
  });

  it('finds named coins, in the order that is asked for', async () => {
    assert.deepEqual(idsOf(await read('&ids=coral-mill,aldermoor,nobody')), ['aldermoor', 'coral-mill']);
    assert.deepEqual(idsOf(await read('&ids=coral-mill,aldermoor&order=market_cap_asc')), ['coral-mill', 'aldermoor']);
    assert.deepEqual(idsOf(await read('&ids=coral-mill,aldermoor&per_page=1&page=2')), ['coral-mill']);
  });

  it('has the closes of a week and further changes when asked', async () => {
    const [coin] = await read('&ids=aldermoor&sparkline=true&price_change_percentage=1h,7d,1y,9z');
    const [row] = await gecko.rows('ta-cur?symbol=ALDM');
    assert.equal(coin?.['price_change_percentage_7d_in_currency'], row?.['change7']);
    assert.equal(coin?.['price_change_percentage_1y_in_currency'], row?.['change365']);
    assert.equal(coin?.['price_change_percentage_1h_in_currency'], null);
    assert.equal(Object(coin?.['sparkline_in_7d']).price.length, 7);
  });

  it('lowers per_page to 250', async () => {
    const { headers } = await gecko.ask('coins/markets?vs_currency=usd&per_page=1000');
    assert.equal(headers['x-limit-applied'], '250');
  });

  it('refuses what it cannot answer', async () => {
    assert.deepEqual(await gecko.fail('coins/markets', 422), { error: 'Missing parameter vs_currency' });
    assert.deepEqual(await gecko.fail('coins/markets?vs_currency=eur', 400), { error: 'invalid vs_currency' });
    for (const query of ['page=0', 'page=x', 'per_page=0', 'order=price', 'category=layer-1', 'precision=99']) {
      assert.match(JSON.stringify(await gecko.fail(`coins/markets?vs_currency=usd&${query}`, 400)), /^\{"error":"/);
    }
  });
});
