// Bars of separate sources: rows of 32 periods of one source of an asset. The code for served bars (../bars/) works on them too.

import type { AssetNumber } from '../../domain/asset.ts';
import type { BaseInterval } from '../../domain/interval.ts';
import { sourceBars } from '../../domain/source-bars.ts';
import type { SortedBars } from '../bars/batch.ts';
import { BLOCK_DAYS, blockOf, CLOSE, FIELDS, NO_BARS, type WritableBlocks } from '../bars/blocks.ts';
import { COARSER, FINER, Folding } from '../bars/fold.ts';
import { mergeSpan } from '../bars/merge.ts';
import { type Block, emptyBlock, packBlock, UnpackedBlock } from '../bars/packed-block.ts';
import { daysByAsset, removeDays } from '../bars/remove.ts';
import { isMade, type Origin } from '../port/origins.ts';
import { ReplacedBatch } from '../port/replaced-closes.ts';
import type { BarChanges, BarPlaces, LoadBars, SourceSeries } from '../port/store.ts';
import type { Steps } from './steps.ts';
import { SOURCE_BLOCKS, type SourceBlockRow } from './tables.ts';

/** Blocks in memory at a time: 10 MB. */
const BLOCKS_AT_ONCE = 8192;
/** Rows per statement. */
const ROWS_AT_ONCE = 1000;
/** Fewer blocks than this fit between the first and the last period. */
const BLOCK_SPACE = 2 ** 22;

const IN_RANGE = 'AND source = $2 AND interval = $3 AND block BETWEEN $4 AND $5';

/** The first period of each asset and interval that has changed. */
export class FirstChanges {
  readonly periods = new Map<BaseInterval, Map<AssetNumber, number>>();

  note(interval: BaseInterval, asset: AssetNumber, period: number): void {
    const own = this.periods.get(interval) ?? new Map<AssetNumber, number>();
    this.periods.set(interval, own.set(asset, Math.min(period, own.get(asset) ?? period)));
  }
}

/** Puts bars of one source, and makes those of the coarser intervals. */
export function* putBars(
  source: string,
  interval: BaseInterval,
  bars: SortedBars,
  load: number,
  changed: FirstChanges,
): Steps<BarChanges> {
  // Bars with origins are stored as they are.
  const coarser = bars.origin === undefined ? COARSER[interval] : null;
  const folding = coarser === null ? null : new Folding(coarser.ratio);
  const total = { inserted: 0, replaced: 0, unchanged: 0 };
  const wanted = bars.spans.map(span => ({
    span,
    runs: runsOf(bars.day.subarray(span.start, span.end), coarser?.ratio ?? 1),
  }));
  for (const part of inParts(wanted)) {
    const blocks = new SourceBlocks(source, interval);
    yield* blocks.read(part.map(({ span, runs }) => [span.assetNumber, runs]));
    const lost = new ReplacedBatch();
    for (const { span } of part) {
      const { assetNumber, start, end } = span;
      folding?.begin(blocks, assetNumber, bars.day.subarray(start, end));
      const { inserted, replaced, unchanged } = mergeSpan(blocks, bars, span, NO_BARS, lost, load);
      total.inserted += inserted;
      total.replaced += replaced;
      total.unchanged += unchanged;
      if (inserted + replaced === 0) continue;
      changed.note(interval, assetNumber, bars.day[start]!);
      folding?.end(blocks, assetNumber);
    }
    yield* blocks.write();
  }
  if (coarser !== null && folding !== null) yield* putBars(source, coarser.interval, folding.bars(), load, changed);
  return total;
}

/** Returns how many there were. With `madeOnly`, those that were loaded stay. */
export function* removeBars(
  source: string,
  interval: BaseInterval,
  places: BarPlaces,
  madeOnly: boolean,
  changed: FirstChanges,
): Steps<number> {
  const coarser = COARSER[interval];
  const folding = coarser === null ? null : new Folding(coarser.ratio);
  let total = 0;
  const wanted = Array.from(daysByAsset(places), ([asset, periods]) => ({
    asset,
    periods,
    runs: runsOf(periods, coarser?.ratio ?? 1),
  })).sort((a, b) => a.asset - b.asset);
  for (const part of inParts(wanted)) {
    const blocks = new SourceBlocks(source, interval);
    yield* blocks.read(part.map(({ asset, runs }) => [asset, runs]));
    const lost = new ReplacedBatch();
    for (const { asset, periods } of part) {
      const own = madeOnly ? periods.filter(period => isMade(blocks.originOf(asset, period))) : periods;
      folding?.begin(blocks, asset, own);
      const removed = removeDays(blocks, asset, own, lost);
      if (removed === 0) continue;
      folding?.end(blocks, asset);
      total += removed;
      changed.note(interval, asset, own[0]!);
    }
    yield* blocks.write();
  }
  if (coarser !== null && folding !== null) {
    yield* putBars(source, coarser.interval, folding.bars(), 0, changed);
    yield* removeBars(source, coarser.interval, folding.emptied(), true, changed);
  }
  if (!madeOnly) yield* remake(source, interval, places, changed);
  return total;
}

/** Makes the bars of these periods again, if there are finer ones. */
function* remake(source: string, interval: BaseInterval, places: BarPlaces, changed: FirstChanges): Steps<void> {
  const finer = FINER[interval];
  if (finer === null) return;
  const { ratio } = COARSER[finer]!; // this one
  const folding = new Folding(ratio);
  const wanted = Array.from(daysByAsset(places), ([asset, periods]) => ({
    asset,
    periods,
    runs: runsOf(
      periods.map(period => period * ratio),
      ratio,
    ),
  })).sort((a, b) => a.asset - b.asset);
  for (const part of inParts(wanted)) {
    const blocks = new SourceBlocks(source, finer);
    yield* blocks.read(part.map(({ asset, runs }) => [asset, runs]));
    for (const { asset, periods } of part) folding.remake(blocks, asset, periods);
  }
  yield* putBars(source, interval, folding.bars(), 0, changed);
}

/** The bars of one source of these assets, from and to included; without assets that have none. */
export function* readBars(
  assets: readonly AssetNumber[],
  source: string,
  interval: BaseInterval,
  from: number,
  to: number,
): Steps<Map<AssetNumber, SourceSeries>> {
  const range = [blockOf(from), blockOf(to)] as const;
  const rows = yield* SOURCE_BLOCKS.rowsOf('asset', assets, IN_RANGE, source, interval, ...range);
  const found = new Map<AssetNumber, SourceSeries>();
  for (const [asset, own] of Map.groupBy(rows, row => row.assetNumber)) {
    const bars = seriesOf(
      source,
      own.toSorted((a, b) => a.block - b.block),
      from,
      to,
    );
    if (bars.period.length > 0) found.set(asset, bars);
  }
  return found;
}

/** The oldest or the newest period that a source has. */
export function* endOf(
  asset: AssetNumber,
  source: string,
  interval: BaseInterval,
  end: 'oldest' | 'newest',
): Steps<number | null> {
  const order = end === 'oldest' ? 'ASC' : 'DESC';
  const [row] = yield* SOURCE_BLOCKS.rows(
    `WHERE asset = $1 AND source = $2 AND interval = $3 ORDER BY block ${order} LIMIT 1`,
    ...[asset, source, interval],
  );
  if (row === undefined) return null;
  const { period } = seriesOf(source, [row], 0, Number.POSITIVE_INFINITY);
  return period.at(end === 'oldest' ? 0 : -1)!; // a row has a bar
}

/** The bars of one asset that a load delivered, by source. */
export function* barsOfLoad(
  asset: AssetNumber,
  sources: readonly string[],
  interval: BaseInterval,
  load: number,
): Steps<Map<string, Omit<LoadBars, 'assetNumber'>>> {
  const found = new Map<string, Omit<LoadBars, 'assetNumber'>>();
  for (const source of sources) {
    const { period, origin } =
      (yield* readBars([asset], source, interval, 0, LAST_BLOCK * BLOCK_DAYS)).get(asset) ?? NO_SERIES;
    const places = [...period.keys()].filter(i => Math.abs(origin[i]!) === load);
    if (places.length === 0) continue;
    found.set(source, {
      day: Int32Array.from(places, i => period[i]!),
      replaced: Uint8Array.from(places, i => Number(origin[i]! < 0)),
    });
  }
  return found;
}

const LAST_BLOCK = BLOCK_SPACE - 1;
const NO_SERIES = { period: new Int32Array(0), origin: new Int32Array(0) };

/** `rows` in the order of their blocks. */
function seriesOf(source: string, rows: readonly SourceBlockRow[], from: number, to: number): SourceSeries {
  const most = rows.length * BLOCK_DAYS;
  const [period, cellOf] = [new Int32Array(most), new Uint8Array(most)];
  const blocks: { readonly block: Block; readonly start: number; readonly end: number }[] = [];
  let count = 0;
  for (const row of rows) {
    const [first, block, start] = [row.block * BLOCK_DAYS, unpacked(row), count];
    const closes = block.numbers[CLOSE]!; // a row has a bar
    const last = Math.min(BLOCK_DAYS - 1, to - first);
    for (let cell = Math.max(0, from - first); cell <= last; cell++) {
      if (Number.isNaN(closes[cell])) continue;
      cellOf[count] = cell;
      period[count++] = first + cell;
    }
    blocks.push({ block, start, end: count });
  }
  const bars = { ...sourceBars(source, count), source, period: period.slice(0, count), origin: new Int32Array(count) };
  for (const { block, start, end } of blocks) {
    const { numbers, loads } = block;
    for (const [field, name] of FIELDS.entries()) copyCells(numbers[field], bars[name], cellOf, start, end);
    copyCells(loads, bars.origin, cellOf, start, end);
  }
  return bars;
}

/** Of each bar `start … end - 1`, the number in its cell. */
function copyCells<T extends Float64Array | Int32Array>(
  block: T | null | undefined,
  column: T,
  cellOf: Uint8Array,
  start: number,
  end: number,
): void {
  if (!block) return;
  if (end - start === BLOCK_DAYS) column.set(block, start);
  else for (let at = start; at < end; at++) column[at] = block[cellOf[at]!]!;
}

/** The last byte says which fields there are; the numbers before it must begin where a number may be in memory. */
function unpacked({ data }: SourceBlockRow): Block {
  return new UnpackedBlock({ fields: data.at(-1)!, data: new Uint8Array(data.subarray(0, -1)) });
}

type Run = readonly [first: number, last: number];

/** The blocks of these periods, in ascending order, with the rest of each coarser period, which has `ratio` of these: without gaps between. */
function runsOf(periods: Iterable<number>, ratio: number): Run[] {
  const runs: [number, number][] = [];
  let coarser = Number.NaN;
  for (const period of periods) {
    if (Math.floor(period / ratio) === coarser) continue;
    coarser = Math.floor(period / ratio);
    const [first, last] = [blockOf(coarser * ratio), blockOf(coarser * ratio + ratio - 1)];
    const before = runs.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(last, before[1]);
    else runs.push([first, last]);
  }
  return runs;
}

/** So that the blocks of each part fit into memory. */
function* inParts<T extends { readonly runs: readonly Run[] }>(wanted: readonly T[]): Generator<T[], void, undefined> {
  let [part, blocks]: [T[], number] = [[], 0];
  for (const one of wanted) {
    part.push(one);
    for (const [first, last] of one.runs) blocks += last - first + 1;
    if (blocks < BLOCKS_AT_ONCE) continue;
    yield part;
    [part, blocks] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** Blocks of one source and interval: those that were read, and those to be written. */
class SourceBlocks implements WritableBlocks {
  readonly #source: string;
  readonly #interval: BaseInterval;
  readonly #blocks = new Map<number, Block>();

  constructor(source: string, interval: BaseInterval) {
    this.#source = source;
    this.#interval = interval;
  }

  /** Those of the same blocks of many assets together. */
  *read(wanted: readonly (readonly [AssetNumber, readonly Run[]])[]): Steps<void> {
    const byRun = new Map<string, { readonly run: Run; readonly assets: AssetNumber[] }>();
    for (const [asset, runs] of wanted) {
      for (const run of runs) {
        const same = byRun.get(run.join()) ?? { run, assets: [] };
        same.assets.push(asset);
        byRun.set(run.join(), same);
      }
    }
    for (const { run, assets } of byRun.values()) {
      const rows = yield* SOURCE_BLOCKS.rowsOf('asset', assets, IN_RANGE, this.#source, this.#interval, ...run);
      for (const row of rows) {
        this.#blocks.set(placeOf(row.assetNumber, row.block), unpacked(row));
      }
    }
  }

  find(asset: AssetNumber, field: number, block: number): Float64Array | null {
    return this.#blocks.get(placeOf(asset, block))?.numbers[field] ?? null;
  }

  cellsOf(): number {
    return 0;
  }

  open(asset: AssetNumber, field: number, block: number): Float64Array {
    const row = this.#blocks.get(placeOf(asset, block)) ?? emptyBlock();
    this.#blocks.set(placeOf(asset, block), row);
    row.isChanged = true;
    row.numbers[field] ??= new Float64Array(BLOCK_DAYS).fill(Number.NaN);
    return row.numbers[field];
  }

  originOf(asset: AssetNumber, period: number): Origin {
    return this.#blocks.get(placeOf(asset, blockOf(period)))?.loads?.[period % BLOCK_DAYS] ?? 0;
  }

  setOrigin(asset: AssetNumber, period: number, origin: Origin): void {
    const row = this.#blocks.get(placeOf(asset, blockOf(period)))!; // the close was written before
    if (row.loads === null && origin === 0) return;
    row.loads ??= new Int32Array(BLOCK_DAYS);
    row.loads[period % BLOCK_DAYS] = origin;
    row.isChanged = true;
  }

  /** What was changed; a block without a bar is removed. */
  *write(): Steps<void> {
    let rows: SourceBlockRow[] = [];
    for (const [place, row] of this.#blocks) {
      if (!row.isChanged) continue;
      const [assetNumber, block] = [Math.floor(place / BLOCK_SPACE), place % BLOCK_SPACE];
      const packed = packBlock(row, 1);
      const key = { assetNumber, source: this.#source, interval: this.#interval, block };
      if (packed === null) yield* removeRow(key);
      else {
        packed.data[packed.data.length - 1] = packed.fields;
        rows.push({ ...key, data: packed.data });
      }
      if (rows.length < ROWS_AT_ONCE) continue;
      yield* SOURCE_BLOCKS.put(rows);
      rows = [];
    }
    yield* SOURCE_BLOCKS.put(rows);
  }
}

function removeRow({ assetNumber, source, interval, block }: Omit<SourceBlockRow, 'data'>): Steps<number> {
  const condition = 'WHERE asset = $1 AND source = $2 AND interval = $3 AND block = $4';
  return SOURCE_BLOCKS.remove(condition, assetNumber, source, interval, block);
}

function placeOf(asset: AssetNumber, block: number): number {
  return asset * BLOCK_SPACE + block;
}
