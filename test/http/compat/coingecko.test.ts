// CoinGecko's paths answer in CoinGecko's shapes, with the numbers of our own endpoints.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PUBLISHED, PUBLISHED_RECORDS } from './coingecko-schemas.ts';
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

  it('lists the dollar, fiat currencies, and the largest assets', async () => {
    const [dollar, fiat, ...assets] = await gecko.read<string[]>(
      'simple/supported_vs_currencies',
      PUBLISHED.currencies,
    );
    assert.deepEqual([dollar, fiat, assets.length, assets[0]], ['usd', 'crn', 5, 'aldm']);
  });

  it('has prices in quotes of the store', async () => {
    const [row] = await gecko.rows('ta-cur?symbol=VELR&incl_cols=market&quote=CRN');
    const [other] = await gecko.rows('ta-cur?symbol=VELR&quote=ALDM');
    const path = 'simple/price?ids=veloria&vs_currencies=crn,aldm&include_market_cap=true';
    const prices = Object(await gecko.read(path, PUBLISHED.simplePrice)).veloria;
    assert.deepEqual([prices.crn, prices.crn_market_cap], [row?.['price'], row?.['market_cap']]);
    assert.equal(prices.aldm, other?.['price']);
    const [coin] = await gecko.read<Record<string, unknown>[]>(
      'coins/markets?vs_currency=crn&ids=veloria&sparkline=true',
      PUBLISHED.markets,
    );
    assert.deepEqual([coin?.['current_price'], coin?.['total_volume']], [row?.['price'], row?.['turnover']]);
    assert.equal(Object(coin?.['sparkline_in_7d']).price.at(-1), row?.['price']);
    const chart = Object(await gecko.read('coins/veloria/market_chart?vs_currency=crn&days=30', PUBLISHED.marketChart));
    assert.equal(chart.prices.at(-1)[1], row?.['price']);
    assert.equal(chart.market_caps.at(-1)[1], row?.['market_cap']);
    await gecko.fail('coins/markets?vs_currency=xyz', 400);
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

  it('is ordered by id', async () => {
    const ids = (await gecko.read<Row[]>('coins/list', PUBLISHED.coinsList)).map(coin => String(coin['id']));
    assert.deepEqual(ids, ids.toSorted());
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

describe('coins/{id}', () => {
  it('has the profile and the numbers of the listing', async () => {
    const coin = await gecko.read<Row>('coins/aldermoor', PUBLISHED_RECORDS.coin);
    const [row] = await gecko.rows('ta-cur?symbol=ALDM&incl_cols=market');
    const data = Object(coin['market_data']);
    assert.deepEqual(
      [coin['id'], coin['symbol'], coin['name'], coin['hashing_algorithm'], coin['market_cap_rank']],
      ['aldermoor', 'aldm', 'Aldermoor', 'Anvil3', 1],
    );
    assert.deepEqual(
      [data.current_price, data.market_cap, data.total_volume, data.circulating_supply],
      [{ usd: row?.['price'] }, { usd: row?.['market_cap'] }, { usd: row?.['turnover'] }, row?.['supply']],
    );
    assert.equal(data.price_change_percentage_30d, row?.['change30']);
    assert.equal(data.price_change_percentage_60d, null);
  });

  it('leaves sections out when asked', async () => {
    const flags = 'localization=false&tickers=false&market_data=false&community_data=false&developer_data=false';
    const coin = JSON.parse((await gecko.ask(`coins/aldermoor?${flags}`)).text);
    for (const flag of flags.split('&')) assert.ok(!(flag.split('=')[0]! in coin), flag);
  });

  it('does not find an id that no coin has', async () => {
    for (const path of ['coins/nobody', 'coins/nobody/market_chart?vs_currency=usd&days=1', 'coins/ALDM']) {
      assert.deepEqual(await gecko.fail(path, 404), { error: 'coin not found' });
    }
  });

  it('shows an inactive coin without prices', async () => {
    const [{ id } = { id: '' }] = await gecko.read<Row[]>('coins/list?status=inactive', PUBLISHED.coinsList);
    const coin = await gecko.read<Row>(`coins/${id}`, PUBLISHED_RECORDS.coin);
    assert.deepEqual(Object(coin['market_data']).current_price, { usd: null });
  });
});

const DAY = 86_400_000;
const NOON = Date.parse('2026-06-30T12:00:00Z');

describe('the charts of a coin', () => {
  type Chart = Readonly<Record<'prices' | 'market_caps' | 'total_volumes', readonly (readonly number[])[]>>;
  const read = (query: string) =>
    gecko.read<Chart>(`coins/aldermoor/market_chart${query}`.replace('?', '?vs_currency=usd&'), PUBLISHED.marketChart);

  it('have the close of each day at its end, and the latest one at the publication', async () => {
    const { prices, total_volumes: volumes, market_caps: caps } = await read('?days=30');
    const bars = (await gecko.rows('bars?symbol=ALDM&limit=31')).toReversed();
    const times = bars.map(bar => Math.min(Date.parse(String(bar['datetimeUTC'])) + DAY, NOON));
    const shown = times.filter(time => time >= NOON - 30 * DAY);
    assert.deepEqual(
      prices,
      shown.map((time, i) => [time, bars[i + times.length - shown.length]?.['close']]),
    );
    assert.deepEqual(
      volumes.map(([time]) => time),
      shown,
    );
    const last = bars.at(-1)!;
    assert.equal(volumes.at(-1)?.[1], Number(last['volume']) * Number(last['close']));
    assert.equal(caps.at(-1)?.[1], (await gecko.rows('ta-cur?symbol=ALDM&incl_cols=market_cap'))[0]?.['market_cap']);
    assert.ok(caps.slice(0, -1).every(([, cap]) => cap === null));
  });

  it('reach back to the first day', async () => {
    const { prices } = await read('?days=max');
    assert.equal(prices.length, (await gecko.rows('bars?symbol=ALDM&limit=100000')).length);
  });

  it('show the span between two times', async () => {
    const { prices } = await read(`/range?from=${(NOON - 3 * DAY) / 1000}&to=${(NOON - DAY) / 1000}`);
    assert.deepEqual(
      prices.map(([time]) => time),
      [NOON - 2.5 * DAY, NOON - 1.5 * DAY],
    );
  });

  it('have candles with the times of their ends', async () => {
    const candles = await gecko.read<number[][]>('coins/aldermoor/ohlc?vs_currency=usd&days=7', PUBLISHED.ohlc);
    const bars = (await gecko.rows('bars?symbol=ALDM&limit=8')).toReversed();
    assert.deepEqual(
      candles,
      bars.map(bar => [
        Math.min(Date.parse(String(bar['datetimeUTC'])) + DAY, NOON),
        ...['open', 'high', 'low', 'close'].map(name => bar[name]),
      ]),
    );
  });

  it('refuse other days, currencies and intervals', async () => {
    const chart = 'coins/aldermoor/market_chart';
    assert.deepEqual(await gecko.fail(`${chart}?vs_currency=eur&days=1`, 400), { error: 'invalid vs_currency' });
    assert.deepEqual(await gecko.fail(`${chart}?vs_currency=usd`, 422), { error: 'Missing parameter days' });
    for (const path of [
      `${chart}?vs_currency=usd&days=0`,
      `${chart}?vs_currency=usd&days=x`,
      `${chart}?vs_currency=usd&days=1&interval=hourly`,
      `${chart}/range?vs_currency=usd&from=2&to=1`,
      'coins/aldermoor/ohlc?vs_currency=usd&days=2',
    ]) {
      assert.match(JSON.stringify(await gecko.fail(path, 400)), /^\{"error":"/);
    }
  });
});

describe('search and global', () => {
  it('finds coins, best-ranked first', async () => {
    const found = await gecko.read<{ coins: Row[] }>('search?query=co', PUBLISHED_RECORDS.search);
    const assets = await gecko.rows('assets?q=co&sort=rank&order=asc&limit=25');
    assert.deepEqual(
      found.coins.map(coin => coin['name']),
      assets.map(asset => asset['name']),
    );
    const none = await gecko.read<{ coins: Row[] }>('search?query=', PUBLISHED_RECORDS.search);
    assert.deepEqual(none.coins, []);
  });

  it('sums the listing up', async () => {
    const { data } = await gecko.read<{ data: Row }>('global', PUBLISHED_RECORDS.global);
    const rows = await gecko.rows('ta-cur?limit=1000&incl_cols=market');
    const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0);
    assert.equal(data['active_cryptocurrencies'], rows.length);
    assert.ok(Math.abs(Object(data['total_market_cap']).usd / sum('market_cap') - 1) < 1e-12);
    assert.ok(Math.abs(Object(data['total_volume']).usd / sum('turnover') - 1) < 1e-12);
    assert.ok(
      Math.abs(
        Object(data['market_cap_percentage']).aldm -
          (Number(rows.find(row => row['symbol'] === 'ALDM')?.['market_cap']) / sum('market_cap')) * 100,
      ) < 1e-9,
    );
  });
});

describe('a path that does not exist', () => {
  for (const path of ['coins/categories/none', 'simple', 'nothing?x=1', '../other']) {
    it(`${path} has an error in the form of the service, for browsers too`, async () => {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await gecko.missing(path, { accept });
        assert.equal(answer.status, 404);
        assert.match(String(answer.headers['content-type']), /^application\/json/);
        const body = JSON.parse(answer.text);
        assert.deepEqual(Object.keys(body), ['error']);
        assert.match(body.error, /^There is no endpoint at this path\. \S/);
      }
    });
  }
});
