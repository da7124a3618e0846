// Closes in SQLite that a load has replaced and that are not published yet. One row per asset group: asset, day and close of each.

import type { AssetNumber } from '../../domain/asset.ts';
import { ReplacedBatch, type ReplacedCloses } from '../port/replaced-closes.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { type Blob, blobOf, CheckedTable, type Numbers, numbersOf } from './checked-table.ts';
import type { Connection } from './connection.ts';
import type { SeriesLayout } from './series-layout.ts';

/** Numbers per close. */
const WIDTH = 3;

export interface ReplacedStore {
  of(asset: AssetNumber): ReplacedCloses;
  all(): ReplacedBatch;
  /** For each asset with replaced closes, the oldest and the newest of their days. */
  spans(take: (asset: AssetNumber, oldest: number, newest: number) => void): void;
  /** Of a day that is replaced twice, the first close stays: it is the published one. */
  add(batch: ReplacedBatch): void;
  forget(isForgotten: (asset: AssetNumber) => boolean): void;
  /** Those of the periods before this one. */
  forgetBefore(period: number): void;
}

export function replacedStore(db: Connection, { replaced }: SeriesLayout): ReplacedStore {
  const table = new CheckedTable<[assetGroup: number, closes: Blob]>(db, replaced);
  const ofGroup = table.select('WHERE asset_group = ?');
  const groups = table.select('ORDER BY asset_group');
  const remove = db.command(`DELETE FROM ${replaced} WHERE asset_group = ?`);

  function closesOf(group: number): Numbers {
    const row = ofGroup.get(group);
    return row === undefined ? new Float64Array(0) : numbersOf(row[1]);
  }

  function keep(isKept: (asset: AssetNumber, day: number) => boolean): void {
    for (const [group, closes] of groups.all()) {
      const numbers = numbersOf(closes);
      const left: number[] = [];
      for (let at = 0; at < numbers.length; at += WIDTH) {
        if (isKept(numbers[at]!, numbers[at + 1]!)) left.push(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
      }
      if (left.length === 0) remove.run(group);
      else if (left.length < numbers.length) table.put([group, blobOf(Float64Array.from(left))]);
    }
  }

  return {
    of(asset) {
      const numbers = closesOf(groupOf(asset));
      const closes = new Map<number, number>();
      for (let at = 0; at < numbers.length; at += WIDTH) {
        if (numbers[at] === asset) closes.set(numbers[at + 1]!, numbers[at + 2]!);
      }
      return closes;
    },

    all() {
      const batch = new ReplacedBatch();
      for (const [, closes] of groups.each()) {
        const numbers = numbersOf(closes);
        for (let at = 0; at < numbers.length; at += WIDTH) batch.add(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
      }
      return batch;
    },

    spans(take) {
      const [oldest, newest] = [new Float64Array(GROUP_SIZE), new Float64Array(GROUP_SIZE)];
      for (const [group, closes] of groups.each()) {
        const numbers = numbersOf(closes);
        oldest.fill(Number.POSITIVE_INFINITY);
        newest.fill(Number.NEGATIVE_INFINITY);
        for (let at = 0; at < numbers.length; at += WIDTH) {
          const [member, day] = [memberOf(numbers[at]!), numbers[at + 1]!];
          if (day < oldest[member]!) oldest[member] = day;
          if (day > newest[member]!) newest[member] = day;
        }
        for (let member = 0; member < GROUP_SIZE; member++) {
          if (oldest[member]! <= newest[member]!) take(group * GROUP_SIZE + member, oldest[member]!, newest[member]!);
        }
      }
    },

    add({ assetNumber, day, close }) {
      for (let from = 0, to = 0; from < assetNumber.length; from = to) {
        const group = groupOf(assetNumber[from]!);
        while (to < assetNumber.length && groupOf(assetNumber[to]!) === group) to++;
        const numbers = Array.from(closesOf(group));
        const known = new Set<number>();
        for (let at = 0; at < numbers.length; at += WIDTH) known.add(placeOf(numbers[at]!, numbers[at + 1]!));
        for (let i = from; i < to; i++) {
          if (!known.has(placeOf(assetNumber[i]!, day[i]!))) numbers.push(assetNumber[i]!, day[i]!, close[i]!);
        }
        table.put([group, blobOf(Float64Array.from(numbers))]);
      }
    },

    forget(isForgotten) {
      keep(asset => !isForgotten(asset));
    },

    forgetBefore(period) {
      keep((_, day) => day >= period);
    },
  };
}

/** Different for any two days of the assets of one group. */
function placeOf(asset: AssetNumber, day: number): number {
  return day * GROUP_SIZE + memberOf(asset);
}
