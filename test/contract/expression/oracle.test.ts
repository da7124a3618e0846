// Random expressions over random tables against DuckDB's SQL on the same rows: the same rows, in the same order, with the same
// values. TIDEMARK_EXPRESSIONS sets how many; the long form is 100,000.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ASSETS, type Dataset, TA_CUR } from '../../../src/domain/datasets.ts';
import { execute } from '../../../src/query/execute/execute.ts';
import { TUNING } from '../../../src/query/execute/tuning.ts';
import { computedValues } from '../../../src/query/expression/computed-values.ts';
import { parsePlan } from '../../../src/query/parse/parse-plan.ts';
import { Chance } from '../query/chance.ts';
import { type PlainRow, tableOf } from '../query/plain-table.ts';
import { randomRows } from '../query/random-rows.ts';
import { type Expression, type Names, randomCondition, randomNumber } from './random-expressions.ts';

const EXPRESSIONS = Number(process.env['TIDEMARK_EXPRESSIONS'] ?? 400);
const SEED = 21;
/** Expressions in one statement: DuckDB answers them together. */
const BATCH = 20;
/** More than a block of rows, and not a multiple of 32. */
const ROWS = 1100;
const TAGS = ['defi', 'layer-1', 'meme'];

let duckdb: DuckDBConnection;
before(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});
after(() => duckdb.closeSync());

for (const dataset of [TA_CUR, ASSETS]) {
  describe(`random expressions over ${dataset.name} agree with DuckDB`, () => {
    const chance = new Chance(SEED);
    const rows = randomRows(dataset, ROWS, chance).map(row => ({
      ...row,
      profile: { tag: chance.some(TAGS, 2), type: [] },
    }));
    const table = withOrdersKept(tableOf(dataset, rows));
    const names: Names = {
      numbers: namesOf(dataset, 'number').concat(namesOf(dataset, 'integer')).slice(0, 6),
      days: dataset.columns.filter(({ kind }) => kind === 'time').map(({ name }) => name),
      texts: dataset.columns.filter(({ kind }) => kind === 'text').map(({ name }) => name),
      flags: namesOf(dataset, 'boolean'),
      tags: TAGS,
    };
    before(() => loadRows(duckdb, dataset, rows));

    it(`${EXPRESSIONS} conditions, each with a computed column that the rows are sorted by`, async () => {
      let selected = 0;
      for (let done = 0; done < EXPRESSIONS; done += BATCH) {
        const cases = Array.from({ length: BATCH }, (_, i) => randomCase(names, new Chance(SEED + 7919 * (done + i))));
        const expected = await answers(duckdb, dataset, cases);
        for (const [i, { where, calc, order }] of cases.entries()) {
          const query = `where=${encodeURIComponent(where.text)}&calc=${encodeURIComponent(`own:${calc.text}`)}&sort=own&order=${order}`;
          const plan = parsePlan(dataset, query);
          const page = execute(plan, table, ROWS, { ...TUNING, bitmapCacheBytes: 0 });
          const [values] = computedValues(table, plan.computed, page.rows);
          const actual = [...page.rows].map((row, place) => [row, nullOf(values![place]!)]);
          assert.deepEqual(actual, expected[i], `where=${where.text}\ncalc=own:${calc.text}\norder=${order}`);
          selected += actual.length;
        }
      }
      assert.ok(selected > 50 * EXPRESSIONS, `only ${selected} rows were selected: the expressions test little`);
    });
  });
}

interface Case {
  readonly where: Expression;
  readonly calc: Expression;
  readonly order: 'asc' | 'desc';
}

function randomCase(names: Names, chance: Chance): Case {
  return {
    where: randomCondition(names, chance, chance.below(4)),
    calc: randomNumber(names, chance, chance.below(4)),
    order: chance.pick(['asc', 'desc']),
  };
}

function namesOf(dataset: Dataset, type: string): string[] {
  return dataset.columns.filter(column => column.type === type).map(({ name }) => name);
}

function nullOf(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** Row numbers with the value of the computed column, in order, for each case. */
async function answers(connection: DuckDBConnection, dataset: Dataset, cases: readonly Case[]): Promise<unknown[][]> {
  const parts = cases.map(
    ({ where, calc, order }, i) => `(
      SELECT ${i} AS number, list([row, own] ORDER BY own ${order} NULLS LAST, row) AS found
      FROM (SELECT "row"::DOUBLE AS row, (${calc.sql}) + 0.0 AS own FROM "${dataset.name}" WHERE ${where.sql}))`,
  );
  const reader = await connection.runAndReadAll(`SELECT * FROM (${parts.join(' UNION ALL ')}) ORDER BY number`);
  return reader.getRowsJS().map(row => (row[1] ?? []) as unknown[]);
}

const TYPES = { string: 'VARCHAR', number: 'DOUBLE', integer: 'DOUBLE', boolean: 'BOOLEAN', object: 'JSON' } as const;

async function loadRows(connection: DuckDBConnection, dataset: Dataset, rows: readonly PlainRow[]): Promise<void> {
  const columns = dataset.columns.map(
    ({ name, kind, type }) => `"${name}" ${kind === 'time' ? 'TIMESTAMP' : TYPES[type]}`,
  );
  await connection.run(`CREATE TABLE "${dataset.name}" ("row" INTEGER, "tags" VARCHAR[], ${columns.join()})`);
  const texts = rows.map(({ cells, profile }, row) => {
    const tags = `[${(profile?.tag ?? []).map(tag => `'${tag}'`).join()}]`;
    return `(${[row, tags, ...dataset.columns.map(({ name }) => literal(cells[name] ?? null))].join()})`;
  });
  for (let i = 0; i < texts.length; i += 100) {
    await connection.run(`INSERT INTO "${dataset.name}" VALUES ${texts.slice(i, i + 100).join()}`);
  }
}

function literal(cell: string | number | boolean | null): string {
  if (cell === null) return 'NULL';
  if (typeof cell === 'string') return `'${cell.replaceAll("'", "''")}'`;
  return typeof cell === 'number' ? `CAST('${cell}' AS DOUBLE)` : String(cell);
}

/** Plain orders are slow to make. */
function withOrdersKept(table: ReturnType<typeof tableOf>): ReturnType<typeof tableOf> {
  const kept = new Map<number, ReturnType<typeof table.order>>();
  return {
    ...table,
    order(column) {
      const order = kept.get(column) ?? table.order(column);
      kept.set(column, order);
      return order;
    },
  };
}
