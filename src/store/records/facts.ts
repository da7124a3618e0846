// The history of facts. What is written is compared with what holds on the day: a repeated value takes no space.

import type { AssetNumber } from '../../domain/asset.ts';
import type { FactChanges, FactRecord, FactRow, FactStore, KnownAt } from '../port/store.ts';
import { decodeFacts, encodeFacts, type FactBlock, factBlockOf, factsOnDay, NO_FACTS } from './fact-blocks.ts';
import { onePerDay, putIntoLog } from './fact-log.ts';
import { type CurrentFacts, type Records, run, type Steps } from './steps.ts';
import { FACT_BLOCKS, type FactBlockRow } from './tables.ts';

/** Assets per statement and transaction. */
const ASSETS_AT_ONCE = 500;
const LAST_BLOCK = 2 ** 31 - 1;

export function factStore(db: Records): FactStore {
  return {
    factsOn: async (assetNumbers, days) => {
      const count = assetNumbers.length;
      const numbers = () => new Float64Array(count).fill(Number.NaN);
      const facts = { rank: numbers(), supply: numbers(), marketCap: numbers() };
      const [some] = await db.query(() => FACT_BLOCKS.select('1', 'LIMIT 1'));
      if (some === undefined) return facts;
      for (let from = 0; from < count; from += ASSETS_AT_ONCE) {
        const places = Array.from({ length: Math.min(ASSETS_AT_ONCE, count - from) }, (_, i) => from + i);
        const wanted = places.map(i => [assetNumbers[i]!, factBlockOf(days[i]!)] as const);
        const rows = await db.query(() => FACT_BLOCKS.newest(wanted));
        const blocks = Map.groupBy(rows, row => row.assetNumber);
        for (const [place, i] of places.entries()) {
          const [asset, bound] = wanted[place]!;
          // An asset with several days has several of them.
          const block = blocks.get(asset)?.reduce<FactBlockRow | null>((newest, row) => {
            return row.block <= bound && row.block >= (newest?.block ?? 0) ? row : newest;
          }, null);
          if (!block) continue;
          const { rank, supply, marketCap } = factsOnDay(block, days[i]!);
          facts.rank[i] = rank ?? Number.NaN;
          facts.supply[i] = supply ?? Number.NaN;
          facts.marketCap[i] = marketCap ?? Number.NaN;
        }
      }
      return facts;
    },

    factsOf: async asset => {
      const blocks = await db.query(() => FACT_BLOCKS.rows('WHERE asset = $1 ORDER BY block', asset), asset);
      return decodeFacts(blocks).records;
    },

    putFacts: async (rows, load) => {
      const byAsset = Map.groupBy(rows, row => row.assetNumber);
      const assets = [...byAsset.keys()];
      const changes = { inserted: 0, replaced: 0, unchanged: 0 };
      for (let from = 0; from < assets.length; from += ASSETS_AT_ONCE) {
        const part = new Map(assets.slice(from, from + ASSETS_AT_ONCE).map(asset => [asset, byAsset.get(asset)!]));
        const made = await db.write(function* () {
          yield* run(on => on.requireAssets([...part.keys()]));
          const { changed, ...counts } = yield* changeFacts(part, load);
          yield* run(on => on.markPending(changed));
          return counts;
        });
        changes.inserted += made.inserted;
        changes.replaced += made.replaced;
        changes.unchanged += made.unchanged;
      }
      return changes;
    },

    beginFacts: at =>
      db.write(function* () {
        const [some] = yield* FACT_BLOCKS.select('1', 'LIMIT 1');
        if (some !== undefined) return;
        const known = yield* run<readonly CurrentFacts[]>(on => on.currentFacts());
        yield* recordFacts(known, at);
      }),
  };
}

/** Within the transaction that changes the assets. Replaces what was recorded of later days, when the clock was ahead. */
export function* recordFacts(assets: readonly CurrentFacts[], { day, load }: KnownAt): Steps<void> {
  for (let from = 0; from < assets.length; from += ASSETS_AT_ONCE) {
    const part = assets.slice(from, from + ASSETS_AT_ONCE);
    const rows = part.map(({ assetNumber, rank, supply }): FactRow => ({ assetNumber, day, rank, supply }));
    yield* changeFacts(new Map(rows.map(row => [row.assetNumber, [row]])), load, true);
  }
}

/** As it was in another store. */
export function* putFactRecords(asset: AssetNumber, records: readonly FactRecord[]): Steps<void> {
  yield* FACT_BLOCKS.put(encodeFacts(NO_FACTS, records).map(block => ({ assetNumber: asset, ...block })));
}

export function* removeFacts(asset: AssetNumber): Steps<void> {
  yield* FACT_BLOCKS.remove('WHERE asset = $1', asset);
}

/** The same ranks and supplies on the recorded days after it. */
function onLaterDays(row: FactRow, records: readonly FactRecord[]): FactRow[] {
  return records.filter(({ day }) => day > row.day).map(({ day }) => ({ ...row, day }));
}

function* changeFacts(
  rows: ReadonlyMap<AssetNumber, readonly FactRow[]>,
  load: number,
  isNow = false,
): Steps<FactChanges & { readonly changed: AssetNumber[] }> {
  const newest = yield* FACT_BLOCKS.newest([...rows.keys()].map(asset => [asset, LAST_BLOCK]));
  const stored = new Map<AssetNumber, FactBlock[]>(newest.map(row => [row.assetNumber, [row]]));
  // A day before the newest block changes what the blocks after it begin with.
  const older = newest.filter(({ assetNumber, block }) =>
    rows.get(assetNumber)!.some(({ day }) => factBlockOf(day) < block),
  );
  const all = yield* FACT_BLOCKS.rowsOf(
    'asset',
    older.map(({ assetNumber }) => assetNumber),
    'ORDER BY asset, block',
  );
  for (const [asset, blocks] of Map.groupBy(all, row => row.assetNumber)) stored.set(asset, blocks);
  const counts = { inserted: 0, replaced: 0, unchanged: 0 };
  const changed: FactBlockRow[] = [];
  const emptied: FactBlockRow[] = [];
  for (const [assetNumber, own] of rows) {
    const blocks = stored.get(assetNumber) ?? [];
    const log = decodeFacts(blocks);
    const all = isNow ? [...own, ...onLaterDays(own[0]!, log.records)] : own; // one row
    const { records, ...made } = putIntoLog(log, onePerDay(all), load);
    counts.inserted += made.inserted;
    counts.replaced += made.replaced;
    counts.unchanged += made.unchanged;
    const before = new Map(blocks.map(block => [block.block, block]));
    for (const { block, data } of encodeFacts(log.before, records)) {
      if (!isSame(before.get(block)?.data, data)) changed.push({ assetNumber, block, data });
      before.delete(block);
    }
    for (const { block, data } of before.values()) emptied.push({ assetNumber, block, data });
  }
  yield* FACT_BLOCKS.put(changed);
  for (const { assetNumber, block } of emptied) {
    yield* FACT_BLOCKS.remove('WHERE asset = $1 AND block = $2', assetNumber, block);
  }
  return { ...counts, changed: [...new Set([...changed, ...emptied].map(row => row.assetNumber))] };
}

function isSame(before: Uint8Array | undefined, now: Uint8Array): boolean {
  return before !== undefined && Buffer.compare(before, now) === 0;
}
