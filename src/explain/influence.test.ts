import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uniform } from '../../test/support/oracle/series.ts';
import { type BarColumns, barColumns } from '../domain/bar.ts';
import { usesBenchmark } from '../domain/columns.ts';
import type { Day } from '../domain/day.ts';
import { benchmarkOf } from '../indicators/return-series.ts';
import { type ExplainedColumn, type ExplainedInput, explain, explainedColumn } from './explain.ts';

const FIRST = 19_000;
const DAYS = 1500;

/** A random walk with one bar that is wrong, and days that no source delivered. */
function barsWith(wrong: number, spoil: (bars: BarColumns, at: number) => void, missing: readonly number[] = []) {
  const random = uniform(4);
  const days = Array.from({ length: DAYS }, (_, i) => i).filter(i => !missing.includes(i));
  const bars = barColumns(days.length);
  let price = 50;
  for (const [at, day] of days.entries()) {
    price *= Math.exp((random() - 0.5) * 0.08);
    const row = { day: FIRST + day, open: price, high: price * 1.02, low: price * 0.98, close: price, volume: 1000 };
    for (const name of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) bars[name][at] = row[name];
    if (day === wrong) spoil(bars, at);
  }
  return bars;
}

const benchmark = benchmarkOf({
  firstDay: FIRST as Day,
  closes: barsWith(-1, () => {}).close.map((close, i) => close * (1 + Math.sin(i) / 40)),
});
const hundredfold = (bars: BarColumns, at: number) => {
  for (const name of ['open', 'high', 'low', 'close'] as const) bars[name][at]! *= 100;
};

function ordered(name: string, bars: BarColumns): readonly ExplainedInput[] {
  const column: ExplainedColumn = explainedColumn(name) ?? assert.fail(name);
  const found = explain(column, bars, (FIRST + DAYS - 1) as Day, {
    benchmark: usesBenchmark(column) ? benchmark : null,
  });
  return found!.inputs.toSorted((a, b) => (b.influence ?? -1) - (a.influence ?? -1));
}

describe('the input with the greatest influence', () => {
  for (const name of [
    ...['sma20', 'sma365', 'var50', 'vol50', 'ema20', 'ema200', 'macd', 'macd_hist', 'rsi14', 'atr14'],
    ...['bb20_upper', 'zscore20', 'stoch14', 'turnover30', 'mdd90', 'mdd365', 'sharpe90', 'sharpe365', 'beta90'],
    ...['corr90', 'max365', 'from_max365', 'ath', 'from_ath', 'ath_at'],
  ]) {
    for (const ago of [3, 11]) {
      it(`on ${name} is a price a hundred times too high, ${ago} days ago`, () => {
        const [first, second] = ordered(name, barsWith(DAYS - 1 - ago, hundredfold));
        assert.equal(first!.name, `C${ago}`);
        assert.ok(first!.influence! > 3 * (second!.influence ?? 0), `${first!.influence} and ${second!.influence}`);
      });
    }
  }

  for (const name of ['sma365', 'ema200', 'sharpe365', 'mdd365', 'max365']) {
    it(`on ${name} is a wrong price 300 days ago, which stands among hundreds`, () => {
      assert.equal(ordered(name, barsWith(DAYS - 301, hundredfold))[0]!.name, 'C300');
    });
  }

  it('is a wrong high on atr14, and a wrong volume on turnover30', () => {
    const high = (bars: BarColumns, at: number) => {
      bars.high[at]! *= 50;
    };
    const volume = (bars: BarColumns, at: number) => {
      bars.volume[at] = 1e9;
    };
    assert.equal(ordered('atr14', barsWith(DAYS - 31, high))[0]!.name, 'C30');
    assert.equal(ordered('turnover30', barsWith(DAYS - 21, volume))[0]!.name, 'C20');
  });

  it('is a wrong price also if days without a bar carry it forward', () => {
    const missing = [DAYS - 10, DAYS - 9, DAYS - 8];
    const found = ordered('sma20', barsWith(DAYS - 11, hundredfold, missing));
    assert.deepEqual(
      found
        .slice(0, 4)
        .map(({ name }) => name)
        .sort(),
      ['C10', 'C7', 'C8', 'C9'],
    );
    assert.equal(new Set(found.slice(0, 4).map(({ influence }) => influence)).size, 1);
  });

  it('is null without a value, and 0 for equal closes', () => {
    const flat = barsWith(-1, () => {});
    flat.close.fill(7);
    assert.ok(ordered('sma20', flat).every(({ influence }) => influence === 0));
    assert.ok(ordered('zscore20', flat).every(({ influence }) => influence === null));
  });

  it('of more than 30 inputs is computed for 30', () => {
    const tried = ordered(
      'sma365',
      barsWith(-1, () => {}),
    ).filter(({ influence }) => influence !== null);
    assert.equal(tried.length, 30);
  });
});
