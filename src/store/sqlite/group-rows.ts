// Current rows in SQLite: those of an asset group in one value, as doubles, one record after the other by asset number.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { CheckedPart, CurrentPart, CurrentRow } from '../port/store.ts';
import { GROUP_SIZE, groupOf } from './asset-groups.ts';
import { type Blob, blobOf, type Numbers, numbersOf } from './checked-table.ts';

/** Where the numbers of a record are; as many values as COUNT says begin at VALUES. */
const ASSET = 0;
const VERSION = 1;
const DAY = 2;
const HISTORY = 3;
const PRICE = 4;
const COUNT = 5;
const VALUES = 6;
/** The history in a record that removes a row; that of a row is at least 1. */
const REMOVED = 0;

/** One record, or several. */
function* recordsIn(numbers: Numbers): Generator<Numbers> {
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    to = from + VALUES + numbers[from + COUNT]!;
    yield numbers.subarray(from, to);
  }
}

/** The rows of a group that were published after a version. */
export function rowsSince(blob: Blob, version: number): CurrentRow[] {
  const numbers = numbersOf(blob);
  const rows: CurrentRow[] = [];
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    to = from + VALUES + numbers[from + COUNT]!;
    if (numbers[from + VERSION]! <= version) continue;
    const day = numbers[from + DAY]! as Day; // only days from the domain are ever stored
    const [assetNumber, history, price] = [numbers[from + ASSET]!, numbers[from + HISTORY]!, numbers[from + PRICE]!];
    rows.push({ assetNumber, day, history, price, values: numbers.subarray(from + VALUES, to) });
  }
  return rows;
}

/** The first and last day of each row of a group, without its values. */
export function spansIn(blob: Blob, take: (asset: AssetNumber, first: number, last: number) => void): void {
  const numbers = numbersOf(blob);
  for (let from = 0; from < numbers.length; from += VALUES + numbers[from + COUNT]!) {
    const last = numbers[from + DAY]!;
    take(numbers[from + ASSET]!, last - numbers[from + HISTORY]! + 1, last);
  }
}

/** Whether these records write the row of every asset that the group can have: then it does not matter what it has. */
export function writesWholeGroup(changes: readonly Numbers[]): boolean {
  const written = new Set<AssetNumber>();
  for (const numbers of changes) {
    for (const record of recordsIn(numbers)) if (record[HISTORY] !== REMOVED) written.add(record[ASSET]!);
  }
  return written.size === GROUP_SIZE;
}

/** The rows of one group. */
export class GroupRows {
  readonly #records = new Map<AssetNumber, Numbers>();

  constructor(blob?: Blob) {
    if (blob === undefined) return;
    for (const record of recordsIn(numbersOf(blob))) this.#records.set(record[ASSET]!, record);
  }

  /** Writes and removes rows; true when a row was removed. */
  apply(changes: Iterable<Numbers>, version: number): boolean {
    let removed = false;
    for (const numbers of changes) {
      for (const record of recordsIn(numbers)) {
        if (record[HISTORY] === REMOVED) {
          if (this.#records.delete(record[ASSET]!)) removed = true;
        } else {
          record[VERSION] = version;
          this.#records.set(record[ASSET]!, record);
        }
      }
    }
    return removed;
  }

  get blob(): Blob {
    const sorted = [...this.#records.values()].sort((a, b) => a[ASSET]! - b[ASSET]!);
    const numbers = new Float64Array(sorted.reduce((sum, record) => sum + record.length, 0));
    let at = 0;
    for (const record of sorted) {
      numbers.set(record, at);
      at += record.length;
    }
    return blobOf(numbers);
  }
}

/**
 * The rows of a publication before its transaction. A transaction is synchronous, while parts are computed one after the other:
 * one that stayed open would block servers that count requests.
 */
export class CollectedRows {
  readonly byGroup = new Map<number, Numbers[]>();
  readonly written: AssetNumber[] = [];
  /** The day of each row that is written. */
  readonly days: number[] = [];
  readonly removed: AssetNumber[] = [];
  readonly checked: CheckedPart[] = [];

  add({ rows, removed, checked }: CurrentPart): void {
    if (checked !== undefined) this.checked.push(checked);
    // Removals first: a row of the same part counts more.
    for (const asset of removed) {
      this.#put(groupOf(asset), Float64Array.of(asset, 0, 0, REMOVED, 0, 0));
      this.removed.push(asset);
    }
    for (const [group, own] of Map.groupBy(rows, row => groupOf(row.assetNumber))) this.#put(group, packed(own));
    for (const { assetNumber, day } of rows) {
      this.written.push(assetNumber);
      this.days.push(day);
    }
  }

  #put(group: number, numbers: Numbers): void {
    const known = this.byGroup.get(group);
    if (known) known.push(numbers);
    else this.byGroup.set(group, [numbers]);
  }
}

function packed(rows: readonly CurrentRow[]): Numbers {
  const numbers = new Float64Array(rows.reduce((sum, row) => sum + VALUES + row.values.length, 0));
  let at = 0;
  for (const { assetNumber, day, history, price, values } of rows) {
    if (Number.isNaN(price)) throw new Error(`the row of the asset ${assetNumber} has no price`);
    numbers[at + ASSET] = assetNumber;
    numbers[at + DAY] = day;
    numbers[at + HISTORY] = history;
    numbers[at + PRICE] = price;
    numbers[at + COUNT] = values.length;
    numbers.set(values, at + VALUES);
    at += VALUES + values.length;
  }
  return numbers;
}
