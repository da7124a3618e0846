// The answer that summarises the rows of a query: a table of few rows, computed for one request, and the plan that pages through it.

import type { Dataset } from '../../domain/datasets.ts';
import { rowNumbers, sharedDoubles } from '../../snapshot/columns/shared-memory.ts';
import { packTexts } from '../../snapshot/columns/texts.ts';
import type { ColumnData, Table } from '../../snapshot/table.ts';
import type { Plan } from '../parse/plan.ts';

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

/** The rows stay in the order in which they were made. `details` are the parameters of the summary itself; `rest` goes into its links. */
export function answerPlan(query: Plan, dataset: Dataset, details: readonly unknown[], rest: string): Plan {
  return {
    ...query,
    dataset,
    computed: [],
    lags: [],
    sort: 0,
    order: 'asc',
    columns: [...dataset.columns.keys()],
    filters: [],
    where: null,
    symbols: null,
    minHistory: null,
    search: null,
    canonical: JSON.stringify([dataset.name, query.canonical, ...details]),
    rest,
  };
}
