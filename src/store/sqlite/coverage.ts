// Coverage in SQLite: the periods of each asset's oldest and newest bar of an interval, how many bars it has, and of intervals finer than a
// day the periods of the bars that were published.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Period } from '../../domain/interval.ts';
import type { Coverage } from '../bars/blocks.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { type Blob, blobOf, CheckedTable, type Numbers, numbersOf } from './checked-table.ts';
import { rowMismatch } from './checksum-mismatch.ts';
import type { Connection, Query } from './connection.ts';
import { type NumberRange, rangesOf } from './number-ranges.ts';
import { SERIES, type SeriesLayout } from './series-layout.ts';

type CoverageRow = [assetGroup: number, numbers: Blob];

/** Numbers per asset: first day, last day, bars; of fine intervals also the first published period, and the one behind the last. */
const [WIDTH, FINE_WIDTH] = [3, 5];

export class CoverageTable {
  readonly #table: CheckedTable<CoverageRow>;
  readonly #between: Query<CoverageRow>;
  readonly #width: number;

  constructor(db: Connection, { interval, coverage }: SeriesLayout = SERIES['1d']) {
    this.#width = interval === '1d' ? WIDTH : FINE_WIDTH;
    this.#table = new CheckedTable(db, coverage);
    this.#between = this.#table.select('WHERE asset_group BETWEEN ? AND ?');
  }

  /** The coverage of these assets, which must exist. */
  of(assets: Iterable<AssetNumber>): CoverageGroups {
    return this.ofGroups(Array.from(assets, groupOf));
  }

  ofGroups(groups: Iterable<number>): CoverageGroups {
    return this.#read(rangesOf(groups));
  }

  /** Of all assets, whose numbers are 1 … `count`. */
  all(count: number): CoverageGroups {
    return this.#read(count === 0 ? [] : [[0, groupOf(count)]]);
  }

  put({ groups, changed }: CoverageGroups): void {
    this.#table.putAll(Array.from(changed, group => [group, blobOf(groups.get(group)!)]));
  }

  /** Makes room for new assets, whose numbers are `first … last`. */
  addAssets(first: AssetNumber, last: AssetNumber): void {
    // The group of the asset before the first one has its row already.
    for (let group = first === 1 ? 0 : groupOf(first - 1) + 1; group <= groupOf(last); group++) {
      this.#table.put([group, blobOf(new Float64Array(GROUP_SIZE * this.#width))]);
    }
  }

  #read(ranges: readonly NumberRange[]): CoverageGroups {
    const groups = new Map<number, Numbers>();
    for (const [first, last] of ranges) {
      for (const [group, blob] of this.#between.each(first, last)) groups.set(group, numbersOf(blob));
      for (let group = first; group <= last; group++) {
        if (!groups.has(group)) throw rowMismatch(this.#table.name, group, 'is missing');
      }
    }
    return new CoverageGroups(groups, this.#width);
  }
}

export class CoverageGroups {
  readonly groups: ReadonlyMap<number, Numbers>;
  readonly changed = new Set<number>();
  readonly #width: number;

  constructor(groups: ReadonlyMap<number, Numbers>, width: number) {
    this.groups = groups;
    this.#width = width;
  }

  of(asset: AssetNumber): Coverage {
    const numbers = this.groups.get(groupOf(asset))!; // read for this asset
    const at = memberOf(asset) * this.#width;
    return { firstDay: numbers[at]!, lastDay: numbers[at + 1]!, bars: numbers[at + 2]! };
  }

  /** Of all assets that were read. */
  total(): { readonly bars: number; readonly first: Period | null; readonly last: Period | null } {
    let [bars, first, last] = [0, Number.POSITIVE_INFINITY, -1];
    for (const numbers of this.groups.values()) {
      for (let at = 0; at < numbers.length; at += this.#width) {
        const own = numbers[at + 2]!;
        if (own === 0) continue;
        bars += own;
        first = Math.min(first, numbers[at]!);
        last = Math.max(last, numbers[at + 1]!);
      }
    }
    if (bars === 0) return { bars, first: null, last: null };
    return { bars, first: first as Period, last: last as Period }; // only periods from the domain are ever stored
  }

  /** The newest period of all assets of a group; -1 without bars. */
  newestOf(group: number): number {
    const numbers = this.groups.get(group)!; // read for one of its assets
    let newest = -1;
    for (let at = 0; at < numbers.length; at += this.#width)
      if (numbers[at + 2]! > 0) newest = Math.max(newest, numbers[at + 1]!);
    return newest;
  }

  set(asset: AssetNumber, { firstDay, lastDay, bars }: Coverage): void {
    this.groups.get(groupOf(asset))!.set([firstDay, lastDay, bars], memberOf(asset) * this.#width);
    this.changed.add(groupOf(asset));
  }

  /** Of a fine interval: the first published period, and the one behind the last; equal if nothing was published. */
  published(asset: AssetNumber): readonly [first: number, end: number] {
    const numbers = this.groups.get(groupOf(asset))!; // read for this asset
    const at = memberOf(asset) * FINE_WIDTH + WIDTH;
    return [numbers[at]!, numbers[at + 1]!];
  }

  setPublished(asset: AssetNumber, first: number, end: number): void {
    const numbers = this.groups.get(groupOf(asset))!; // read for this asset
    const at = memberOf(asset) * FINE_WIDTH + WIDTH;
    if (numbers[at] === first && numbers[at + 1] === end) return;
    numbers[at] = first;
    numbers[at + 1] = end;
    this.changed.add(groupOf(asset));
  }

  /** From now on, the bars that these assets have are the published ones. */
  publish(assets: readonly AssetNumber[]): void {
    for (const asset of assets) {
      const numbers = this.groups.get(groupOf(asset))!; // read for this asset
      const at = memberOf(asset) * FINE_WIDTH;
      const first = numbers[at]!;
      this.setPublished(asset, first, numbers[at + 2] === 0 ? first : numbers[at + 1]! + 1);
    }
  }
}
