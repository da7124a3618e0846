// Writes cases.json: fixed series, and every column of each from exact arithmetic. Run by `npm run golden`, rarely: when a
// column is added. The expected values never come from the code under test.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSES_PER_ROW, INDICATORS } from '../../../src/domain/columns.ts';
import { exactValue, nearestDouble } from '../../support/oracle/exact.ts';
import { fixedSeries, SERIES_KINDS } from '../../support/oracle/series.ts';

const CASES: readonly (readonly [kind: string, length: number])[] = [
  ['a random walk', CLOSES_PER_ROW],
  ['a tiny price', CLOSES_PER_ROW],
  ['jumps of +1500 % and back', CLOSES_PER_ROW],
  ['nearly flat: 1e9 with noise of 1e-3', 60],
  ['steady growth quoted to eight decimals', 60],
  ['all magnitudes from 1e-12 to 1e12 in one series', 60],
  ['a stablecoin quoted to four decimals', 60],
  ['a wild random walk', 3],
];

const cases = CASES.map(([kind, length]) => {
  const closes = fixedSeries(SERIES_KINDS[kind] ?? fail(kind), length, 2024);
  const expected = Object.fromEntries(
    INDICATORS.map(column => {
      const exact = exactValue(column, closes);
      return [column.name, exact === null ? null : nearestDouble(exact)];
    }),
  );
  return { name: kind, closes, expected };
});

function fail(kind: string): never {
  throw new Error(`no series of the kind ${kind}`);
}

const lines = cases.map(item => `  ${JSON.stringify(item)}`);
writeFileSync(join(import.meta.dirname, 'cases.json'), `[\n${lines.join(',\n')}\n]\n`);
