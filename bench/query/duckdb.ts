// The same tables and the same questions in DuckDB, in this process.

import { type DuckDBConnection, DuckDBInstance, DuckDBTimestampValue, type DuckDBValue } from '@duckdb/node-api';
import { isOptional } from '../../src/domain/columns.ts';
import type { Plan } from '../../src/query/parse/plan.ts';
import { textAt } from '../../src/snapshot/columns/texts.ts';
import type { ColumnData, Table } from '../../src/snapshot/table.ts';
import type { Expressions } from './plans.ts';

const MICROS_PER_DAY = 86_400_000_000n;

export async function loadDuckDB(tables: readonly Table[], threads: number): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  for (const table of tables) await loadTable(connection, table);
  return connection;
}

const TYPES = { number: 'DOUBLE', text: 'VARCHAR', day: 'TIMESTAMP', flag: 'BOOLEAN' } as const;

/** In the order of our rows, which is that of the tie breaker: DuckDB's own block statistics then serve its look-ups. */
async function loadTable(connection: DuckDBConnection, table: Table): Promise<void> {
  // The optional columns are in no query here.
  const columns = table.columns.filter((_, i) => !isOptional(table.dataset.columns[i]!));
  const names = columns.map((data, i) => `"${table.dataset.columns[i]!.name}" ${TYPES[data.kind]}`);
  const withHistory = table.history.length > 0;
  if (withHistory) names.push('"history" UINTEGER');
  await connection.run(`CREATE TABLE "${table.dataset.name}" (${names.join(', ')})`);
  const appender = await connection.createAppender(table.dataset.name);
  for (let row = 0; row < table.rows; row++) {
    for (const data of columns) {
      const value = valueAt(data, row);
      if (value === null) appender.appendNull();
      else if (typeof value === 'number') appender.appendDouble(value);
      else if (typeof value === 'string') appender.appendVarchar(value);
      else if (typeof value === 'boolean') appender.appendBoolean(value);
      else appender.appendTimestamp(value);
    }
    if (withHistory) appender.appendUInteger(table.history[row]!);
    appender.endRow();
  }
  appender.closeSync();
}

function valueAt(data: ColumnData, row: number): string | number | boolean | DuckDBTimestampValue | null {
  switch (data.kind) {
    case 'number':
      return Number.isNaN(data.values[row]!) ? null : data.values[row]!;
    case 'text':
      return textAt(data, row);
    case 'day':
      return data.values[row]! < 0 ? null : new DuckDBTimestampValue(BigInt(data.values[row]!) * MICROS_PER_DAY);
    case 'flag':
      return data.values[row] === 1;
  }
}

/** The SQL that a person would write for this request. */
export function sqlOf(plan: Plan, limit: number, { where: written, calc }: Expressions = {}): string {
  const { dataset, sort, order, symbols, minHistory, search, page } = plan;
  const name = (column: number) => `"${dataset.columns[column]!.name}"`;
  const conditions = plan.filters.flatMap(filter => {
    if (filter.kind === 'comparison') return [`${name(filter.left)} ${filter.operator} ${name(filter.right)}`];
    if (filter.kind === 'not_null') return [`${name(filter.column)} IS NOT NULL`];
    const { column, low, high } = filter;
    if (low === high) return [`${name(column)} = ${low}`];
    return [
      Number.isFinite(low) ? `${name(column)} >= ${low}` : '',
      Number.isFinite(high) ? `${name(column)} <= ${high}` : '',
    ].filter(Boolean);
  });
  if (symbols !== null) conditions.push(`"symbol" IN (${symbols.map(symbol => `'${symbol}'`).join()})`);
  if (minHistory !== null) conditions.push(`"history" >= ${minHistory}`);
  if (search !== null) {
    conditions.push(
      `(${['id', 'name', 'symbol'].map(text => `contains(lower("${text}"), '${search}')`).join(' OR ')})`,
    );
  }
  if (written !== undefined) conditions.push(`(${inSql(written)})`);
  const from = calc === undefined ? `"${dataset.name}"` : `(SELECT *, ${inSql(calc)} AS "own" FROM "${dataset.name}")`;
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${plan.columns.map(name).join()} FROM ${from} ${where}
    ORDER BY ${name(sort)} ${order} NULLS LAST, "${dataset.tieBreaker}" LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
}

function inSql(expression: string): string {
  return expression.replaceAll('max(', 'greatest(').replaceAll('min(', 'least(');
}

/** As our JSON has it. */
export function plainValue(value: DuckDBValue): unknown {
  return value instanceof DuckDBTimestampValue ? new Date(Number(value.micros / 1000n)).toISOString() : value;
}
