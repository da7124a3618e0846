import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { uniform } from '../../test/support/oracle/series.ts';
import { barColumns } from '../domain/bar.ts';
import { openStore } from '../store/open.ts';
import type { CurrentRow, Store, StoredBars } from '../store/store.ts';
import { readBenchmark } from './benchmark.ts';
import { computeRows } from './compute-rows.ts';
import { OptionalValues } from './optional-values.ts';
import { recomputePending } from './publish-pending.ts';

const FIRST = 19_000;

interface Bar {
  readonly assetNumber: number;
  readonly day: number;
  readonly close: number;
  readonly spread?: number;
  readonly volume?: number;
}

function batch(bars: readonly Bar[]): StoredBars {
  const columns = {
    count: bars.length,
    assetNumber: Uint32Array.from(bars, bar => bar.assetNumber),
    ...barColumns(bars.length),
  };
  for (const [i, { day, close, spread, volume }] of bars.entries()) {
    columns.day[i] = day;
    columns.close[i] = close;
    if (spread !== undefined) {
      columns.open[i] = close;
      columns.high[i] = close * (1 + spread);
      columns.low[i] = close * (1 - spread);
    }
    columns.volume[i] = volume ?? Number.NaN;
  }
  return columns;
}

async function filled(store: Store, random: () => number, days: readonly number[]): Promise<number[]> {
  const facts = { rank: null, type: null, supply: null, tags: '', provisional: false, delisted: false };
  const symbols = ['BTC', ...days.slice(1).map((_, i) => `S${i}`)];
  const assetNumbers = await store.putAssets(
    symbols.map(symbol => ({ id: symbol.toLowerCase(), symbol, name: symbol, ...facts })),
  );
  const bars = assetNumbers.flatMap((assetNumber, i) =>
    Array.from({ length: days[i]! }, (_, day) => newBar(assetNumber, FIRST + 500 - days[i]! + day, random)).filter(
      (_, day) => day === 0 || i % 3 !== 2 || random() < 0.9,
    ),
  );
  await store.putBars(batch(bars));
  return assetNumbers;
}

function newBar(assetNumber: number, day: number, random: () => number): Bar {
  const bar = { assetNumber, day, close: 10 + assetNumber + random() * 5 };
  return random() < 0.02 ? bar : { ...bar, spread: random() / 10, volume: random() * 1000 };
}

/** Every row as computed from all bars. */
async function fromAllBars(store: Store): Promise<CurrentRow[]> {
  const assetNumbers = (await store.assets()).filter(({ bars }) => bars > 0).map(({ assetNumber }) => assetNumber);
  const { series: benchmark } = await readBenchmark(store, 'BTC');
  return computeRows(store, assetNumbers, { optional: new OptionalValues(store, { benchmark }) });
}

describe('optional columns that continue from the published state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-optional-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const seed of [1, 2, 3]) {
    it(`are those computed from the first close, bit for bit, whatever is loaded in between, seed ${seed}`, async () => {
      const random = uniform(seed);
      const store = await openStore(`sqlite:${join(folder, `${seed}.db`)}`);
      const assetNumbers = await filled(store, random, [450, 500, 430, 260, 203, 202, 201, 200, 199, 120, 1]);
      let last = FIRST + 499;
      const some = () => assetNumbers.filter(() => random() < 0.5);
      const bars = (day: () => number, of = some()) => batch(of.map(assetNumber => newBar(assetNumber, day(), random)));
      const loads: Record<string, () => StoredBars> = {
        'another close of the same day': () => bars(() => last),
        'the next day': () => {
          last++;
          return bars(() => last);
        },
        'a day after a gap': () => {
          last += 3;
          return bars(() => last);
        },
        'a day after a long gap, of one asset': () => bars(() => last + 60, [assetNumbers[2]!]),
        'a corrected bar': () => bars(() => FIRST + Math.floor(random() * 480) + 10),
        'a corrected bar of the day before': () => bars(() => last - 1),
        'older days than before': () => bars(() => FIRST - 5, [assetNumbers[3]!]),
        'the benchmark alone': () => bars(() => last, [assetNumbers[0]!]),
      };
      try {
        await recomputePending(store, false, 'all');
        for (const [what, load] of [...Object.entries(loads), ...Object.entries(loads)]) {
          await store.putBars(load());
          await recomputePending(store);
          const published = (await store.currentSince(0)).rows;
          assert.deepEqual(
            [...published].sort((a, b) => a.assetNumber - b.assetNumber),
            await fromAllBars(store),
            what,
          );
        }
      } finally {
        await store.close();
      }
    });
  }

  it('notice another high or low of an earlier day whose close stays', async () => {
    const store = await openStore(`sqlite:${join(folder, 'high.db')}`);
    try {
      const [assetNumber = 0] = await filled(store, uniform(9), [400]);
      const day = FIRST + 450;
      await store.putBars(batch([{ assetNumber, day, close: 12, spread: 0.01 }]));
      await recomputePending(store, false, 'all');
      await store.putBars(batch([{ assetNumber, day, close: 12, spread: 0.05 }]));
      await recomputePending(store);
      assert.deepEqual((await store.currentSince(0)).rows, await fromAllBars(store));
    } finally {
      await store.close();
    }
  });

  it('read no more than the last year of an asset that only goes on', async () => {
    const store = await openStore(`sqlite:${join(folder, 'recent.db')}`);
    try {
      const random = uniform(4);
      const assetNumbers = await filled(store, random, [450, 500]);
      await recomputePending(store, false, 'all');
      const asked: number[] = [];
      const watched: Store = {
        ...store,
        dailyBars: (assets, days, until) => {
          asked.push(days);
          return store.dailyBars(assets, days, until);
        },
      };
      await store.putBars(batch(assetNumbers.map(assetNumber => newBar(assetNumber, FIRST + 500, random))));
      await recomputePending(watched);
      assert.deepEqual(asked, [30]);
    } finally {
      await store.close();
    }
  });
});
