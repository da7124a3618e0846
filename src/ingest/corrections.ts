// Takes back what was loaded by mistake: the bars of a load, or an asset. Each correction is recorded like a load, and published, so that
// running servers show it. What it would do is known before it is done.

import { HintedError } from '../common/hinted-error.ts';
import type { Asset, AssetDraft, AssetNumber } from '../domain/asset.ts';
import { FIRST_DAY, LAST_DAY } from '../domain/day.ts';
import { BASE_INTERVALS, type BaseInterval, LAST_PERIOD, type Period } from '../domain/interval.ts';
import { recomputePending } from '../publish/publish-pending.ts';
import type { LoadBars, Store, StoredLoad } from '../store/store.ts';
import { asOnlyWriter } from './only-writer.ts';

export interface UndoPlan {
  readonly load: StoredLoad;
  /** How many, by interval. */
  readonly bars: Readonly<Record<BaseInterval, number>>;
  readonly assets: number;
  /** Of the bars: those that replaced another one, which the store does not keep. */
  readonly replaced: number;
}

/** How the records of commands begin after which an asset is gone: nothing is kept to undo them with. */
const REMOVAL = 'removal of ';
export const MERGE = 'merge of ';

/** Whether a load is the record of one of them. */
export function isRemoval({ source }: Pick<StoredLoad, 'source'>): boolean {
  return source.startsWith(REMOVAL) || source.startsWith(MERGE);
}

/** Null if the log has no such load. */
export async function planUndo(store: Store, number: number): Promise<UndoPlan | null> {
  const [load] = await store.loadsOf([number]);
  if (load === undefined) return null;
  const bars = { '1m': 0, '1h': 0, '1d': 0 };
  const assets = new Set<number>();
  let replaced = 0;
  for (const interval of BASE_INTERVALS) {
    for (const { found } of await barsOfLoad(store, interval, number)) {
      bars[interval] += found.day.length;
      for (const asset of found.assetNumber) assets.add(asset);
      replaced += found.replaced.reduce((sum, one) => sum + one, 0);
    }
  }
  return { load, bars, assets: assets.size, replaced };
}

/** Those of the assets whose served bars they are, with the source null, and those that are kept apart. */
async function barsOfLoad(
  store: Store,
  interval: BaseInterval,
  load: number,
): Promise<{ readonly source: string | null; readonly found: LoadBars }[]> {
  const apart = new Set((await store.sources()).filter(each => each.separate).map(({ assetNumber }) => assetNumber));
  const { assetNumber, day, replaced } = await store.series(interval).barsOfLoad(load);
  const places = [...day.keys()].filter(i => !apart.has(assetNumber[i]!));
  const served = {
    assetNumber: Uint32Array.from(places, i => assetNumber[i]!),
    day: Int32Array.from(places, i => day[i]!),
    replaced: Uint8Array.from(places, i => replaced[i]!),
  };
  const others = Array.from(await store.sourceBarsOfLoad(interval, load), ([source, found]) => ({ source, found }));
  return [{ source: null, found: served }, ...others];
}

export interface Corrected {
  /** The number under which it is recorded. */
  readonly load: number;
  readonly removed: number;
  /** Bars that another asset got. */
  readonly moved: number;
  readonly version: number;
}

/** Removes the bars of the load, as they are when no other load can write any more. */
export function undoLoad(store: Store, { load }: UndoPlan): Promise<Corrected> {
  return recorded(store, `undo of load ${load.id} (${load.source})`, async () => {
    let removed = 0;
    // The finest first: what was made of them is made anew, or removed.
    for (const interval of BASE_INTERVALS) {
      for (const { source, found } of await barsOfLoad(store, interval, load.id)) {
        removed += await (source === null
          ? store.series(interval).removeBars(found)
          : store.removeSourceBars(source, interval, found));
        await removeRecorded(store, interval, source, found);
      }
    }
    const { version } = await recomputePending(store);
    await store.updateLoad(load.id, { ...load, state: 'undone', error: null });
    return { removed, moved: 0, version };
  });
}

/** The findings that loads have recorded about these bars. */
async function removeRecorded(
  store: Store,
  interval: BaseInterval,
  source: string | null,
  { assetNumber, day }: LoadBars,
): Promise<void> {
  const recorded = (await store.recordedFindings()).filter(
    place => place.interval === interval && (source === null || place.source === source),
  );
  if (recorded.length === 0) return;
  const removed = new Set(Array.from(day, (period, i) => `${assetNumber[i]} ${period}`));
  const about = recorded.filter(place => removed.has(`${place.assetNumber} ${place.period}`));
  if (about.length > 0) await store.removeRecorded(about);
}

export function removeAsset(store: Store, asset: Asset): Promise<Corrected> {
  return recorded(store, `${REMOVAL}${asset.id}`, async () => {
    await refuseIfMigrated(store, asset);
    return { ...(await removed(store, asset)), moved: 0 };
  });
}

/** What people have said about an asset would be lost with it. */
export class ReviewedAsset extends HintedError {
  override readonly name = 'ReviewedAsset';
}

export async function refuseIfMigrated(store: Store, { id, assetNumber }: Asset): Promise<void> {
  const action = (await store.actions()).find(({ fromAsset }) => fromAsset === assetNumber);
  if (action === undefined) return;
  const hint = `Remove the action first: 'tidemark actions remove ${action.number}'.`;
  throw new ReviewedAsset(`another asset continues the bars of ${id}, by action ${action.number}`, hint);
}

/**
 * The number of an asset is never given again. What is left of it has neither bars nor a profile nor its id and ticker, and is in no
 * dataset. It is published in two steps: rows that depend on it, by a benchmark say, are computed while its ticker is still known.
 */
export async function removed(store: Store, asset: Asset): Promise<Pick<Corrected, 'removed' | 'version'>> {
  const { assetNumber } = asset;
  let count = 0;
  // First: after a kill, sources without their served bars would show only what comes later.
  await store.forgetSources(assetNumber);
  for (const interval of BASE_INTERVALS) {
    const series = store.series(interval);
    const { day } = await series.bars(assetNumber, FIRST_DAY, lastPeriod(interval));
    count += await series.removeBars({ assetNumber: new Uint32Array(day.length).fill(assetNumber), day });
  }
  await store.removeProfile(assetNumber);
  await store.removeFacts(assetNumber);
  await recomputePending(store);
  await store.renameAsset(assetNumber, removedDraft(assetNumber));
  const { version } = await recomputePending(store, true);
  return { removed: count, version };
}

export function lastPeriod(interval: BaseInterval): Period {
  return interval === '1d' ? LAST_DAY : (LAST_PERIOD as Period); // the last one that a store can have
}

function removedDraft(assetNumber: AssetNumber): AssetDraft {
  const id = `removed-${assetNumber}`;
  const none = { rank: null, type: null, supply: null, tags: '' };
  return { id, symbol: id, name: id, ...none, provisional: true, delisted: true };
}

export async function recorded<Done extends Omit<Corrected, 'load'>>(
  store: Store,
  label: string,
  work: () => Promise<Done>,
): Promise<Done & Pick<Corrected, 'load'>> {
  return asOnlyWriter(store, async () => {
    const load = await store.beginLoad(label);
    const counts = { read: 0, inserted: 0, replaced: 0, unchanged: 0, rejected: 0 };
    try {
      const done = await work();
      const outcome = { ...counts, read: done.removed, inserted: done.moved, replaced: done.removed };
      await store.updateLoad(load, { ...outcome, state: 'done', error: null });
      return { load, ...done };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await store.updateLoad(load, { ...counts, state: 'failed', error: message }).catch(() => undefined);
      throw error;
    }
  });
}
