// The difference between two pages of one query, by the numbers of the assets, the versions of their rows, and the cells that the page
// shows: a move of the benchmark publishes every row again, of which most pages show nothing.

import { textAt } from '../snapshot/columns/texts.ts';
import type { ColumnData, Snapshot } from '../snapshot/table.ts';

export interface ShownPage {
  readonly snapshot: Snapshot;
  /** Row numbers of the listing, in the order of the page. */
  readonly rows: Uint32Array;
}

/** Row numbers: of the page before for `left`, of the page after for the others. */
export interface RowChanges {
  readonly entered: Uint32Array;
  readonly left: Uint32Array;
  /** On both pages, with other cells. */
  readonly changed: Uint32Array;
}

/** `columns` are those that the page shows; null if it shows computed ones too: then each row that was published again has changed. */
export function rowChanges(before: ShownPage, after: ShownPage, columns: readonly number[] | null): RowChanges {
  const [old, fresh] = [before, after].map(({ snapshot }) => snapshot.tables['ta-cur'].columns) as [Cells, Cells]; // two of two
  const differs = (was: number, row: number) =>
    columns === null || columns.some(i => !Object.is(cellAt(old[i]!, was), cellAt(fresh[i]!, row)));
  const known = before.snapshot.listed.assetNumbers;
  const { assetNumbers, versions } = after.snapshot.listed;
  const gone = new Map<number, number>();
  for (const row of before.rows) gone.set(known[row]!, row);
  const entered: number[] = [];
  const changed: number[] = [];
  for (const row of after.rows) {
    const was = gone.get(assetNumbers[row]!);
    gone.delete(assetNumbers[row]!);
    if (was === undefined) entered.push(row);
    else if (versions[row]! > before.snapshot.version && differs(was, row)) changed.push(row);
  }
  return {
    entered: Uint32Array.from(entered),
    left: Uint32Array.from(gone.values()),
    changed: Uint32Array.from(changed),
  };
}

type Cells = readonly ColumnData[];

function cellAt(column: ColumnData, row: number): number | string | null {
  return column.kind === 'text' ? textAt(column, row) : column.values[row]!;
}
