// CoinGecko names an asset by its name alone: `bitcoin`. Our ids begin with the ticker: `btc-bitcoin`. An asset's id here is ours without
// the ticker; if several assets have the same, the active one with the best rank has it, and the others keep their whole id. Some coins
// have another name at CoinGecko, which `coin-aliases.ts` lists.
//
// A hash table of row numbers in the table of assets, made from the bytes of the ids: 100,000 assets take a few milliseconds and 1 MB.

import type { Steps } from '../../../common/steps.ts';
import { packTexts, textAt } from '../../../snapshot/columns/texts.ts';
import type { IndexedAsset, Snapshot, Table, TextData } from '../../../snapshot/table.ts';
import { assetColumn } from '../market.ts';
import { COIN_ALIASES } from './coin-aliases.ts';
import { merged, sortedByText } from './coin-order.ts';

const ROWS_PER_STEP = 500;
const HYPHEN = 0x2d;
const EMPTY = 0xffffffff;

export class CoinIds {
  readonly #snapshot: Snapshot;
  readonly #ids: TextData;
  readonly #slots: Uint32Array;
  /** CoinGecko's other names, and the rows that have one. */
  readonly #aliases = new Map<string, number>();
  readonly #aliased = new Map<number, string>();
  #order: Uint32Array | null = null;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#ids = textsOf(snapshot);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * snapshot.tables.assets.rows + 2))).fill(EMPTY);
  }

  /** To be called once, first. */
  *fill(): Steps<void> {
    const precedes = precedence(this.#snapshot);
    for (let row = 0; row < this.#snapshot.tables.assets.rows; row++) {
      const slot = this.#slotOf(this.#ids, row);
      const holder = this.#slots[slot]!;
      if (holder === EMPTY || precedes(row, holder)) this.#slots[slot] = row;
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    }
    for (const [alias, ids] of Object.entries(COIN_ALIASES)) {
      const row = ids.map(id => this.#holderOf(withoutTicker(id), id)).find(found => found !== null);
      const other = this.#holderOf(alias);
      if (row === undefined || (other !== null && other !== row && precedes(other, row))) continue;
      this.#aliases.set(alias, row);
      this.#aliased.set(row, alias);
    }
  }

  /** By CoinGecko's form of the id, or by ours. */
  find(id: string): IndexedAsset | null {
    const name = id.toLowerCase();
    const row = this.#aliases.get(name) ?? this.#holderOf(name);
    return this.#snapshot.assetIndex.byId(row === null ? id : this.#ourId(row));
  }

  /** CoinGecko's form of the id of a row in the table of assets. */
  idAt(row: number): string {
    const id = this.#ourId(row);
    const short = withoutTicker(id);
    const isShort = this.#slots[this.#slotOf(this.#ids, row)] === row && !this.#aliases.has(short);
    return this.#aliased.get(row) ?? (isShort ? short : id);
  }

  idOf({ id }: IndexedAsset): string {
    const row = this.#holderOf(withoutTicker(id), id);
    return row === null ? id : this.idAt(row);
  }

  /** The rows of the table of assets by CoinGecko's form of their ids. */
  *order(): Steps<Uint32Array> {
    if (this.#order !== null) return this.#order;
    const { rows } = this.#snapshot.tables.assets;
    const starts = new Uint32Array(rows);
    const regular = new Uint32Array(rows - this.#aliased.size);
    /** Rows whose name is the alias of another one. */
    const others = new Set([...this.#aliases.keys()].map(alias => this.#holderOf(alias)));
    for (let row = 0, count = 0; row < rows; row++) {
      const isShort = this.#slots[this.#slotOf(this.#ids, row)] === row && !others.has(row);
      starts[row] = isShort ? nameStart(this.#ids, row) : this.#ids.offsets[row]!;
      if (!this.#aliased.has(row)) regular[count++] = row;
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    }
    const few = [...this.#aliased].sort(([, one], [, other]) => (one < other ? -1 : 1)).map(([row]) => row);
    const sorted = yield* sortedByText(this.#ids, starts, regular);
    this.#order = merged(sorted, few, row => this.idAt(row));
    return this.#order;
  }

  /** The row that has a name here; with `id`, only if that is its id. */
  #holderOf(name: string, id?: string): number | null {
    const row = this.#slots[this.#slotOf(packTexts([`-${name}`]), 0)]!;
    return row === EMPTY || (id !== undefined && this.#ourId(row) !== id) ? null : row;
  }

  #ourId(row: number): string {
    return textAt(this.#ids, row) ?? '';
  }

  /** Where a name is, or would be. */
  #slotOf(texts: TextData, row: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOfName(texts, row) & mask;
    for (;;) {
      const holder = this.#slots[slot]!;
      if (holder === EMPTY || sameName(this.#ids, holder, texts, row)) return slot;
      slot = (slot + 1) & mask;
    }
  }
}

const made = new WeakMap<Table, CoinIds>();

/** Those of a snapshot, made for the first request. */
export function* coinIdsOf(snapshot: Snapshot): Steps<CoinIds> {
  const known = made.get(snapshot.tables.assets);
  if (known !== undefined) return known;
  const ids = new CoinIds(snapshot);
  yield* ids.fill();
  made.set(snapshot.tables.assets, ids);
  return ids;
}

function withoutTicker(id: string): string {
  return id.slice(id.indexOf('-') + 1);
}

function textsOf(snapshot: Snapshot): TextData {
  const ids = assetColumn(snapshot, 'id');
  if (ids.kind !== 'text') throw new TypeError('ids are not texts');
  return ids;
}

/** Whether the first of two rows has a name that both could have: active before inactive, then by rank, then by id, as rows are sorted. */
function precedence(snapshot: Snapshot): (row: number, other: number) => boolean {
  const [active, rank] = [assetColumn(snapshot, 'is_active'), assetColumn(snapshot, 'rank')];
  if (active.kind !== 'flag' || rank.kind !== 'number') throw new TypeError('the asset list has other columns');
  const place = (row: number) => {
    const value = rank.values[row]!;
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  return (row, other) => {
    if (active.values[row] !== active.values[other]) return active.values[row] === 1;
    return place(row) === place(other) ? row < other : place(row) < place(other);
  };
}

/** Where the name begins: behind the first hyphen. */
function nameStart({ bytes, offsets }: TextData, row: number): number {
  const [from, to] = [offsets[row]!, offsets[row + 1]!];
  for (let i = from; i < to; i++) if (bytes[i] === HYPHEN) return i + 1;
  return from;
}

/** FNV-1a. */
function hashOfName(texts: TextData, row: number): number {
  let hash = 0x811c9dc5;
  for (let i = nameStart(texts, row); i < texts.offsets[row + 1]!; i++) {
    hash = Math.imul(hash ^ texts.bytes[i]!, 0x01000193);
  }
  return hash >>> 0;
}

function sameName(one: TextData, oneRow: number, other: TextData, otherRow: number): boolean {
  const [from, otherFrom] = [nameStart(one, oneRow), nameStart(other, otherRow)];
  const length = one.offsets[oneRow + 1]! - from;
  if (other.offsets[otherRow + 1]! - otherFrom !== length) return false;
  for (let i = 0; i < length; i++) if (one.bytes[from + i] !== other.bytes[otherFrom + i]) return false;
  return true;
}
