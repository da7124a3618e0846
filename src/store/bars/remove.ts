// Takes bars out of the blocks of their asset.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BarPlaces } from '../port/corrections.ts';
import type { ReplacedBatch } from '../port/replaced-closes.ts';
import {
  BLOCK_DAYS,
  type Blocks,
  blockOf,
  CLOSE,
  type Coverage,
  FIELDS,
  NO_BARS,
  type WritableBlocks,
} from './blocks.ts';

/** The days of each asset, in ascending order. */
export function daysByAsset({ assetNumber, day }: BarPlaces): Map<AssetNumber, number[]> {
  const found = new Map<AssetNumber, number[]>();
  for (let i = 0; i < day.length; i++) {
    const days = found.get(assetNumber[i]!);
    if (days === undefined) found.set(assetNumber[i]!, [day[i]!]);
    else days.push(day[i]!);
  }
  for (const days of found.values()) days.sort((a, b) => a - b);
  return found;
}

/** Returns how many there were. Their closes are added to `replaced`. */
export function removeDays(
  blocks: WritableBlocks,
  asset: AssetNumber,
  days: readonly number[],
  replaced: ReplacedBatch,
): number {
  let removed = 0;
  for (const day of days) {
    const block = blockOf(day);
    const cell = blocks.cellsOf(asset, block) + day - block * BLOCK_DAYS;
    const close = blocks.find(asset, CLOSE, block)?.[cell] ?? Number.NaN;
    if (Number.isNaN(close)) continue;
    for (let field = 0; field < FIELDS.length; field++) {
      const numbers = blocks.find(asset, field, block);
      if (numbers === null || Number.isNaN(numbers[cell])) continue;
      blocks.open(asset, field, block)[cell] = Number.NaN;
    }
    blocks.setOrigin(asset, day, 0);
    replaced.add(asset, day, close);
    removed++;
  }
  return removed;
}

/** After `removed` bars between its first and its last day were taken out. */
export function coverageWithout(blocks: Blocks, asset: AssetNumber, before: Coverage, removed: number): Coverage {
  const bars = before.bars - removed;
  if (bars === 0) return NO_BARS;
  const hasBar = (day: number) => {
    const block = blockOf(day);
    const close = blocks.find(asset, CLOSE, block)?.[blocks.cellsOf(asset, block) + day - block * BLOCK_DAYS];
    return close !== undefined && !Number.isNaN(close);
  };
  let { firstDay, lastDay } = before;
  while (!hasBar(firstDay)) firstDay++;
  while (!hasBar(lastDay)) lastDay--;
  return { firstDay, lastDay, bars };
}
