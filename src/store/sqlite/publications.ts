// Publications in SQLite: current rows, pending assets and the version.

import type { AssetNumber } from '../../domain/asset.ts';
import { BASE_INTERVALS, type BaseInterval, FINE_INTERVALS } from '../../domain/interval.ts';
import { nextVersion, PUBLICATIONS_KEPT } from '../port/next-version.ts';
import type { CurrentChanges, CurrentRow, PublicationStore } from '../port/store.ts';
import { replaceFindings } from '../records/findings.ts';
import { noteRewritten, rewrittenSince } from '../records/rewritten.ts';
import { storable } from '../records/storable.ts';
import type { Rewritten } from '../records/tables.ts';
import { groupOf } from './asset-groups.ts';
import { type Blob, blobOf, CheckedTable, type Numbers, numbersOf } from './checked-table.ts';
import { rowMismatch } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { CollectedRows, GroupRows, rowsSince, spansIn, writesWholeGroup } from './group-rows.ts';
import { MetaTable, requireAsset } from './meta.ts';
import { rangesOf } from './number-ranges.ts';
import { PendingTable } from './pending.ts';
import { runSteps } from './records.ts';
import { replacedStore } from './replaced.ts';
import { SERIES } from './series-layout.ts';

/** In place of the newest day of an asset: it is not published now, or has no bar left. */
const [UNCHANGED, NO_DAY] = [-2, -1];

export function publicationStore(db: Connection): PublicationStore {
  const meta = new MetaTable(db);
  const publications = new CheckedTable<[version: number]>(db, 'publications');
  const publication = publications.select('WHERE version = ?');
  const forget = db.command(
    `DELETE FROM publications
     WHERE version <= (SELECT version FROM publications ORDER BY version DESC LIMIT 1 OFFSET ${PUBLICATIONS_KEPT})`,
  );
  const rows = currentRows(db);
  const pending = new PendingTable(db);
  const replaced = BASE_INTERVALS.map(interval => ({ interval, closes: replacedStore(db, SERIES[interval]) }));
  const fine = FINE_INTERVALS.map(interval => ({ interval, coverage: new CoverageTable(db, SERIES[interval]) }));

  function readSince(seen: number, take: TakeRows): Omit<CurrentChanges, 'rows'> {
    return db.read(() => {
      const { version, columns, allSince } = meta.read();
      const all = seen < allSince || publication.get(seen) === undefined;
      rows.since(all ? -1 : seen, take);
      return { version, columns, all };
    });
  }

  /** Of these assets, those of which bars before the newest published one have changed since. */
  function rewritten({ written, days, removed }: CollectedRows, assets: number): Omit<Rewritten, 'version'>[] {
    const newestDay = new Int32Array(assets + 1).fill(UNCHANGED);
    for (const asset of removed) newestDay[asset] = NO_DAY;
    for (let i = 0; i < written.length; i++) newestDay[written[i]!] = days[i]!;
    return replaced.flatMap(({ interval, closes }) => {
      const oldestOf = new Map<AssetNumber, number>();
      closes.spans((asset, oldest, newest) => {
        const now = newestDay[asset] ?? UNCHANGED;
        // Of days, the newest published one is still there or among the replaced ones, and so it is not newer than both.
        const isNewest = interval === '1d' && oldest >= Math.max(newest, now);
        if (now !== UNCHANGED && !isNewest) oldestOf.set(asset, oldest);
      });
      if (oldestOf.size === 0) return [];
      const published = newestPublished(interval, [...oldestOf.keys()]);
      return Array.from(oldestOf, ([assetNumber, firstPeriod]) => ({ assetNumber, interval, firstPeriod })).filter(
        ({ assetNumber, firstPeriod }) => firstPeriod < (published.get(assetNumber) ?? 0),
      );
    });
  }

  function newestPublished(interval: BaseInterval, assets: readonly AssetNumber[]): Map<AssetNumber, number> {
    const newest = new Map<AssetNumber, number>();
    const coverage = fine.find(each => each.interval === interval)?.coverage;
    if (coverage === undefined) {
      rows.spans(assets, (asset, _, last) => newest.set(asset, last));
    } else {
      const covered = coverage.of(assets);
      for (const asset of assets) newest.set(asset, covered.published(asset)[1] - 1);
    }
    return newest;
  }

  return {
    pending: async columns =>
      db.read(() => {
        const { assets, columns: published } = meta.read();
        const all = columns !== undefined && columns !== published;
        return all ? Array.from({ length: assets }, (_, i) => i + 1) : pending.all();
      }),

    publish: async (columns, parts) => {
      const collected = new CollectedRows();
      for await (const part of parts) collected.add(part);
      return db.write(() => {
        const before = meta.read();
        for (const asset of collected.written) requireAsset(before, asset);
        const version = nextVersion(before.version);
        const published = [...collected.written, ...collected.removed];
        const changed = rewritten(collected, before.assets);
        let removed = false;
        if (before.columns !== storable(columns)) {
          const others: AssetNumber[] = [];
          rows.since(-1, part => others.push(...part.map(row => row.assetNumber)));
          pending.add(others);
          removed = rows.clear();
        }
        if (rows.apply(collected, version)) removed = true;
        for (const { interval, series, onAdded } of collected.checked)
          onAdded(runSteps(db, () => replaceFindings(interval, series)));
        pending.remove(published);
        const isPublished = new Uint8Array(before.assets + 1);
        for (const asset of published) isPublished[asset] = 1;
        for (const { closes } of replaced) closes.forget(asset => isPublished[asset] === 1);
        for (const { coverage } of fine) {
          const covered = coverage.ofGroups(collected.byGroup.keys());
          covered.publish(published);
          coverage.put(covered);
        }
        meta.update({ version, columns: storable(columns), ...(removed ? { allSince: version } : {}) });
        publications.put([version]);
        forget.run();
        runSteps(db, () => noteRewritten(version, changed));
        return version;
      });
    },

    version: async () => db.read(() => meta.read().version),

    columns: async () => db.read(() => meta.read().columns),

    currentSince: async seen => {
      const parts: (readonly CurrentRow[])[] = [];
      const changes = readSince(seen, part => parts.push(part));
      return { ...changes, rows: parts.flat() };
    },

    readCurrentSince: async (seen, take) => readSince(seen, take),

    rewrittenSince: async (interval, version) => db.read(() => runSteps(db, () => rewrittenSince(interval, version))),

    // SQL cannot read the listing of this store.
    setActiveDays: async () => {},

    currentOf: async (assets, columns) =>
      db.read(() => (meta.read().columns === storable(columns) ? rows.of(assets) : [])),
  };
}

type TakeRows = (rows: readonly CurrentRow[]) => void;
type TakeSpan = (asset: AssetNumber, first: number, last: number) => void;

export interface CurrentRows {
  /** The rows that were published after a version, group by group. */
  since(version: number, take: TakeRows): void;
  of(assets: readonly AssetNumber[]): CurrentRow[];
  /** The first and last day of the rows of these assets, or of all. */
  spans(assets: readonly AssetNumber[] | undefined, take: TakeSpan): void;
  /** Whether a row was removed. */
  apply(collected: CollectedRows, version: number): boolean;
  /** Whether there were any. */
  clear(): boolean;
}

export function currentRows(db: Connection): CurrentRows {
  const table = new CheckedTable<[assetGroup: number, version: number, rows: Blob]>(db, 'current_rows');
  const ofGroup = table.select('WHERE asset_group = ?');
  const between = table.select('WHERE asset_group BETWEEN ? AND ? ORDER BY asset_group');
  const index = new CheckedTable<[one: number, versions: Blob]>(db, 'publication_index');
  const indexRow = index.select('');
  const remove = db.command('DELETE FROM current_rows');

  /** The version per asset group. The row of the index is written when the store is created. */
  function versions(): Numbers {
    const row = indexRow.get();
    if (row === undefined) throw rowMismatch('publication_index', 1, 'is missing');
    return numbersOf(row[1]);
  }

  function checkVersion(group: number, found: number | undefined, expected: number | undefined): void {
    if (found === expected) return;
    throw rowMismatch('current_rows', group, found === undefined ? 'is missing' : 'is of another version');
  }

  function stored(group: number, known: Numbers): GroupRows {
    const row = ofGroup.get(group);
    checkVersion(group, row?.[1], known[group] || undefined);
    return new GroupRows(row?.[2]);
  }

  function readGroups(groups: readonly number[], known: Numbers, take: (rows: Blob) => void): void {
    for (const [first, last] of rangesOf(groups)) {
      let next = first;
      for (const [group, found, blob] of between.each(first, last)) {
        checkVersion(next, group === next ? found : undefined, known[next]);
        take(blob);
        next++;
      }
      if (next <= last) checkVersion(next, undefined, known[next]);
    }
  }

  return {
    since(version, take) {
      const known = versions();
      readGroups(groupsWithRows(known, version), known, blob => take(rowsSince(blob, version)));
    },

    of(assets) {
      const known = versions();
      const wanted = new Set(assets);
      const found: CurrentRow[] = [];
      readGroups(groupsOf(Uint32Array.from(assets).sort(), known), known, blob => {
        found.push(...rowsSince(blob, -1).filter(row => wanted.has(row.assetNumber)));
      });
      return found;
    },

    spans(assets, take) {
      const known = versions();
      if (assets === undefined) {
        readGroups(groupsWithRows(known), known, blob => spansIn(blob, take));
        return;
      }
      // Both these and those that are read ascend.
      const wanted = Uint32Array.from(assets).sort();
      let next = 0;
      readGroups(groupsOf(wanted, known), known, blob => {
        spansIn(blob, (asset, first, last) => {
          while (wanted[next]! < asset) next++;
          if (wanted[next] === asset) take(asset, first, last);
        });
      });
    },

    apply({ byGroup }, version) {
      let known = versions();
      let removed = false;
      for (const [group, changes] of byGroup) {
        const rows = writesWholeGroup(changes) ? new GroupRows() : stored(group, known);
        if (rows.apply(changes, version)) removed = true;
        table.put([group, version, rows.blob]);
        if (group >= known.length) known = extended(known, group + 1);
        known[group] = version;
      }
      if (byGroup.size > 0) index.put([1, blobOf(known)]);
      return removed;
    },

    clear() {
      index.put([1, blobOf(new Float64Array(0))]);
      return remove.run() > 0;
    },
  };
}

/** The groups that have rows, or rows that were published after a version, ascending. */
function groupsWithRows(known: Numbers, version = 0): number[] {
  // 0: the group has no row.
  return [...known.keys()].filter(group => known[group]! > Math.max(version, 0));
}

/** The groups of these assets, which ascend, that have a row. */
function groupsOf(assets: Uint32Array, known: Numbers): number[] {
  const groups: number[] = [];
  for (const asset of assets) {
    const group = groupOf(asset);
    if (group !== groups.at(-1) && (known[group] ?? 0) > 0) groups.push(group);
  }
  return groups;
}

/** At least doubled, so that groups that come one after the other are not copied each time. */
function extended(numbers: Numbers, length: number): Numbers {
  const longer = new Float64Array(Math.max(length, 2 * numbers.length));
  longer.set(numbers);
  return longer;
}
