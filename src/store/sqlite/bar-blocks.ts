// Bars of hours and minutes in SQLite: the newest of an asset group in its tail, the others in rows of their assets.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SortedBars } from '../bars/batch.ts';
import { BLOCK_DAYS, blockOf, CLOSE, FIELDS } from '../bars/blocks.ts';
import { type Block, emptyBlock } from '../bars/packed-block.ts';
import type { Origin } from '../port/origins.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { BlockRows } from './bar-rows.ts';
import type { BarReader, BarTables, BarWriter, GroupAppends, StoredCells } from './bar-tables.ts';
import { PART_PERIODS, TailBlock, TailTable } from './bar-tail.ts';
import type { Connection } from './connection.ts';
import type { CoverageGroups } from './coverage.ts';
import type { FineLayout } from './series-layout.ts';

/** A tail has at least so many of the newest periods: checks look at so many bars before a new one. */
const TAIL_PERIODS = 96;
/** A batch goes to the tail of a group if it has new periods, no more than those of a part, of so many of its assets. */
const LEAST_ASSETS = 8;

export class BlockTable implements BarTables {
  readonly rows: BlockRows;
  readonly tail: TailTable;

  constructor(db: Connection, { blocks, tail }: FineLayout) {
    this.rows = new BlockRows(db, blocks);
    this.tail = new TailTable(db, tail);
  }

  reader(): BarReader {
    return new BlockReader(this);
  }

  writer(appends?: GroupAppends): BarWriter {
    return new BlockWriter(this, appends);
  }

  groupOf(asset: AssetNumber): number {
    return groupOf(asset);
  }

  hasOnlyCloses(): boolean {
    return false;
  }

  originsOf(asset: AssetNumber, days: Int32Array): Map<number, Origin> {
    const found = new Map<number, Origin>();
    const [first, last] = [blockOf(days[0] ?? 0), blockOf(days.at(-1) ?? 0)];
    const start = this.tail.startOf(groupOf(asset));
    const rows = this.rows.between(asset, first, Math.min(last, start - 1));
    const tail = this.tail.read(groupOf(asset), Math.max(first, start), last);
    for (const day of days) {
      const [block, cell] = [blockOf(day), day % BLOCK_DAYS];
      const loads = block < start ? rows.get(block)?.loads : tail.get(block)?.loads;
      const origin = loads?.[block < start ? cell : memberOf(asset) * BLOCK_DAYS + cell] ?? 0;
      if (origin !== 0) found.set(day, origin);
    }
    return found;
  }

  *each(): Iterable<StoredCells> {
    for (const { place, asset, block, numbers, loads } of this.rows.each()) {
      const closes = numbers[CLOSE];
      if (closes) yield { place, firstAsset: asset, block, closes, origins: loads };
    }
    for (const { group, block, bars } of this.tail.each()) {
      const closes = bars.numbers(CLOSE);
      if (closes !== null) yield { place: group, firstAsset: group * GROUP_SIZE, block, closes, origins: bars.loads };
    }
  }

  /** Removes the blocks of all assets before this one; returns how many bars each had. */
  drop(assets: readonly AssetNumber[], before: number): Map<AssetNumber, number> {
    const dropped = new Map<AssetNumber, number>();
    const groups = new Set(assets.map(groupOf));
    for (const group of groups) {
      for (const [, bars] of this.tail.read(group, 0, before - 1)) {
        for (const [cell, close] of (bars.numbers(CLOSE) ?? []).entries()) {
          const asset = group * GROUP_SIZE + Math.floor(cell / BLOCK_DAYS);
          if (!Number.isNaN(close)) dropped.set(asset, (dropped.get(asset) ?? 0) + 1);
        }
      }
      this.tail.removeBefore(group, before);
    }
    for (const asset of assets) dropped.set(asset, (dropped.get(asset) ?? 0) + this.rows.drop(asset, before));
    return dropped;
  }
}

/** The tail of one group, as far as it was read. */
interface ReadTail {
  readonly start: number;
  readonly blocks: Map<number, TailBlock | null>;
}

class BlockReader implements BarReader {
  readonly #table: BlockTable;
  readonly #tails = new Map<number, ReadTail>();
  /** What was read ahead of each asset: what is not there then is not stored. */
  readonly #ahead = new Map<
    AssetNumber,
    { readonly from: number; readonly to: number; readonly rows: Map<number, Block> }
  >();
  /** Rows that were read one by one, of one asset at a time: a reader of all assets must not hold their histories. */
  #asset: AssetNumber = -1;
  readonly #single = new Map<number, Block | null>();
  #fields = 0;

  constructor(table: BlockTable) {
    this.#table = table;
  }

  readAhead(assets: readonly AssetNumber[], fields: readonly number[], from: number, to: number): void {
    for (const asset of assets) {
      const tail = this.#tailOf(asset);
      const rows = this.#table.rows.between(asset, from, Math.min(to, tail.start - 1));
      for (const { numbers } of rows.values())
        for (const field of fields) if (numbers[field]) this.#fields |= 1 << field;
      this.#ahead.set(asset, { from, to, rows });
    }
    for (const group of new Set(assets.map(groupOf))) {
      const { start, blocks } = this.#tails.get(group)!; // read for one of the assets
      for (let block = Math.max(from, start); block <= to; block++) blocks.set(block, null);
      for (const [block, bars] of this.#table.tail.read(group, Math.max(from, start), to)) {
        blocks.set(block, bars);
        for (const field of fields) if (bars.numbers(field) !== null) this.#fields |= 1 << field;
      }
    }
  }

  hasField(field: number): boolean {
    return (this.#fields & (1 << field)) !== 0;
  }

  cellsOf(asset: AssetNumber, block: number): number {
    return block < this.#tailOf(asset).start ? 0 : memberOf(asset) * BLOCK_DAYS;
  }

  find(asset: AssetNumber, field: number, block: number): Float64Array | null {
    const tail = this.#tailOf(asset);
    if (block < tail.start) return this.#row(asset, block)?.numbers[field] ?? null;
    let bars = tail.blocks.get(block);
    if (bars === undefined) {
      bars = this.#table.tail.read(groupOf(asset), block, block).get(block) ?? null;
      tail.blocks.set(block, bars);
    }
    return bars?.numbers(field) ?? null;
  }

  #row(asset: AssetNumber, block: number): Block | null {
    const ahead = this.#ahead.get(asset);
    if (ahead !== undefined && block >= ahead.from && block <= ahead.to) return ahead.rows.get(block) ?? null;
    if (asset !== this.#asset) this.#single.clear();
    this.#asset = asset;
    let row = this.#single.get(block);
    if (row === undefined) {
      row = this.#table.rows.read(asset, block);
      this.#single.set(block, row);
    }
    return row;
  }

  #tailOf(asset: AssetNumber): ReadTail {
    const group = groupOf(asset);
    let tail = this.#tails.get(group);
    if (tail === undefined) {
      tail = { start: this.#table.tail.startOf(group), blocks: new Map() };
      this.#tails.set(group, tail);
    }
    return tail;
  }
}

/** Holds the rows of one asset, and the tail of its group: turning to another one writes what was changed. */
class BlockWriter implements BarWriter {
  readonly #table: BlockTable;
  readonly #appends: GroupAppends | undefined;
  #asset: AssetNumber = -1;
  readonly #rows = new Map<number, Block | null>();
  #group = -1;
  /** The first block of the tail. */
  #start = Number.POSITIVE_INFINITY;
  readonly #tail = new Map<number, TailBlock | null>();
  readonly #changed = new Set<number>();

  constructor(table: BlockTable, appends: GroupAppends | undefined) {
    this.#table = table;
    this.#appends = appends;
  }

  cellsOf(asset: AssetNumber, block: number): number {
    this.#turnTo(asset);
    return block < this.#start ? 0 : memberOf(asset) * BLOCK_DAYS;
  }

  find(asset: AssetNumber, field: number, block: number): Float64Array | null {
    this.#turnTo(asset);
    if (block < this.#start) return this.#row(block)?.numbers[field] ?? null;
    return this.#tailBlock(block)?.numbers(field) ?? null;
  }

  open(asset: AssetNumber, field: number, block: number): Float64Array {
    this.#turnTo(asset);
    if (block >= this.#start) return this.#openTail(block).open(field);
    let row = this.#row(block);
    if (row === null) {
      row = emptyBlock();
      this.#rows.set(block, row);
    }
    row.isChanged = true;
    row.numbers[field] ??= new Float64Array(BLOCK_DAYS).fill(Number.NaN);
    return row.numbers[field];
  }

  originOf(asset: AssetNumber, day: number): Origin {
    this.#turnTo(asset);
    const block = blockOf(day);
    const loads = block < this.#start ? this.#row(block)?.loads : this.#tailBlock(block)?.loads;
    return loads?.[this.cellsOf(asset, block) + (day % BLOCK_DAYS)] ?? 0;
  }

  setOrigin(asset: AssetNumber, day: number, origin: Origin): void {
    this.#turnTo(asset);
    const block = blockOf(day);
    if (block < this.#start) {
      const row = this.#row(block)!; // the close was written before
      if (row.loads === null && origin === 0) return;
      row.loads ??= new Int32Array(BLOCK_DAYS);
      row.loads[day % BLOCK_DAYS] = origin;
      row.isChanged = true;
      return;
    }
    const bars = this.#openTail(block);
    if (bars.loads === null && origin === 0) return;
    bars.openLoads()[this.cellsOf(asset, block) + (day % BLOCK_DAYS)] = origin;
  }

  finish(): void {
    this.#writeRows();
    this.#writeTail();
    this.#asset = -1;
    this.#group = -1;
  }

  #turnTo(asset: AssetNumber): void {
    if (asset === this.#asset) return;
    this.#writeRows();
    this.#asset = asset;
    const group = groupOf(asset);
    if (group === this.#group) return;
    this.#writeTail();
    this.#group = group;
    this.#start = this.#table.tail.startOf(group);
    this.#moveTail(group);
  }

  #writeRows(): void {
    for (const [block, row] of this.#rows) if (row?.isChanged) this.#table.rows.put(this.#asset, block, row);
    this.#rows.clear();
  }

  #writeTail(): void {
    for (const block of this.#changed) this.#table.tail.put(this.#group, block, this.#tail.get(block)!); // opened
    this.#changed.clear();
    this.#tail.clear();
  }

  #row(block: number): Block | null {
    let row = this.#rows.get(block);
    if (row === undefined) {
      row = this.#table.rows.read(this.#asset, block);
      this.#rows.set(block, row);
    }
    return row;
  }

  #tailBlock(block: number): TailBlock | null {
    let bars = this.#tail.get(block);
    if (bars === undefined) {
      bars = this.#table.tail.read(this.#group, block, block).get(block) ?? null;
      this.#tail.set(block, bars);
    }
    return bars;
  }

  #openTail(block: number): TailBlock {
    const bars = this.#tailBlock(block) ?? new TailBlock();
    this.#tail.set(block, bars);
    this.#changed.add(block);
    return bars;
  }

  /** Before a batch with new bars: old bars leave the tail, and a group that is appended to gets one. Groups do so at different periods. */
  #moveTail(group: number): void {
    const append = this.#appends?.get(group);
    if (append === undefined) return;
    const start = Math.max(0, blockOf(append.newest - TAIL_PERIODS - (group % BLOCK_DAYS)));
    if (this.#start < start) {
      for (const [block, bars] of this.#table.tail.read(group, this.#start, start - 1))
        this.#moveToRows(group, block, bars);
      this.#table.tail.removeBefore(group, start);
      this.#start = this.#table.tail.startOf(group);
    }
    if (this.#start === Number.POSITIVE_INFINITY && append.assets >= LEAST_ASSETS) {
      this.#start = start;
      this.#moveToTail(group);
    }
  }

  #moveToRows(group: number, block: number, bars: TailBlock): void {
    for (let member = 0; member < GROUP_SIZE; member++) {
      const cells = member * BLOCK_DAYS;
      const numbers = Array.from(
        FIELDS,
        (_, field) => bars.numbers(field)?.subarray(cells, cells + BLOCK_DAYS) ?? null,
      );
      if (!numbers[CLOSE]?.some(close => !Number.isNaN(close))) continue;
      const loads = bars.loads?.subarray(cells, cells + BLOCK_DAYS) ?? null;
      this.#table.rows.put(group * GROUP_SIZE + member, block, { numbers, loads, isChanged: true });
    }
  }

  #moveToTail(group: number): void {
    for (let member = 0; member < GROUP_SIZE; member++) {
      const asset = group * GROUP_SIZE + member;
      const cells = member * BLOCK_DAYS;
      const rows = this.#table.rows.between(asset, this.#start, Number.POSITIVE_INFINITY);
      for (const [block, { numbers, loads }] of rows) {
        const bars = this.#openTail(block);
        for (const [field, own] of numbers.entries()) if (own !== null) bars.open(field).set(own, cells);
        if (loads !== null) bars.openLoads().set(loads, cells);
      }
      if (rows.size > 0) this.#table.rows.removeFrom(asset, this.#start);
    }
  }
}

/** What a batch adds to each asset group. */
export function appendsOf({ spans, day }: SortedBars, covered: CoverageGroups): GroupAppends {
  const appends = new Map<number, { newest: number; assets: number }>();
  for (const { assetNumber, end } of spans) {
    const group = groupOf(assetNumber);
    const append = appends.get(group) ?? { newest: covered.newestOf(group), assets: 0 };
    appends.set(group, append);
    append.newest = Math.max(append.newest, day[end - 1]!);
  }
  for (const { assetNumber, start, end } of spans) {
    const append = appends.get(groupOf(assetNumber))!; // made above
    if (end - start <= PART_PERIODS && day[start]! > append.newest - TAIL_PERIODS) append.assets++;
  }
  return appends;
}
