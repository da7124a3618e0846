// Requests as SQL over the files of an export, answered by DuckDB. What SQL cannot say to the last bit is null: DuckDB's logarithm and its
// upper case of other alphabets are not those of the contract, and a file has neither past days nor every optional column.

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { tidemark } from '../support/server-process.ts';
import type { ConditionTree, NumberTree } from './expressions.ts';
import type { AgreeAsset } from './market.ts';
import { type Cell, DATASET, type Request, type Row, type View } from './requests.ts';
import { shownColumns } from './scan.ts';

const EXPORTED = ['ta-cur', 'assets', 'ta-hist', 'bars'] as const;

/** The request cannot be said in SQL. */
class NotSql extends Error {}

export class ExportedFiles {
  readonly #connection: DuckDBConnection;
  readonly #columns: ReadonlyMap<string, ReadonlySet<string>>;

  /** Exports every dataset of the store into a folder, and reads it. */
  static async of(storeUrl: string, folder: string, assets: readonly AgreeAsset[]): Promise<ExportedFiles> {
    await Promise.all(
      EXPORTED.map(dataset =>
        tidemark(
          ...['export', '--dataset', dataset, '--out', `${folder}/${dataset}`, '--store', storeUrl],
          ...(dataset === 'ta-hist' ? ['--incl-cols', 'all'] : []),
        ),
      ),
    );
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const columns = new Map<string, ReadonlySet<string>>();
    for (const dataset of EXPORTED) {
      await connection.run(
        `CREATE TABLE "${dataset}" AS SELECT * FROM read_parquet('${folder}/${dataset}/**/*.parquet', hive_partitioning = false)`,
      );
      const described = await connection.runAndReadAll(`DESCRIBE "${dataset}"`);
      columns.set(dataset, new Set(described.getRowsJS().map(([name]) => String(name))));
    }
    await connection.run('CREATE TABLE profiles (asset VARCHAR, tags VARCHAR[])');
    for (const { id, tags } of assets) {
      const list = tags.map(tag => text(tag.toLowerCase())).join();
      await connection.run(`INSERT INTO profiles VALUES (${text(id)}, [${list}])`);
    }
    return new ExportedFiles(connection, columns);
  }

  private constructor(connection: DuckDBConnection, columns: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#connection = connection;
    this.#columns = columns;
  }

  /** The page, and the number of rows that the filters select; null if SQL cannot say the request. */
  async answer(request: Request): Promise<{ readonly page: Row[]; readonly total: number } | null> {
    const statements = this.#statements(request);
    if (statements === null) return null;
    const [page, count] = [
      await this.#connection.runAndReadAll(statements.page),
      await this.#connection.runAndReadAll(statements.count),
    ];
    const rows = page
      .getRowObjectsJS()
      .map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellOf(value)])));
    return { page: rows, total: Number(count.getRowsJS()[0]?.[0]) };
  }

  close(): void {
    this.#connection.closeSync();
  }

  #statements(request: Request): { readonly page: string; readonly count: string } | null {
    try {
      return this.#said(request);
    } catch (error) {
      if (error instanceof NotSql) return null;
      throw error;
    }
  }

  #said(request: Request): { readonly page: string; readonly count: string } {
    const { view, calcs, limit, page } = request;
    if (request.answered.kind !== 'rows' || !isExported(view)) throw new NotSql();
    const known = new Set([...(this.#columns.get(view.dataset) ?? []), ...calcs.map(({ name }) => name)]);
    const name = (column: string) => {
      if (!known.has(column)) throw new NotSql();
      return `"${column}"`;
    };
    const rows =
      view.id === null ? `"${view.dataset}"` : `(SELECT * FROM "${view.dataset}" WHERE "id" = ${text(view.id)})`;
    // Each computed column in a query of its own: a later one may use it.
    const from = calcs.reduce(
      (inner, calc) => `(SELECT *, (${numberSql(calc.value, name)}) + 0.0 AS "${calc.name}" FROM ${inner})`,
      rows,
    );
    const { tieBreaker, defaultOrder, defaultSort } = DATASET[view.dataset];
    const found = `FROM ${from} WHERE ${[...filters(request, name), 'true'].join(' AND ')}`;
    const order = `${name(request.sort ?? defaultSort)} ${request.order ?? defaultOrder} NULLS LAST, ${name(tieBreaker)}`;
    return {
      page: `SELECT ${shownColumns(request).map(name).join()} ${found} ORDER BY ${order} LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      count: `SELECT count(*) ${found}`,
    };
  }
}

function isExported({ asOf, inactive, interval, quote }: View): boolean {
  return asOf === null && !inactive && (interval === null || interval === '1d') && (quote === null || quote === 'USD');
}

type Name = (column: string) => string;

function filters(request: Request, name: Name): string[] {
  const { ranges, comparisons, notNullFlag } = request;
  const { symbols, tags, types, search, minHistory, from, to } = request;
  // What depends on profiles, on how texts are folded or on the sort column is left to the scan.
  if (symbols !== null || tags !== null || types !== null || search !== null || notNullFlag) throw new NotSql();
  const parts = ranges.flatMap(({ column, low, high }) => [
    ...(low === null ? [] : [`${name(column)} >= ${double(low)}`]),
    ...(high === null ? [] : [`${name(column)} <= ${double(high)}`]),
  ]);
  for (const { left, operator, right } of comparisons) parts.push(`${name(left)} ${operator} ${name(right)}`);
  for (const column of request.notNull) parts.push(`${name(column)} IS NOT NULL`);
  for (const { column, value } of request.flags) parts.push(`${name(column)} = ${value}`);
  if (minHistory !== null) parts.push(`${name('history')} >= ${minHistory}`);
  if (from !== null) parts.push(`${name('datetimeUTC')} >= ${timestamp(from)}`);
  if (to !== null) parts.push(`${name('datetimeUTC')} <= ${timestamp(to)}`);
  if (request.where !== null) parts.push(conditionSql(request.where, name));
  return parts.map(part => `coalesce(${part}, false)`);
}

function numberSql(tree: NumberTree, name: Name): string {
  switch (tree.kind) {
    case 'literal':
      return double(Number(tree.text));
    case 'column':
      return `CAST(${name(tree.name)} AS DOUBLE)`;
    case 'lag':
      throw new NotSql();
    case 'negate':
      return `(-${numberSql(tree.of, name)})`;
    case 'call': {
      const [first = '', ...others] = tree.of.map(of => numberSql(of, name));
      if (tree.name === 'ln') throw new NotSql();
      if (tree.name === 'abs') return `abs(${first})`;
      if (tree.name === 'sqrt') return `(CASE WHEN ${first} >= 0 THEN sqrt(${first}) END)`;
      const all = [first, ...others];
      const isNull = all.map(each => `${each} IS NULL`).join(' OR ');
      return `(CASE WHEN ${isNull} THEN NULL ELSE ${tree.name === 'min' ? 'least' : 'greatest'}(${all.join()}) END)`;
    }
    case 'arithmetic': {
      const [left, right] = [numberSql(tree.left, name), numberSql(tree.right, name)];
      const finite = (sql: string) => `(CASE WHEN isfinite(${sql}) THEN ${sql} END)`;
      if (tree.operator !== '/') return finite(`(${left} ${tree.operator} ${right})`);
      return `(CASE WHEN ${right} <> 0 THEN ${finite(`(${left} / ${right})`)} END)`;
    }
  }
}

/** Never null. */
function conditionSql(tree: ConditionTree, name: Name): string {
  const number = (of: NumberTree) => numberSql(of, name);
  const decided = (sql: string, not = false) => `${not ? 'NOT ' : ''}coalesce(${sql}, false)`;
  switch (tree.kind) {
    case 'and':
    case 'or':
      return `(${conditionSql(tree.left, name)} ${tree.kind} ${conditionSql(tree.right, name)})`;
    case 'not':
      return `(NOT ${conditionSql(tree.of, name)})`;
    case 'compare':
      return decided(`${number(tree.left)} ${tree.operator} ${number(tree.right)}`);
    case 'between':
      return decided(`${number(tree.of)} BETWEEN ${number(tree.low)} AND ${number(tree.high)}`, tree.not);
    case 'in':
      return decided(`${number(tree.of)} IN (${tree.items.map(number).join()})`, tree.not);
    case 'text':
      return decided(`upper(${name(tree.column)}) ${tree.operator} ${upperText(tree.value)}`);
    case 'text in':
      return decided(`upper(${name(tree.column)}) IN (${tree.values.map(upperText).join()})`, tree.not);
    case 'time':
      return decided(`${name(tree.column)} ${tree.operator} ${timestamp(tree.day)}`);
    case 'is null':
      return `(${number(tree.of)} IS ${tree.not ? 'NOT ' : ''}NULL)`;
    case 'column is null':
      return `(${name(tree.column)} IS ${tree.not ? 'NOT ' : ''}NULL)`;
    case 'flag':
      return decided(name(tree.column));
    case 'crosses':
      throw new NotSql();
    case 'tag':
      return `coalesce((SELECT list_contains(tags, ${text(tree.value.toLowerCase())}) FROM profiles WHERE asset = ${name('id')}), false)`;
  }
}

/** Letters whose upper case is in question are left to the scan; so is SS, which is that of ß. */
function upperText(value: string): string {
  const upper = value.toUpperCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII
  if (!/^[\x00-\x7f]*$/.test(upper) || /SS|F[FIL]|ST/.test(upper)) throw new NotSql();
  return text(upper);
}

/** The exported rows are those of days. */
function timestamp(time: string): string {
  return `TIMESTAMP '${time.slice(0, 10)}'`;
}

function double(value: number): string {
  return `CAST('${value}' AS DOUBLE)`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Times as their first ten characters: every one is the start of a day. */
function cellOf(value: unknown): Cell {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : (value as Cell); // a number, a text, a truth value or null
}
