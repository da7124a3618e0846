// Builds the snapshots of one store, each from the changes since the one before.
//
// A snapshot shows published prices only. Bars that a load has stored but not yet published change neither a row nor the state of
// an asset, so that no client sees half a load.

import { ACTIVE_DAYS, isActive } from '../../domain/asset-state.ts';
import { SNAPSHOT_DATASETS, type SnapshotDatasetName, TA_CUR } from '../../domain/datasets.ts';
import { type Day, LAST_DAY } from '../../domain/day.ts';
import { type ListedInterval, periodOfMillis } from '../../domain/interval.ts';
import type { QuoteAsset } from '../../domain/quote.ts';
import { benchmarkIn, hasOtherOwn } from '../../publish/columns.ts';
import type { AssetFacts, CurrentChanges, CurrentRow } from '../../store/store.ts';
import type { FactColumns, TextFact } from '../columns/fact-columns.ts';
import type { PastFacts } from '../columns/past-facts.ts';
import { sharedCounts, sharedDoubles } from '../columns/shared-memory.ts';
import { textAt } from '../columns/texts.ts';
import { type AssetIndexData, SharedAssetIndex } from '../indexes/shared-asset-index.ts';
import { type ByDataset, byDataset, type ListedRows } from '../table.ts';
import { AssetBook } from './asset-book.ts';
import { assetsBuilder } from './assets-table.ts';
import { fingerprintOf, planDigests } from './fingerprint.ts';
import { listingBuilder, numbersOf } from './listing-table.ts';
import { PreparedCopies } from './prepared-copies.ts';
import { PublishedRows } from './published-rows.ts';
import { QualityBook, type QualityFacts } from './quality-book.ts';
import type { SharedSnapshot } from './share.ts';
import { planTable, type SharedTable } from './shared-table.ts';
import type { Moment, RowSource, TableBefore, TableBuilder } from './table-builder.ts';
import { WorkList } from './work-list.ts';

/** What a snapshot depends on besides the assets and their rows. */
export interface SnapshotBasis extends Pick<CurrentChanges, 'version'> {
  /** Of the publication, with its benchmark; the default one without it. */
  readonly columns?: string | null;
  /** Of the rows, whose days are its periods; days without it. The same for all snapshots of one builder. */
  readonly interval?: ListedInterval;
  /** Milliseconds since 1970; its UTC day decides which assets are new. */
  readonly now: number;
  /** In periods, the setting of the service; `ACTIVE_DAYS` without it. The same for all snapshots of one builder. */
  readonly activeDays?: number;
  /** The listing has the inactive assets too. */
  readonly listInactive?: boolean;
  /** About the daily bars; without it, nothing is known of them. */
  readonly quality?: QualityFacts;
  /** The rows are of a past day, and so is `now`: the facts of the assets on the days of their rows. */
  readonly past?: PastFacts;
}

export interface SnapshotInput extends SnapshotBasis, Pick<CurrentChanges, 'rows'> {
  /** Every asset of the store, read after the rows. A row whose asset is not among them is left out. */
  readonly assets: readonly AssetFacts[];
  /** `assets` holds only those that changed. */
  readonly someAssets?: boolean;
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

/** A dataset in the catalogue without a builder does not compile. */
const TABLE_BUILDERS: ByDataset<TableBuilder> = { 'ta-cur': listingBuilder, assets: assetsBuilder };

/** A snapshot that changes a smaller share of the rows is probably followed by another such one. */
const FEW = 1 / 8;

/** The other tables begin beside the numbers of the listing, which only this thread has. */
const LISTING_LAST = [...SNAPSHOT_DATASETS.filter(dataset => dataset !== TA_CUR), TA_CUR].map(({ name }) => name);

export class SnapshotBuilder {
  readonly #book = new AssetBook();
  readonly #rows = new PublishedRows();
  readonly #quality = new QualityBook();
  readonly #copies = new PreparedCopies();
  #moment: Moment = {
    interval: '1d',
    newestDay: -1,
    today: -1,
    activeDays: ACTIVE_DAYS,
    listInactive: false,
    past: null,
  };
  /** The slots of the current snapshot's rows. */
  #slots: ByDataset<Uint32Array> | null = null;
  #current: SharedSnapshot | null = null;
  /** True while a snapshot is being built, and after that failed: the book and the rows are then ahead of the snapshot. */
  #unfinished = false;
  /** Of the first snapshot. */
  #sortAssets = () => {};

  get current(): SharedSnapshot | null {
    return this.#current;
  }

  /** Begins the first snapshot of a new builder, with all assets. Then come `addRows` with all rows, in parts, and `finish`. */
  begin(facts: FactColumns): void {
    this.#sortAssets = this.#book.fill(facts);
    this.#rows.reserve(this.#book.slots);
    this.#unfinished = true;
  }

  addRows(rows: readonly CurrentRow[]): void {
    const known = rows.filter(row => this.#book.slotOf(row.assetNumber) !== undefined);
    this.#rows.setFirst(
      known.map(row => this.#book.slotOf(row.assetNumber)!),
      known,
    );
  }

  finish(basis: SnapshotBasis): SharedSnapshot {
    this.#sortAssets();
    this.#rows.takeOptional(areTheseColumns(basis));
    this.#rows.version.fill(basis.version);
    this.#copies.begin(this.#book.slots);
    return this.#build({ ...basis, all: true, assets: [], rows: [] }, { assetsDiffer: true, rowsMove: true });
  }

  /** The next snapshot. To be called with every change, in order, and after midnight UTC also with none. */
  apply(changes: SnapshotChanges): SharedSnapshot {
    const assetsDiffer = this.#book.update(changes.assets, changes.someAssets !== true) || this.#unfinished;
    this.#unfinished = true;
    this.#copies.begin(this.#book.slots);
    return this.#build(changes, { assetsDiffer, rowsMove: this.#takeRows(changes) });
  }

  #build(changes: SnapshotChanges, { assetsDiffer, rowsMove }: Differences): SharedSnapshot {
    const { interval = '1d' } = changes;
    const today = periodOfMillis(interval, changes.now) ?? LAST_DAY;
    const sameAssets = !assetsDiffer && !changes.all && this.#current !== null;
    const sameSlots = sameAssets && !rowsMove;
    const moment = {
      interval,
      newestDay: sameSlots ? this.#moment.newestDay : this.#newestDay(),
      today,
      activeDays: changes.activeDays ?? ACTIVE_DAYS,
      listInactive: changes.listInactive === true,
      past: changes.past ?? null,
    };
    const sameMoment = moment.newestDay === this.#moment.newestDay && moment.today === this.#moment.today;
    this.#quality.take(changes.quality, changes.all);
    const source = { book: this.#book, rows: this.#rows, moment, sameMoment, quality: this.#quality };
    const touched = this.#touchedSlots(changes);
    // With copies, the work is about the changed rows, unless a day has begun. To wait for a helper would take longer.
    const worked = sameAssets && sameMoment && this.#copies.isReady ? changes.rows.length : this.#book.slots;
    const works = byDataset(() => new WorkList(worked));
    const planned = new Map<SnapshotDatasetName, PlannedTable>();
    for (const name of LISTING_LAST) {
      planned.set(name, this.#plan(name, source, { sameAssets, sameSlots, touched }, works[name]));
      if (name !== TA_CUR.name) works[name].begin();
    }
    for (const name of LISTING_LAST.toReversed()) works[name].do();
    const built = byDataset((name): BuiltTable => {
      const { finish, ...table } = planned.get(name)!;
      return { ...table, table: finish() };
    });
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
      fiats: this.#fiats(),
      builtAt: changes.now,
    };
    this.#rows.settle(built['ta-cur'].slots, numbersOf(tables['ta-cur']));
    [this.#slots, this.#moment] = [byDataset(name => built[name].slots), moment];
    [this.#current, this.#unfinished] = [snapshot, false];
    this.#copies.end(!changes.all && changes.rows.length < FEW * this.#book.slots);
    return snapshot;
  }

  /** Prepares for a next snapshot that changes as few rows as the newest one, which is then built in a fraction of the time. */
  prepare(): void {
    if (this.#unfinished) return;
    try {
      this.#copies.prepare();
    } catch {
      // Not enough memory, for example. The next snapshot is then built without them.
      this.#copies.end(false);
    }
  }

  #plan(name: SnapshotDatasetName, source: RowSource, same: Sameness, works: WorkList): PlannedTable {
    const { usesMoment, selectSlots, build } = TABLE_BUILDERS[name];
    const [old, oldSlots, copies] = [this.#current?.tables[name], this.#slots?.[name], this.#copies];
    const selected = same.sameSlots && oldSlots ? oldSlots : selectSlots(source);
    const unmoved = same.sameAssets && old && oldSlots && equal(selected, oldSlots);
    const slots = unmoved ? oldSlots : selected;
    const sameAssets = unmoved ? { table: old, touched: rowsIn(slots, same.touched) } : null;
    const sameValues = source.sameMoment || !usesMoment ? sameAssets : null;
    const before = old
      ? { table: old, sameAssets: sameAssets !== null, touched: sameValues?.touched ?? null, copies }
      : null;
    const columns = build({ ...source, slots, before: sameAssets, copies });
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
    const { version } = this.#rows;
    if (sameAssets && this.#current) {
      const versions = sharedDoubles(this.#copies.copy(this.#current.listed.versions.buffer));
      for (const row of sameAssets.touched) versions[row] = version[slots[row]!]!;
      return { assetNumbers, versions };
    }
    const versions = sharedDoubles(slots.length);
    for (let row = 0; row < slots.length; row++) versions[row] = version[slots[row]!]!;
    return { assetNumbers, versions };
  }

  #assetNumbersOf(slots: Uint32Array): Uint32Array<SharedArrayBuffer> {
    const assetNumbers = sharedCounts(slots.length);
    const { assetNumbers: bySlot } = this.#book;
    for (let row = 0; row < slots.length; row++) assetNumbers[row] = bySlot[slots[row]!]!;
    return assetNumbers;
  }

  #touchedSlots(changes: SnapshotChanges): number[] {
    // When all rows are new, every table is built anew.
    if (changes.all) return [];
    return changes.rows.map(row => this.#book.slotOf(row.assetNumber)).filter(slot => slot !== undefined);
  }

  /** Returns whether rows of a table may be of other assets than before, or the newest close of all of another day. */
  #takeRows(changes: SnapshotChanges): boolean {
    if (changes.all) this.#rows.clear();
    this.#rows.takeOptional(areTheseColumns(changes));
    this.#rows.reserve(this.#book.slots);
    let rowsMove = changes.all;
    for (const row of changes.rows) {
      const slot = this.#book.slotOf(row.assetNumber);
      if (slot === undefined) continue;
      rowsMove ||= !this.#keepsPlace(slot, row.day);
      this.#rows.set(slot, row, changes.version);
    }
    return rowsMove;
  }

  /** Whether an asset whose latest close is now of this day is as active as before, while the newest close of all is of the same day. */
  #keepsPlace(slot: number, day: number): boolean {
    const old = this.#rows.day[slot]!;
    if (old === day) return true;
    const { newestDay, activeDays } = this.#moment;
    if (old < 0 || old === newestDay || day > newestDay) return false;
    const isActiveOn = (last: number) => isActive(last, newestDay, this.#book.delisted[slot] === 1, activeDays);
    return isActiveOn(old) === isActiveOn(day);
  }

  /** Those with published closes, by symbol. */
  #fiats(): QuoteAsset[] {
    const text = (fact: TextFact, slot: number) => textAt(this.#book.text(fact), slot) ?? '';
    const { fiats, assetNumbers } = this.#book;
    const published = Array.from(fiats.filter(slot => this.#rows.day[slot]! >= 0)).map(slot => ({
      assetNumber: assetNumbers[slot]!,
      ...{ id: text('id', slot), symbol: text('symbol', slot), name: text('name', slot) },
      // Of a published row.
      ...{ firstDay: this.#rows.firstDay(slot) as Day, lastDay: this.#rows.day[slot]! as Day },
    }));
    return published.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** Fiat currencies do not decide which assets are active. */
  #newestDay(): number {
    const { byId } = this.#book;
    const { day } = this.#rows;
    let newest = -1;
    for (let i = 0; i < byId.length; i++) newest = Math.max(newest, day[byId[i]!]!);
    return newest;
  }
}

/** Rows that were published with other columns of a settings file are shown without optional ones until they are computed again. */
function areTheseColumns({ columns = null }: SnapshotBasis): boolean {
  return columns === null || !hasOtherOwn(columns);
}

/** In what the assets and rows differ from those of the current snapshot. */
interface Differences {
  readonly assetsDiffer: boolean;
  /** Rows of a table may be of other assets than before, or the newest close of all of another day. */
  readonly rowsMove: boolean;
}

/** What the new snapshot has in common with the current one. */
interface Sameness {
  /** The same assets with the same facts. */
  readonly sameAssets: boolean;
  /** And each of them is as active as before, so that every table has the same rows. */
  readonly sameSlots: boolean;
  /** The slots with a new row. */
  readonly touched: readonly number[];
}

function equal(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** By the slots of a table: the row of each slot, plus 1. */
const rowsBySlot = new WeakMap<Uint32Array, Uint32Array>();

/** The rows of these slots, ascending. The first call for a table takes as long as looking at all of its rows. */
function rowsIn(slots: Uint32Array, wanted: readonly number[]): Uint32Array {
  let bySlot = rowsBySlot.get(slots);
  if (bySlot === undefined) {
    bySlot = new Uint32Array(slots.reduce((most, slot) => Math.max(most, slot + 1), 0));
    for (let row = 0; row < slots.length; row++) bySlot[slots[row]!] = row + 1;
    rowsBySlot.set(slots, bySlot);
  }
  const marked = new Uint8Array(slots.length + 1);
  for (const slot of wanted) marked[bySlot[slot] ?? 0] = 1;
  const rows: number[] = [];
  for (let row = 0; row < slots.length; row++) if (marked[row + 1] === 1) rows.push(row);
  return Uint32Array.from(rows);
}
