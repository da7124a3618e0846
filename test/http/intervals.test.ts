import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { type Interval, LAST_PERIOD, type ListedInterval, type Period } from '../../src/domain/interval.ts';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { draft } from '../contract/fixtures.ts';
import { duckRows } from '../support/duckdb.ts';
import { EventClient } from '../support/event-client.ts';
import { FINE_NOW, fillFine, putBars, SYMBOLS } from '../support/fine-bars.ts';
import type { Bars } from '../support/oracle/bars.ts';
import { assertExactRow, barsUpTo, INTERVAL_FACTS as FACTS, periodOfRow } from '../support/oracle/interval-rows.ts';
import { uniform } from '../support/oracle/series.ts';
import { TestService } from '../support/service.ts';
import { assertProblem, type Envelope, type Row } from './contract.ts';

const [LISTING, HISTORY, BARS] = ['ta-cur', 'ta-hist', 'bars'].map(name => `/v1/crypto/${name}`) as [
  string,
  string,
  string,
];

let service: TestService;
before(async () => {
  service = await TestService.start({ now: () => FINE_NOW });
  await fillFine(service.store);
  await service.refresh();
});
after(() => service.close());

const rowsOf = async (path: string) => (await service.get<Envelope>(path)).result;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-intervals-'));
after(() => rmSync(folder, { recursive: true }));

interface BarRow {
  readonly datetimeUTC: string;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number;
  readonly volume: number | null;
}

/** DuckDB's aggregation of the stored bars of the base. */
async function aggregated(asset: number, interval: Interval): Promise<BarRow[]> {
  const base = interval === '1mo' ? '1d' : FACTS[interval].base;
  const stored = await service.store.series(base).bars(asset, 0 as Period, LAST_PERIOD as Period);
  const cell = (value: number) => (Number.isNaN(value) ? '' : String(value));
  const lines = Array.from(stored.day, (period, i) =>
    [
      period * FACTS[base].millis,
      ...(['open', 'high', 'low', 'close', 'volume'] as const).map(name => cell(stored[name][i]!)),
    ].join(),
  );
  const file = join(folder, `${asset}-${base}.csv`);
  writeFileSync(file, ['t,open,high,low,close,volume', ...lines].join('\n'));
  const bucket =
    interval === '1w' || interval === '1mo'
      ? `epoch_ms(date_trunc('${interval === '1w' ? 'week' : 'month'}', make_timestamp(t * 1000)))`
      : `t - t % ${FACTS[interval].millis}`;
  const all = (name: string, figure: string) =>
    `CASE WHEN count(${name}) = count(*) THEN ${figure}(${name}) END AS ${name}`;
  const found = await duckRows(
    `SELECT ${bucket} AS bucket, first(open ORDER BY t) AS open, ${all('high', 'max')}, ${all('low', 'min')},
     last(close ORDER BY t) AS close, ${all('volume', 'sum')}
     FROM read_csv('${file}', columns = {t: 'BIGINT', open: 'DOUBLE', high: 'DOUBLE', low: 'DOUBLE', close: 'DOUBLE', volume: 'DOUBLE'})
     GROUP BY bucket ORDER BY bucket`,
  );
  return found.map(({ bucket: start, ...numbers }) => ({
    datetimeUTC: new Date(Number(start)).toISOString(),
    ...(numbers as Omit<BarRow, 'datetimeUTC'>),
  }));
}

describe('the bars of every interval', () => {
  for (const interval of ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w', '1mo'] as const) {
    it(`are what DuckDB makes of the stored ones, by ${interval}`, async () => {
      for (const [i, symbol] of SYMBOLS.entries()) {
        const rows = await rowsOf(`${BARS}?symbol=${symbol}&interval=${interval}&order=asc&limit=10000`);
        assert.ok(rows.length > 5);
        assert.deepEqual(rows, await aggregated(i + 1, interval));
      }
    });
  }

  it('are chosen by times, which stand for the period that contains them, and by days', async () => {
    const starts = async (query: string) =>
      (await rowsOf(`${BARS}?symbol=BTC&order=asc&limit=10000&${query}`)).map(row =>
        String(row['datetimeUTC']).slice(0, 16),
      );
    assert.deepEqual(await starts('interval=1h&from=2026-01-02T21:30Z&to=2026-01-02T23:59Z'), [
      '2026-01-02T21:00',
      '2026-01-02T22:00',
      '2026-01-02T23:00',
    ]);
    assert.equal((await starts('interval=1h&from=2026-01-02&to=2026-01-02')).length, 24);
    assert.deepEqual(await starts('interval=1w&from=2020-01-07&to=2020-01-20'), [
      '2020-01-13T00:00',
      '2020-01-20T00:00',
    ]);
    assert.deepEqual(
      await starts(
        `interval=4h&where=${encodeURIComponent("datetimeUTC between '2026-01-02T04:00Z' and '2026-01-02T08:30Z'")}`,
      ),
      ['2026-01-02T04:00', '2026-01-02T08:00'],
    );
    const reversed = await service.ask(`${BARS}?symbol=BTC&interval=1h&from=2026-01-02T10:00Z&to=2026-01-02T08:00Z`);
    assertProblem(reversed, 400, 'invalid_range', 'from');
  });
});

/** As the oracles take them, in periods. */
async function oracleBars(asset: number, interval: ListedInterval): Promise<Bars> {
  const rows = await aggregated(asset, interval);
  return {
    day: rows.map(row => periodOfRow(interval, row.datetimeUTC)),
    open: rows.map(row => row.open),
    high: rows.map(row => row.high),
    low: rows.map(row => row.low),
    close: rows.map(row => row.close),
    volume: rows.map(row => row.volume),
  };
}

describe('every column equals exact arithmetic to 1e-12, by', () => {
  for (const interval of ['1m', '1h', '4h', '1w'] as const) {
    it(interval, async () => {
      const benchmark = await oracleBars(1, interval);
      for (const asset of [2, 3]) {
        const bars = await oracleBars(asset, interval);
        const path = `${HISTORY}?symbol=${SYMBOLS[asset - 1]}&interval=${interval}&order=asc&limit=10000&incl_cols=all`;
        const rows = await rowsOf(path);
        assert.deepEqual(
          [rows.length, rows[0]!['datetimeUTC']],
          [bars.day.at(-1)! - bars.day[0]! + 1, (await aggregated(asset, interval))[0]!.datetimeUTC],
        );
        for (const at of [0, 14, 60, rows.length - 1]) {
          const known = barsUpTo(bars, bars.day[0]! + at);
          assertExactRow(rows[at]!, interval, known, benchmark, SYMBOLS[asset - 1]!);
        }
      }
    });
  }
});

describe('the listing of an interval', () => {
  it('as of 50 random moments has the rows of the histories, bit for bit', async () => {
    const random = uniform(7);
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    let rows = 0;
    for (let i = 0; i < 50; i++) {
      const interval = pick(['1m', '5m', '15m', '1h', '4h', '12h', '1d', '1w'] as const);
      const { base } = FACTS[interval];
      const [from, to] = {
        '1m': ['2026-06-01T00:30Z', '2026-06-01T16:00Z'],
        '1h': ['2026-01-02T00:00Z', '2026-03-13T00:00Z'],
        '1d': ['2018-03-01T00:00Z', '2025-05-20T00:00Z'],
      }[base] as [string, string];
      const at = new Date(Date.parse(from) + random() * (Date.parse(to) - Date.parse(from))).toISOString();
      const optional = random() < 0.5 ? '&incl_cols=all' : '';
      const listed = await rowsOf(`${LISTING}?interval=${interval}&as_of=${at}${optional}`);
      for (const row of listed) {
        const time = String(row['datetimeUTC']);
        assert.ok(time <= at);
        const path = `${HISTORY}?symbol=${row['symbol']}&interval=${interval}&from=${time}&to=${time}${optional}`;
        assert.deepEqual(await rowsOf(path), [row], `${interval} ${at}`);
        rows++;
      }
    }
    assert.ok(rows > 100, `${rows} rows`);
  });

  it('is of the last period of a day', async () => {
    const [day, last] = await Promise.all(
      ['2026-01-20', '2026-01-20T23:59Z'].map(at => rowsOf(`${LISTING}?interval=1h&as_of=${at}`)),
    );
    assert.deepEqual(day, last);
    assert.ok(day!.every(row => String(row['datetimeUTC']) <= '2026-01-20T23:00:00.000Z'));
  });

  it('now is the last row of each history, and what is loaded and not published changes nothing', async () => {
    const current = async () => rowsOf(`${LISTING}?interval=4h&sort=symbol&order=asc`);
    const found = await current();
    assert.deepEqual(
      found.map(row => row['symbol']),
      [...SYMBOLS].sort(),
    );
    for (const row of found) {
      const history = await rowsOf(`${HISTORY}?symbol=${row['symbol']}&interval=4h&limit=1`);
      assert.deepEqual(history, [row]);
    }
    const other = await TestService.start({ now: () => FINE_NOW });
    try {
      await fillFine(other.store);
      await other.refresh();
      const last = (await other.store.series('1h').publishedSpans()).last[0]!;
      const bar = { open: [1], high: [3], low: [1], close: [2], volume: [1] };
      await putBars(other.store, '1h', 1, { day: [last], ...bar });
      await putBars(other.store, '1h', 2, { day: [last + 1], ...bar });
      const pending = (await other.get<Envelope>(`${LISTING}?interval=4h&sort=symbol&order=asc`)).result;
      assert.deepEqual(pending, found);
      await recomputePending(other.store);
      await other.refresh();
      const published = (await other.get<Envelope>(`${LISTING}?interval=4h&sort=symbol&order=asc`)).result;
      assert.deepEqual(
        published.filter(row => row['symbol'] !== 'BARE').map(row => row['price']),
        [2, 2],
      );
    } finally {
      await other.close();
    }
  });

  it('leaves out assets whose latest bar is more than 48 periods older than the newest', async () => {
    const listed = await rowsOf(`${LISTING}?interval=1m&as_of=2026-06-01T00:30Z`);
    assert.deepEqual(listed.map(row => row['symbol']).sort(), [...SYMBOLS].sort());
    const all = await rowsOf(`${LISTING}?interval=1m&inactive=true`);
    assert.equal(all.length, SYMBOLS.length);
  });

  it('takes filters, expressions with lags, statistics and facets', async () => {
    const lagged = await rowsOf(`${LISTING}?interval=1h&calc=before:lag(price,3)&sort=symbol&order=asc`);
    for (const row of lagged) {
      const [, , , earlier] = await rowsOf(`${HISTORY}?symbol=${row['symbol']}&interval=1h&limit=4`);
      assert.equal(row['before'], earlier!['price']);
    }
    const prices = (await rowsOf(`${LISTING}?interval=1h`)).map(row => Number(row['price']));
    const [statistics] = await rowsOf(`${LISTING}/stats?interval=1h&cols=price`);
    assert.equal(statistics!['max'], Math.max(...prices));
    assert.ok((await rowsOf(`${LISTING}/facets?interval=1h`)).length >= 0);
    const selected = await rowsOf(`${LISTING}?interval=1h&price=${Math.max(...prices)}:`);
    assert.deepEqual(
      selected.map(row => row['price']),
      [Math.max(...prices)],
    );
  });

  it('has its times in every format', async () => {
    const query = `${LISTING}?interval=1h&sort=symbol&order=asc&incl_cols=ath_at`;
    const json = await rowsOf(query);
    const times = (rows: readonly Row[]) => rows.map(row => [row['datetimeUTC'], row['ath_at']]);
    const csv = parse((await service.ask(`${query}&format=csv`)).body, { columns: true }) as Row[];
    assert.deepEqual(times(csv), times(json));
    const lines = (await service.ask(`${query}&format=ndjson`)).text.trim().split('\n');
    assert.deepEqual(times(lines.map(line => JSON.parse(line))), times(json));
    const arrow = tableFromIPC((await service.ask(`${query}&format=arrow`)).body);
    const read = (name: string) => Array.from(arrow.getChild(name)!, value => new Date(Number(value)).toISOString());
    assert.deepEqual(
      read('datetimeUTC'),
      json.map(row => row['datetimeUTC']),
    );
    assert.deepEqual(
      read('ath_at'),
      json.map(row => row['ath_at']),
    );
  });

  it('is described in periods and in words', async () => {
    const path = `${LISTING}?interval=4h&meta=true&incl_cols=all&limit=1`;
    const { metadata } = await service.get<{
      metadata: Record<
        string,
        Record<'group' | 'window_text' | 'formula' | 'description', string> & { window?: number }
      >;
    }>(path);
    const { sma50, vol30, history } = metadata;
    assert.deepEqual([sma50!.window, sma50!.window_text], [50, '50 periods of 4 hours']);
    assert.match(vol30!.formula!, /√2190/);
    assert.match(history!.description, /^Periods of 4 hours from the first close/);
    for (const [name, { group, description, formula = '' }] of Object.entries(metadata)) {
      if (group === 'quality') assert.match(description, /; null for other intervals than days/, name);
      else assert.doesNotMatch(`${description} ${formula}`, /\b(?:days?|daily)\b|√365/i, name);
    }
  });
});

describe('a stream of an interval', () => {
  it('has the rows of its listing, and then what each publication changes in them', async () => {
    const other = await TestService.start({ now: () => FINE_NOW });
    await fillFine(other.store);
    await other.refresh();
    const client = await EventClient.open(`${other.url}${LISTING}?interval=1h&sort=symbol&order=asc&format=sse`);
    try {
      const first = await client.data<{ version: number; result: Row[] }>('rows');
      const listing = `${LISTING}?interval=1h&sort=symbol&order=asc`;
      assert.deepEqual(first.result, (await other.get<Envelope>(listing)).result);
      const { last } = await other.store.series('1h').publishedSpans();
      await putBars(other.store, '1h', 1, {
        day: [last[0]! + 1],
        open: [60],
        high: [66],
        low: [60],
        close: [65],
        volume: [9],
      });
      await recomputePending(other.store);
      await other.refresh();
      const changes = await client.data<{ version: number; changed: Row[]; entered: Row[]; left: string[] }>('changes');
      assert.deepEqual(
        [changes.changed.map(row => [row['symbol'], row['price']]), changes.entered, changes.left],
        [[['BTC', 65]], [], []],
      );
      assert.equal(changes.version, await other.store.version());
    } finally {
      client.close();
      await other.close();
    }
  });
});

describe('other answers in an interval', () => {
  it('closes are those of the history', async () => {
    for (const interval of ['1m', '30m', '1h', '12h', '1w'] as const) {
      const path = `/v1/crypto/closes?symbol=GAPPY,BTC&interval=${interval}&days=20`;
      const { result } = await service.get<{ result: { symbol: string; last_at: string; closes: number[] }[] }>(path);
      for (const { symbol, last_at, closes } of result) {
        const rows = await rowsOf(`${HISTORY}?symbol=${symbol}&interval=${interval}&limit=20`);
        assert.deepEqual([last_at, closes], [rows[0]!['datetimeUTC'], rows.map(row => row['price']).reverse()]);
      }
    }
  });

  it('an explanation has the value of the listing and an error of at most 1e-12', async () => {
    const [row] = await rowsOf(`${LISTING}?interval=4h&symbol=GAPPY&incl_cols=all`);
    for (const column of ['sma50', 'vol30', 'sharpe90', 'atr14', 'beta90', 'ath_at', 'turnover30']) {
      const found = await service.get<{
        value: unknown;
        at: string;
        relative_error: number | null;
        inputs: { at: string }[];
      }>(`/v1/crypto/explain/GAPPY/${column}?interval=4h`);
      assert.deepEqual([found.value, found.at], [row![column], row!['datetimeUTC']], column);
      assert.ok((found.relative_error ?? 0) <= 1e-12, column);
      assert.equal(found.inputs[0]!.at, found.at);
    }
    const past = await service.get<{ value: unknown }>(
      '/v1/crypto/explain/GAPPY/sma20?interval=1h&as_of=2026-01-20T10:30Z',
    );
    const [then] = await rowsOf(`${LISTING}?interval=1h&symbol=GAPPY&as_of=2026-01-20T10:30Z`);
    assert.equal(past.value, then!['sma20']);
  });

  it('the catalogue lists the intervals that the store has', async () => {
    const { intervals } = await service.get<{ intervals: { interval: string; first: string; last: string }[] }>(
      '/v1/catalog',
    );
    assert.deepEqual(
      intervals.map(({ interval }) => interval),
      ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1d', '1w', '1mo'],
    );
    assert.deepEqual(intervals[0], {
      interval: '1m',
      first: '2026-06-01T00:00:00.000Z',
      last: '2026-06-01T14:59:00.000Z',
    });
  });

  it('an interval without bars is an error that names those that there are', async () => {
    const daily = await TestService.start({ now: () => FINE_NOW });
    try {
      await daily.store.putAssets([draft('btc-coin', { symbol: 'BTC' })]);
      await putBars(daily.store, '1h', 1, { day: [490_000], open: [1], high: [1], low: [1], close: [1], volume: [1] });
      await recomputePending(daily.store);
      await daily.refresh();
      for (const path of [
        `${LISTING}?interval=5m`,
        `${LISTING}/stats?interval=5m`,
        `${HISTORY}?symbol=BTC&interval=1m`,
        `${BARS}?symbol=BTC&interval=30m`,
        '/v1/crypto/closes?symbol=BTC&interval=1m',
        '/v1/crypto/explain/BTC/price?interval=1m',
      ]) {
        const answer = await daily.ask(path);
        assertProblem(answer, 400, 'unknown_interval', 'interval');
        assert.ok(answer.json<{ candidates: string[] }>().candidates.includes('4h'), path);
      }
    } finally {
      await daily.close();
    }
  });
});
