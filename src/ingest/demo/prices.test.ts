import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayFromIso } from '../../domain/day.ts';
import { isPrice } from '../../domain/price.ts';
import { dailyPrices, simulateMarket, writeBars } from './prices.ts';
import { EPOCH, HISTORY_DAYS, hasEnded, universe } from './universe.ts';

const TODAY = dayFromIso('2026-08-20')!;
const FROM = (TODAY - HISTORY_DAYS + 1) as Day;
const market = simulateMarket(TODAY);
const assets = universe(TODAY);

function barsOf(asset: (typeof assets)[number], from: Day = FROM, to: Day = TODAY) {
  const columns = barColumns(HISTORY_DAYS);
  const count = writeBars(asset, market, from, to, columns, 0);
  return {
    day: columns.day.subarray(0, count),
    open: columns.open.subarray(0, count),
    high: columns.high.subarray(0, count),
    low: columns.low.subarray(0, count),
    close: columns.close.subarray(0, count),
    volume: columns.volume.subarray(0, count),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const [da, db] = [a.map(value => value - meanA), b.map(value => value - meanB)];
  const product = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return product(da, db) / Math.sqrt(product(da, da) * product(db, db));
}

function logReturns(values: Float64Array): number[] {
  return Array.from(values.subarray(1), (value, i) => Math.log(value / values[i]!));
}

test('every bar is whole: days ascend, low and high enclose open and close, volumes are not negative', () => {
  for (const asset of assets) {
    const { day, open, high, low, close, volume } = barsOf(asset);
    for (let i = 0; i < day.length; i++) {
      const whole =
        (i === 0 || day[i]! > day[i - 1]!) &&
        isPrice(low[i]!) &&
        isPrice(high[i]!) &&
        low[i]! <= Math.min(open[i]!, close[i]!) &&
        high[i]! >= Math.max(open[i]!, close[i]!) &&
        volume[i]! >= 0 &&
        Number.isFinite(volume[i]!);
      if (!whole) assert.fail(`${asset.id} on day ${day[i]}`);
    }
    assert.ok(day[0]! >= FROM && day[0]! >= asset.listed && day.at(-1)! <= TODAY, asset.id);
  }
});

test('a close has at most six significant digits', () => {
  for (const asset of assets.filter((_, i) => i % 7 === 0)) {
    const { close } = barsOf(asset);
    assert.deepEqual(
      close,
      close.map(price => Number(price.toPrecision(6))),
      asset.id,
    );
  }
});

test('a bar does not depend on the days asked for', () => {
  const later = (TODAY - 400) as Day;
  for (const asset of assets.filter((_, i) => i % 7 === 0)) {
    const all = barsOf(asset);
    const some = barsOf(asset, later);
    const start = all.day.findIndex(day => day >= later);
    for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
      assert.deepEqual(some[column], start < 0 ? some[column].subarray(0, 0) : all[column].subarray(start), asset.id);
    }
  }
});

test('the price on a day is the close of that day before rounding', () => {
  for (const asset of assets.filter(each => !each.quirk)) {
    const close = barsOf(asset).close.at(-1)!;
    assert.ok(Math.abs(dailyPrices(asset, market, TODAY).at(-1)! / close - 1) < 1e-5, asset.id);
  }
});

describe('the behaviour of the market', () => {
  const factor = logReturns(market.level.map(level => Math.exp(level)));
  const returns = assets
    .filter(asset => asset.beta > 0 && !hasEnded(asset, TODAY) && !asset.quirk && asset.listed === EPOCH)
    .map(asset => logReturns(barsOf(asset).close));
  const inWindow = factor.slice(-HISTORY_DAYS + 1);

  test('assets move with the market, and none against it', () => {
    const correlations = returns.map(each => correlation(each, inWindow));
    const average = mean(correlations);
    assert.ok(average > 0.35 && average < 0.85, `on average ${average}`);
    assert.ok(Math.min(...correlations) > 0, `lowest ${Math.min(...correlations)}`);
  });

  test('volatility lies between that of large coins and that of memes', () => {
    const yearly = returns.map(each => Math.sqrt(mean(each.map(value => value * value)) * 365)).sort((a, b) => a - b);
    const [least, median, most] = [yearly[0]!, yearly[yearly.length >> 1]!, yearly.at(-1)!];
    assert.ok(least > 0.25 && median > 0.5 && median < 1.2 && most < 2.5, `${least} ${median} ${most}`);
  });

  test('restless days come in spells', () => {
    const sizes = factor.map(Math.abs);
    const persistence = correlation(sizes.slice(1), sizes.slice(0, -1));
    assert.ok(persistence > 0.1, `autocorrelation ${persistence}`);
  });

  test('large moves are more frequent than a bell curve has them', () => {
    const kurtosis = (values: readonly number[]) => {
      const average = mean(values);
      const squares = values.map(value => (value - average) ** 2);
      return mean(squares.map(square => square * square)) / mean(squares) ** 2;
    };
    const average = mean(returns.map(kurtosis));
    assert.ok(average > 4, `kurtosis ${average}`);
  });

  test('there are both good and bad years', () => {
    const years: number[] = [];
    const level = simulateMarket(dayFromIso('2036-12-31')!).level;
    for (let i = 365; i < level.length; i += 365) years.push(level[i]! - level[i - 365]!);
    assert.ok(Math.max(...years) > 0.4 && Math.min(...years) < -0.4, years.join(' '));
    assert.ok(Math.max(...level.map(Math.abs)) < 2.5);
  });
});
