// The published rows of every asset, listed or not, by slot: the source of the next listing.
//
// To save memory, the numbers of a listed asset are stored in the newest listing alone. This class stores the others: rows that are
// new, and rows of assets that are not listed.

import { INDICATORS, PUBLISHED_COLUMNS } from '../../domain/catalogue.ts';
import type { CurrentRow } from '../../store/store.ts';
import { rowNumbers, sharedDoubleColumns } from '../columns/shared-memory.ts';

const NONE = -1;
/** As many as the first-level cache of a processor has room for. */
const BLOCK_ROWS = 64;
/** If a larger share of the rows is new, writing a listing row by row is faster. */
const FEW_FRESH = 1 / 8;

/** Columns of a listing: the price first, then the published ones. */
export type Numbers = readonly (Float64Array | Int32Array)[];

interface UnlistedRow {
  readonly price: number;
  readonly values: ArrayLike<number>;
}

export class PublishedRows {
  /** Day of the latest close; -1 without a row. */
  day = new Int32Array();
  /** Days from the first close to the latest, both included. */
  history = new Uint32Array();
  /** Of the snapshot in which the row last was new or published again. */
  version = new Float64Array();
  readonly #unlisted: (UnlistedRow | undefined)[] = [];
  /** Values per row; null without rows. */
  #width: number | null = null;
  /** Only the columns of every row are read. */
  #onlyIndicators = false;
  /** The slots that got a row since the newest listing. */
  #fresh: number[] = [];
  /** The newest listing: the slots of its rows, its numbers, and the row of each slot in it, or -1. */
  #listed: Uint32Array = new Uint32Array();
  #numbers: Numbers = [];
  #place = new Int32Array();

  reserve(slots: number): void {
    if (slots <= this.day.length) return;
    const capacity = Math.max(slots, Math.ceil(this.day.length * 1.25));
    this.day = grown(new Int32Array(capacity).fill(NONE), this.day);
    this.history = grown(new Uint32Array(capacity), this.history);
    this.version = grown(new Float64Array(capacity), this.version);
    this.#place = grown(new Int32Array(capacity).fill(NONE), this.#place);
    while (this.#unlisted.length < capacity) this.#unlisted.push(undefined);
  }

  set(slot: number, row: CurrentRow, version: number): void {
    this.#setDays(slot, row);
    this.version[slot] = version;
    this.#unlisted[slot] = row;
    this.#fresh.push(slot);
  }

  /**
   * Sets the first row of some assets, before there is a listing: stored in columns by slot, as if all assets were listed in this
   * order. The rows themselves are not kept.
   */
  setFirst(slots: readonly number[], rows: readonly CurrentRow[]): void {
    if (slots.length === 0) return;
    for (let i = 0; i < slots.length; i++) {
      this.#setDays(slots[i]!, rows[i]!);
      this.#place[slots[i]!] = slots[i]!;
    }
    if (this.#listed.length !== this.day.length) {
      this.#listed = rowNumbers(this.day.length);
      this.#numbers = sharedDoubleColumns(1 + this.#width!, this.day.length);
    }
    for (let column = 0; column <= this.#width!; column++) {
      const numbers = this.#numbers[column]!;
      for (let i = 0; i < slots.length; i++) {
        const { price, values } = rows[i]!;
        numbers[slots[i]!] = servable(column === 0 ? price : values[column - 1]!);
      }
    }
  }

  #setDays(slot: number, { day, history, values }: CurrentRow): void {
    const width = this.#onlyIndicators ? INDICATORS.length : widthOf(values.length);
    if (width !== (this.#width ?? width)) throw new Error('some published rows have the optional columns, others not');
    this.#width = width;
    this.day[slot] = day;
    this.history[slot] = history;
  }

  /** Whether the other values of a row are those of the optional columns of this process; otherwise they are not read. */
  takeOptional(areTheirs: boolean): void {
    this.#onlyIndicators = !areTheirs;
    if (!areTheirs && this.#width !== null) this.#width = INDICATORS.length;
  }

  /** Whether the rows have the optional columns. */
  get optional(): boolean {
    return this.#width !== INDICATORS.length;
  }

  clear(): void {
    this.#width = null;
    this.day.fill(NONE);
    this.#unlisted.fill(undefined);
  }

  /** -1 without a row. */
  firstDay(slot: number): number {
    const day = this.day[slot]!;
    return day === NONE ? NONE : day - this.history[slot]! + 1;
  }

  /** Writes the numbers of an asset that has a row into a row of a listing. */
  write(slot: number, numbers: Numbers, row: number): void {
    const own = new Float64Array(numbers.length);
    this.#read(slot, own, 0, numbers.length);
    for (let i = 0; i < numbers.length; i++) numbers[i]![row] = own[i]!;
  }

  /** The same for all rows of a listing, given their slots. */
  writeAll(slots: Uint32Array, numbers: Numbers): void {
    if (this.#fresh.length > FEW_FRESH * slots.length) this.#writeBlocks(slots, numbers);
    else this.#writeColumns(slots, numbers);
  }

  /** Column by column from the newest listing, and then the few rows that are not in it. */
  #writeColumns(slots: Uint32Array, numbers: Numbers): void {
    const places = slots.map(slot => Math.max(0, this.#place[slot]!));
    for (let i = 0; i < numbers.length; i++) {
      const [from, to] = [this.#numbers[i], numbers[i]!];
      if (from !== undefined) for (let row = 0; row < places.length; row++) to[row] = from[places[row]!]!;
    }
    for (let row = 0; row < slots.length; row++) {
      if (this.#unlisted[slots[row]!] !== undefined) this.write(slots[row]!, numbers, row);
    }
  }

  /** In blocks of rows, so that each column is written many values at a time. */
  #writeBlocks(slots: Uint32Array, numbers: Numbers): void {
    const width = numbers.length;
    const block = new Float64Array(BLOCK_ROWS * width);
    for (let first = 0; first < slots.length; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, slots.length - first);
      // The rows are anywhere in memory: read in a short loop, they are fetched at the same time.
      for (let i = 0; i < count; i++) block[i] = this.#unlisted[slots[first + i]!]?.values[0] ?? 0;
      for (let i = 0; i < count; i++) this.#read(slots[first + i]!, block, i * width, width);
      for (let i = 0; i < width; i++) {
        const column = numbers[i]!;
        for (let row = 0; row < count; row++) column[first + row] = block[row * width + i]!;
      }
    }
  }

  /** Called with each new listing: the numbers of its slots are now stored there, those of all other slots here. */
  settle(listed: Uint32Array, numbers: Numbers): void {
    if (listed !== this.#listed) this.#settleSlots(listed);
    for (const slot of this.#fresh) {
      const unlisted = this.#unlisted[slot];
      this.#unlisted[slot] =
        unlisted && this.#place[slot] === NONE ? copied(unlisted.price, unlisted.values, this.#width ?? 0) : undefined;
    }
    this.#fresh = [];
    this.#numbers = numbers;
  }

  /** Copies the first `width` numbers of an asset that has a row to a place in a block. */
  #read(slot: number, block: Float64Array, at: number, width: number): void {
    const unlisted = this.#unlisted[slot];
    if (unlisted === undefined) {
      const place = this.#place[slot]!;
      for (let i = 0; i < width; i++) block[at + i] = this.#numbers[i]![place]!;
      return;
    }
    const { price, values } = unlisted;
    block[at] = servable(price);
    for (let i = 1; i < width; i++) block[at + i] = servable(values[i - 1]!);
  }

  #settleSlots(listed: Uint32Array): void {
    const place = new Int32Array(this.day.length).fill(NONE);
    for (let row = 0; row < listed.length; row++) {
      place[listed[row]!] = row;
      this.#unlisted[listed[row]!] = undefined;
    }
    for (let row = 0; row < this.#listed.length; row++) {
      const slot = this.#listed[row]!;
      if (place[slot] !== NONE || this.day[slot] === NONE || this.#unlisted[slot] !== undefined) continue;
      const [price, ...values] = this.#numbers.map(column => column[row]!);
      this.#unlisted[slot] = { price: price!, values };
    }
    [this.#listed, this.#place] = [listed, place];
  }
}

/** A copy, because the store's row is a view of memory that a thousand rows share. */
function copied(price: number, values: ArrayLike<number>, width: number): UnlistedRow {
  return { price, values: Array.from({ length: width }, (_, i) => values[i]!) };
}

/** Without the state of recursions, which only publications use. */
function widthOf(values: number): number {
  if (values === INDICATORS.length) return values;
  if (values >= PUBLISHED_COLUMNS.length) return PUBLISHED_COLUMNS.length;
  // Rows of a publication with fewer columns of a settings file.
  if (values > INDICATORS.length) return INDICATORS.length;
  throw new Error(`a published row has ${values} values, but the catalogue ${PUBLISHED_COLUMNS.length}`);
}

function grown<A extends Int32Array | Uint32Array | Float64Array>(larger: A, old: A): A {
  larger.set(old);
  return larger;
}

/** A number that JSON can write: no infinity, no -0, and one form of NaN. */
function servable(value: number): number {
  return Number.isFinite(value) ? value + 0 : Number.NaN;
}
