// The indicator engine against DuckDB and straightforward loops on the same data, numbers compared.

import type { DuckDBConnection } from '@duckdb/node-api';
import { INDICATORS } from '../../src/domain/catalogue.ts';
import { CLOSES_PER_ROW } from '../../src/domain/row-needs.ts';
import { currentRows, dailyRows, indicatorTable } from '../../src/indicators/engine.ts';
import type { ColumnTable } from '../../src/indicators/kernel-groups.ts';
import { packageVersion } from '../machine.ts';
import { type Bench, type Contender, comparison, median } from '../report.ts';
import { randomWalks } from './data.ts';
import { filteredAggregates, loadDuckDB, WINDOWED } from './duckdb.ts';
import { optionalBench } from './optional.ts';
import { straightforwardHistory, straightforwardRows } from './straightforward.ts';

const CURRENT = { assets: 50_000, days: CLOSES_PER_ROW };
const HISTORY = { assets: 2_000, days: 3_650 };
/** The textbook formulas of the others lose digits where ours do not: they agree to this, relatively. */
const AGREEMENT = 1e-9;

type Log = (text: string) => void;

async function timed(log: Log, name: string, work: () => Promise<unknown>): Promise<Contender> {
  const began = performance.now();
  await work();
  const millis = performance.now() - began;
  log(`${name}: ${millis.toFixed(0)} ms`);
  return { name, millis };
}

/** Fails when two tables differ; returns the largest relative difference. */
function agreement(name: string, ours: ColumnTable, theirs: ColumnTable): number {
  let largest = 0;
  ours.forEach((column, c) => {
    for (let row = 0; row < column.length; row++) {
      const [a, b] = [column[row]!, theirs[c]![row]!];
      const difference = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
      if (Number.isNaN(a) !== Number.isNaN(b) || difference > AGREEMENT) {
        throw new Error(`${name} disagrees on ${INDICATORS[c]!.name} in row ${row}: ours ${a}, theirs ${b}`);
      }
      if (difference > largest) largest = difference;
    }
  });
  return largest;
}

async function readTable(duckdb: DuckDBConnection, sql: string): Promise<ColumnTable> {
  const columns = await (await duckdb.runAndReadAll(sql)).getColumns();
  return columns.map(values => Float64Array.from(values, value => (value === null ? Number.NaN : Number(value))));
}

const names = INDICATORS.map(column => column.name).join(', ');
const sums = INDICATORS.map(column => `sum(${column.name})`).join(', ');

async function current(log: Log): Promise<string> {
  log(`current row of ${CURRENT.assets} assets × ${CURRENT.days} closes`);
  const batch = randomWalks(CURRENT.assets, CURRENT.days);
  const ours = indicatorTable(CURRENT.assets);
  const loops = indicatorTable(CURRENT.assets);
  const contenders: Contender[] = [
    { name: '**Tidemark**', millis: median(9, () => currentRows(batch, ours)) },
    { name: 'straightforward loops', millis: median(3, () => straightforwardRows(batch, loops)) },
  ];
  const duckdb = await loadDuckDB(batch);
  const lastDay = CURRENT.days - 1;
  const windowed = `CREATE OR REPLACE TABLE windowed AS SELECT * FROM (${WINDOWED}) WHERE day = ${lastDay}`;
  const filtered = `CREATE OR REPLACE TABLE filtered AS ${filteredAggregates(lastDay)}`;
  contenders.push(await timed(log, 'DuckDB, filtered aggregates', () => duckdb.run(filtered)));
  contenders.push(await timed(log, 'DuckDB, window functions', () => duckdb.run(windowed)));
  const differences = [
    agreement('straightforward loops', ours, loops),
    agreement('DuckDB, windowed', ours, await readTable(duckdb, `SELECT ${names} FROM windowed ORDER BY asset`)),
    agreement('DuckDB, filtered', ours, await readTable(duckdb, `SELECT ${names} FROM filtered ORDER BY asset`)),
  ];
  duckdb.closeSync();
  return section('(a) The current row', CURRENT, contenders, Math.max(...differences));
}

async function wholeHistory(log: Log): Promise<string> {
  log(`every day of ${HISTORY.assets} assets × ${HISTORY.days} days`);
  const batch = randomWalks(HISTORY.assets, HISTORY.days);
  const table = indicatorTable(HISTORY.days);
  const closesOf = (asset: number) => batch.closes.subarray(batch.starts[asset]!, batch.starts[asset + 1]!);
  const everyAsset = (work: (closes: Float64Array, table: ColumnTable) => void) => () => {
    for (let asset = 0; asset < HISTORY.assets; asset++) work(closesOf(asset), table);
  };
  const contenders: Contender[] = [
    { name: '**Tidemark**', millis: median(3, everyAsset(dailyRows)) },
    { name: 'straightforward loops', millis: median(1, everyAsset(straightforwardHistory)) },
  ];
  const duckdb = await loadDuckDB(batch);
  contenders.push(
    await timed(log, 'DuckDB, window functions', () => duckdb.runAndReadAll(`SELECT ${sums} FROM (${WINDOWED})`)),
  );
  const differences: number[] = [];
  for (let asset = 0; asset < HISTORY.assets; asset += 250) {
    const expected = indicatorTable(HISTORY.days);
    straightforwardHistory(closesOf(asset), expected);
    const ours = dailyRows(closesOf(asset));
    await duckdb.run(`CREATE OR REPLACE TEMP VIEW one AS SELECT * FROM closes WHERE asset = ${asset}`);
    const sql = `SELECT ${names} FROM (${WINDOWED.replace('FROM closes)', 'FROM one)')}) ORDER BY day`;
    differences.push(
      agreement('straightforward loops', ours, expected),
      agreement('DuckDB', ours, await readTable(duckdb, sql)),
    );
  }
  duckdb.closeSync();
  const checked = `on each day of ${Math.ceil(HISTORY.assets / 250)} of the assets`;
  return section('(b) Every day of the history', HISTORY, contenders, Math.max(...differences), checked);
}

function section(
  title: string,
  { assets, days }: { assets: number; days: number },
  contenders: readonly Contender[],
  difference: number,
  checked = 'on all of them',
): string {
  const size = `${assets.toLocaleString('en')} assets × ${days.toLocaleString('en')} closes`;
  return `### ${title}: ${size}, all ${INDICATORS.length} computed columns, one thread

${comparison(contenders)}

All contenders' numbers were compared ${checked}; the largest relative difference is ${difference.toExponential(1)}.`;
}

export const kernelBench: Bench = {
  name: 'kernel',
  page: 'main',
  title: 'The indicator engine',
  async run(log) {
    const parts = [await current(log), await wholeHistory(log), await optionalBench(log)];
    parts.push(`DuckDB ${packageVersion('@duckdb/node-api')}, in process, in memory.`);
    return parts.join('\n\n');
  },
};
