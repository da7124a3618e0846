// Puts bars into the blocks of an asset so that a range of periods has exactly these bars.

import type { AssetNumber } from '../../domain/asset.ts';
import type { ReplacedBatch } from '../port/replaced-closes.ts';
import type { AssetSpan, SortedBars } from './batch.ts';
import { BLOCK_DAYS, blockOf, CLOSE, type Coverage, FIELDS, NO_BARS, type WritableBlocks } from './blocks.ts';

export interface Replacement {
  readonly changed: boolean;
  /** Bars that were taken out. */
  readonly removed: number;
  readonly inserted: number;
}

/**
 * The bars of `span` replace everything that the asset has from one period to another, both included: numbers that a bar lacks are erased,
 * periods without a bar are removed. Closes that change are added to `replaced` as `mergeSpan` does; the first and the last period for
 * this are those of `spanWith`.
 */
export function replaceSpan(
  blocks: WritableBlocks,
  bars: SortedBars,
  { assetNumber, start, end }: AssetSpan,
  range: readonly [from: number, to: number],
  { firstDay, lastDay, bars: count }: Coverage,
  [oldest, newest]: readonly [oldest: number, newest: number],
  replaced: ReplacedBatch,
): Replacement {
  let [changed, removed, inserted] = [false, 0, 0];
  let bar = start;
  const from = Math.max(range[0], Math.min(count > 0 ? firstDay : range[1], end > start ? bars.day[start]! : range[1]));
  const to = Math.min(range[1], Math.max(count > 0 ? lastDay : range[0], end > start ? bars.day[end - 1]! : range[0]));
  for (let day = from; day <= to; day++) {
    const block = blockOf(day);
    const cell = blocks.cellsOf(assetNumber, block) + day - block * BLOCK_DAYS;
    const isGiven = bar < end && bars.day[bar] === day;
    const closes = blocks.find(assetNumber, CLOSE, block);
    const before = closes === null ? Number.NaN : closes[cell]!;
    if (!isGiven && Number.isNaN(before)) continue;
    const close = isGiven ? bars.close[bar]! : Number.NaN;
    if (isGiven && Number.isNaN(close)) throw new Error(`a bar of the asset ${assetNumber} has no close`);
    const rangeDiffers = writeNumbers(blocks, bars, isGiven ? bar : -1, assetNumber, block, cell);
    const closeDiffers = !Object.is(before, close);
    const origin = isGiven ? (bars.origin?.[bar] ?? 0) : 0;
    const originDiffers = blocks.originOf(assetNumber, day) !== origin;
    if (closeDiffers || originDiffers) blocks.setOrigin(assetNumber, day, origin);
    if (
      closeDiffers ? !Number.isNaN(before) || (day > oldest && day < newest) : rangeDiffers === 'range' && day < lastDay
    )
      replaced.add(assetNumber, day, before);
    if (closeDiffers || originDiffers || rangeDiffers !== null) changed = true;
    if (Number.isNaN(before)) inserted++;
    else if (!isGiven) removed++;
    if (isGiven) bar++;
  }
  return { changed, removed, inserted };
}

/** The first and the last period that an asset has or had when it was published, `replaced` being those whose closes have changed since. */
export function spanWith({ firstDay, lastDay, bars }: Coverage, replaced: Iterable<number>): readonly [number, number] {
  let [oldest, newest] = bars > 0 ? [firstDay, lastDay] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const day of replaced) [oldest, newest] = [Math.min(oldest, day), Math.max(newest, day)];
  return [oldest, newest];
}

/** Of no bar, NaN. Returns whether other numbers than the close differ, and whether high or low is among them. */
function writeNumbers(
  blocks: WritableBlocks,
  bars: SortedBars,
  bar: number,
  asset: AssetNumber,
  block: number,
  cell: number,
): 'range' | 'others' | null {
  let differs: 'range' | 'others' | null = null;
  for (const [field, name] of FIELDS.entries()) {
    const value = bar < 0 ? Number.NaN : bars[name][bar]!;
    const numbers = blocks.find(asset, field, block);
    if (Object.is(numbers === null ? Number.NaN : numbers[cell]!, value)) continue;
    blocks.open(asset, field, block)[cell] = value;
    if (name === 'high' || name === 'low') differs = 'range';
    else if (name !== 'close') differs ??= 'others';
  }
  return differs;
}

/** After `replaceSpan`. If the first or the last bar was taken out, all blocks must have been read: the new one may be anywhere. */
export function coverageReplaced(
  blocks: WritableBlocks,
  { day }: SortedBars,
  { assetNumber, start, end }: AssetSpan,
  [from, to]: readonly [from: number, to: number],
  before: Coverage,
  { removed, inserted }: Replacement,
): Coverage {
  const bars = before.bars + inserted - removed;
  if (bars === 0) return NO_BARS;
  const hasBar = (at: number) => {
    const block = blockOf(at);
    const close = blocks.find(assetNumber, CLOSE, block)?.[
      blocks.cellsOf(assetNumber, block) + at - block * BLOCK_DAYS
    ];
    return close !== undefined && !Number.isNaN(close);
  };
  let [firstDay, lastDay] = [before.firstDay, before.lastDay];
  if (before.bars === 0) [firstDay, lastDay] = [day[start]!, day[end - 1]!];
  else if (end > start) [firstDay, lastDay] = [Math.min(firstDay, day[start]!), Math.max(lastDay, day[end - 1]!)];
  if (removed === 0) return { firstDay, lastDay, bars };
  const mayBeGone = (at: number) => at >= from && at <= to;
  if (mayBeGone(firstDay)) while (!hasBar(firstDay)) firstDay++;
  if (mayBeGone(lastDay)) while (!hasBar(lastDay)) lastDay--;
  return { firstDay, lastDay, bars };
}
