// Reads bars and daily closes out of blocks; a day without a bar has the close before it.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BarColumns } from '../../domain/bar.ts';
import type { Closes } from '../port/replaced-closes.ts';
import type { BarsOfAssets, DailyBarBatch, DailyCloses } from '../port/store.ts';
import {
  BLOCK_DAYS,
  type Blocks,
  blockOf,
  CLOSE,
  type Coverage,
  FIELDS,
  isGapless,
  MissingBars,
  NO_BARS,
} from './blocks.ts';

/** The bars of one asset from `from` to `to`, both included, oldest first. */
export function readBars(blocks: Blocks, asset: AssetNumber, coverage: Coverage, from: number, to: number): BarColumns {
  return readFields(FIELDS, blocks, asset, coverage, from, to);
}

/** Only the closes. */
export function readOwnCloses(
  blocks: Blocks,
  asset: AssetNumber,
  coverage: Coverage,
  from: number,
  to: number,
): Closes {
  return readFields(CLOSES_ALONE, blocks, asset, coverage, from, to);
}

type Field = (typeof FIELDS)[number];
const CLOSES_ALONE = ['close'] as const;

/** `names` are the first of the fields, the close among them. */
function readFields<F extends Field>(
  names: readonly F[],
  blocks: Blocks,
  asset: AssetNumber,
  coverage: Coverage,
  from: number,
  to: number,
): { readonly day: Int32Array } & Readonly<Record<F, Float64Array>> {
  const [first, last, length] = spanOf(coverage, from, to);
  // One allocation, which is returned to the system as a whole (see scripts/process-settings.sh).
  const memory = new ArrayBuffer((8 * names.length + 4) * length);
  const columns = names.map((_, field) => new Float64Array(memory, 8 * field * length, length));
  const days = new Int32Array(memory, 8 * names.length * length, length);
  const count = copyBars(blocks, asset, [first, last], days, columns, 0);
  requireWhole(asset, coverage, [first, last], count);
  const named = Object.fromEntries(names.map((name, field) => [name, columns[field]!.subarray(0, count)]));
  return { day: days.subarray(0, count), ...(named as Record<F, Float64Array>) }; // made of these names
}

/** The first and the last day of a range that may have a bar, and how many bars there are at most. */
function spanOf(coverage: Coverage, from: number, to: number): [first: number, last: number, length: number] {
  const first = Math.max(from, coverage.firstDay);
  const last = coverage.bars > 0 ? Math.min(to, coverage.lastDay) : first - 1;
  return [first, last, Math.max(0, Math.min(coverage.bars, last - first + 1))];
}

function requireWhole(asset: AssetNumber, coverage: Coverage, [first, last]: readonly [number, number], count: number) {
  const whole = first === coverage.firstDay && last === coverage.lastDay;
  if (whole && count !== coverage.bars) throw new MissingBars(asset);
}

/** Writes the bars of these days, after the first `start`; returns how many there are then. Null for fields that are not wanted. */
function copyBars(
  blocks: Blocks,
  asset: AssetNumber,
  [first, last]: readonly [first: number, last: number],
  days: Int32Array,
  columns: readonly (Float64Array | null)[],
  start: number,
): number {
  let count = start;
  for (let day = first; day <= last; ) {
    const block = blockOf(day);
    const cells = blocks.cellsOf(asset, block) - block * BLOCK_DAYS;
    const end = Math.min((block + 1) * BLOCK_DAYS, last + 1);
    const closes = blocks.find(asset, CLOSE, block);
    let found = count;
    // Without `?.` and `??` in the loops, which allocate each number.
    if (closes !== null) for (let at = day; at < end; at++) if (!Number.isNaN(closes[cells + at]!)) days[found++] = at;
    // One field after the other: a loop over the fields of each day takes several times as long.
    for (let field = 0; field < columns.length; field++) {
      const column = columns[field]!;
      if (column === null) continue;
      const numbers = field === CLOSE ? closes : blocks.find(asset, field, block);
      if (numbers === null) column.fill(Number.NaN, count, found);
      else for (let i = count; i < found; i++) column[i] = numbers[cells + days[i]!]!;
    }
    count = found;
    day = end;
  }
  return count;
}

/** See `BarStore.barsFrom`. `coverage` and `from` have one entry per asset. `hasField`: whether any number of a field was read. */
export function readBarsFrom(
  blocks: Blocks,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  from: readonly number[],
  hasField: (field: number) => boolean,
): BarsOfAssets {
  const spans = coverage.map((one, i) => spanOf(one, from[i]!, one.lastDay));
  const length = spans.reduce((sum, span) => sum + span[2], 0);
  const read = FIELDS.map((_, field) => (hasField(field) ? new Float64Array(length) : null));
  // One for all numbers that no bar has: to fill memory takes as long as to read it.
  const none = read.includes(null) ? new Float64Array(length).fill(Number.NaN) : null;
  const days = new Int32Array(length);
  const starts = new Uint32Array(assets.length + 1);
  for (let i = 0; i < assets.length; i++) {
    const [first, last] = spans[i]!;
    starts[i + 1] = copyBars(blocks, assets[i]!, [first, last], days, read, starts[i]!);
    requireWhole(assets[i]!, coverage[i]!, [first, last], starts[i + 1]! - starts[i]!);
  }
  const count = starts[assets.length]!;
  const named = Object.fromEntries(FIELDS.map((name, field) => [name, (read[field] ?? none)!.subarray(0, count)]));
  return {
    ...(named as Record<Field, Float64Array>), // made of these names
    day: days.subarray(0, count),
    starts,
    firstDay: Int32Array.from(coverage, one => one.firstDay),
    known: FIELDS.filter((_, field) => read[field] !== null),
  };
}

/** The coverage as if there were no bars after a day. The count of bars is exact only if no day is missing. */
export function coverageUntil(blocks: Blocks, asset: AssetNumber, coverage: Coverage, until: number): Coverage {
  const { firstDay, lastDay, bars } = coverage;
  if (bars === 0 || firstDay > until) return NO_BARS;
  if (lastDay <= until) return coverage;
  if (isGapless(coverage)) return { firstDay, lastDay: until, bars: until - firstDay + 1 };
  const newest = newestDay(blocks, asset, until, firstDay);
  return { firstDay, lastDay: newest, bars: Math.max(1, Math.min(bars, newest - firstDay)) };
}

/** See `BarStore.closes`. `coverage` has one entry per asset. */
export function readCloses(
  blocks: Blocks,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  days: number,
  withDays: boolean = false,
): DailyCloses {
  const starts = new Uint32Array(assets.length + 1);
  for (const [i, { firstDay, lastDay, bars }] of coverage.entries()) {
    starts[i + 1] = starts[i]! + (bars === 0 ? 0 : Math.min(days, lastDay - firstDay) + 1);
  }
  const close = new Float64Array(starts[assets.length]!);
  for (let i = 0; i < assets.length; i++) {
    if (starts[i]! < starts[i + 1]!) copyCloses(blocks, assets[i]!, coverage[i]!, close, starts[i]!, starts[i + 1]!);
  }
  const found = {
    starts,
    close,
    firstDay: Int32Array.from(coverage, one => one.firstDay),
    lastDay: Int32Array.from(coverage, one => one.lastDay),
  };
  if (!withDays) return found;
  const closeDays = assets.map((asset, i) => daysOfCloses(blocks, asset, coverage[i]!, starts[i + 1]! - starts[i]!));
  return { ...found, closeDays };
}

/** Of the latest `count` days, the day of the close that each has; null if each has its own. */
function daysOfCloses(blocks: Blocks, asset: AssetNumber, coverage: Coverage, count: number): Int32Array | null {
  if (count === 0 || isGapless(coverage)) return null;
  const { firstDay, lastDay } = coverage;
  const days = new Int32Array(count);
  const from = lastDay - count + 1;
  let last = newestDay(blocks, asset, from, firstDay);
  for (let day = from; day <= lastDay; ) {
    const block = blockOf(day);
    const until = Math.min((block + 1) * BLOCK_DAYS, lastDay + 1);
    const numbers = blocks.find(asset, CLOSE, block);
    const cells = blocks.cellsOf(asset, block) - block * BLOCK_DAYS;
    for (; day < until; day++) {
      if (numbers !== null && !Number.isNaN(numbers[cells + day]!)) last = day;
      days[day - from] = last;
    }
  }
  return days;
}

/** See `BarStore.dailyBars`. */
export function readDailyBars(
  blocks: Blocks,
  assets: readonly AssetNumber[],
  coverage: readonly Coverage[],
  days: number,
  withDays: boolean = false,
): DailyBarBatch {
  const closes = readCloses(blocks, assets, coverage, days, withDays);
  const { starts, close } = closes;
  const prices = () => new Float64Array(close.length);
  const numbers = { open: prices(), high: prices(), low: prices(), volume: prices() };
  for (const [name, target] of Object.entries(numbers)) {
    const field = FIELDS.indexOf(name as Field); // their names
    const carried = name === 'volume' ? null : close;
    for (let i = 0; i < assets.length; i++) {
      const [start, end] = [starts[i]!, starts[i + 1]!];
      const from = coverage[i]!.lastDay - (end - start) + 1;
      copyField(blocks, assets[i]!, field, target, start, end, from);
      fillDaysWithoutBar(blocks, assets[i]!, coverage[i]!, target, start, end, from, carried);
    }
  }
  return { ...closes, ...numbers };
}

/** NaN for what is unknown, and for days without a bar. */
function copyField(
  blocks: Blocks,
  asset: AssetNumber,
  field: number,
  target: Float64Array,
  start: number,
  end: number,
  from: number,
): void {
  for (let at = start; at < end; ) {
    const day = from + at - start;
    const block = blockOf(day);
    const count = Math.min((block + 1) * BLOCK_DAYS - day, end - at);
    const numbers = blocks.find(asset, field, block);
    if (numbers === null) target.fill(Number.NaN, at, at + count);
    else copy(numbers, blocks.cellsOf(asset, block) + day - block * BLOCK_DAYS, target, at, count);
    at += count;
  }
}

/** With the close of the day, which is the one before; null: with 0. */
function fillDaysWithoutBar(
  blocks: Blocks,
  asset: AssetNumber,
  coverage: Coverage,
  target: Float64Array,
  start: number,
  end: number,
  from: number,
  closes: Float64Array | null,
): void {
  if (isGapless(coverage)) return;
  for (let at = start; at < end; at++) {
    if (Number.isNaN(closeOn(blocks, asset, from + at - start))) target[at] = closes === null ? 0 : closes[at]!;
  }
}

/** The closes up to the newest one, as many days as fit; a day without a close gets the close before it. */
function copyCloses(
  blocks: Blocks,
  asset: AssetNumber,
  coverage: Coverage,
  target: Float64Array,
  start: number,
  end: number,
): void {
  const { lastDay } = coverage;
  const from = lastDay - (end - start) + 1;
  const gapless = isGapless(coverage);
  let last = Number.NaN;
  for (let day = from; day <= lastDay; ) {
    const block = blockOf(day);
    const until = Math.min((block + 1) * BLOCK_DAYS, lastDay + 1);
    const numbers = blocks.find(asset, CLOSE, block);
    const at = start + day - from;
    const cells = blocks.cellsOf(asset, block) + (day % BLOCK_DAYS);
    if (numbers === null) {
      if (gapless || until > lastDay) throw new MissingBars(asset);
      target.fill(last, at, at + until - day);
    } else if (gapless) copy(numbers, cells, target, at, until - day);
    else last = carry(numbers, cells, target, at, until - day, last);
    day = until;
  }
  // The first days may need a close that is older than all of these.
  if (Number.isNaN(target[start])) {
    const before = closeBefore(blocks, asset, from, coverage.firstDay);
    for (let at = start; Number.isNaN(target[at]); at++) target[at] = before;
  }
}

/** In a loop, which takes less time than the start of `set` for a month of days. */
function copy(numbers: Float64Array, from: number, target: Float64Array, to: number, count: number): void {
  for (let i = 0; i < count; i++) target[to + i] = numbers[from + i]!;
}

/** Copies some days; one without a close gets the close before it. Returns the last close. Several times slower than `copy`. */
function carry(
  numbers: Float64Array,
  from: number,
  target: Float64Array,
  to: number,
  count: number,
  before: number,
): number {
  let last = before;
  for (let i = 0; i < count; i++) {
    const close = numbers[from + i]!;
    if (!Number.isNaN(close)) last = close;
    target[to + i] = last;
  }
  return last;
}

/** The newest close before a day; there is one on `firstDay` at the latest. */
function closeBefore(blocks: Blocks, asset: AssetNumber, day: number, firstDay: number): number {
  return closeOn(blocks, asset, newestDay(blocks, asset, day - 1, firstDay));
}

/** The newest day with a close, `until` at the latest; `firstDay` has one. */
function newestDay(blocks: Blocks, asset: AssetNumber, until: number, firstDay: number): number {
  for (let day = until; day >= firstDay; day--) {
    if (!Number.isNaN(closeOn(blocks, asset, day))) return day;
    const block = blockOf(day);
    if (blocks.find(asset, CLOSE, block) === null) day = block * BLOCK_DAYS;
  }
  throw new MissingBars(asset);
}

/** The oldest day with a close, `from` at the earliest; `lastDay` has one. */
export function oldestDay(blocks: Blocks, asset: AssetNumber, from: number, lastDay: number): number {
  for (let day = from; day <= lastDay; day++) {
    if (!Number.isNaN(closeOn(blocks, asset, day))) return day;
    const block = blockOf(day);
    if (blocks.find(asset, CLOSE, block) === null) day = (block + 1) * BLOCK_DAYS - 1;
  }
  throw new MissingBars(asset);
}

function closeOn(blocks: Blocks, asset: AssetNumber, day: number): number {
  const block = blockOf(day);
  return blocks.find(asset, CLOSE, block)?.[blocks.cellsOf(asset, block) + day - block * BLOCK_DAYS] ?? Number.NaN;
}
