// Writes cases.json and optional-cases.json: fixed series, and every column of each from exact arithmetic. Run by `npm run golden`
// when a column is added. The expected values never come from the code under test.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDICATORS, OPTIONAL_COMPUTED } from '../../../src/domain/catalogue.ts';
import { CLOSES_PER_ROW, rowNeeds } from '../../../src/domain/row-needs.ts';
import { type Bars, barsAround, thinned } from '../../support/oracle/bars.ts';
import { exactValue, nearestDouble } from '../../support/oracle/exact.ts';
import { exactOptional } from '../../support/oracle/optional.ts';
import { fixedSeries, SERIES_KINDS, uniform } from '../../support/oracle/series.ts';

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

/** A case with every column: two walks longer than the longest window, one of them with gaps. */
const { closes: LONGEST } = rowNeeds(OPTIONAL_COMPUTED);
const walk = (kind: string, length: number, seed: number): Bars =>
  barsAround(fixedSeries(SERIES_KINDS[kind] ?? fail(kind), length, seed), uniform(seed));
const random = uniform(7);
const benchmark = walk('a random walk', LONGEST + 54, 2026);
const OPTIONAL_CASES: readonly (readonly [name: string, bars: Bars])[] = [
  ['a random walk', walk('a random walk', LONGEST + 34, 2024)],
  ['a wild random walk with gaps', thinned(walk('a wild random walk', LONGEST + 44, 2025), () => random() < 0.9)],
];
const optionalCases = OPTIONAL_CASES.map(([name, bars]) => {
  const expected = OPTIONAL_COMPUTED.map(({ name: column }) => {
    const exact = exactOptional(column, bars, benchmark);
    return [column, exact === null ? null : nearestDouble(exact)];
  });
  return { name, bars, benchmark, expected: Object.fromEntries(expected) };
});

function write(file: string, items: readonly object[]): void {
  const lines = items.map(item => `  ${JSON.stringify(item)}`);
  writeFileSync(join(import.meta.dirname, file), `[\n${lines.join(',\n')}\n]\n`);
}

write('cases.json', cases);
write('optional-cases.json', optionalCases);
