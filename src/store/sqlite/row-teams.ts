// How current rows lie in SQLite: those of 32 assets in one value, as doubles, one record after the other by key.
//
// With a row of the table for each asset, most of the time of a publication would go into the rows themselves.

import type { AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { CurrentPart, CurrentRow } from '../store.ts';
import { teamOf } from './bar-tiles.ts';
import { type Blob, type Numbers, newNumbers, sealed, unsealed } from './sealed-numbers.ts';

/** Where the numbers of a record stand in it; from VALUES on there are as many values as COUNT says. */
const KEY = 0;
const VERSION = 1;
const DAY = 2;
const HISTORY = 3;
const PRICE = 4;
const COUNT = 5;
const VALUES = 6;
/** The history in a record that says that the row is gone; every row has one of a day at least. */
const GONE = 0;

/** One record, or several. */
function* recordsIn(numbers: Numbers): Generator<Numbers> {
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    to = from + VALUES + numbers[from + COUNT]!;
    yield numbers.subarray(from, to);
  }
}

/** Adds the rows of a team that were published after a version. */
export function addRowsSince(bytes: Blob, version: number, rows: CurrentRow[]): void {
  const numbers = unsealed(bytes);
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    to = from + VALUES + numbers[from + COUNT]!;
    if (numbers[from + VERSION]! <= version) continue;
    const day = numbers[from + DAY]! as Day; // only days from the domain are ever stored
    const [key, history, price] = [numbers[from + KEY]!, numbers[from + HISTORY]!, numbers[from + PRICE]!];
    rows.push({ key, day, history, price, values: numbers.subarray(from + VALUES, to) });
  }
}

/** The rows of one team. */
export class TeamRows {
  readonly #records = new Map<AssetNumber, Numbers>();

  constructor(bytes: Blob | undefined) {
    if (bytes === undefined) return;
    for (const record of recordsIn(unsealed(bytes))) this.#records.set(record[KEY]!, record);
  }

  /** Writes and removes what waits; true when a row was removed. */
  apply(waiting: Iterable<Numbers>, version: number): boolean {
    let removed = false;
    for (const numbers of waiting) {
      for (const record of recordsIn(numbers)) {
        if (record[HISTORY] === GONE) {
          if (this.#records.delete(record[KEY]!)) removed = true;
        } else {
          record[VERSION] = version;
          this.#records.set(record[KEY]!, record);
        }
      }
    }
    return removed;
  }

  get bytes(): Blob {
    const sorted = [...this.#records.values()].sort((a, b) => a[KEY]! - b[KEY]!);
    const numbers = newNumbers(sorted.reduce((sum, record) => sum + record.length, 0));
    let at = 0;
    for (const record of sorted) {
      numbers.set(record, at);
      at += record.length;
    }
    return sealed(numbers);
  }
}

/**
 * Rows that wait for the transaction which publishes them. A transaction runs in one go, while parts are made one after the
 * other; to keep it open meanwhile would lock out whoever counts requests.
 */
export class WaitingRows {
  readonly byTeam = new Map<number, Numbers[]>();
  readonly written: AssetNumber[] = [];
  readonly removed: AssetNumber[] = [];

  add({ rows, removed }: CurrentPart): void {
    // First the removals: a row of the same part counts more.
    for (const key of removed) this.#put(teamOf(key), Float64Array.of(key, 0, 0, GONE, 0, 0));
    for (const [team, own] of Map.groupBy(rows, row => teamOf(row.key))) this.#put(team, packed(own));
    for (const { key } of rows) this.written.push(key);
    this.removed.push(...removed);
  }

  #put(team: number, numbers: Numbers): void {
    const waiting = this.byTeam.get(team);
    if (waiting) waiting.push(numbers);
    else this.byTeam.set(team, [numbers]);
  }
}

function packed(rows: readonly CurrentRow[]): Numbers {
  const numbers = new Float64Array(rows.reduce((sum, row) => sum + VALUES + row.values.length, 0));
  let at = 0;
  for (const { key, day, history, price, values } of rows) {
    if (Number.isNaN(price)) throw new Error(`the row of the asset ${key} has no price`);
    numbers[at + KEY] = key;
    numbers[at + DAY] = day;
    numbers[at + HISTORY] = history;
    numbers[at + PRICE] = price;
    numbers[at + COUNT] = values.length;
    numbers.set(values, at + VALUES);
    at += VALUES + values.length;
  }
  return numbers;
}
