// Assets in SQLite.

import type { Asset, AssetDraft, AssetNumber } from '../../domain/asset.ts';
import type { Day } from '../../domain/day.ts';
import type { Coverage } from '../bars/blocks.ts';
import { idTaken } from '../port/errors.ts';
import type { AssetChanges, AssetFacts, AssetStore, KnownAt } from '../port/store.ts';
import { recordFacts } from '../records/facts.ts';
import { storable, storableDraft } from '../records/storable.ts';
import { CheckedTable } from './checked-table.ts';
import { requireCount, rowMismatch } from './checksum-mismatch.ts';
import type { Connection } from './connection.ts';
import { CoverageTable } from './coverage.ts';
import { hasAsset, type Meta, MetaTable, requireAsset } from './meta.ts';
import { PendingTable } from './pending.ts';
import { runSteps } from './records.ts';
import { SERIES } from './series-layout.ts';

type AssetRow = [
  number: number,
  id: string,
  symbol: string,
  name: string,
  rank: number | null,
  type: string | null,
  supply: number | null,
  tags: string,
  provisional: number,
  delisted: number,
  changed: number,
];

/** A part is garbage before V8 would move its objects to the old generation. */
const ASSETS_AT_ONCE = 4096;

export function assetStore(db: Connection): AssetStore {
  const table = new CheckedTable<AssetRow>(db, 'assets');
  const changedSince = table.select('WHERE changed > ? ORDER BY number');
  const after = table.select(`WHERE number > ? ORDER BY number LIMIT ${ASSETS_AT_ONCE}`);
  const byId = table.select('WHERE id = ?');
  const byTicker = table.select('WHERE symbol = ? COLLATE NOCASE ORDER BY number');
  const byNumber = table.select('WHERE number = ?');
  const meta = new MetaTable(db);
  const coverage = new CoverageTable(db);
  const coverages = Object.values(SERIES).map(layout => new CoverageTable(db, layout));
  const pending = new PendingTable(db);

  function rowOf(asset: AssetNumber): AssetRow {
    const row = byNumber.get(asset);
    if (row) return row;
    requireAsset(meta.read(), asset);
    throw rowMismatch('assets', asset, 'is missing');
  }

  function allRows({ assets }: Meta): AssetRow[] {
    const rows = changedSince.all(-1);
    requireCount('assets', rows.length, assets);
    return rows;
  }

  function readAll({ assets }: Meta, take: (assets: readonly AssetFacts[]) => void): void {
    let found = 0;
    for (let part = after.all(-1); part.length > 0; part = after.all(part.at(-1)![0])) {
      take(part.map(factsOfRow));
      found += part.length;
    }
    requireCount('assets', found, assets);
  }

  function readSince(seen: number, take: (assets: readonly AssetFacts[]) => void): Omit<AssetChanges, 'assets'> {
    return db.read(() => {
      const state = meta.read();
      const version = state.assetsVersion;
      const all = seen <= 0 || seen > version;
      if (all) readAll(state, take);
      else if (seen < version) take(changedSince.all(seen).map(factsOfRow));
      return { version, all };
    });
  }

  /** What `work` writes in one transaction gets one version. Only assets that change become pending. */
  function writeAssets<T>(
    work: (write: (asset: AssetNumber, draft: AssetDraft) => void, meta: Meta) => T,
    at?: KnownAt,
  ): T {
    return db.write(() => {
      const before = meta.read();
      const version = before.assetsVersion + 1;
      const written = new Map<AssetNumber, AssetDraft>();
      let last = before.assets;
      const result = work((asset, draft) => {
        table.put([asset, ...cells(draft), version]);
        written.set(asset, draft);
        last = Math.max(last, asset);
      }, before);
      if (written.size === 0) return result;
      if (last > before.assets) for (const each of coverages) each.addAssets(before.assets + 1, last);
      meta.update({ assets: last, assetsVersion: version });
      pending.add([...written.keys()]);
      const facts = Array.from(written, ([assetNumber, { rank, supply }]) => ({ assetNumber, rank, supply }));
      if (at !== undefined) runSteps(db, () => recordFacts(facts, at));
      return result;
    });
  }

  return {
    assets: async () =>
      db.read(() => {
        const rows = allRows(meta.read());
        const covered = coverage.all(rows.length);
        return rows.map(row => assetOf(row, covered.of(row[0])));
      }),

    assetsWithTicker: async ticker =>
      db.read(() => {
        const rows = byTicker.all(ticker);
        const covered = coverage.of(rows.map(row => row[0]));
        return rows.map(row => assetOf(row, covered.of(row[0])));
      }),

    assetsSince: async seen => {
      const parts: (readonly AssetFacts[])[] = [];
      const changes = readSince(seen, part => parts.push(part));
      return { ...changes, assets: parts.flat() };
    },

    readAssetsSince: async (seen, take) => readSince(seen, take),

    putAssets: async (drafts, at) =>
      writeAssets((write, { assets }) => {
        let last = assets;
        return drafts.map(draft => {
          const known = byId.get(storable(draft.id));
          if (known && same(known, draft)) return known[0];
          const asset = known?.[0] ?? ++last;
          write(asset, draft);
          return asset;
        });
      }, at),

    renameAsset: async (asset, draft, at) =>
      writeAssets((write, state) => {
        const owner = byId.get(storable(draft.id));
        if (owner && owner[0] !== asset) throw idTaken(draft.id);
        requireAsset(state, asset);
        if (!same(rowOf(asset), draft)) write(asset, draft);
      }, at),

    setDelisted: async (assets, delisted) =>
      writeAssets((write, state) => {
        for (const asset of assets) {
          if (!hasAsset(state, asset)) continue;
          const facts = factsOfRow(rowOf(asset));
          if (facts.delisted !== delisted) write(asset, { ...facts, delisted });
        }
      }),
  };
}

type FactCells = [string, string, string, number | null, string | null, number | null, string, number, number];

function cells(draft: AssetDraft): FactCells {
  const { id, symbol, name, rank, type, supply, tags, provisional, delisted } = storableDraft(draft);
  return [id, symbol, name, rank, type, supply, tags, Number(provisional), Number(delisted)];
}

function same(row: AssetRow, draft: AssetDraft): boolean {
  return cells(draft).every((cell, i) => cell === row[i + 1]);
}

function assetOf(row: AssetRow, { firstDay, lastDay, bars }: Coverage): Asset {
  return {
    ...factsOfRow(row),
    // Only days from the domain are ever stored.
    firstDay: bars > 0 ? (firstDay as Day) : null,
    lastDay: bars > 0 ? (lastDay as Day) : null,
    bars,
  };
}

function factsOfRow(row: AssetRow): AssetFacts {
  const [assetNumber, id, symbol, name, rank, type, supply, tags, provisional, delisted] = row;
  const flags = { provisional: provisional === 1, delisted: delisted === 1 };
  return { assetNumber, id, symbol, name, rank, type, supply, tags, ...flags };
}
