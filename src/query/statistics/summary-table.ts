// A table of few rows that were computed for one request.

import type { Dataset } from '../../domain/datasets.ts';
import { rowNumbers } from '../../snapshot/columns/consecutive.ts';
import { sharedDoubles } from '../../snapshot/columns/shared-memory.ts';
import { packTexts } from '../../snapshot/columns/texts.ts';
import type { ColumnData, Table } from '../../snapshot/table.ts';

export type SummaryRow = Readonly<Record<string, string | number | null>>;

export function summaryTable(dataset: Dataset, rows: readonly SummaryRow[]): Table {
  const columns = dataset.columns.map(({ name, type }): ColumnData => {
    const cells = rows.map(row => row[name] ?? null);
    if (type === 'string' || type === 'object') return packTexts(cells.map(cell => cell?.toString() ?? null));
    const values = sharedDoubles(rows.length);
    values.set(cells.map(cell => (cell === null ? Number.NaN : Number(cell))));
    return { kind: 'number', values };
  });
  return {
    dataset,
    rows: rows.length,
    columns,
    history: sharedDoubles(0),
    historyOrder: rowNumbers(0),
    symbols: { rowsOf: () => new Uint32Array() },
    search: null,
    profiles: null,
    // The rows stay in the order in which they were computed.
    order: () => rowNumbers(rows.length),
  };
}
