// A page of rows with computed columns, as a small table of its own: every format then writes them like any other column.

import { finish, mapInSteps, type Steps } from '../common/steps.ts';
import { fillComputed } from '../query/expression/computed-values.ts';
import type { Plan } from '../query/parse/plan.ts';
import {
  externalMemory,
  rowNumbers,
  sharedBytes,
  sharedDoubles,
  sharedIntegers,
} from '../snapshot/columns/shared-memory.ts';
import { gatherTexts } from '../snapshot/columns/texts.ts';
import type { ColumnData, Table } from '../snapshot/table.ts';
import type { RowSelection } from './page.ts';

/** About. */
const BYTES_PER_CELL = 8;

/** The rows of a plan's page, of the table itself if nothing is computed. */
export function pageOf(plan: Plan, table: Table, rows: Uint32Array): RowSelection {
  return finish(pageOfInSteps(plan, table, rows));
}

export function* pageOfInSteps(plan: Plan, table: Table, rows: Uint32Array): Steps<RowSelection> {
  if (plan.computed.length === 0) return { table, rows, columns: plan.columns, unit: plan.unit };
  const computed = plan.computed.map(() => sharedDoubles(rows.length));
  yield* fillComputed(table, plan.computed, rows, rows.length, computed);
  const columns = yield* mapInSteps(plan.columns, (index): ColumnData => {
    const data = table.columns[index];
    return data === undefined
      ? { kind: 'number', values: computed[index - table.dataset.columns.length]! }
      : gathered(data, rows);
  });
  const dataset = { ...plan.dataset, columns: plan.columns.map(index => plan.dataset.columns[index]!) };
  // V8 does not count shared memory: pages that were sent would stay until something else makes it collect garbage.
  const bytes = rows.length * BYTES_PER_CELL * columns.length;
  const shown = { dataset, rows: rows.length, columns, ...externalMemory(bytes) };
  return {
    table: shown,
    rows: rowNumbers(rows.length),
    columns: [...columns.keys()],
    temporary: true,
    unit: plan.unit,
  };
}

function gathered(data: ColumnData, rows: Uint32Array): ColumnData {
  switch (data.kind) {
    case 'text':
      return gatherTexts(data, rows);
    case 'number':
      return { kind: 'number', values: picked(data.values, sharedDoubles(rows.length), rows) };
    case 'day':
      return { ...data, values: picked(data.values, sharedIntegers(rows.length), rows) };
    case 'flag':
      return { kind: 'flag', values: picked(data.values, sharedBytes(rows.length), rows) };
  }
}

function picked<A extends Float64Array | Int32Array | Uint8Array>(values: A, out: A, rows: Uint32Array): A {
  for (let i = 0; i < rows.length; i++) out[i] = values[rows[i]!]!;
  return out;
}
