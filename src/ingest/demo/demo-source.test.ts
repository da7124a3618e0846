import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Day, dayFromIso, dayOfMillis, MILLIS_PER_DAY } from '../../domain/day.ts';
import { type BaseInterval, LAST_PERIOD, type Period, periodOfMillis } from '../../domain/interval.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import { openStore } from '../../store/open.ts';
import { load } from '../pipeline.ts';
import type { AssetRef, Since, Source } from '../source.ts';
import { demoSource } from './demo-source.ts';

const TODAY = dayFromIso('2026-08-20')!;
const TOMORROW = (TODAY + 1) as Day;
const HISTORY_DAYS = 2009;

const NOTHING_STORED: Since = async () => null;
const going = () => new AbortController().signal;

/** Rows of day, open, high, low, close, volume, one after another. */
type Series = Float64Array;
const WIDTH = 6;

function rowsFrom(day: number, series: Series): Series {
  let start = 0;
  while (start < series.length && series[start]! < day) start += WIDTH;
  return series.subarray(start);
}

async function pulledBars(source: Source, since: Since = NOTHING_STORED) {
  const numbers = new Map<string, number[]>();
  const delisted: AssetRef[] = [];
  let records = 0;
  for await (const item of source.bars(since, going())) {
    if (item.kind === 'delisted') delisted.push(item.asset);
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (const { id } of batch.assets) numbers.set(id!, numbers.get(id!) ?? []);
    const series = batch.assets.map(({ id }) => numbers.get(id!)!);
    const { day, open, high, low, close, volume } = batch;
    for (let i = 0; i < batch.count; i++) {
      series[batch.asset[i]!]!.push(day[i]!, open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!);
      records++;
      if (batch.line[i] !== i + 1) assert.fail(`record ${i + 1} is numbered ${batch.line[i]}`);
    }
  }
  const series = new Map<string, Series>([...numbers].map(([id, values]) => [id, Float64Array.from(values)]));
  return { series, delisted, records };
}

async function pulledProfiles(source: Source): Promise<SourcedProfile[]> {
  const profiles: SourcedProfile[] = [];
  for await (const item of source.profiles(going())) if (item.kind === 'profile') profiles.push(item.sourced);
  return profiles;
}

test('a day gives the same bytes on every machine, for ever', async () => {
  // Another hash means that the demo changes for all users, past days included: change it only on purpose.
  const source = demoSource({ today: TODAY });
  const sha256 = createHash('sha256');
  for (const sourced of await pulledProfiles(source)) sha256.update(JSON.stringify(sourced));
  for await (const item of source.bars(NOTHING_STORED, going())) {
    if (item.kind !== 'bars') {
      sha256.update(JSON.stringify(item));
      continue;
    }
    const { count, assets, ...columns } = item.batch;
    sha256.update(JSON.stringify(assets));
    for (const name of ['day', 'open', 'high', 'low', 'close', 'volume', 'asset'] as const) {
      sha256.update(columns[name].subarray(0, count));
    }
  }
  assert.equal(sha256.digest('hex'), 'f493dae1f89c3310e1fcbd39d15ff6fc3d5e1a4e0a436498e4b1ab1ec1501ba9');
});

test('the next day changes no bar and adds one a living asset', async () => {
  const before = await pulledBars(demoSource({ today: TODAY }));
  const after = await pulledBars(demoSource({ today: TOMORROW }));
  let grown = 0;
  for (const [id, series] of before.series) {
    const kept = rowsFrom(TOMORROW - HISTORY_DAYS + 1, series);
    const now = after.series.get(id) ?? new Float64Array();
    assert.deepEqual(now.subarray(0, kept.length), kept, id);
    const added = now.subarray(kept.length);
    assert.ok(added.length === 0 || (added.length === WIDTH && added[0] === TOMORROW), id);
    grown += added.length / WIDTH;
  }
  assert.ok(grown > 500, `${grown} assets grew`);
});

test('a repeated pull delivers each asset from its last stored day on', async () => {
  const stored = (TODAY - 2) as Day;
  const source = demoSource({ today: TODAY, assets: 100 });
  const all = await pulledBars(source);
  const { series, records } = await pulledBars(source, async ({ id }) =>
    id === 'velr-veloria' ? null : { first: 0, last: stored },
  );
  assert.deepEqual(series.get('velr-veloria'), all.series.get('velr-veloria'));
  for (const [id, whole] of all.series) {
    if (id === 'velr-veloria') continue;
    assert.deepEqual(series.get(id) ?? new Float64Array(), rowsFrom(stored, whole), id);
  }
  assert.ok(records < HISTORY_DAYS + 3 * all.series.size, `${records} bars`);
});

test('no bar lies after today or more than five and a half years back', async () => {
  const { series } = await pulledBars(demoSource({ today: TODAY, assets: 100 }));
  const firsts = [...series.values()].map(each => each[0]!);
  const lasts = [...series.values()].map(each => each.at(-WIDTH)!);
  assert.deepEqual([Math.min(...firsts), Math.max(...lasts)], [TODAY - HISTORY_DAYS + 1, TODAY]);
});

test('what is delisted has a profile that says so, and is told after the prices', async () => {
  const source = demoSource({ today: TODAY, assets: 300 });
  const profiles = new Map((await pulledProfiles(source)).map(({ profile }) => [profile.id, profile]));
  const { series, delisted } = await pulledBars(source);
  assert.ok(delisted.length > 10, `${delisted.length} delisted`);
  for (const { id, symbol } of delisted) {
    assert.equal(profiles.get(id!)!.is_active, false);
    assert.equal(profiles.get(id!)!.symbol, symbol);
  }
  // The fiat currency has no profile.
  assert.deepEqual([...series.keys()].sort(), [...profiles.keys(), 'crn-crown'].sort());
  const kinds: string[] = [];
  for await (const { kind } of source.bars(NOTHING_STORED, going())) if (kinds.at(-1) !== kind) kinds.push(kind);
  assert.deepEqual(kinds.slice(-3), ['bars', 'progress', 'delisted']);
});

test('the source is named demo and marks every record as simulated', async () => {
  const source = demoSource({ today: TODAY, assets: 100 });
  assert.equal(source.name, 'demo');
  for (const { extra } of await pulledProfiles(source)) {
    assert.deepEqual(Object.keys(extra), ['simulated', 'circulating_supply']);
    assert.equal(extra['simulated'], true);
    assert.ok(Number(extra['circulating_supply']) > 0);
  }
});

test('without a day it goes up to the running UTC day', async () => {
  const before = dayOfMillis(Date.now())!;
  const { series } = await pulledBars(demoSource({ assets: 50 }));
  const after = dayOfMillis(Date.now())!;
  const last = series.get('velr-veloria')!.at(-WIDTH)!;
  assert.ok(last >= before && last <= after);
});

test('a stop ends both pulls at once', async () => {
  const source = demoSource({ today: TODAY, assets: 100 });
  for (const pull of [
    (signal: AbortSignal) => source.profiles(signal),
    (signal: AbortSignal) => source.bars(NOTHING_STORED, signal),
  ]) {
    const stop = new AbortController();
    let items = 0;
    await assert.rejects(
      async () => {
        for await (const _item of pull(stop.signal)) if (++items === 1) stop.abort();
      },
      { name: 'AbortError' },
    );
    assert.ok(items <= 2, `${items} items after the stop`);
  }
});

test('what cannot be simulated is refused with what to do', () => {
  assert.throws(() => demoSource({ today: dayFromIso('2020-06-30')! }), { name: 'SourceError', message: /2020-07-01/ });
});

test('a store has 90 days of hours and 2 of minutes of every asset that trades, which make its days again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-demo-'));
  const store = await openStore(`sqlite:${join(folder, 'demo.db')}`);
  try {
    const now = TODAY * MILLIS_PER_DAY + (13 * 60 + 37) * 60_000;
    const run = async (today: Day, at: number) =>
      load({
        store,
        source: demoSource({ today, now: at, assets: 60, withHours: true }),
        today,
        now: () => at,
        signal: going(),
      });
    await run(TODAY, now);
    const checkDays = async (today: Day, at: number, firstHours: number) => {
      for (const { assetNumber, id, lastDay } of await store.assets()) {
        if (lastDay === null || lastDay < today - 88) continue;
        const all = (interval: BaseInterval) =>
          store.series(interval).bars(assetNumber, 0 as Period, LAST_PERIOD as Period);
        for (const [fine, coarse, ratio, first] of [
          ['1h', '1d', 24, firstHours],
          ['1m', '1h', 60, (today - 1) * 24],
        ] as const) {
          const [{ day: period, ...bars }, whole] = [await all(fine), await all(coarse)];
          const made = new Map<number, number[]>();
          for (let i = 0; i < period.length; i++) {
            const at = Math.floor(period[i]! / ratio);
            const [open, high, low, , volume] = made.get(at) ?? [bars.open[i]!, 0, Number.POSITIVE_INFINITY, 0, 0];
            const range = [Math.max(high!, bars.high[i]!), Math.min(low!, bars.low[i]!)] as const;
            made.set(at, [open!, ...range, bars.close[i]!, volume! + bars.volume[i]!]);
          }
          const expected = Array.from(whole.day, (at, i) => [
            at,
            [whole.open[i], whole.high[i], whole.low[i], whole.close[i], whole.volume[i]],
          ]);
          assert.deepEqual(
            [...made].filter(([at]) => at >= first),
            expected.filter(([at]) => Number(at) >= first),
            `${id} ${fine}`,
          );
          if (lastDay === today) assert.equal(period.at(-1), periodOfMillis(fine, at), 'up to the running period');
        }
      }
    };
    await checkDays(TODAY, now, TODAY - 89);
    // The same day again adds nothing; a day later, yesterday is whole, and today has begun.
    assert.equal((await run(TODAY, now + 60_000)).inserted, 0);
    const tomorrow = now + MILLIS_PER_DAY;
    await run(TOMORROW, tomorrow);
    await checkDays(TOMORROW, tomorrow, TODAY - 88);
    // After days without a load, hours of the days between come, and minutes of the last two.
    const later = (TODAY + 12) as Day;
    await run(later, later * MILLIS_PER_DAY + 1000);
    await checkDays(later, later * MILLIS_PER_DAY + 1000, TODAY - 77);
    await store.checkIntegrity();
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
