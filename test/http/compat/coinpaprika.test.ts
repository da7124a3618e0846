// CoinPaprika's paths answer in CoinPaprika's shapes, with the numbers of our own endpoints.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startDailyDemo } from '../../support/demo-server.ts';
import { PUBLISHED } from './coinpaprika-schemas.ts';
import { type CompatDemo, type Row, startCompat } from './compat.ts';

let paprika: CompatDemo;
before(async () => {
  paprika = await startCompat('/coinpaprika/v1/');
});
after(() => paprika.close());

describe('coins', () => {
  it('lists every asset, best rank first', async () => {
    const coins = await paprika.read<Row[]>('coins', PUBLISHED.coins);
    const assets = await paprika.rows('assets?limit=1000&sort=rank&order=asc');
    assert.deepEqual(
      coins.map(coin => coin['id']),
      assets.map(asset => asset['id']),
    );
    for (const coin of coins) if (!coin['is_active']) assert.equal(coin['rank'], 0);
  });

  it('has the profile of one, as our own path has it', async () => {
    const { contracts, logo, last_data_at, ...profile } = await paprika.read<Row>(
      'coins/aldm-aldermoor',
      PUBLISHED.coin,
    );
    assert.deepEqual([contracts, logo, last_data_at], [[], null, '2026-06-30T00:00:00Z']);
    assert.deepEqual(profile, await paprika.own('/v1/coins/aldm-aldermoor'));
  });

  it('has what the source of a token says of its platform', async () => {
    const [contract, platform] = ['0x95ad61b0', 'eth-ethereum'];
    const extra = {
      contract,
      platform,
      contracts: [{ contract, platform, type: 'ERC20' }],
      parent: { id: platform, name: 'Ethereum', symbol: 'ETH' },
    };
    const plain = await startDailyDemo();
    const demo = await startDailyDemo({
      profile: async assetNumber => ({ profile: (await plain.context.profile(assetNumber))!.profile, extra }),
    });
    const tokens = await startCompat('/coinpaprika/v1/', demo);
    const found = await tokens.read<Row>('coins/hrbd-harbor-dollar', PUBLISHED.coin);
    for (const [name, value] of Object.entries(extra)) assert.deepEqual(found[name], value, name);
    await Promise.all([tokens.close(), plain.close()]);
  });

  it('does not find an id that no coin has', async () => {
    for (const path of [
      'coins/nobody',
      'tickers/nobody',
      'tickers/ALDM',
      'tickers/nobody/historical?start=2026-06-01',
    ]) {
      assert.deepEqual(await paprika.fail(path, 404), { error: 'id not found' });
    }
  });
});

describe('tickers', () => {
  it('have the numbers of the listing, best rank first', async () => {
    const found = await paprika.read<Row[]>('tickers', PUBLISHED.tickers);
    const rows = await paprika.rows('ta-cur?limit=1000&sort=rank&order=asc&incl_cols=market,ath,ath_at,from_ath');
    assert.equal(found.length, rows.length);
    for (const [i, ticker] of found.entries()) {
      const { USD } = Object(ticker['quotes']);
      const row = rows[i]!;
      assert.deepEqual(
        [ticker['symbol'], ticker['rank'], ticker['circulating_supply'], USD.price, USD.volume_24h, USD.market_cap],
        [row['symbol'], row['rank'], row['supply'], row['price'], row['turnover'], row['market_cap']],
      );
      assert.deepEqual(
        [USD.percent_change_24h, USD.percent_change_7d, USD.percent_change_30d, USD.percent_change_1y, USD.ath_price],
        [row['change1'], row['change7'], row['change30'], row['change365'], row['ath']],
      );
    }
  });

  it('of one coin is the one of the list', async () => {
    const [first] = await paprika.read<Row[]>('tickers?quotes=USD', PUBLISHED.tickers);
    assert.deepEqual(await paprika.read<Row>('tickers/aldm-aldermoor', PUBLISHED.ticker), first);
  });

  it('are found behind two slashes, which a client of CoinPaprika sends', async () => {
    for (const path of ['tickers/', 'tickers//aldm-aldermoor', 'tickers//aldm-aldermoor/historical?start=2026-06-01']) {
      assert.equal((await paprika.ask(path)).status, 200);
    }
  });

  it('refuse another currency', async () => {
    assert.match(JSON.stringify(await paprika.fail('tickers?quotes=USD,EUR', 400)), /EUR/);
    const [quoted] = await paprika.read<Row[]>('tickers?quotes=CRN,USD', PUBLISHED.tickers);
    const [row] = await paprika.rows(`ta-cur?symbol=${quoted?.['symbol']}&quote=CRN&incl_cols=market`);
    const { CRN, USD } = Object(quoted?.['quotes']);
    assert.deepEqual([CRN.price, CRN.market_cap], [row?.['price'], row?.['market_cap']]);
    assert.ok(USD.price > 0 && USD.price !== CRN.price);
  });
});

describe('past days', () => {
  it('have the closes of the bars', async () => {
    const ticks = await paprika.read<Row[]>(
      'tickers/aldm-aldermoor/historical?start=2026-06-01&interval=1d',
      PUBLISHED.ticks,
    );
    const bars = (await paprika.rows('bars?symbol=ALDM&limit=30')).toReversed();
    assert.deepEqual(
      ticks.map(tick => [tick['timestamp'], tick['price'], tick['volume_24h']]),
      bars.map(bar => [
        String(bar['datetimeUTC']).replace('.000Z', 'Z'),
        bar['close'],
        Number(bar['volume']) * Number(bar['close']),
      ]),
    );
    assert.ok(ticks.slice(0, -1).every(tick => tick['market_cap'] === null));
  });

  it('take days, times and Unix times, an interval and a limit', async () => {
    const read = (query: string) => paprika.read<Row[]>(`tickers/aldm-aldermoor/historical?${query}`, PUBLISHED.ticks);
    const start = Date.parse('2026-06-20T00:00:00Z') / 1000;
    const byDay = await read('start=2026-06-20&end=2026-06-25');
    assert.equal(byDay.length, 6);
    assert.deepEqual(await read(`start=${start}&end=2026-06-25T00:00:00Z`), byDay);
    assert.deepEqual(await read('start=2026-06-20&limit=2'), byDay.slice(0, 2));
    const weeks = await read('start=2026-06-01&interval=7d');
    assert.deepEqual(
      weeks.map(tick => String(tick['timestamp']).slice(8, 10)),
      ['01', '08', '15', '22', '29'],
    );
  });

  it('have candles, one unless more are asked for', async () => {
    const path = 'coins/aldm-aldermoor/ohlcv/historical?start=2026-06-28';
    const candles = await paprika.read<Row[]>(`${path}&end=2026-06-29`, PUBLISHED.candles);
    const bars = (await paprika.rows('bars?symbol=ALDM&from=2026-06-28&to=2026-06-29')).toReversed();
    const prices = ['open', 'high', 'low', 'close'];
    assert.deepEqual(
      candles.map(candle => prices.map(name => candle[name])),
      bars.map(bar => prices.map(name => bar[name])),
    );
    assert.deepEqual(
      [candles[0]?.['time_open'], candles[0]?.['time_close']],
      ['2026-06-28T00:00:00Z', '2026-06-28T23:59:59Z'],
    );
    assert.deepEqual(await paprika.read(path, PUBLISHED.candles), candles.slice(0, 1));
  });

  it('refuse what they cannot answer', async () => {
    for (const query of [
      '',
      'start=x',
      'start=2026-06-30&end=2026-06-29',
      'start=2026-06-01&interval=1h',
      'start=2026-06-01&quote=btc',
    ]) {
      assert.match(
        JSON.stringify(await paprika.fail(`tickers/aldm-aldermoor/historical?${query}`, 400)),
        /^\{"error":"/,
      );
    }
  });
});

describe('search, tags and global', () => {
  it('finds coins and tags', async () => {
    const found = await paprika.read<Readonly<Record<string, Row[]>>>('search?q=coral&limit=9', PUBLISHED.search);
    const assets = await paprika.rows('assets?q=coral&sort=rank&order=asc&limit=9');
    assert.deepEqual(
      found['currencies']?.map(coin => coin['id']),
      assets.map(asset => asset['id']),
    );
    const named = await paprika.read<Row>('search?q=aldm&c=currencies&modifier=symbol_search', PUBLISHED.search);
    assert.deepEqual(Object.keys(named), ['currencies']);
    const tagged = await paprika.read<Readonly<Record<string, Row[]>>>('search?q=payments', PUBLISHED.search);
    assert.deepEqual(
      tagged['tags']?.map(tag => tag['id']),
      ['payments'],
    );
  });

  it('counts the coins of each tag', async () => {
    const tags = await paprika.read<Row[]>('tags', PUBLISHED.tags);
    const rows = await paprika.rows('assets?tag=payments&limit=1000');
    assert.equal(tags.find(tag => tag['id'] === 'payments')?.['coin_counter'], rows.length);
  });

  it('sums the listing up', async () => {
    const global = await paprika.read<Row>('global', PUBLISHED.global);
    const rows = await paprika.rows('ta-cur?limit=1000&incl_cols=market');
    const sum = rows.reduce((total, row) => total + Number(row['market_cap'] ?? 0), 0);
    assert.equal(global['cryptocurrencies_number'], rows.length);
    assert.ok(Math.abs(Number(global['market_cap_usd']) / sum - 1) < 1e-12);
  });
});

describe('a path that does not exist', () => {
  for (const path of ['coins/categories/none', 'simple', 'nothing?x=1', '../other']) {
    it(`${path} has an error in the form of the service, for browsers too`, async () => {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await paprika.missing(path, { accept });
        assert.equal(answer.status, 404);
        assert.match(String(answer.headers['content-type']), /^application\/json/);
        const body = JSON.parse(answer.text);
        assert.deepEqual(Object.keys(body), ['error']);
        assert.match(body.error, /^There is no endpoint at this path\. \S/);
      }
    });
  }
});
