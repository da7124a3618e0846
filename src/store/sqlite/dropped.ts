// Which bars SQLite no longer has, because they were too old to be kept.

import type { BaseInterval } from '../../domain/interval.ts';
import { CheckedTable } from './checked-table.ts';
import type { Connection, Query } from './connection.ts';

type DroppedRow = [interval: string, before: number];

export class DroppedTable {
  readonly #table: CheckedTable<DroppedRow>;
  readonly #of: Query<DroppedRow>;

  constructor(db: Connection) {
    this.#table = new CheckedTable(db, 'dropped');
    this.#of = this.#table.select('WHERE interval = ?');
  }

  /** The first period whose bar was kept; null if nothing was dropped. */
  before(interval: BaseInterval): number | null {
    return this.#of.get(interval)?.[1] ?? null;
  }

  put(interval: BaseInterval, before: number): void {
    this.#table.put([interval, before]);
  }
}
