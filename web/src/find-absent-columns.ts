// Asks once which of the columns that the pages use unasked have values.

import { tidemark } from './api.ts';
import type { Cell } from './cell.ts';
import { failureIn } from './failure.ts';
import { absentColumns, MARKET_COLUMNS } from './market-columns.ts';

let asked = false;

/** One request, and another for each column without a value in the best-ranked row. A failure leaves all columns in use. */
export async function findAbsentColumns(): Promise<void> {
  if (asked) return;
  try {
    const absent = new Set<string>();
    let top: Readonly<Record<string, Cell>> = {};
    for (const name of MARKET_COLUMNS) {
      if ((top[name] ?? null) !== null) continue;
      const order = name === 'rank' ? 'asc' : 'desc';
      // Nulls come last in both directions.
      const query = { sort: name, order, limit: 1, incl_cols: MARKET_COLUMNS.join() };
      const { result } = await tidemark.rows<typeof top>('ta-cur', query).page();
      top = { ...top, ...result[0] };
      if (result[0]?.[name] === null) absent.add(name);
    }
    absentColumns.value = absent;
    asked = true;
  } catch (error) {
    failureIn(error);
  }
}
