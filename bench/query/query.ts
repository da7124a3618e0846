// Fifty questions on tables of three sizes, against DuckDB in the same process; the rows of both are compared.

import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { isOptional } from '../../src/domain/columns.ts';
import { execute } from '../../src/query/execute/execute.ts';
import { TUNING } from '../../src/query/execute/tuning.ts';
import { parsePlan } from '../../src/query/parse/parse-plan.ts';
import { pageOf } from '../../src/render/computed-page.ts';
import { JSON_PAGE } from '../../src/render/json.ts';
import { renderPage } from '../../src/render/page.ts';
import { buildSnapshot } from '../../src/snapshot/build/build.ts';
import { describeSnapshot, type SharedSnapshot } from '../../src/snapshot/build/share.ts';
import type { Table } from '../../src/snapshot/table.ts';
import { packageVersion } from '../machine.ts';
import { barChart } from '../plot.ts';
import { type Bench, duration } from '../report.ts';
import { loadDuckDB, plainValue, sqlOf } from './duckdb.ts';
import { earlierReport } from './earlier.ts';
import { ownColumnsReport } from './own-columns.ts';
import { QUESTIONS, type Question, queryFor } from './plans.ts';
import { universe } from './universe.ts';

export const SIZES = [10_000, 100_000, 1_000_000];
const WARM_UP = 100;
const RUNS = 400;
const DUCKDB_RUNS = 11;
const DEFAULT_LIMIT = 100;
const images = join(import.meta.dirname, '../../docs/images');

type Log = (text: string) => void;

/** Milliseconds. */
interface Measured {
  readonly median: number;
  readonly p99: number;
  /** The median when the bitmaps of the same filters are cached, as for the next page of a listing. */
  readonly again: number;
  readonly duckdb: number;
}

export interface Size {
  readonly assets: number;
  readonly buildMillis: number;
  readonly bytesPerAsset: number;
  readonly measured: readonly Measured[];
}

/** As if no request had used these filters before. */
const AFRESH = { ...TUNING, bitmapCacheBytes: 0 };

/** What the service does for a request, but for HTTP. */
function answer(table: Table, query: string, tuning = AFRESH): Buffer {
  const plan = parsePlan(table.dataset, query);
  const { rows } = execute(plan, table, plan.limit ?? DEFAULT_LIMIT, tuning);
  return renderPage(pageOf(plan, table, rows), JSON_PAGE);
}

function measureOurs(table: Table, query: string): Omit<Measured, 'duckdb'> {
  const afresh = sortedTimes(() => answer(table, query));
  const again = sortedTimes(() => answer(table, query, TUNING));
  return { median: afresh[RUNS >> 1]!, p99: afresh[Math.floor(RUNS * 0.99)]!, again: again[RUNS >> 1]! };
}

function sortedTimes(work: () => void): Float64Array {
  for (let i = 0; i < WARM_UP; i++) work();
  return Float64Array.from({ length: RUNS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }).sort();
}

async function measureDuckDB(
  duckdb: DuckDBConnection,
  table: Table,
  query: string,
  { expressions }: Question,
): Promise<number> {
  const plan = parsePlan(table.dataset, query);
  const statement = await duckdb.prepare(sqlOf(plan, plan.limit ?? DEFAULT_LIMIT, expressions));
  const fetch = async () => (await statement.run()).getRows();
  compareRows(table, query, await fetch());
  const times: number[] = [];
  for (let i = 0; i < DUCKDB_RUNS; i++) {
    const began = performance.now();
    await fetch();
    times.push(performance.now() - began);
  }
  statement.destroySync();
  return times.sort((a, b) => a - b)[DUCKDB_RUNS >> 1]!;
}

/** Fails where the rows of the two differ in any value or in their order. */
function compareRows(
  table: Table,
  query: string,
  theirs: Awaited<ReturnType<Awaited<ReturnType<DuckDBConnection['run']>>['getRows']>>,
): void {
  const rows = JSON.parse(answer(table, query).toString()) as Record<string, unknown>[]; // what the renderer writes
  const columns = parsePlan(table.dataset, query).dataset.columns.filter(column => !isOptional(column));
  const plain = (column: { kind: string }, value: unknown) =>
    column.kind === 'time' && value !== null ? Date.parse(String(value)) : value;
  const [ours, other] = [
    rows.map(row => columns.map(column => plain(column, row[column.name]))),
    theirs.map(row => row.map((value, i) => plain(columns[i]!, plainValue(value)))),
  ];
  const differing = Math.max(ours.length, other.length);
  for (let i = 0; i < differing; i++) {
    if (JSON.stringify(ours[i]) === JSON.stringify(other[i])) continue;
    throw new Error(`?${query}: row ${i} is ${JSON.stringify(ours[i])} here and ${JSON.stringify(other[i])} in DuckDB`);
  }
}

export async function measureSize(assets: number, log: Log): Promise<Size> {
  log(`${assets.toLocaleString('en')} assets`);
  const { snapshot, buildMillis } = built(assets);
  const duckdb = await loadDuckDB([snapshot.tables['ta-cur'], snapshot.tables.assets], availableParallelism());
  const measured: Measured[] = [];
  for (const question of QUESTIONS) {
    const table = tableOf(snapshot, question);
    const query = queryFor(question, table.rows);
    const result = { ...measureOurs(table, query), duckdb: await measureDuckDB(duckdb, table, query, question) };
    measured.push(result);
    log(
      `${question.about.padEnd(42)} ${duration(result.median)}, p99 ${duration(result.p99)}, again ${duration(result.again)}, DuckDB ${duration(result.duckdb)}`,
    );
  }
  duckdb.closeSync();
  return { assets, buildMillis, bytesPerAsset: sharedBytes(describeSnapshot(snapshot)) / assets, measured };
}

/** What it is built from is forgotten, as by a serving thread, which never has it: its millions of objects would have to be collected. */
function built(assets: number): { snapshot: SharedSnapshot; buildMillis: number } {
  const input = universe(assets);
  const began = performance.now();
  const snapshot = buildSnapshot(input);
  return { snapshot, buildMillis: performance.now() - began };
}

function tableOf(snapshot: SharedSnapshot, { listing }: Question): Table {
  return listing === 'assets' ? snapshot.tables.assets : snapshot.tables['ta-cur'];
}

/** All memory of a snapshot that threads share, each buffer once. */
function sharedBytes(value: unknown, seen = new Set<ArrayBufferLike>()): number {
  if (ArrayBuffer.isView(value)) {
    if (seen.has(value.buffer)) return 0;
    seen.add(value.buffer);
    return value.buffer.byteLength;
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + sharedBytes(member, seen), 0);
}

function ratios({ measured }: Size): number[] {
  return measured.map(({ median, duckdb }) => duckdb / median);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function summary(sizes: readonly Size[]): string {
  return [
    'All questions:',
    '',
    summaryOf(sizes),
    '',
    'Expressions alone:',
    '',
    summaryOf(sizes.map(onlyExpressions)),
  ].join('\n');
}

function onlyExpressions(size: Size): Size {
  return { ...size, measured: size.measured.filter((_, i) => QUESTIONS[i]!.expressions !== undefined) };
}

function summaryOf(sizes: readonly Size[]): string {
  const rows = sizes.map(size => {
    const slowest = Math.max(...size.measured.map(({ p99 }) => p99));
    const cells = [
      size.assets.toLocaleString('en'),
      times(geometricMean(ratios(size))),
      times(Math.min(...ratios(size))),
      duration(slowest),
      duration(size.buildMillis),
      `${Math.round(size.bytesPerAsset)} B`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| assets | faster than DuckDB, geometric mean | least | highest p99 of ours | building the snapshot | shared memory an asset |',
    '|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

function details(sizes: readonly Size[]): string {
  const largest = sizes.at(-1)!;
  const rows = QUESTIONS.map((question, i) => {
    const { median, p99, again, duckdb } = largest.measured[i]!;
    const query = queryFor(question, largest.assets).replaceAll('|', '\\|');
    const each = sizes.map(size => times(ratios(size)[i]!));
    const text = query.length > 90 ? `${query.slice(0, 90)}…` : query;
    return `| ${question.about}: \`${question.listing}?${text}\` | ${[duration(median), duration(p99), duration(again), duration(duckdb), ...each].join(' | ')} |`;
  });
  const each = sizes.map(({ assets }) => `× at ${assets.toLocaleString('en')}`);
  return [
    `| question | ours | p99 | again | DuckDB | ${each.join(' | ')} |`,
    `|---|--:|--:|--:|--:|${each.map(() => '--:').join('|')}|`,
    ...rows,
  ].join('\n');
}

function times(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(1) : Math.round(ratio).toLocaleString('en');
}

function drawChart(size: Size): string {
  mkdirSync(images, { recursive: true });
  const bars = QUESTIONS.map(({ about }, i) => ({
    label: about,
    value: ratios(size)[i]!,
    text: `${times(ratios(size)[i]!)} ×`,
  }));
  const title = `Queries on ${size.assets.toLocaleString('en')} assets`;
  const subtitle = 'How many times DuckDB’s time ours fits in, logarithmic; the dashed line is DuckDB';
  writeFileSync(
    join(images, 'query.svg'),
    barChart({ title, subtitle, bars, logarithmic: true, mark: { value: 1, text: 'DuckDB' } }),
  );
  return `![${title}: how many times faster than DuckDB each question is](images/query.svg)`;
}

export const queryBench: Bench = {
  name: 'query',
  page: 'main',
  title: 'Queries',
  async run(log) {
    const sizes: Size[] = [];
    for (const assets of SIZES) sizes.push(await measureSize(assets, log));
    return [report(sizes), earlierReport(log), await ownColumnsReport(log)].join('\n\n');
  },
};

/** `sizes` ascend. */
export function report(sizes: readonly Size[]): string {
  const largest = sizes.at(-1)!;
  return `${QUESTIONS.length} fixed questions on simulated assets whose indicators are computed from closes. Ours is one thread: parsing the query string, finding the rows and rendering the page as JSON, where rows that were rendered before are copied, as in the service; the median and the 99th percentile of ${RUNS} answers, each as if no request had used these filters before; “again” is the median when the bitmaps of the filters are cached, as for the next page. DuckDB ${packageVersion('@duckdb/node-api')} holds the same tables in the same process and may use all ${availableParallelism()} cores: running a prepared statement and fetching the values of the same rows, the median of ${DUCKDB_RUNS}. The rows of both were compared, value by value and in their order. A snapshot is built with every order and index that the questions use.

${summary(sizes)}

${drawChart(largest)}

On ${largest.assets.toLocaleString('en')} assets, and how many times DuckDB’s time ours fits in on each size:

${details(sizes)}`;
}
