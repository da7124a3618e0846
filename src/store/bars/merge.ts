// Puts new bars into the blocks of their asset, and says what that changes.

import type { AssetNumber } from '../../domain/asset.ts';
import { isMade, madeBy } from '../port/origins.ts';
import type { ReplacedBatch } from '../port/replaced-closes.ts';
import type { BarChanges } from '../port/store.ts';
import type { AssetSpan, SortedBars } from './batch.ts';
import { BLOCK_DAYS, blockOf, CLOSE, type Coverage, FIELDS, type WritableBlocks } from './blocks.ts';

const [SAME, CHANGED, NEW] = [0, 1, 2];

/** By place of a bar in the part of a batch that is of one block. Reused: a batch may have a bar of each of 50,000 assets. */
const outcomes = new Uint8Array(BLOCK_DAYS);
const closesDiffer = new Uint8Array(BLOCK_DAYS);
const othersDiffer = new Uint8Array(BLOCK_DAYS);
/** 1 where the stored bar stays as it is, and where all of it goes. */
const stays = new Uint8Array(BLOCK_DAYS);
const goes = new Uint8Array(BLOCK_DAYS);

/**
 * Puts the bars of one asset into its blocks. A number that a bar lacks never erases a known one, unless the stored bar was made of finer
 * ones: a bar that was loaded replaces all of it, and is never replaced by one that was made. Closes that change are added to
 * `replaced` as they were, with NaN for a day between the first and the last one that had none; see `BarStore.replacedCloses`. `load`
 * is 0 if it is unknown.
 */
export function mergeSpan(
  blocks: WritableBlocks,
  bars: SortedBars,
  { assetNumber, start, end }: AssetSpan,
  { firstDay, lastDay }: Coverage,
  replaced: ReplacedBatch,
  load: number,
): BarChanges {
  const counts = [0, 0, 0];
  const origin = bars.fresh === undefined ? load : madeBy(load);
  for (let from = start, to = start; from < end; from = to) {
    const block = blockOf(bars.day[from]!);
    while (to < end && blockOf(bars.day[to]!) === block) to++;
    outcomes.fill(SAME);
    closesDiffer.fill(0);
    othersDiffer.fill(0);
    const cells = blocks.cellsOf(assetNumber, block) - block * BLOCK_DAYS;
    compareOrigins(blocks, bars, assetNumber, from, to);
    for (let field = 0; field < FIELDS.length; field++) {
      const column = bars[FIELDS[field]!];
      let numbers: Float64Array | null | undefined;
      let open: Float64Array | null = null;
      for (let bar = from; bar < to; bar++) {
        const value = column[bar]!;
        if (stays[bar - from] === 1 || (Number.isNaN(value) && goes[bar - from] === 0)) continue;
        // Only once there is something to put: most sources know only some of the numbers.
        if (numbers === undefined) numbers = blocks.find(assetNumber, field, block);
        const day = bars.day[bar]!;
        const stored = numbers === null ? Number.NaN : numbers[cells + day]!;
        if (stored === value || (Number.isNaN(stored) && Number.isNaN(value))) continue;
        if (field === CLOSE) {
          outcomes[bar - from] = Number.isNaN(stored) ? NEW : CHANGED;
          if (outcomes[bar - from] === CHANGED || (day > firstDay && day < lastDay))
            replaced.add(assetNumber, day, stored);
          closesDiffer[bar - from] = 1;
        } else {
          if (outcomes[bar - from] === SAME) outcomes[bar - from] = CHANGED;
          othersDiffer[bar - from] = 1;
        }
        open ??= blocks.open(assetNumber, field, block);
        open[cells + day] = value;
        numbers = open;
        if (field === CLOSE) {
          blocks.setOrigin(assetNumber, day, bars.origin?.[bar] ?? (outcomes[bar - from] === NEW ? origin : -origin));
        }
      }
    }
    for (let bar = from; bar < to; bar++) {
      if (Number.isNaN(bars.close[bar])) throw new Error(`a bar of the asset ${assetNumber} has no close`);
      counts[outcomes[bar - from]!]!++;
      const day = bars.day[bar]!;
      // With the same close, but loaded now.
      if (goes[bar - from] === 1 && closesDiffer[bar - from] === 0 && bars.fresh === undefined)
        blocks.setOrigin(assetNumber, day, -load);
      // The close is as it was, but what is computed from this day on, or found about it, is not.
      if (othersDiffer[bar - from]! > closesDiffer[bar - from]! && day < lastDay)
        replaced.add(assetNumber, day, bars.close[bar]!);
    }
  }
  return { inserted: counts[NEW]!, replaced: counts[CHANGED]!, unchanged: counts[SAME]! };
}

/** Between bars of a backup there is nothing to decide. */
function compareOrigins(
  blocks: WritableBlocks,
  { day, origin, fresh }: SortedBars,
  asset: AssetNumber,
  from: number,
  to: number,
): void {
  stays.fill(0);
  goes.fill(0);
  const block = blockOf(day[from]!);
  const closes = blocks.find(asset, CLOSE, block);
  if (closes === null || origin !== undefined) return;
  const cells = blocks.cellsOf(asset, block) - block * BLOCK_DAYS;
  for (let bar = from; bar < to; bar++) {
    if (Number.isNaN(closes[cells + day[bar]!])) continue;
    goes[bar - from] = Number(isMade(blocks.originOf(asset, day[bar]!)));
    if (fresh !== undefined) stays[bar - from] = Number(goes[bar - from] === 0 || fresh[bar] === 1);
  }
}

export function coverageWith(before: Coverage, { day }: SortedBars, span: AssetSpan, inserted: number): Coverage {
  const [first, last] = [day[span.start]!, day[span.end - 1]!];
  return {
    firstDay: before.bars === 0 ? first : Math.min(before.firstDay, first),
    lastDay: before.bars === 0 ? last : Math.max(before.lastDay, last),
    bars: before.bars + inserted,
  };
}
