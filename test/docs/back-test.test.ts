// The page on back-tests: its program runs against the demo, prints what the page says, and agrees with the same strategy computed from the
// simulated bars.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Day, dayFromIso, isoFromDay } from '../../src/domain/day.ts';
import { demoSource } from '../../src/ingest/demo/demo-source.ts';
import { DEFAULT_ASSETS } from '../../src/ingest/demo/universe.ts';
import { DEMO_DAY, DEMO_URL, type DemoServer, startDemo } from '../support/demo-server.ts';
import { pythonWith, runPython } from '../support/python.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/back-test.md'), 'utf8');
const block = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0]?.trim() ?? '';
const python = pythonWith('json');

interface Series {
  readonly symbol: string;
  readonly rank: number;
  readonly delisted: boolean;
  readonly days: number[];
  readonly closes: number[];
}

/** The demo's bars by asset, straight from its source. */
async function simulatedSeries(): Promise<Series[]> {
  const source = demoSource({ today: dayFromIso(DEMO_DAY)! });
  const { signal } = new AbortController();
  const found = new Map<string, { -readonly [K in keyof Series]: Series[K] }>();
  for await (const item of source.profiles(signal)) {
    if (item.kind !== 'profile') continue;
    const { id, symbol, rank } = item.sourced.profile;
    found.set(id, { symbol, rank: rank!, delisted: false, days: [], closes: [] });
  }
  for await (const item of source.bars(async () => null, signal)) {
    if (item.kind === 'delisted') found.get(item.asset.id!)!.delisted = true;
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (let i = 0; i < batch.count; i++) {
      const series = found.get(batch.assets[batch.asset[i]!]!.id!);
      // A currency has no profile, and is not listed.
      if (series === undefined) continue;
      series.days.push(batch.day[i]!);
      series.closes.push(batch.close[i]!);
    }
  }
  return [...found.values()];
}

/** The newest close up to a day: its place, or -1. */
const placeOn = ({ days }: Series, day: number) => days.findLastIndex(each => each <= day);

/** By ticker: the active assets with 120 days of history and their change of 90 days; of several with one ticker, the best-ranked. */
function screenOn(all: readonly Series[], day: number): { series: Series; change: number }[] {
  const active = all.filter(series => {
    const last = series.days[placeOn(series, day)];
    const ended = series.delisted && series.days.at(-1)! < day;
    return last !== undefined && day - last <= 7 && !ended; // some asset has a bar on each day
  });
  const owners = new Map<string, Series>();
  for (const series of active.toSorted((a, b) => b.rank - a.rank)) owners.set(series.symbol, series);
  return [...owners.values()]
    .filter(series => series.days[placeOn(series, day)]! - series.days[0]! + 1 >= 120)
    .map(series => {
      const at = placeOn(series, day);
      const earlier = series.closes[placeOn(series, series.days[at]! - 90)]!;
      return { series, change: series.closes[at]! / earlier - 1 };
    })
    .sort((a, b) => b.change - a.change);
}

/** Growth per year in percent, the assets that were held, and how many of them are not among the survivors. */
function strategy(all: readonly Series[], days: readonly number[], survivors: ReadonlySet<Series>, onlyThese: boolean) {
  let value = 1;
  const traded = new Set<Series>();
  for (const [i, sold] of days.slice(1).entries()) {
    const ranked = screenOn(all, days[i]!).filter(({ series }) => !onlyThese || survivors.has(series));
    const held = ranked.slice(0, 20).map(({ series }) => series);
    const growths = held.map(
      series => series.closes[placeOn(series, sold)]! / series.closes[placeOn(series, days[i]!)]!,
    );
    value *= growths.reduce((sum, growth) => sum + growth, 0) / growths.length;
    for (const series of held) traded.add(series);
  }
  const ended = [...traded].filter(series => !survivors.has(series)).length;
  return [(value ** (1 / 5) - 1) * 100, traded.size, ended];
}

describe('the page on back-tests', { skip: python === undefined && 'no Python 3 on this machine' }, () => {
  let demo: DemoServer;
  before(async () => {
    demo = await startDemo({ publicUrl: null }, DEFAULT_ASSETS);
  });
  after(() => demo.close());

  it('has a program whose result is that of the simulated bars, and what it prints is on the page', async () => {
    const { code, output } = await runPython(python!, block('python').replaceAll(DEMO_URL, demo.url));
    assert.equal(code, 0, output);
    const all = await simulatedSeries();
    const today = dayFromIso(DEMO_DAY)!;
    const ends = Array.from({ length: 61 }, (_, i) => Date.UTC(2021, 6 + i, 0) / 86_400_000);
    assert.deepEqual([isoFromDay(ends[0]! as Day), ends.at(-1)], ['2021-06-30', today]);
    const survivors = new Set(all.filter(series => !series.delisted && today - series.days.at(-1)! <= 7));
    const numbers = output
      .split('\n')
      .slice(1)
      .map(line => [...line.matchAll(/[+-]?\d+(\.\d)?/g)].map(([text]) => Number(text)));
    for (const [i, onlySurvivors] of [false, true].entries()) {
      const [growth, traded, ended] = strategy(all, ends, survivors, onlySurvivors);
      assert.deepEqual(numbers[i], [Number(growth!.toFixed(1)), traded, ended], output);
    }
    assert.ok(numbers[0]![2]! > 0 && numbers[1]![2] === 0, 'the strategy held assets that have ended since');
    assert.ok(numbers[1]![0]! > numbers[0]![0]!, 'the survivors alone do better');
    assert.equal(block('text'), output);
  });
});
