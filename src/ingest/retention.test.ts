import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { freshPostgresUrl } from '../../test/support/postgres.ts';
import type { Day } from '../domain/day.ts';
import { type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { batchOf } from './bar-list.ts';
import { load } from './pipeline.ts';
import { dropWhenFree } from './retention.ts';
import type { Source } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-retention-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const DAY_MINUTES = 1440;
/** Years ago: what is old counts from the newest bar, not from now. */
const FIRST_DAY = 20_000;

/** Minutes of so many days; the close is the minute of the day and the number of the day. */
function minutes(symbol: string, days: number): Source {
  const asset = { id: null, symbol };
  return {
    name: 'minutes',
    async *profiles() {},
    async *bars() {
      for (let day = 0; day < days; day++) {
        const bars = Array.from({ length: DAY_MINUTES }, (_, i) => {
          const close = 1 + i + day / 128;
          return {
            asset,
            day: (FIRST_DAY + day) * DAY_MINUTES + i,
            open: 1,
            high: close,
            low: 1,
            close,
            volume: 1,
            line: i + 1,
          };
        });
        yield { kind: 'bars', batch: batchOf('test', bars, '1m') };
      }
    },
  };
}

async function barsOf(store: Store, interval: BaseInterval): Promise<Map<number, number>> {
  const { assetNumber } = (await store.assets())[0]!;
  const { day, close } = await store.series(interval).bars(assetNumber, 0 as Period, LAST_PERIOD as Period);
  return new Map(Array.from(day, (period, i) => [period, close[i]!]));
}

const STORES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  PostgreSQL: freshPostgresUrl,
};

for (const [name, freshUrl] of Object.entries(STORES)) {
  describe(`retention in ${name}`, () => {
    const run = (store: Store, days: number, retention?: { '1m': number; '1h': number }) =>
      load({
        store,
        source: minutes('A', days),
        today: (FIRST_DAY + 100) as Day,
        signal: new AbortController().signal,
        ...(retention === undefined ? {} : { retention }),
      });

    it('drops minutes and hours of a load that are too old, and keeps what was made of them', async () => {
      const store = await openStore(await freshUrl());
      try {
        const { dropped, inserted } = await run(store, 10, { '1m': 2, '1h': 5 });
        assert.equal(inserted, 10 * DAY_MINUTES);
        const [kept, hours, days] = [await barsOf(store, '1m'), await barsOf(store, '1h'), await barsOf(store, '1d')];
        const last = (FIRST_DAY + 10) * DAY_MINUTES - 1;
        // At least two days, and less than one more.
        assert.ok(
          Math.min(...kept.keys()) <= last - 2 * DAY_MINUTES && Math.min(...kept.keys()) > last - 3 * DAY_MINUTES,
        );
        assert.equal(Math.max(...kept.keys()), last);
        assert.ok(hours.size >= 5 * 24 && hours.size < 9 * 24, `${hours.size}`);
        assert.deepEqual(
          days,
          new Map(Array.from({ length: 10 }, (_, day) => [FIRST_DAY + day, DAY_MINUTES + day / 128])),
        );
        assert.deepEqual(
          dropped.map(({ interval, bars }) => [interval, bars]),
          [
            ['1m', 10 * DAY_MINUTES - kept.size],
            ['1h', 240 - hours.size],
          ],
        );
        const totals = await store.intervals();
        assert.deepEqual(
          totals.map(({ interval, bars, droppedBefore }) => [interval, bars, droppedBefore]),
          [
            ['1m', kept.size, Math.min(...kept.keys())],
            ['1h', hours.size, Math.min(...hours.keys())],
            ['1d', 10, null],
          ],
        );
        await store.checkIntegrity();
      } finally {
        await store.close();
      }
    });

    it('of 0 days keeps everything, and without a load drops when no other process writes', async () => {
      const store = await openStore(await freshUrl());
      try {
        assert.deepEqual((await run(store, 6, { '1m': 0, '1h': 0 })).dropped, []);
        const busy = await store.lock('load');
        assert.deepEqual(await dropWhenFree(store, { '1m': 1, '1h': 0 }), []);
        await busy!.release();
        assert.deepEqual(await dropWhenFree(store, { '1m': 1000, '1h': 0 }), []);
        const [dropped] = await dropWhenFree(store, { '1m': 1, '1h': 0 });
        assert.equal(dropped!.bars, 6 * DAY_MINUTES - (await barsOf(store, '1m')).size);
        assert.equal((await barsOf(store, '1h')).size, 6 * 24);
      } finally {
        await store.close();
      }
    });
  });
}
