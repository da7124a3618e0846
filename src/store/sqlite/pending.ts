// Pending assets in SQLite: those that changed since their current row was published, as one bit per asset.

import type { AssetNumber } from '../../domain/asset.ts';
import { GROUP_SIZE, groupOf, memberOf } from './asset-groups.ts';
import { CheckedTable } from './checked-table.ts';
import type { Command, Connection, Query } from './connection.ts';

type PendingRow = [assetGroup: number, assets: number];

export class PendingTable {
  readonly #table: CheckedTable<PendingRow>;
  readonly #group: Query<PendingRow>;
  readonly #groups: Query<PendingRow>;
  readonly #delete: Command;

  constructor(db: Connection) {
    this.#table = new CheckedTable(db, 'pending');
    this.#group = this.#table.select('WHERE asset_group = ?');
    this.#groups = this.#table.select('ORDER BY asset_group');
    this.#delete = db.command('DELETE FROM pending WHERE asset_group = ?');
  }

  all(): AssetNumber[] {
    const assets: AssetNumber[] = [];
    for (const [group, bits] of this.#groups.all()) {
      for (let member = 0; member < GROUP_SIZE; member++) {
        if (bits & (1 << member)) assets.push(group * GROUP_SIZE + member);
      }
    }
    return assets;
  }

  add(assets: Iterable<AssetNumber>): void {
    this.#change(assets, (before, bits) => before | bits);
  }

  remove(assets: Iterable<AssetNumber>): void {
    this.#change(assets, (before, bits) => before & ~bits);
  }

  #change(assets: Iterable<AssetNumber>, combine: (before: number, bits: number) => number): void {
    const byGroup = new Map<number, number>();
    for (const asset of assets) {
      const group = groupOf(asset);
      byGroup.set(group, (byGroup.get(group) ?? 0) | (1 << memberOf(asset)));
    }
    for (const [group, bits] of byGroup) {
      const before = this.#group.get(group)?.[1] ?? 0;
      // Unsigned: the bit of the last asset of a group is not a sign.
      const after = combine(before, bits) >>> 0;
      if (after === 0 && before !== 0) this.#delete.run(group);
      else if (after !== before) this.#table.put([group, after]);
    }
  }
}
