// Builds the snapshots of one store, one after the other, each from what changed since the one before.
//
// Of prices, a snapshot knows what is published and nothing else: bars that a load has stored but not yet published change
// neither a row nor the state of an asset, so that a half-done load is never seen.

import { isActive, outranks } from '../domain/asset-state.ts';
import { dayOfMillis, LAST_DAY } from '../domain/day.ts';
import type { AssetFacts, CurrentChanges } from '../store/store.ts';
import { AssetBook } from './asset-book.ts';
import { fingerprintOf } from './fingerprint.ts';
import { PublishedRows } from './published-rows.ts';
import { type AssetIndexData, SharedAssetIndex } from './shared-asset-index.ts';
import { sharedCounts } from './shared-memory.ts';
import { makeOrders, type SharedTable } from './shared-table.ts';
import type { Snapshot } from './table.ts';
import { assetsTable, listingTable, type Moment, numbersOf } from './tables.ts';

export interface SharedSnapshot extends Snapshot {
  readonly listing: SharedTable;
  readonly assets: SharedTable;
  readonly indexData: AssetIndexData;
}

export interface SnapshotInput extends Pick<CurrentChanges, 'version' | 'rows'> {
  /** Every asset of the store, read after the rows: a row whose asset is not among them is left out. */
  readonly assets: readonly AssetFacts[];
  /** The assets are only those that differ from before. */
  readonly someAssets?: boolean;
  /** Milliseconds since 1970; the UTC day that it lies in decides which assets are new. */
  readonly now: number;
}

/** What `Store.currentSince` answers, with the assets and the time. */
export interface SnapshotChanges extends SnapshotInput {
  /** The rows are all there are; otherwise they are those that changed. */
  readonly all: boolean;
}

export class SnapshotBuilder {
  readonly #book = new AssetBook();
  readonly #rows = new PublishedRows();
  /** The slots of the rows of the current snapshot's tables. */
  #listed = new Uint32Array();
  #known = new Uint32Array();
  #moment: Moment = { newestDay: -1, today: -1 };
  #current: SharedSnapshot | null = null;
  /** True while a snapshot is being built, hence also after one could not be: what lies here is then ahead of it. */
  #unfinished = false;

  get current(): SharedSnapshot | null {
    return this.#current;
  }

  /** The next snapshot. To be called with every change, in order, and after midnight UTC also with none. */
  apply(changes: SnapshotChanges): SharedSnapshot {
    const assetsDiffer = this.#book.update(changes.assets, changes.someAssets !== true) || this.#unfinished;
    this.#unfinished = true;
    const daysDiffer = this.#takeRows(changes);
    const today = dayOfMillis(changes.now) ?? LAST_DAY;
    const previous = assetsDiffer || changes.all ? null : this.#current;
    // Which assets are listed depends on facts and days only.
    const sameRows = previous !== null && !daysDiffer;
    const moment = { newestDay: sameRows ? this.#moment.newestDay : this.#newestDay(), today };
    const listed = sameRows ? this.#listed : this.#selectListed(moment.newestDay);
    const known = sameRows ? this.#known : this.#selectKnown();
    const touched = this.#touchedSlots(changes);
    const before = (table: SharedTable | undefined, slots: Uint32Array, slotsBefore: Uint32Array) =>
      table && equal(slots, slotsBefore) ? { table, touched: rowsIn(slots, touched) } : null;
    const listingBefore = before(previous?.listing, listed, this.#listed);
    const assetsBefore = before(previous?.assets, known, this.#known);
    const sameMoment = moment.newestDay === this.#moment.newestDay && moment.today === this.#moment.today;

    const source = { book: this.#book, rows: this.#rows };
    const listing = listingTable({ ...source, slots: listed, before: listingBefore });
    const assets = assetsTable({ ...source, slots: known, before: assetsBefore }, moment, sameMoment);
    const indexData = (assetsBefore && previous?.indexData) ?? this.#assetIndexData(known);
    makeOrders(listing, this.#current?.listing ?? null, listingBefore?.touched ?? null);
    makeOrders(assets, this.#current?.assets ?? null, sameMoment ? (assetsBefore?.touched ?? null) : null);

    const snapshot = {
      version: changes.version,
      fingerprint: fingerprintOf(changes.version, [
        { table: listing, before: listingBefore },
        { table: assets, before: sameMoment ? assetsBefore : null },
      ]),
      listing,
      assets,
      assetIndex: new SharedAssetIndex(indexData, assets),
      indexData,
      builtAt: changes.now,
    };
    this.#rows.settle(listed, numbersOf(listing));
    [this.#listed, this.#known, this.#moment] = [listed, known, moment];
    [this.#current, this.#unfinished] = [snapshot, false];
    return snapshot;
  }

  #assetIndexData(known: Uint32Array): AssetIndexData {
    const keys = sharedCounts(known.length);
    for (let row = 0; row < known.length; row++) keys[row] = this.#book.keys[known[row]!]!;
    return { keys };
  }

  #touchedSlots(changes: SnapshotChanges): Uint8Array {
    const touched = new Uint8Array(this.#book.slots);
    for (const row of changes.rows) {
      const slot = this.#book.slotOf(row.key);
      if (slot !== undefined) touched[slot] = 1;
    }
    return touched;
  }

  /** Whether the latest close of any asset is of another day now. */
  #takeRows(changes: SnapshotChanges): boolean {
    if (changes.all) this.#rows.clear();
    this.#rows.reserve(this.#book.slots);
    let daysDiffer = changes.all;
    for (const row of changes.rows) {
      const slot = this.#book.slotOf(row.key);
      if (slot === undefined) continue;
      daysDiffer ||= this.#rows.day[slot] !== row.day;
      this.#rows.set(slot, row);
    }
    return daysDiffer;
  }

  /** Of all assets, delisted ones too; -1 when nothing is published. */
  #newestDay(): number {
    const { byId } = this.#book;
    const { day } = this.#rows;
    let newest = -1;
    for (let i = 0; i < byId.length; i++) newest = Math.max(newest, day[byId[i]!]!);
    return newest;
  }

  /** The active assets by symbol, one for each ticker. */
  #selectListed(newestDay: number): Uint32Array<ArrayBuffer> {
    const { ticker, tickers, bySymbol, delisted } = this.#book;
    const { day } = this.#rows;
    const owner = new Int32Array(tickers).fill(-1);
    for (let i = 0; i < bySymbol.length; i++) {
      const slot = bySymbol[i]!;
      if (day[slot]! < 0 || !isActive(day[slot]!, newestDay, delisted[slot] === 1)) continue;
      const rival = owner[ticker[slot]!]!;
      if (rival < 0 || outranks(this.#book.standing(slot), this.#book.standing(rival))) owner[ticker[slot]!] = slot;
    }
    return bySymbol.filter(slot => owner[ticker[slot]!] === slot);
  }

  /** The assets with a profile or prices, by id: only a ticker that no prices are published for has neither. */
  #selectKnown(): Uint32Array<ArrayBuffer> {
    const { byId, provisional } = this.#book;
    const { day } = this.#rows;
    return byId.filter(slot => provisional[slot] === 0 || day[slot]! >= 0);
  }
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The rows whose slot is marked. */
function rowsIn(slots: Uint32Array, marked: Uint8Array): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < slots.length; row++) if (marked[slots[row]!] === 1) rows.push(row);
  return Uint32Array.from(rows);
}
