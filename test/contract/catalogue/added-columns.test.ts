// A column is one entry of the catalogue: two are added to a copy of the source, with no other edit, and every value that the copy
// serves is compared with exact arithmetic, also of rows that continue from the state of earlier ones.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Column } from '../../../src/domain/columns.ts';
import { type Day, dayFromIso, MILLIS_PER_DAY } from '../../../src/domain/day.ts';
import { batchOf, type ListedBar } from '../../../src/ingest/bar-list.ts';
import type { Source } from '../../../src/ingest/source.ts';
import { type Bars, barsAround } from '../../support/oracle/bars.ts';
import { exactValue, relativeError } from '../../support/oracle/exact.ts';
import { exactOptional } from '../../support/oracle/optional.ts';
import { uniform } from '../../support/oracle/series.ts';
import type { TestService } from '../../support/service.ts';

const root = join(import.meta.dirname, '../../..');
const TODAY = dayFromIso('2026-06-30')!;

/** One entry each, beside one of the same kernel. */
const ENTRIES = [
  ['  ema(10),\n', '  ema(9),\n  ema(10),\n'],
  ['  drawdown(365),\n', '  drawdown(365),\n  drawdown(730),\n'],
] as const;

type Row = Readonly<Record<string, number | string | null>>;
type Catalogue = typeof import('../../../src/domain/catalogue.ts');

/** A walk with its deepest fall `fallen` days before its end: no shorter window finds it. */
function walk(days: number, seed: number, fallen: number): Bars {
  const random = uniform(seed);
  let price = 100;
  const closes = Array.from({ length: days }, (_, day) => {
    price *= Math.exp((random() - 0.5) / 20);
    if (days - day === fallen) price /= 8;
    if (days - day === fallen - 3) price *= 7;
    return price;
  });
  return barsAround(closes, random, TODAY - days + 1);
}

/** Of 1,500 days, and of as many that the windows are just filled when the last days are loaded. */
const MARKET: Readonly<Record<string, Bars>> = {
  BTC: walk(1500, 1, 1400),
  LONG: walk(1500, 2, 600),
  YEARS: walk(735, 3, 720),
  SHORT: walk(14, 4, 5),
};

/** The bars of a day that differ from those of the market, by ticker and day. */
type Corrections = Readonly<Record<string, Readonly<Record<number, number>>>>;

function marketUntil(until: number, corrections: Corrections): Record<string, Bars> {
  const entries = Object.entries(MARKET).flatMap(([symbol, bars]) => {
    const count = bars.day.filter(day => day <= until).length;
    const cut = <T>(values: readonly T[]) => values.slice(0, count);
    const factor = (i: number) => corrections[symbol]?.[bars.day[i]!] ?? 1;
    const scaled = (values: readonly (number | null)[]) => cut(values).map((value, i) => value! * factor(i));
    const { open, high, low, close, volume, day } = bars;
    const prices = { open: scaled(open), high: scaled(high), low: scaled(low), close: scaled(close) };
    return count === 0 ? [] : [[symbol, { ...prices, day: cut(day), volume: cut(volume) }] as const];
  });
  return Object.fromEntries(entries);
}

/** The bars from a day on, and the corrected ones. */
function sourceOf(market: Readonly<Record<string, Bars>>, from: number, corrections: Corrections): Source {
  return {
    name: 'test',
    async *profiles() {},
    async *bars() {
      for (const [symbol, { day, open, high, low, close, volume }] of Object.entries(market)) {
        const asset = { id: null, symbol };
        const listed = day.flatMap((each, i): ListedBar[] =>
          each >= from || corrections[symbol]?.[each] !== undefined
            ? [
                {
                  ...{ asset, line: i + 1, day: each as Day, close: close[i]! },
                  ...{ open: open[i]!, high: high[i]!, low: low[i]!, volume: volume[i]! },
                },
              ]
            : [],
        );
        if (listed.length > 0) yield { kind: 'bars', batch: batchOf(symbol, listed) };
      }
    },
  };
}

const OLD = TODAY - 500;
/** What is loaded one after the other: the days up to one, with corrections. Each but the first continues from the one before. */
const LOADS: Readonly<Record<string, readonly [until: number, corrections: Corrections]>> = {
  'all but the last twelve days': [TODAY - 12, {}],
  'the next day': [TODAY - 11, {}],
  'another close of the same day': [TODAY - 11, { LONG: { [TODAY - 11]: 1.01 }, SHORT: { [TODAY - 11]: 0.9 } }],
  'three more days': [TODAY - 8, {}],
  'a correction of a close that only the new window has': [TODAY - 8, { LONG: { [OLD]: 0.05 } }],
  'a day after it': [TODAY - 7, { LONG: { [OLD]: 0.05 } }],
  'the first days of a full new window': [TODAY - 5, { LONG: { [OLD]: 0.05 } }],
  'the rest': [TODAY, { LONG: { [OLD]: 0.05 } }],
};

describe('a column that is added by one entry of the catalogue', () => {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-columns-'));
  let service: TestService;
  let catalogue: Catalogue;

  before(async () => {
    for (const folder of ['src', 'test/support']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const file = join(copy, 'src/domain/catalogue.ts');
    let text = readFileSync(file, 'utf8');
    for (const [entry, entries] of ENTRIES) {
      assert.equal(text.split(entry).length, 2, `the catalogue has one entry ${entry.trim()}`);
      text = text.replace(entry, entries);
    }
    writeFileSync(file, text);
    const imported = (path: string) => import(pathToFileURL(join(copy, path)).href);
    catalogue = await imported('src/domain/catalogue.ts');
    const { TestService: Copied } = (await imported('test/support/service.ts')) as { TestService: typeof TestService };
    service = await Copied.start({ now: () => (TODAY + 0.5) * MILLIS_PER_DAY });
  });

  after(async () => {
    await service?.close();
    rmSync(copy, { recursive: true });
  });

  function assertExact(row: Row, market: Readonly<Record<string, Bars>>, what: string): void {
    const bars = market[String(row['symbol'])]!;
    for (const column of [...catalogue.INDICATORS, ...catalogue.OPTIONAL_COMPUTED]) {
      assertValue(column, row[column.name], bars, market['BTC']!, `${what}: ${row['symbol']} ${column.name}`);
    }
  }

  function assertValue(column: Column, served: Row[string] | undefined, bars: Bars, btc: Bars, what: string): void {
    const exact = 'family' in column ? exactValue(column, bars.close) : exactOptional(column.name, bars, btc);
    const value = typeof served === 'string' ? Date.parse(served) / MILLIS_PER_DAY : served;
    if (exact === null) assert.equal(value, null, what);
    else assert.ok(typeof value === 'number' && relativeError(value, exact) <= 1e-12, `${what} = ${value}`);
  }

  for (const [i, [what, [until, corrections]]] of Object.entries(LOADS).entries()) {
    it(`is right in the listing after ${what}`, async () => {
      const market = marketUntil(until, corrections);
      const before = Object.values(LOADS)[i - 1]?.[0] ?? 0;
      await service.load(sourceOf(market, before, corrections));
      const { result } = await service.get<{ result: Row[] }>('/v1/crypto/ta-cur?incl_cols=all&sort=symbol&limit=10');
      assert.equal(result.length, Object.keys(market).length);
      for (const row of result) assertExact(row, market, what);
    });
  }

  it('is right on days of the history', async () => {
    const market = marketUntil(TODAY, LOADS['the rest']![1]);
    const path = '/v1/crypto/ta-hist?symbol=LONG&incl_cols=ema9,mdd730&limit=2000&order=asc';
    const { result } = await service.get<{ result: Row[] }>(path);
    assert.equal(result.length, 1500);
    for (const day of [0, 7, 8, 9, 100, 728, 729, 730, 1023, 1024, 1025, 1200, 1498, 1499]) {
      const bars = marketUntil(market['LONG']!.day[day]!, LOADS['the rest']![1])['LONG']!;
      for (const column of catalogue.OPTIONAL_COMPUTED.filter(({ name }) => name === 'ema9' || name === 'mdd730')) {
        assertValue(column, result[day]![column.name], bars, bars, `day ${day}: ${column.name}`);
      }
    }
  });

  it('is explained, and has a label', async () => {
    for (const [name, label] of [
      ['ema9', 'EMA 9'],
      ['mdd730', 'Drawdown 730d'],
    ]) {
      const { relative_error, inputs } = await service.get<{
        relative_error: number;
        inputs: { influence: number | null }[];
      }>(`/v1/crypto/explain/LONG/${name}`);
      assert.ok(relative_error <= 1e-12);
      assert.ok(inputs.some(({ influence }) => influence !== null && influence > 0));
      const { datasets } = await service.get<{ datasets: { columns: { name: string; label?: string }[] }[] }>(
        '/v1/catalog',
      );
      assert.equal(datasets[0]!.columns.find(column => column.name === name)?.label, label);
    }
  });
});
