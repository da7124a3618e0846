// All rows of a view against the bars that were loaded: their periods and prices, and some rows column by column in exact arithmetic.

import assert from 'node:assert/strict';
import { INDICATORS, OPTIONAL_COMPUTED } from '../../src/domain/catalogue.ts';
import type { Chance } from '../contract/query/chance.ts';
import type { Bars } from '../support/oracle/bars.ts';
import { exactValue, type Fraction, relativeError } from '../support/oracle/exact.ts';
import { barsUpTo, denseCloses } from '../support/oracle/interval-rows.ts';
import { exactOptional } from '../support/oracle/optional.ts';
import { benchmarkOf, listedAssets, quoteOf, untilOf } from './listed-assets.ts';
import type { AgreeAsset, AgreeMarket } from './market.ts';
import { DAY, type Interval, millisOf, periodOf } from './periods.ts';
import { intervalOf, type Row, type View } from './requests.ts';
import { viewBars } from './view-bars.ts';

/** Rows per view that are computed in exact arithmetic, which takes a fraction of a second per row. */
const COMPUTED = 2;
const MOST_ERROR = 1e-12;

/** `chosen` decides which rows are computed. */
export function assertExact(market: AgreeMarket, view: View, rows: readonly Row[], chosen: Chance): void {
  const [interval, quote] = [intervalOf(view), quoteOf(market, view)];
  const barsOf = ({ bars }: AgreeAsset) => viewBars(bars, quote, interval);
  const what = `in ${JSON.stringify(view)}`;
  if (view.dataset === 'assets') return;
  if (view.dataset === 'ta-cur') {
    const until = untilOf(view);
    const listed = listedAssets(market, view).map(asset => {
      const bars = barsOf(asset);
      return { symbol: asset.symbol, bars, last: bars.day.findLast(period => period <= until)! }; // a listed one has a bar
    });
    const line = (symbol: unknown, period: number, price: unknown) => `${symbol} ${period} ${price}`;
    assert.deepEqual(
      rows.map(row => line(row['symbol'], periodIn(interval, row), row['price'])).sort(),
      listed.map(({ symbol, bars, last }) => line(symbol, last, bars.close[bars.day.indexOf(last)])).sort(),
      `the assets ${what}`,
    );
    for (const { symbol, bars, last } of chosen.shuffled(listed).slice(0, COMPUTED)) {
      const row = rows.find(each => each['symbol'] === symbol)!; // as asserted
      assertRow(market, view, row, barsUpTo(bars, last), `of ${symbol} ${what}`);
    }
    return;
  }
  const bars = barsOf(market.assets.find(({ id }) => id === view.id)!);
  const oldestFirst = rows.toSorted((a, b) => periodIn(interval, a) - periodIn(interval, b));
  const periods = oldestFirst.map(row => periodIn(interval, row));
  if (view.dataset === 'bars') {
    assert.deepEqual(periods, bars.day, `the periods ${what}`);
    for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
      assert.deepEqual(
        oldestFirst.map(row => row[name]),
        bars[name],
        `${name} ${what}`,
      );
    }
    return;
  }
  const closes = denseCloses(bars);
  const first = bars.day[0] ?? 0;
  assert.deepEqual(
    periods,
    closes.map((_, i) => first + i),
    `the periods ${what}`,
  );
  assert.deepEqual(
    oldestFirst.map(row => row['price']),
    closes,
    `the prices ${what}`,
  );
  for (const row of chosen.shuffled(oldestFirst).slice(0, COMPUTED)) {
    assertRow(market, view, row, barsUpTo(bars, periodIn(interval, row)), `of ${row['datetimeUTC']} ${what}`);
  }
}

function periodIn(interval: Interval, row: Row): number {
  return periodOf(interval, Date.parse(String(row['datetimeUTC'])));
}

/** `bars`: up to the period of the row. */
function assertRow(market: AgreeMarket, view: View, row: Row, bars: Bars, what: string): void {
  const interval = intervalOf(view);
  const perYear = { numerator: 365n * BigInt(DAY), denominator: BigInt(millisOf(interval)) };
  const benchmark = viewBars(benchmarkOf(market).bars, quoteOf(market, view), interval);
  const check = (name: string, exact: Fraction | null) => {
    const actual = row[name] ?? null;
    if (exact === null || actual === null) {
      assert.equal(actual, exact, `${name} ${what}`);
      return;
    }
    const value = name === 'ath_at' ? periodOf(interval, Date.parse(String(actual))) : Number(actual);
    const error = relativeError(value, exact);
    assert.ok(error <= MOST_ERROR, `${name} ${what} is ${actual}, off by ${error}`);
  };
  const closes = denseCloses(bars);
  for (const column of INDICATORS) check(column.name, exactValue(column, closes, perYear));
  for (const { name } of OPTIONAL_COMPUTED) check(name, exactOptional(name, bars, benchmark, perYear));
}
