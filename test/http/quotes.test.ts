import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { type BaseInterval, LAST_PERIOD, type ListedInterval, type Period } from '../../src/domain/interval.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import type { Store } from '../../src/store/store.ts';
import { draft } from '../contract/fixtures.ts';
import { EventClient } from '../support/event-client.ts';
import { FINE_NOW, fillFine, putBars, SYMBOLS } from '../support/fine-bars.ts';
import { type Bars, barsAround, thinned } from '../support/oracle/bars.ts';
import { assertExactRow, barsUpTo, INTERVAL_FACTS as FACTS, periodAt } from '../support/oracle/interval-rows.ts';
import { uniform } from '../support/oracle/series.ts';
import { barsInQuote, longerBars } from '../support/quoted-bars.ts';
import { TestService } from '../support/service.ts';
import { assertProblem, type Envelope } from './contract.ts';
import { succeeding } from './mcp-calls.ts';

const [LISTING, HISTORY, BARS] = ['ta-cur', 'ta-hist', 'bars'].map(name => `/v1/crypto/${name}`) as [
  string,
  string,
  string,
];

/** Numbers of the assets. EUR is younger than the assets, rests at weekends and has holes; OLD has ended; DAYS has no hours. */
const FIATS = { EUR: 4, OLD: 5, DAYS: 6 } as const;
const DAY = 86_400_000;

function fiatBars(base: BaseInterval, symbol: keyof typeof FIATS): Bars {
  const random = uniform(FIATS[symbol] + base.length);
  const [start, count, millis] = {
    '1d': ['2019-05-06T00:00Z', symbol === 'OLD' ? 1200 : 2220, DAY],
    '1h': ['2026-01-02T05:00Z', 1690, DAY / 24],
    '1m': ['2026-06-01T01:00Z', 850, DAY / 1440],
  }[base] as [string, number, number];
  let price = 1.1;
  const closes = Array.from({ length: count }, () => (price *= Math.exp((random() - 0.5) * 0.01)));
  const bars = barsAround(closes, random, Date.parse(start) / millis);
  // Days 5 and 6 of each week, and longer than a week once per two years.
  return base === '1d' ? thinned(bars, i => i % 7 < 5 && i % 800 > 19) : thinned(bars, i => i % 300 > 12);
}

async function fill(store: Store): Promise<void> {
  await fillFine(store);
  const fiats = Object.keys(FIATS) as (keyof typeof FIATS)[];
  await store.putAssets(
    fiats.map(symbol =>
      draft(`${symbol.toLowerCase()}-${symbol === 'OLD' ? 'straße' : 'money'}`, { symbol, rank: null, type: 'fiat' }),
    ),
  );
  for (const symbol of fiats) {
    for (const base of symbol === 'EUR' ? (['1d', '1h', '1m'] as const) : (['1d'] as const)) {
      await putBars(store, base, FIATS[symbol], fiatBars(base, symbol));
    }
  }
  await recomputePending(store);
}

let service: TestService;
before(async () => {
  service = await TestService.start({ now: () => FINE_NOW });
  await fill(service.store);
  await service.refresh();
});
after(() => service.close());

const rowsOf = async (path: string) => (await service.get<Envelope>(path)).result;

async function storedBars(asset: number, base: BaseInterval): Promise<Bars> {
  const stored = await service.store.series(base).bars(asset, 0 as Period, LAST_PERIOD as Period);
  const known = (values: Float64Array) => Array.from(values, value => (Number.isNaN(value) ? null : value));
  return {
    day: [...stored.day],
    open: known(stored.open),
    high: known(stored.high),
    low: known(stored.low),
    close: [...stored.close],
    volume: known(stored.volume),
  };
}

const NUMBERS: Readonly<Record<string, number>> = { BTC: 1, GAPPY: 2, BARE: 3, ...FIATS };

async function quotedBars(symbol: string, quote: string, interval: ListedInterval): Promise<Bars> {
  const { base } = FACTS[interval];
  const [own, divisor] = [await storedBars(NUMBERS[symbol]!, base), await storedBars(NUMBERS[quote]!, base)];
  const { millis } = FACTS[base];
  return longerBars(barsInQuote(own, divisor, millis), period => periodAt(interval, period * millis));
}

const ALL_QUOTES = ['EUR', 'BTC', 'GAPPY'] as const;

describe('bars in a quote', () => {
  for (const interval of ['1m', '30m', '1h', '4h', '1d', '1w'] as const) {
    it(`are divided by its closes of the base, then joined: ${interval}`, async () => {
      for (const quote of ALL_QUOTES) {
        for (const symbol of SYMBOLS) {
          const rows = await rowsOf(
            `${BARS}?symbol=${symbol}&interval=${interval}&quote=${quote}&order=asc&limit=10000`,
          );
          const { day, ...numbers } = await quotedBars(symbol, quote, interval);
          assert.ok(day.length > 5);
          assert.deepEqual(
            rows.map(row => periodAt(interval, Date.parse(String(row['datetimeUTC'])))),
            day,
          );
          for (const [name, values] of Object.entries(numbers)) {
            assert.deepEqual(
              rows.map(row => row[name]),
              values,
              `${name} of ${symbol} in ${quote}`,
            );
          }
        }
      }
    });
  }
});

describe('every column in a quote equals exact arithmetic from converted closes to 1e-12, by', () => {
  for (const interval of ['1d', '1w', '4h'] as const) {
    it(interval, async () => {
      for (const quote of interval === '1d' ? ALL_QUOTES : (['EUR'] as const)) {
        const benchmark = await quotedBars('BTC', quote, interval);
        for (const symbol of ['GAPPY', 'BARE'] as const) {
          const bars = await quotedBars(symbol, quote, interval);
          const path = `${HISTORY}?symbol=${symbol}&interval=${interval}&quote=${quote}&order=asc&limit=10000&incl_cols=all`;
          const rows = await rowsOf(path);
          assert.equal(rows.length, bars.day.at(-1)! - bars.day[0]! + 1);
          for (const at of [0, 60, rows.length - 1]) {
            const known = barsUpTo(bars, bars.day[0]! + at);
            assertExactRow(rows[at]!, interval, known, benchmark, `${symbol} in ${quote}`);
          }
        }
      }
    });
  }
});

describe('the listing in a quote', () => {
  it('as of 60 random moments has the rows of the histories, bit for bit', async () => {
    const random = uniform(11);
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    let rows = 0;
    for (let i = 0; i < 60; i++) {
      const interval = pick(['1d', '1d', '1d', '1w', '1h', '4h', '5m'] as const);
      const [from, to] = {
        '1m': ['2026-06-01T01:30Z', '2026-06-01T16:00Z'],
        '1h': ['2026-01-03T00:00Z', '2026-03-13T00:00Z'],
        '1d': ['2018-03-01T00:00Z', '2025-05-20T00:00Z'],
      }[FACTS[interval].base] as [string, string];
      const at = new Date(Date.parse(from) + random() * (Date.parse(to) - Date.parse(from))).toISOString();
      const query = `interval=${interval}&quote=${pick(ALL_QUOTES)}${random() < 0.5 ? '&incl_cols=all' : ''}`;
      const listed = await rowsOf(`${LISTING}?${query}&as_of=${at}`);
      for (const row of listed) {
        const time = String(row['datetimeUTC']);
        assert.ok(time <= at);
        const path = `${HISTORY}?symbol=${row['symbol']}&${query}&from=${time}&to=${time}`;
        assert.deepEqual(await rowsOf(path), [row], `${query} ${at}`);
        rows++;
      }
    }
    assert.ok(rows > 100, `${rows} rows`);
  });

  it('has no rows before the quote begins, and none that a close of more than a week ago was carried into', async () => {
    assert.deepEqual(await rowsOf(`${LISTING}?quote=EUR&as_of=2019-05-05`), []);
    // An asset without a bar of its own since then has none in the quote.
    const [first, ...others] = await rowsOf(`${LISTING}?quote=EUR&as_of=2019-05-06`);
    assert.deepEqual([first!['symbol'], first!['var20'], others], ['BTC', 0, []]);
    // The first 20 of every 800 days have no close of EUR: the rows end a week into them.
    const last = new Date(Date.parse('2019-05-06T00:00Z') + 799 * DAY);
    const week = new Date(last.getTime() + 7 * DAY).toISOString();
    const rows = await rowsOf(`${LISTING}?quote=EUR&as_of=${new Date(last.getTime() + 12 * DAY).toISOString()}`);
    assert.ok(rows.length > 0);
    for (const row of rows) assert.ok(String(row['datetimeUTC']) <= week, `${row['datetimeUTC']} ${week}`);
  });

  it('ends with a quote that is no longer traded: its rows are of the days up to a week after its last close', async () => {
    const closes = fiatBars('1d', 'OLD').day;
    const rows = await rowsOf(`${LISTING}?quote=OLD`);
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.ok(periodAt('1d', Date.parse(String(row['datetimeUTC']))) <= closes.at(-1)! + 7);
    }
    assert.ok(rows.every(row => String(row['datetimeUTC']) < '2023'));
  });

  it('of an asset in itself is 1, without changes and variance', async () => {
    for (const query of ['', '&as_of=2024-05-05', '&interval=1w', '&interval=4h']) {
      const [row] = await rowsOf(`${LISTING}?symbol=GAPPY&quote=GAPPY${query}&incl_cols=ath,mdd30,turnover,volume`);
      for (const [name, value] of Object.entries(row!)) {
        if (/^(?:price|sma|ath)/.test(name)) assert.equal(value, 1, name);
        else if (/^(?:change|var|vol\d)/.test(name)) assert.equal(value, 0, name);
      }
      assert.equal(row!['turnover'], row!['volume']);
    }
  });

  it('takes an id whose upper case has other letters', async () => {
    const ids = ['old-straße', 'OLD-STRAßE'].map(encodeURIComponent);
    const [ticker, lower, upper] = await Promise.all(['OLD', ...ids].map(q => rowsOf(`${LISTING}?quote=${q}`)));
    assert.ok(ticker!.length > 0);
    assert.deepEqual([lower, upper], [ticker, ticker]);
  });

  it('takes names in any case, ids, and lists no fiat currency anywhere', async () => {
    const [upper, lower, id] = await Promise.all(['EUR', 'eur', 'EUR-money'].map(q => rowsOf(`${LISTING}?quote=${q}`)));
    assert.deepEqual([lower, id], [upper, upper]);
    assert.deepEqual(
      upper!.map(row => row['symbol']),
      [...SYMBOLS].sort(),
    );
    const names = (await rowsOf('/v1/crypto/assets')).map(row => row['symbol']);
    assert.deepEqual(names.sort(), [...SYMBOLS].sort());
    assert.deepEqual(
      (await rowsOf(`${LISTING}/facets`)).filter(row => row['value'] === 'fiat'),
      [],
    );
    assertProblem(await service.ask(`${BARS}?symbol=EUR`), 404, 'unknown_asset', 'symbol');
    const { quotes } = await service.get<{ quotes: { quote: string; type: string | null }[] }>('/v1/catalog');
    assert.deepEqual(
      quotes.map(({ quote }) => quote),
      ['USD', 'DAYS', 'EUR', 'OLD', ...SYMBOLS],
    );
    assert.deepEqual(
      quotes.filter(({ type }) => type === 'fiat').map(({ quote }) => quote),
      ['USD', 'DAYS', 'EUR', 'OLD'],
    );
  });

  it('in dollars is the one without a quote, with the same tag', async () => {
    for (const path of [
      LISTING,
      `${LISTING}?as_of=2024-01-01`,
      `${HISTORY}?symbol=BTC&limit=5`,
      `${BARS}?symbol=BTC`,
    ]) {
      const joint = path.includes('?') ? '&' : '?';
      const [plain, dollars] = await Promise.all([rowsOf(path), rowsOf(`${path}${joint}quote=usd`)]);
      assert.deepEqual(dollars, plain);
    }
  });

  it('takes filters, lags, statistics and inactive assets, all of converted prices', async () => {
    const query = `${LISTING}?quote=BTC&sort=symbol&order=asc`;
    const rows = await rowsOf(query);
    const most = Math.max(...rows.map(row => Number(row['price'])));
    assert.deepEqual(
      (await rowsOf(`${query}&price=${most}:`)).map(row => row['price']),
      [most],
    );
    const [statistics] = await rowsOf(`${LISTING}/stats?quote=BTC&cols=price`);
    assert.equal(statistics!['max'], most);
    for (const row of await rowsOf(`${query}&calc=before:lag(price,3)`)) {
      const time = Date.parse(String(row['datetimeUTC'])) - 3 * DAY;
      const day = new Date(time).toISOString().slice(0, 10);
      const [earlier] = await rowsOf(`${HISTORY}?symbol=${row['symbol']}&quote=BTC&from=${day}&to=${day}`);
      assert.equal(row['before'], earlier!['price']);
    }
    assert.deepEqual(await rowsOf(`${query}&inactive=true`), rows);
  });

  it('names the unit in metadata and in Arrow, and nothing else changes its name', async () => {
    const query = 'quote=eur&meta=true&incl_cols=market_cap,rsi14,turnover30';
    const { metadata } = await service.get<Envelope>(`${LISTING}?${query}`);
    const units = (names: string[]) => names.map(name => metadata?.[name]?.['unit']);
    assert.deepEqual(units(['price', 'var20', 'change1', 'market_cap', 'rsi14', 'turnover30', 'vol30']), [
      ...['EUR', 'EUR²', 'percent', 'EUR', 'percent', 'EUR', 'percent per year'],
    ]);
    const arrow = tableFromIPC((await service.ask(`${LISTING}?${query}&format=arrow`)).body);
    const fields = new Map(arrow.schema.fields.map(field => [field.name, field.metadata.get('unit')]));
    assert.deepEqual(
      [fields.get('price'), fields.get('var20'), fields.get('vol30')],
      ['EUR', 'EUR²', 'percent per year'],
    );
    const [plain, quoted] = await Promise.all(
      ['', '&quote=EUR'].map(async each => (await service.ask(`${LISTING}?format=csv${each}`)).text.split('\n')[0]),
    );
    assert.equal(quoted, plain);
  });

  it('is not changed by what is loaded and not published, of the quote and of an asset', async () => {
    const other = await TestService.start({ now: () => FINE_NOW });
    try {
      await fill(other.store);
      await other.refresh();
      const paths = [
        `${LISTING}?quote=EUR&incl_cols=all`,
        `${LISTING}?quote=EUR&as_of=2024-03-03`,
        `${LISTING}?quote=EUR&calc=a:lag(price,2)`,
        `${HISTORY}?symbol=GAPPY&quote=EUR&limit=50&incl_cols=all`,
        `${BARS}?symbol=GAPPY&quote=EUR`,
      ];
      const read = async () => Promise.all(paths.map(async path => (await other.get<Envelope>(path)).result));
      const before = await read();
      const last = fiatBars('1d', 'EUR').day.at(-1)!;
      const bar = { open: [1], high: [3], low: [1], close: [2], volume: [1] };
      await putBars(other.store, '1d', FIATS.EUR, { day: [last], ...bar });
      await putBars(other.store, '1d', 2, { day: [last - 1], ...bar });
      // Numbers of a replaced bar besides its close are gone.
      const comparable = (rows: readonly Record<string, unknown>[][]) => rows.slice(1, 3);
      assert.deepEqual(comparable((await read()) as never), comparable(before as never));
      await recomputePending(other.store);
      await other.refresh();
      const [now] = await read();
      assert.notDeepEqual(now, before[0]);
    } finally {
      await other.close();
    }
  });
});

describe('other endpoints in a quote', () => {
  it('closes: those of the bars, carried forward', async () => {
    for (const [interval, at] of [
      ['1d', ''],
      ['1w', ''],
      ['4h', ''],
      ['1d', '&as_of=2021-07-10'],
    ] as const) {
      const { quote, result } = await service.get<{
        quote: string;
        result: { symbol: string; closes: number[]; last_day: string }[];
      }>(`/v1/crypto/closes?symbol=BTC,GAPPY&interval=${interval}&quote=EUR&days=30${at}`);
      assert.equal(quote, 'EUR');
      assert.equal(result.length, 2);
      for (const { symbol, closes, last_day: day } of result) {
        const rows = await rowsOf(
          `${HISTORY}?symbol=${symbol}&interval=${interval}&quote=EUR&limit=30${at === '' ? '' : `&to=${day}`}`,
        );
        assert.deepEqual(closes, rows.map(row => row['price']).reverse());
      }
    }
  });

  it('explain: the number of the listing, digit for digit, with its unit', async () => {
    const [row] = await rowsOf(`${LISTING}?symbol=BARE&quote=EUR&incl_cols=all`);
    for (const [column, unit] of [
      ['price', 'EUR'],
      ['var50', 'EUR²'],
      ['vol30', 'percent per year'],
      ['beta90', null],
      ['rsi14', 'percent'],
      ['ath', 'EUR'],
    ] as const) {
      const found = await service.get<Record<string, unknown>>(`/v1/crypto/explain/BARE/${column}?quote=eur`);
      assert.deepEqual([found['value'], found['unit'], found['quote']], [row![column], unit, 'EUR']);
      const error = found['relative_error'];
      assert.ok(error === null || Number(error) <= 1e-12, `${column} ${error}`);
    }
  });

  it('explain: an asset without a close in the quote has closes in dollars, which the error does not deny', async () => {
    const found = await service.ask('/v1/crypto/explain/BTC/price?quote=EUR&as_of=2019-05-05');
    assertProblem(found, 404, 'no_close');
    const { detail, hint } = found.json<{ detail: string; hint: string }>();
    assert.match(detail, /^\S+ has no close in EUR on 2019-05-05 or before it\.$/);
    assert.match(hint, /^Its first close is of \d{4}-\d\d-\d\d\. That of eur-money is of 2019-05-06\.$/);
  });

  it('tools: the unit of each column is that of the quote, by its ticker', async () => {
    for (const quote of ['eur', 'EUR-MONEY']) {
      const rows = await succeeding(service, 'screen_assets', { quote, columns: ['price', 'var20', 'change1'] });
      assert.match(rows, /Prices in EUR\./);
      assert.match(rows, /^symbol,price EUR,var20 EUR²,change1 %/m);
      const days = await succeeding(service, 'get_history', { asset: 'BTC', quote, columns: ['sma20'], limit: 2 });
      assert.match(days, /Prices in EUR\./);
      assert.match(days, /^day,sma20 EUR$/m);
    }
    assert.match(await succeeding(service, 'screen_assets', { columns: ['price'] }), /^symbol,price USD/m);
  });

  it('streams: first the rows in the quote, then changes of them', async () => {
    const other = await TestService.start({ now: () => FINE_NOW });
    try {
      await fill(other.store);
      await other.refresh();
      const stream = await EventClient.open(`${other.url}${LISTING}?quote=EUR&format=sse`);
      try {
        const first = await stream.next();
        const rows = (await other.get<Envelope>(`${LISTING}?quote=EUR`)).result;
        assert.deepEqual(JSON.parse(first.data).result, rows);
        await putBars(other.store, '1d', FIATS.EUR, {
          ...{ day: [Date.parse('2026-06-01') / DAY], open: [1], high: [9], low: [1], close: [7], volume: [1] },
        });
        await recomputePending(other.store);
        await other.refresh();
        const { changed } = JSON.parse((await stream.next()).data);
        const now = (await other.get<Envelope>(`${LISTING}?quote=EUR`)).result;
        assert.deepEqual(
          changed.map((row: Record<string, unknown>) => [row['symbol'], row['price']]).sort(),
          now.map(row => [row['symbol'], row['price']]).sort(),
        );
      } finally {
        stream.close();
      }
    } finally {
      await other.close();
    }
  });
});

describe('a wrong quote', () => {
  for (const [path, code, param] of [
    [`${LISTING}?quote=EURO`, 'unknown_quote', 'quote'],
    [`${LISTING}?quote=`, 'invalid_value', 'quote'],
    [`${LISTING}?quote=EUR&quote=BTC`, 'duplicate_parameter', 'quote'],
    [`${LISTING}?quote=DAYS&interval=1h`, 'unknown_quote', 'quote'],
    [`${LISTING}/stats?quote=XYZ`, 'unknown_quote', 'quote'],
    [`${LISTING}/facets?quote=XYZ`, 'unknown_quote', 'quote'],
    [`${HISTORY}?symbol=BTC&quote=XYZ`, 'unknown_quote', 'quote'],
    [`${HISTORY}?symbol=BTC&quote=DAYS&interval=4h`, 'unknown_quote', 'quote'],
    [`${BARS}?symbol=BTC&quote=XYZ`, 'unknown_quote', 'quote'],
    ['/v1/crypto/closes?symbol=BTC&quote=XYZ', 'unknown_quote', 'quote'],
    ['/v1/crypto/explain/BTC/price?quote=XYZ', 'unknown_quote', 'quote'],
    ['/v1/crypto/explain/BTC/price?quote=DAYS&interval=1h', 'unknown_quote', 'quote'],
    [`${BARS}?symbol=BTC&quote=EUR&source=csv`, 'conflicting_parameters', 'quote'],
    ['/v1/crypto/assets?quote=EUR', 'unknown_parameter', 'quote'],
    [`${LISTING}?vs_currency=eur`, 'unknown_parameter', 'vs_currency'],
    [`${LISTING}?quote=XYZ&format=sse`, 'unknown_quote', 'quote'],
  ] as const) {
    it(`is refused: ${path}`, async () => {
      assertProblem(await service.ask(path), 400, code, param);
    });
  }

  it('gets the nearest names and what is taken', async () => {
    const { hint, candidates } = (await service.ask(`${LISTING}?quote=EURO`)).json<{
      hint: string;
      candidates: string[];
    }>();
    assert.match(hint, /Did you mean EUR\?/);
    assert.ok(candidates.includes('EUR') && candidates.includes('USD'));
  });
});
