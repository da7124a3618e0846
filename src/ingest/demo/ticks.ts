// The demo's ticking prices: every tick moves a few simulated prices of the running day, through the same steps as a load. Of assets with
// minutes it also moves the running minute, of which the store makes the hour.

import type { AssetNumber } from '../../domain/asset.ts';
import { barColumns } from '../../domain/bar.ts';
import { type Day, dayOfMillis } from '../../domain/day.ts';
import { type Period, periodOfMillis } from '../../domain/interval.ts';
import { recomputePending } from '../../publish/publish-pending.ts';
import type { Store } from '../../store/store.ts';
import { SourceRoutes } from '../source-routes.ts';
import { randomStream, rounded } from './random.ts';

/** The name of the source. */
const DEMO = 'demo';
/** Assets per tick. */
const MOVED = 5;
/** How far a price returns to the middle of its day's range per tick, and the deviation of a tick as a share of that range. */
const PULL = 0.03;
const STEP = 0.04;
const SEED = 20_260_630;

/** Assets whose newest minute is older than this get a minute of now when ticks begin: otherwise they would look inactive for a while. */
const IDLE_MINUTES = 30;

/**
 * Returns the tick, which moves some prices and publishes them. It does nothing while another process writes, or before the day has
 * prices. `now` is in milliseconds since 1970. Equal stores and days move in the same way.
 */
export function demoTicks(store: Store, now: () => number = Date.now): () => Promise<void> {
  const random = randomStream(SEED);
  let known: Day | null = null;
  /** Those that have a price of the known day. */
  let priced: readonly AssetNumber[] = [];
  return async () => {
    const day = dayOfMillis(now());
    const minute = periodOfMillis('1m', now());
    const isNew = day !== known || priced.length === 0;
    if (isNew) {
      const assets = await store.assets();
      priced = assets.filter(({ lastDay }) => lastDay === day).map(({ assetNumber }) => assetNumber);
      known = day;
    }
    if (day === null || minute === null || priced.length === 0) return;
    await using lock = await store.lock('load');
    if (lock === null) {
      // The first tick that can write wakes the idle ones.
      if (isNew) known = null;
      return;
    }
    await store.recordTick(DEMO, now());
    const moved = random.pickSome(priced, MOVED);
    // What is not given, open and volume, stays as it is stored.
    const bars = { ...barColumns(MOVED), count: moved.length, assetNumber: Uint32Array.from(moved) };
    const moves: Move[] = [];
    for (const [i, each] of moved.entries()) {
      const { high, low, close, volume } = await store.bars(each, day, day);
      const range = high[0]! - low[0]!;
      const back = PULL * (low[0]! + range / 2 - close[0]!);
      bars.day[i] = day;
      bars.close[i] = rounded(close[0]! + back + STEP * range * random.normal());
      bars.high[i] = Math.max(high[0]!, bars.close[i]!);
      bars.low[i] = Math.min(low[0]!, bars.close[i]!);
      moves.push({
        asset: each,
        from: close[0]!,
        to: bars.close[i]!,
        volume: Math.round(volume[0]! / MINUTES_PER_DAY),
      });
    }
    await SourceRoutes.put(store, DEMO, '1d', bars, 0);
    const idle = isNew ? await idleMoves(store, priced, day) : [];
    await moveMinutes(store, [...idle, ...moves], minute);
    await recomputePending(store);
  };
}

interface Move {
  readonly asset: AssetNumber;
  readonly from: number;
  readonly to: number;
  readonly volume: number;
}

const MINUTES_PER_DAY = 1440;

/** The other assets, whose prices stay. */
async function idleMoves(store: Store, assets: readonly AssetNumber[], day: Day): Promise<Move[]> {
  const moves: Move[] = [];
  for (const asset of assets) {
    const { close } = await store.bars(asset, day, day);
    moves.push({ asset, from: close[0]!, to: close[0]!, volume: 0 });
  }
  return moves;
}

/** Assets without minutes get none: the first one would hide that their history is missing. */
async function moveMinutes(store: Store, moves: readonly Move[], minute: Period<'1m'>): Promise<void> {
  const series = store.series('1m');
  const { starts, lastDay } = await series.closes(
    moves.map(({ asset }) => asset),
    0,
  );
  const wanted = moves.filter(({ from, to }, i) => {
    const isIdle = lastDay[i]! < minute - IDLE_MINUTES;
    return starts[i + 1]! > starts[i]! && (from !== to || isIdle);
  });
  if (wanted.length === 0) return;
  const bars = {
    ...barColumns(wanted.length),
    count: wanted.length,
    assetNumber: Uint32Array.from(wanted, each => each.asset),
  };
  for (const [i, { asset, from, to, volume }] of wanted.entries()) {
    const stored = await series.bars(asset, minute, minute);
    const open = stored.open[0] ?? from;
    bars.day[i] = minute;
    bars.open[i] = open;
    bars.close[i] = to;
    bars.high[i] = Math.max(stored.high[0] ?? open, open, to);
    bars.low[i] = Math.min(stored.low[0] ?? open, open, to);
    bars.volume[i] = stored.volume[0] ?? volume;
  }
  await SourceRoutes.put(store, DEMO, '1m', bars, 0);
}
