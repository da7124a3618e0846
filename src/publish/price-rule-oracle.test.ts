// The median of five sources against two implementations that share nothing with it: SQL in DuckDB, and exact fractions, which are slow
// and see a fifth of the assets. TIDEMARK_PRICE_RULE_ASSETS sets how many assets; the long form is 1,000.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Chance } from '../../test/contract/query/chance.ts';
import { medianInDuckDb, type Numbers, randomSources } from '../../test/support/median-oracle.ts';
import { exactly, nearestDouble, sum } from '../../test/support/oracle/exact.ts';
import { BAR_NUMBERS, type SourceBars } from '../domain/source-bars.ts';
import { servedBars } from './price-rule.ts';

const ASSETS = Number(process.env['TIDEMARK_PRICE_RULE_ASSETS'] ?? 200);
const PERIODS = 400;

/** The bars of one asset and period, one per source that has it. */
type Cell = readonly Numbers[];

function cellsOf(sources: readonly SourceBars[]): Map<number, Cell> {
  const cells = new Map<number, Numbers[]>();
  for (const bars of sources) {
    for (const [i, period] of bars.period.entries()) {
      const { open, high, low, close, volume } = bars;
      const numbers = { open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! };
      cells.set(period, [...(cells.get(period) ?? []), numbers]);
    }
  }
  return cells;
}

function sameNumbers(actual: Numbers, expected: Numbers, where: string): void {
  for (const name of BAR_NUMBERS) {
    if (!Object.is(actual[name], expected[name]))
      assert.fail(`${where}: ${name} ${actual[name]}, not ${expected[name]}`);
  }
}

/** Every served bar against an expected one; returns how many there were. */
function compare(sources: readonly SourceBars[], expected: (period: number) => Numbers, asset: number): number {
  const { bars } = servedBars(sources, { kind: 'median', order: [] });
  for (const [i, period] of bars.period.entries()) {
    const { open, high, low, close, volume } = bars;
    const actual = { open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! };
    sameNumbers(actual, expected(period), `asset ${asset}, period ${period}`);
  }
  return bars.period.length;
}

describe('the median of five sources in exact arithmetic', () => {
  for (const unit of [1, 0.1]) {
    it(`is equal for volumes in units of ${unit}`, () => {
      const chance = new Chance(11);
      let count = 0;
      for (let asset = 0; asset < ASSETS / 5; asset++) {
        const sources = randomSources(chance, unit);
        const cells = cellsOf(sources);
        const served = compare(sources, period => exactBar(cells.get(period)!), asset);
        assert.equal(served, cells.size);
        count += served;
      }
      assert.ok(count > (ASSETS / 5) * PERIODS * 0.9, `${count} bars`);
    });
  }

  function exactBar(cell: Cell): Numbers {
    if (cell.length === 1) return cell[0]!;
    const median = (name: 'open' | 'high' | 'low' | 'close') => {
      const known = cell.filter(bar => !Number.isNaN(bar[name]));
      const plain = known.some(({ volume }) => Number.isNaN(volume)) || known.every(({ volume }) => volume === 0);
      return exactMedian(known.map(bar => [bar[name], plain ? 1n : units(bar.volume)] as const));
    };
    const [open, close] = [median('open'), median('close')];
    const traded = [open, close].filter(price => !Number.isNaN(price));
    const volumes = cell.map(({ volume }) => volume).filter(volume => !Number.isNaN(volume));
    return {
      open,
      high: Math.max(median('high'), ...traded),
      low: Math.min(median('low'), ...traded),
      close,
      volume: volumes.length === 0 ? Number.NaN : exactTotal(volumes),
    };
  }

  function exactMedian(weighted: readonly (readonly [value: number, weight: bigint])[]): number {
    if (weighted.length === 0) return Number.NaN;
    const total = sum(weighted.map(([, weight]) => weight));
    const values = weighted.filter(([, weight]) => weight > 0n).map(([value]) => value);
    const weightOf = (test: (value: number) => boolean) => sum(weighted.map(([v, w]) => (test(v) ? w : 0n)));
    const lower = Math.min(...values.filter(x => 2n * weightOf(value => value <= x) >= total));
    const upper = Math.max(...values.filter(x => 2n * weightOf(value => value >= x) >= total));
    const [a, b] = [exactly(lower), exactly(upper)];
    const numerator = a.numerator * b.denominator + b.numerator * a.denominator;
    return nearestDouble({ numerator, denominator: 2n * a.denominator * b.denominator });
  }

  /** In units of 2⁻¹⁰⁰, which are fine enough for every volume here. */
  function units(volume: number): bigint {
    const { numerator, denominator } = exactly(volume);
    return (numerator << 100n) / denominator;
  }

  function exactTotal(volumes: readonly number[]): number {
    return nearestDouble({ numerator: sum(volumes.map(units)), denominator: 1n << 100n });
  }
});

describe('the median of five sources in DuckDB', () => {
  const chance = new Chance(12);
  const assets = Array.from({ length: ASSETS }, () => randomSources(chance, 1));
  let expected: ReadonlyMap<string, Numbers> = new Map();

  before(async () => {
    expected = await medianInDuckDb(assets);
  });

  it('is equal', () => {
    let count = 0;
    for (const [asset, sources] of assets.entries()) {
      count += compare(sources, period => expected.get(`${asset} ${period}`)!, asset);
    }
    assert.equal(count, expected.size);
  });
});
