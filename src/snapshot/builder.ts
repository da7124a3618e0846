// Builds the snapshots of one store, each from the changes since the one before.
//
// A snapshot shows published prices only. Bars that a load has stored but not yet published change neither a row nor the state of
// an asset, so that no client sees half a load.

import { ACTIVE_DAYS } from '../domain/asset-state.ts';
import type { SnapshotDatasetName } from '../domain/datasets.ts';
import { dayOfMillis, LAST_DAY } from '../domain/day.ts';
import { benchmarkIn } from '../publish/columns.ts';
import type { AssetFacts, CurrentChanges } from '../store/store.ts';
import { AssetBook } from './asset-book.ts';
import { type ByDataset, byDataset } from './by-dataset.ts';
import { fingerprintOf, planDigests } from './fingerprint.ts';
import { numbersOf } from './listing-table.ts';
import { PublishedRows } from './published-rows.ts';
import { type AssetIndexData, SharedAssetIndex } from './shared-asset-index.ts';
import { sharedCounts, sharedDoubles } from './shared-memory.ts';
import { planTable, type SharedTable } from './shared-table.ts';
import type { ListedRows, Snapshot } from './table.ts';
import type { Moment, RowSource, TableBefore } from './table-builder.ts';
import { TABLE_BUILDERS } from './table-builders.ts';
import { WorkList } from './work-list.ts';

export interface SharedSnapshot extends Snapshot {
  readonly tables: ByDataset<SharedTable>;
  readonly indexData: AssetIndexData;
}

export interface SnapshotInput extends Pick<CurrentChanges, 'version' | 'rows'> {
  /** Of the publication, with its benchmark; the default one without it. */
  readonly columns?: string | null;
  /** Every asset of the store, read after the rows. A row whose asset is not among them is left out. */
  readonly assets: readonly AssetFacts[];
  /** `assets` holds only those that changed. */
  readonly someAssets?: boolean;
  /** Milliseconds since 1970; its UTC day decides which assets are new. */
  readonly now: number;
  /** The setting of the service; `ACTIVE_DAYS` without it. The same for all snapshots of one builder. */
  readonly activeDays?: number;
  /** The listing has the inactive assets too. */
  readonly listInactive?: boolean;
  /** The rows are of a past day, and so is `now`: facts without a history are null. */
  readonly past?: boolean;
}

/** What `Store.currentSince` returns, with the assets and the time. */
export interface SnapshotChanges extends SnapshotInput {
  /** `rows` holds all rows; otherwise only those that changed. */
  readonly all: boolean;
}

interface BuiltTable {
  readonly slots: Uint32Array;
  readonly table: SharedTable;
  /** The table before, when the same assets with the same facts are in the same rows. */
  readonly sameAssets: TableBefore | null;
  /** The same, when in addition no value depends on a moment that has passed: only touched rows may differ. */
  readonly sameValues: TableBefore | null;
}

interface PlannedTable extends Omit<BuiltTable, 'table'> {
  /** The table, once the work for it is done. */
  readonly finish: () => SharedTable;
}

export class SnapshotBuilder {
  readonly #book = new AssetBook();
  readonly #rows = new PublishedRows();
  #moment: Moment = { newestDay: -1, today: -1, activeDays: ACTIVE_DAYS, listInactive: false, past: false };
  /** The slots of the current snapshot's rows. */
  #slots: ByDataset<Uint32Array> | null = null;
  #current: SharedSnapshot | null = null;
  /** True while a snapshot is being built, and after that failed: the book and the rows are then ahead of the snapshot. */
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
    const sameAssets = !assetsDiffer && !changes.all && this.#current !== null;
    const sameSlots = sameAssets && !daysDiffer;
    const moment = {
      newestDay: sameSlots ? this.#moment.newestDay : this.#newestDay(),
      today,
      activeDays: changes.activeDays ?? ACTIVE_DAYS,
      listInactive: changes.listInactive === true,
      past: changes.past === true,
    };
    const sameMoment = moment.newestDay === this.#moment.newestDay && moment.today === this.#moment.today;
    const source = { book: this.#book, rows: this.#rows, moment, sameMoment };
    const touched = this.#touchedSlots(changes);
    const works = byDataset(() => new WorkList(this.#book.slots));
    const plan = (name: SnapshotDatasetName) =>
      this.#plan(name, source, { sameAssets, sameSlots, touched }, works[name]);
    const assets = plan('assets');
    // Beside the numbers of the listing, which only this thread has.
    works.assets.begin();
    const planned = { assets, 'ta-cur': plan('ta-cur') };
    for (const each of [works['ta-cur'], works.assets]) each.do();
    const built = byDataset((name): BuiltTable => ({ ...planned[name], table: planned[name].finish() }));
    const tables = byDataset(name => built[name].table);
    const indexData = (built.assets.sameAssets && this.#current?.indexData) ?? this.#assetIndexData(built.assets.slots);
    const snapshot = {
      version: changes.version,
      fingerprint: fingerprintOf(
        changes.version,
        Object.values(built).map(({ table, sameValues }) => ({ table, before: sameValues })),
      ),
      tables,
      assetIndex: new SharedAssetIndex(indexData, tables.assets),
      indexData,
      listed: this.#listedRows(built['ta-cur']),
      benchmark: benchmarkIn(changes.columns ?? null),
      builtAt: changes.now,
    };
    this.#rows.settle(built['ta-cur'].slots, numbersOf(tables['ta-cur']));
    [this.#slots, this.#moment] = [byDataset(name => built[name].slots), moment];
    [this.#current, this.#unfinished] = [snapshot, false];
    return snapshot;
  }

  #plan(name: SnapshotDatasetName, source: RowSource, same: Sameness, works: WorkList): PlannedTable {
    const { usesMoment, selectSlots, build } = TABLE_BUILDERS[name];
    const [old, oldSlots] = [this.#current?.tables[name], this.#slots?.[name]];
    const slots = same.sameSlots && oldSlots ? oldSlots : selectSlots(source);
    const unmoved = same.sameAssets && old && oldSlots && equal(slots, oldSlots);
    const sameAssets = unmoved ? { table: old, touched: rowsIn(slots, same.touched) } : null;
    const sameValues = source.sameMoment || !usesMoment ? sameAssets : null;
    const before = old ? { table: old, sameAssets: sameAssets !== null, touched: sameValues?.touched ?? null } : null;
    const columns = build({ ...source, slots, before: sameAssets });
    const [makeTable, keepDigests] = [
      planTable(columns, before, works),
      sameValues ? null : planDigests(columns, works),
    ];
    const finish = () => {
      keepDigests?.();
      return makeTable();
    };
    return { slots, sameAssets, sameValues, finish };
  }

  #assetIndexData(known: Uint32Array): AssetIndexData {
    return { assetNumbers: this.#assetNumbersOf(known) };
  }

  #listedRows({ slots, sameAssets }: BuiltTable): ListedRows {
    const assetNumbers = (sameAssets && this.#current?.listed.assetNumbers) ?? this.#assetNumbersOf(slots);
    const versions = sharedDoubles(slots.length);
    const { version } = this.#rows;
    if (sameAssets && this.#current) {
      versions.set(this.#current.listed.versions);
      for (const row of sameAssets.touched) versions[row] = version[slots[row]!]!;
    } else for (let row = 0; row < slots.length; row++) versions[row] = version[slots[row]!]!;
    return { assetNumbers, versions };
  }

  #assetNumbersOf(slots: Uint32Array): Uint32Array<SharedArrayBuffer> {
    const assetNumbers = sharedCounts(slots.length);
    for (let row = 0; row < slots.length; row++) assetNumbers[row] = this.#book.assetNumbers[slots[row]!]!;
    return assetNumbers;
  }

  #touchedSlots(changes: SnapshotChanges): Uint8Array {
    const touched = new Uint8Array(this.#book.slots);
    // When all rows are new, every table is built anew.
    if (changes.all) return touched;
    for (const row of changes.rows) {
      const slot = this.#book.slotOf(row.assetNumber);
      if (slot !== undefined) touched[slot] = 1;
    }
    return touched;
  }

  /** Returns whether the latest close of any asset is of another day than before. */
  #takeRows(changes: SnapshotChanges): boolean {
    if (changes.all) this.#rows.clear();
    this.#rows.reserve(this.#book.slots);
    let daysDiffer = changes.all;
    for (const row of changes.rows) {
      const slot = this.#book.slotOf(row.assetNumber);
      if (slot === undefined) continue;
      daysDiffer ||= this.#rows.day[slot] !== row.day;
      this.#rows.set(slot, row, changes.version);
    }
    return daysDiffer;
  }

  #newestDay(): number {
    const { byId } = this.#book;
    const { day } = this.#rows;
    let newest = -1;
    for (let i = 0; i < byId.length; i++) newest = Math.max(newest, day[byId[i]!]!);
    return newest;
  }
}

/** What the new snapshot has in common with the current one. */
interface Sameness {
  /** The same assets with the same facts. */
  readonly sameAssets: boolean;
  /** And the latest close of each is of the same day, so that every table has the same rows. */
  readonly sameSlots: boolean;
  /** 1 for each slot with a new row. */
  readonly touched: Uint8Array;
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The rows whose slot has a 1. */
function rowsIn(slots: Uint32Array, marked: Uint8Array): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < slots.length; row++) if (marked[slots[row]!] === 1) rows.push(row);
  return Uint32Array.from(rows);
}
