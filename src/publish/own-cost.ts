// What the columns of the settings file cost: the rows of some assets are computed with and without them, from the bars of the store.

import type { AssetNumber } from '../domain/asset.ts';
import { INDICATORS, OPTIONAL_COMPUTED } from '../domain/catalogue.ts';
import { ownPlace } from '../domain/columns.ts';
import { type Day, FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { rowNeeds } from '../domain/row-needs.ts';
import type { DailyBars } from '../indicators/calendar.ts';
import { Series } from '../indicators/kernel.ts';
import { KernelGroups } from '../indicators/kernel-groups.ts';
import type { BarStore, DailyBarBatch } from '../store/store.ts';

/** Assets that are tried, and at a time. */
const SAMPLE = 512;
const CHUNK = 128;
const ALL_DAYS = LAST_DAY - FIRST_DAY;
/** The fastest counts: of at least so many, and of more if they are short. */
const RUNS = 4;
const ENOUGH_MS = 1000;

/** Milliseconds per asset. */
export interface OwnCost {
  /** Of a publication with the built-in optional columns, and with those of the settings file too. */
  readonly without: number;
  readonly with: number;
  /** Of the first one after a change of a definition, which reads the whole history. */
  readonly first: number;
  /** More bytes per row of the store. */
  readonly bytes: number;
}

/** Null without bars. */
export async function ownCost(
  store: Pick<BarStore, 'closes' | 'dailyBars'>,
  assets: readonly AssetNumber[],
): Promise<OwnCost | null> {
  const step = Math.max(1, Math.floor(assets.length / SAMPLE));
  const sample = assets.filter((_, i) => i % step === 0).slice(0, SAMPLE);
  if (sample.length === 0) return null;
  const builtIn = OPTIONAL_COMPUTED.filter(column => ownPlace(column) === null);
  const [plain, all] = [new KernelGroups(builtIn), new KernelGroups(OPTIONAL_COMPUTED)];
  const [needs, allNeeds] = [rowNeeds([...INDICATORS, ...builtIn]), rowNeeds([...INDICATORS, ...OPTIONAL_COMPUTED])];
  const bars = (columns: ReturnType<typeof rowNeeds>) =>
    columns.whole ? ALL_DAYS : Math.max(columns.bars, columns.closes);
  const timed = (groups: KernelGroups, days: number) => millisOf(store, sample, groups, days);
  const least = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY, first: Number.POSITIVE_INFINITY };
  // In turns, so that a busy moment of the machine meets all of them. The first runs compile the code and read the pages of the store.
  const began = performance.now();
  for (let run = 0; run < RUNS || performance.now() - began < ENOUGH_MS; run++) {
    least.first = Math.min(least.first, await timed(all, ALL_DAYS));
    least.without = Math.min(least.without, await timed(plain, bars(needs)));
    least.with = Math.min(least.with, await timed(all, bars(allNeeds)));
  }
  return {
    without: least.without / sample.length,
    with: least.with / sample.length,
    first: least.first / sample.length,
    bytes: 8 * (OPTIONAL_COMPUTED.length - builtIn.length + all.stateSize - plain.stateSize),
  };
}

async function millisOf(
  store: Pick<BarStore, 'dailyBars'>,
  sample: readonly AssetNumber[],
  groups: KernelGroups,
  days: number,
): Promise<number> {
  const began = performance.now();
  for (let from = 0; from < sample.length; from += CHUNK) {
    computeLast(groups, await store.dailyBars(sample.slice(from, from + CHUNK), days));
  }
  return performance.now() - began;
}

function computeLast(groups: KernelGroups, batch: DailyBarBatch): void {
  const table = groups.table(1);
  const run = groups.into(table);
  const series = new Series(groups.stateSize);
  for (let i = 0; i + 1 < batch.starts.length; i++) {
    const [from, to] = [batch.starts[i]!, batch.starts[i + 1]!];
    if (from === to) continue;
    const cut = (numbers: Float64Array) => numbers.subarray(from, to);
    const bars: DailyBars = {
      firstDay: (batch.lastDay[i]! - (to - from) + 1) as Day, // of a stored bar
      closes: cut(batch.close),
      opens: cut(batch.open),
      highs: cut(batch.high),
      lows: cut(batch.low),
      volumes: cut(batch.volume),
    };
    run.write(series.set(bars, null), to - from - 1, 0);
  }
}
