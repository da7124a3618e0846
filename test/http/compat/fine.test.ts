// Charts in the shapes of other services from a store with minutes and hours. What they must be is computed here from the loaded bars.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BaseInterval } from '../../../src/domain/interval.ts';
import { recomputePending } from '../../../src/publish/publish-pending.ts';
import { draft } from '../../contract/fixtures.ts';
import { TestService } from '../../support/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-06-30T12:02:00Z');

interface Bar {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number;
  readonly volume: number | null;
}

/** Volumes are whole numbers: they add up alike in any order. */
function made(from: string, to: number, step: number): Bar[] {
  const first = Date.parse(from);
  return Array.from({ length: (to - first) / step }, (_, i) => {
    const start = first + i * step;
    const price = (at: number) => 100 + Math.round(2000 * Math.sin(at / (7 * HOUR))) / 100;
    const [open, close] = [price(start), price(start + step)];
    const [high, low] = [Math.max(open, close) + (i % 7), Math.min(open, close) - (i % 5)];
    return { start, open, high, low, close, volume: (start / step) % 1009 };
  });
}

const all = (values: readonly (number | null)[], join: (known: readonly number[]) => number) => {
  const known = values.filter(value => value !== null);
  return known.length === values.length ? join(known) : null;
};
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Bars of `step` milliseconds. */
function longer(bars: readonly Bar[], step: number): Bar[] {
  const groups = Map.groupBy(bars, ({ start }) => start - (start % step));
  return [...groups].map(([start, some]) => ({
    start,
    open: some[0]!.open,
    high: all(
      some.map(({ high }) => high),
      values => Math.max(...values),
    ),
    low: all(
      some.map(({ low }) => low),
      values => Math.min(...values),
    ),
    close: some.at(-1)!.close,
    volume: all(
      some.map(({ volume }) => volume),
      sum,
    ),
  }));
}

const UNKNOWN = Date.parse('2026-06-28T05:17:00Z');
const GAP = { from: Date.parse('2026-06-29T20:03:00Z'), to: Date.parse('2026-06-29T21:40:00Z') };

/** The last minute is in progress. */
const minutes = made('2026-06-28T00:00Z', NOW, MINUTE)
  .filter(({ start }) => start < GAP.from || start >= GAP.to)
  .map(bar => (bar.start === UNKNOWN ? { ...bar, high: null, volume: null } : bar));
const loadedHours = made('2026-03-20T00:00Z', Date.parse('2026-06-28T00:00Z'), HOUR);
const loadedDays = made('2025-04-01T00:00Z', Date.parse('2026-03-20T00:00Z'), DAY);
const hours = [...loadedHours, ...longer(minutes, HOUR)];
const days = [...loadedDays, ...longer(hours, DAY)];
/** Its days reach until now, its minutes do not. */
const oldMinutes = made('2026-06-01T00:00Z', Date.parse('2026-06-02T00:00Z'), MINUTE);
const plainDays = made('2026-01-01T00:00Z', Date.parse('2026-07-01T00:00Z'), DAY);

let service: TestService;
before(async () => {
  service = await TestService.start({ now: () => NOW });
  const { store } = service;
  const put = (base: BaseInterval, step: number, assetNumber: number, bars: readonly Bar[]) => {
    const numbers = (name: Exclude<keyof Bar, 'start'>) => Float64Array.from(bars, bar => bar[name] ?? Number.NaN);
    return store.series(base).putBars({
      count: bars.length,
      assetNumber: new Uint32Array(bars.length).fill(assetNumber),
      day: Int32Array.from(bars, ({ start }) => start / step),
      ...{ open: numbers('open'), high: numbers('high'), low: numbers('low') },
      ...{ close: numbers('close'), volume: numbers('volume') },
    });
  };
  await store.putAssets(['one-fine', 'two-days', 'three-old'].map((id, i) => draft(id, { rank: i + 1 })));
  const numberOf = new Map((await store.assets()).map(({ id, assetNumber }) => [id, assetNumber]));
  const [fine, plain, old] = ['one-fine', 'two-days', 'three-old'].map(id => numberOf.get(id)!) as [
    number,
    number,
    number,
  ];
  await put('1d', DAY, fine, loadedDays);
  await put('1h', HOUR, fine, loadedHours);
  await put('1m', MINUTE, fine, minutes);
  for (const asset of [plain, old]) await put('1d', DAY, asset, plainDays);
  await put('1m', MINUTE, old, oldMinutes);
  await recomputePending(store);
  await service.refresh();
});
after(() => service.close());

const endOf = ({ start }: Bar, step: number) => Math.min(start + step, NOW);
const ends = (bars: readonly Bar[], step: number, from: number, to = NOW) =>
  bars.filter(bar => endOf(bar, step) >= from && endOf(bar, step) <= to);
const points = (bars: readonly Bar[], step: number) => bars.map(bar => [endOf(bar, step), bar.close]);

/** Volume of the 24 hours before the end of a bar, times its close. */
function turnover24h(bars: readonly Bar[], bar: Bar, step: number): number | null {
  const end = bar.start + step;
  if (bars[0]!.start > end - DAY) return null;
  const some = bars.filter(({ start }) => start >= end - DAY && start < end);
  const volume = all(
    some.map(each => each.volume),
    sum,
  );
  return volume === null ? null : volume * bar.close;
}

type Chart = Readonly<
  Record<'prices' | 'market_caps' | 'total_volumes', readonly (readonly [number, number | null])[]>
>;

describe("CoinGecko's charts of minutes and hours", () => {
  const chart = (query: string, id = 'one-fine') =>
    service.get<Chart>(`/coingecko/api/v3/coins/${id}/market_chart${query}`.replace('?', '?vs_currency=usd&'));
  const fives = longer(minutes, 5 * MINUTE);

  it('have 5 minutes over the past day, with the volume of 24 hours', async () => {
    const { prices, total_volumes: volumes } = await chart('?days=1');
    const shown = ends(fives, 5 * MINUTE, NOW - DAY);
    assert.deepEqual(prices, points(shown, 5 * MINUTE));
    assert.deepEqual(
      volumes.map(([, value]) => value),
      shown.map(bar => turnover24h(fives, bar, 5 * MINUTE)),
    );
    assert.ok(volumes.every(([, value]) => value !== null));
    // The period in progress.
    assert.equal(prices.at(-1)?.[0], NOW);
  });

  it('have no volume for 24 hours with an unknown one, and at the start of the bars', async () => {
    const { total_volumes: volumes } = await chart('?days=3&interval=5m');
    const expected = fives.map(bar => turnover24h(fives, bar, 5 * MINUTE));
    assert.deepEqual(
      volumes.map(([, value]) => value),
      expected,
    );
    assert.equal(volumes.filter(([, value]) => value === null).length, (29 * 60 + 15) / 5);
  });

  it('have hours up to 90 days, and days above', async () => {
    for (const days of [2, 30, 90]) {
      assert.deepEqual((await chart(`?days=${days}`)).prices, points(ends(hours, HOUR, NOW - days * DAY), HOUR));
    }
    assert.deepEqual((await chart('?days=91')).prices, points(ends(days, DAY, NOW - 91 * DAY), DAY));
    assert.deepEqual((await chart('?days=max')).prices, points(days, DAY));
  });

  it('have the interval that is asked for', async () => {
    assert.deepEqual((await chart('?days=1&interval=daily')).prices, points(ends(days, DAY, NOW - DAY), DAY));
    assert.deepEqual((await chart('?days=1&interval=hourly')).prices, points(ends(hours, HOUR, NOW - DAY), HOUR));
    assert.deepEqual((await chart('?days=max&interval=hourly')).prices, points(hours, HOUR));
    assert.deepEqual((await chart('?days=7&interval=5m')).prices, points(fives, 5 * MINUTE));
  });

  it('have 5 minutes between two times only if they end now', async () => {
    const range = (from: number, to: number, more = '') => chart(`/range?from=${from / 1000}&to=${to / 1000}${more}`);
    assert.deepEqual(
      (await range(NOW - DAY - MINUTE, NOW - MINUTE)).prices,
      points(ends(fives, 5 * MINUTE, NOW - DAY - MINUTE, NOW - MINUTE), 5 * MINUTE),
    );
    const [from, to] = [NOW - 40 * DAY, NOW - 39 * DAY];
    assert.deepEqual((await range(from, to)).prices, points(ends(hours, HOUR, from, to), HOUR));
    const early = [NOW - 200 * DAY, NOW - 190 * DAY] as const;
    assert.deepEqual((await range(...early)).prices, points(ends(days, DAY, ...early), DAY));
    assert.deepEqual((await range(...early, '&interval=hourly')).prices, []);
  });

  it('have days if the coin has no bars so short over the span', async () => {
    const expected = points(ends(plainDays, DAY, NOW - 7 * DAY), DAY);
    for (const id of ['two-days', 'three-old']) {
      assert.deepEqual((await chart('?days=7', id)).prices, expected);
      assert.deepEqual((await chart('?days=1', id)).prices, expected.slice(-2));
    }
    assert.deepEqual((await chart('?days=7&interval=5m', 'two-days')).prices, []);
    const first = oldMinutes[0]!.start;
    const shown = await chart(`/range?from=${first / 1000}&to=${(first + DAY) / 1000}`, 'three-old');
    assert.deepEqual(shown.prices, points(longer(oldMinutes, HOUR), HOUR));
  });

  it('have candles of 30 minutes, 4 hours and 4 days', async () => {
    const candles = (query: string, id = 'one-fine') =>
      service.get<unknown>(`/coingecko/api/v3/coins/${id}/ohlc?vs_currency=usd&${query}`);
    const expected = (bars: readonly Bar[], step: number, days: number) =>
      ends(longer(bars, step), step, NOW - days * DAY).map(bar => [
        ...[endOf(bar, step), bar.open, bar.high, bar.low, bar.close],
      ]);
    assert.deepEqual(await candles('days=1'), expected(minutes, 30 * MINUTE, 1));
    for (const days of [7, 14, 30]) {
      assert.deepEqual(await candles(`days=${days}`), expected(hours, 4 * HOUR, days));
    }
    for (const wanted of [90, 180, 365]) {
      assert.deepEqual(await candles(`days=${wanted}`), expected(days, 4 * DAY, wanted));
    }
    assert.deepEqual(await candles('days=90&interval=daily'), expected(days, DAY, 90));
    assert.deepEqual(await candles('days=30&interval=hourly'), expected(hours, HOUR, 30));
    assert.deepEqual(await candles('days=7', 'two-days'), expected(plainDays, DAY, 7));
  });

  it('are not sent again within their interval', async () => {
    const path = '/coingecko/api/v3/coins/one-fine/market_chart?vs_currency=usd&days=1';
    const { headers } = await service.ask(path);
    const again = await service.ask(path, { headers: { 'if-none-match': String(headers['etag']) } });
    assert.equal(again.status, 304);
  });
});

describe("CoinPaprika's histories of minutes and hours", () => {
  const text = (millis: number) => new Date(millis).toISOString().replace('.000Z', 'Z');
  const ticks = (query: string) =>
    service.get<Record<string, unknown>[]>(`/coinpaprika/v1/tickers/one-fine/historical?${query}`);
  const from = Date.parse('2026-06-29T11:50:00Z');

  for (const [interval, bars, step, every] of [
    ['5m', longer(minutes, 5 * MINUTE), 5 * MINUTE, 5 * MINUTE],
    ['10m', longer(minutes, 5 * MINUTE), 5 * MINUTE, 10 * MINUTE],
    ['45m', longer(minutes, 15 * MINUTE), 15 * MINUTE, 45 * MINUTE],
    ['1h', hours, HOUR, HOUR],
    ['3h', hours, HOUR, 3 * HOUR],
    ['4h', longer(hours, 4 * HOUR), 4 * HOUR, 4 * HOUR],
    ['6h', hours, HOUR, 6 * HOUR],
    ['12h', longer(hours, 12 * HOUR), 12 * HOUR, 12 * HOUR],
    ['1d', days, DAY, DAY],
  ] as const) {
    it(`have ticks of ${interval}`, async () => {
      const found = await ticks(`start=${from / 1000}&interval=${interval}&limit=5000`);
      const first = Math.ceil(from / step) * step;
      const chosen = bars.filter(({ start }) => start >= first && (start - first) % every === 0);
      assert.ok(chosen.length > 0);
      assert.deepEqual(
        found.map(tick => [tick['timestamp'], tick['price'], tick['volume_24h']]),
        chosen.map(bar => [text(bar.start), bar.close, turnover24h(bars, bar, step)]),
      );
    });
  }

  for (const [interval, bars, step] of [
    ['5m', minutes, 5 * MINUTE],
    ['30m', minutes, 30 * MINUTE],
    ['1h', hours, HOUR],
    ['6h', hours, 6 * HOUR],
    ['12h', hours, 12 * HOUR],
    ['24h', days, DAY],
  ] as const) {
    it(`have candles of ${interval}`, async () => {
      const path = `/coinpaprika/v1/coins/one-fine/ohlcv/historical?start=2026-06-27T03:00:00Z&interval=${interval}`;
      const found = await service.get<Record<string, unknown>[]>(`${path}&end=2026-06-29T23:59:59Z`);
      const [first, last] = [Date.parse('2026-06-27T03:00:00Z'), Date.parse('2026-06-29T23:59:59Z')];
      const expected = longer(bars, step).filter(({ start }) => start >= first && start <= last);
      assert.deepEqual(
        found.map(({ market_cap: _, ...candle }) => candle),
        expected.slice(0, 366).map(({ start, open, high, low, close, volume }) => ({
          ...{ time_open: text(start), time_close: text(start + step - 1000), open, high, low, close },
          volume: volume === null ? null : volume * close,
        })),
      );
    });
  }
});

describe('UDF with minutes and hours', () => {
  const STEPS = { 1: MINUTE, 5: 5 * MINUTE, 15: 15 * MINUTE, 30: 30 * MINUTE, 60: HOUR, 240: 4 * HOUR, 720: 12 * HOUR };
  const INTRADAY = ['1', '5', '15', '30', '60', '240', '720'];
  const get = <T>(path: string) => service.get<T>(`/v1/crypto/udf/${path}`);

  it('states what the store has, and what the asset has', async () => {
    const { supported_resolutions: offered } = await get<{ supported_resolutions: string[] }>('config');
    assert.deepEqual(offered, [...INTRADAY, '1D', '1W', '1M']);
    for (const [symbol, intraday, status] of [
      ['one-fine', INTRADAY, 'delayed_streaming'],
      ['two-days', [], 'endofday'],
    ] as const) {
      const found = await get<Record<string, unknown>>(`symbols?symbol=${symbol}`);
      assert.deepEqual(
        ['has_intraday', 'intraday_multipliers', 'supported_resolutions', 'data_status'].map(name => found[name]),
        [intraday.length > 0, intraday, [...intraday, '1D', '1W', '1M'], status],
      );
    }
  });

  for (const [resolution, step] of Object.entries(STEPS)) {
    it(`has the bars of ${resolution} with their starts`, async () => {
      const bars = longer(step < HOUR ? minutes : hours, step);
      const [from, to] = [Date.parse('2026-06-27T12:00:00Z'), Date.parse('2026-06-29T22:00:00Z')];
      const query = `history?symbol=one-fine&resolution=${resolution}`;
      const found = await get<object>(`${query}&from=${from / 1000}&to=${to / 1000}`);
      const shown = bars.filter(({ start }) => start >= from && start < to);
      const high = ({ open, high: known, close }: Bar) => known ?? Math.max(open!, close);
      assert.deepEqual(found, {
        s: 'ok',
        t: shown.map(({ start }) => start / 1000),
        o: shown.map(({ open }) => open),
        h: shown.map(high),
        l: shown.map(({ low }) => low),
        c: shown.map(({ close }) => close),
        v: shown.map(({ volume }) => volume),
      });
      const latest = await get<{ t: number[] }>(`${query}&countback=7&to=${NOW / 1000}`);
      assert.deepEqual(
        latest.t,
        bars.slice(-7).map(({ start }) => start / 1000),
      );
    });
  }

  it('has no data of an asset without bars so short', async () => {
    const path = `history?symbol=two-days&resolution=5&from=0&to=${NOW / 1000}`;
    assert.deepEqual(await get(path), { s: 'no_data' });
  });

  it('refuses another resolution', async () => {
    for (const resolution of ['2', '', '1H', '60D']) {
      const { status, text } = await service.ask(
        `/v1/crypto/udf/history?symbol=one-fine&resolution=${resolution}&from=0&to=1`,
      );
      assert.equal(status, 400);
      assert.match(text, /resolution/);
    }
  });
});
