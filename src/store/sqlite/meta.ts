// The row of a SQLite store that says where it stands: how many assets and API keys there are, and the versions of everything.

import type { AssetNumber } from '../../domain/asset.ts';
import { unknownAsset } from '../port/errors.ts';
import { CheckedTable } from './checked-table.ts';
import { rowMismatch } from './checksum-mismatch.ts';
import type { Connection, Query } from './connection.ts';

export interface Meta {
  readonly assets: number;
  readonly apiKeys: number;
  readonly assetsVersion: number;
  readonly keysVersion: number;
  /** Of the publication. */
  readonly version: number;
  readonly columns: string | null;
  readonly allSince: number;
}

const NEW: Meta = { assets: 0, apiKeys: 0, assetsVersion: 1, keysVersion: 0, version: 0, columns: null, allSince: 0 };

type MetaRow = [
  one: number,
  assets: number,
  apiKeys: number,
  assetsVersion: number,
  keysVersion: number,
  version: number,
  columns: string | null,
  allSince: number,
];

export class MetaTable {
  readonly #table: CheckedTable<MetaRow>;
  readonly #row: Query<MetaRow>;

  constructor(db: Connection) {
    this.#table = new CheckedTable(db, 'meta');
    this.#row = this.#table.select('');
  }

  read(): Meta {
    const row = this.#row.get();
    if (row === undefined) throw rowMismatch('meta', 1, 'is missing');
    const [, assets, apiKeys, assetsVersion, keysVersion, version, columns, allSince] = row;
    return { assets, apiKeys, assetsVersion, keysVersion, version, columns, allSince };
  }

  /** Writes what changes and returns all of it. */
  update(changes: Partial<Meta>): Meta {
    return this.#write({ ...this.read(), ...changes });
  }

  create(): void {
    this.#write(NEW);
  }

  #write(meta: Meta): Meta {
    const { assets, apiKeys, assetsVersion, keysVersion, version, columns, allSince } = meta;
    this.#table.put([1, assets, apiKeys, assetsVersion, keysVersion, version, columns, allSince]);
    return meta;
  }
}

export function hasAsset({ assets }: Meta, asset: AssetNumber): boolean {
  return asset >= 1 && asset <= assets;
}

export function requireAsset(meta: Meta, asset: AssetNumber): void {
  if (!hasAsset(meta, asset)) throw unknownAsset(asset);
}
