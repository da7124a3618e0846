// Times publications of one new day of every asset with the optional columns, in a process of its own: the columns of one's own that the
// environment defines are part of it. Prints milliseconds of processor time as JSON, which other work of the machine changes little.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recomputePending } from '../../src/publish/publish-pending.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { PLAIN_FACTS } from './universe.ts';

const [ASSETS, DAYS, PUBLICATIONS] = [2000, 500, 15];
const FIRST_DAY = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const store = await openStore(`sqlite:${join(folder, 'store.db')}`);
try {
  const numbers = await store.putAssets(
    Array.from({ length: ASSETS }, (_, i) => ({
      ...{ id: `a${i}-a`, symbol: `A${i}`, name: 'A', rank: null, type: null },
      ...PLAIN_FACTS,
    })),
  );
  await putDays(store, numbers, 0, DAYS);
  await recomputePending(store);
  await addOptionalColumns(store);
  const times: number[] = [];
  for (let i = 0; i < PUBLICATIONS; i++) {
    await putDays(store, numbers, DAYS + i, 1);
    const began = process.cpuUsage();
    await recomputePending(store);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
  }
  console.log(JSON.stringify(Math.min(...times.slice(1))));
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}

async function putDays(into: Store, assets: readonly number[], from: number, days: number): Promise<void> {
  for (let first = 0; first < assets.length; first += 100) {
    const some = assets.slice(first, first + 100);
    const count = some.length * days;
    const numbers = () => new Float64Array(count);
    const bars = { close: numbers(), open: numbers(), high: numbers(), low: numbers(), volume: numbers() };
    const [assetNumber, day] = [new Uint32Array(count), new Int32Array(count)];
    for (let i = 0; i < count; i++) {
      const [asset, age] = [some[Math.floor(i / days)]!, from + (i % days)];
      const close = 10 + Math.sin(asset + age / 9) + ((asset * 7 + age * 13) % 17) / 20;
      assetNumber[i] = asset;
      day[i] = FIRST_DAY + age;
      bars.close[i] = close;
      bars.open[i] = close * 0.99;
      bars.high[i] = close * 1.02;
      bars.low[i] = close * 0.97;
      bars.volume[i] = 1000 + ((asset + age) % 100);
    }
    await into.putBars({ count, assetNumber, day, ...bars });
  }
}
