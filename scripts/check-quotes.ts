// Compares all columns of assets in several quotes, at many moments, with exact arithmetic from converted closes, for some minutes:
// node scripts/check-quotes.ts [SECONDS]. The tests do the same with few assets.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INDICATORS, OPTIONAL_COMPUTED } from '../src/domain/catalogue.ts';
import type { Period } from '../src/domain/interval.ts';
import { pastSnapshot } from '../src/history/past-snapshot.ts';
import { recomputePending } from '../src/publish/publish-pending.ts';
import { openStore } from '../src/store/open.ts';
import { draft } from '../test/contract/fixtures.ts';
import { putBars } from '../test/support/fine-bars.ts';
import { type Bars, barsAround, thinned } from '../test/support/oracle/bars.ts';
import { DAYS_PER_YEAR, exactValue, type Fraction, relativeError } from '../test/support/oracle/exact.ts';
import { barsUpTo, denseCloses } from '../test/support/oracle/interval-rows.ts';
import { exactOptional } from '../test/support/oracle/optional.ts';
import { uniform } from '../test/support/oracle/series.ts';
import { barsInQuote } from '../test/support/quoted-bars.ts';

const [ASSETS, MOMENTS, DAYS, FIRST] = [200, 30, 700, 20_000];
const DAY = 86_400_000;
const MOST = 1e-12;
const seconds = Number(process.argv[2] ?? 120);

const random = uniform(41);

function bars(asset: number): Bars {
  const [skipped, step] = [Math.floor(random() * 300), 0.01 + random() * 0.08];
  let price = 10 ** (random() * 16 - 8);
  const closes = Array.from({ length: DAYS - skipped }, () => (price *= Math.exp((random() - 0.5) * step)));
  const whole = barsAround(closes, random, FIRST + skipped);
  return asset % 3 === 0 ? thinned(whole, () => random() < 0.8) : whole;
}

const folder = mkdtempSync(join(tmpdir(), 'tidemark-check-'));
const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
try {
  const symbols = Array.from({ length: ASSETS }, (_, i) => (i === 0 ? 'BTC' : `A${i}`));
  const drafts = symbols.map((symbol, i) => draft(`${symbol.toLowerCase()}-asset`, { symbol, rank: i + 1 }));
  const numbers = await store.putAssets([...drafts, draft('eur-euro', { symbol: 'EUR', rank: null, type: 'fiat' })]);
  const series = numbers.map((_, i) => bars(i));
  for (const [i, number] of numbers.entries()) await putBars(store, '1d', number, series[i]!);
  await recomputePending(store);

  const began = performance.now();
  const found = { rows: 0, listed: 0, values: 0, largest: 0 };
  /** In dollars nothing is divided: the quotes are the fiat currency, the benchmark, and an asset with missing days. */
  for (let i = 0; i < MOMENTS; i++) {
    for (const quote of [ASSETS, 0, 3]) {
      const day = FIRST + 330 + Math.floor(random() * (DAYS - 330));
      const past = { interval: '1d', optional: true, inactive: true, quote: numbers[quote]! } as const;
      const { tables, listed } = await pastSnapshot(store, { ...past, day: day as Period });
      const { columns, dataset } = tables['ta-cur'];
      const benchmark = barsInQuote(series[0]!, series[quote]!, DAY);
      found.listed += listed.assetNumbers.length;
      const order = Array.from(listed.assetNumbers.keys(), row => [random(), row] as const).sort(([a], [b]) => a - b);
      for (const [, row] of order) {
        const number = listed.assetNumbers[row]!;
        // As many rows as the time allows, the same share of each moment and quote.
        const due = (seconds * 1000 * (i * 3 + [ASSETS, 0, 3].indexOf(quote) + 1)) / (MOMENTS * 3);
        if (performance.now() - began > due) break;
        const own = barsInQuote(series[numbers.indexOf(number)]!, series[quote]!, DAY);
        const last = own.day.filter(each => each <= day).at(-1)!;
        const known = barsUpTo(own, last);
        const numberIn = (name: string) => {
          const column = columns[dataset.columns.findIndex(each => each.name === name)]!;
          if (column.kind === 'text' || column.kind === 'flag') throw new TypeError(`${name} is not a number`);
          return column.values[row]!;
        };
        const check = (name: string, exact: Fraction | null) => {
          const value = numberIn(name);
          const error = exact === null ? (Number.isNaN(value) ? 0 : 1) : relativeError(value, exact);
          found.values++;
          found.largest = Math.max(found.largest, error);
          if (!(error <= MOST))
            throw new Error(`${name} of ${number} in ${quote} on ${day} is ${value}, off by ${error}`);
        };
        const closes = denseCloses(known);
        for (const column of INDICATORS) check(column.name, exactValue(column, closes));
        for (const { name } of OPTIONAL_COMPUTED) {
          if (name !== 'history') check(name, exactOptional(name, known, benchmark, DAYS_PER_YEAR));
        }
        found.rows++;
      }
    }
  }
  const { rows, listed, values, largest } = found;
  console.log(
    `${MOMENTS} moments in 3 quotes, ${listed} rows listed, ${rows} of them compared: ${values} values, largest relative error ${largest.toExponential(2)}`,
  );
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
