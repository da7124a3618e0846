// One request, answered in several ways: the first difference between them, or the first broken invariant, as a sentence.

import { type Cell, DATASET, type Request, type Row } from './requests.ts';
import { facets, pageOf, selected, statistics } from './scan.ts';
import { Spelling, sortOf } from './spelling.ts';
import type { AgreeStores, Envelope } from './stores.ts';

/** How many answers were compared. */
export interface Compared {
  requests: number;
  byDuckDb: number;
  withInterval: number;
  withQuote: number;
  rows: number;
}

/** More than any view has. */
const ALL = 100_000;

export function pathOf(request: Request): string {
  return new Spelling(request.spelling).path(request);
}

/** Null if all agree. */
export async function differenceOf(stores: AgreeStores, request: Request, compared: Compared): Promise<string | null> {
  const path = pathOf(request);
  const [sqlite, postgres] = await stores.ask(path);
  compared.requests++;
  if (request.view.interval !== null) compared.withInterval++;
  if (request.view.quote !== null) compared.withQuote++;
  if (sqlite.status !== 200) return `SQLite answers ${sqlite.status}: ${sqlite.text}`;
  if (postgres.status !== 200) return `PostgreSQL answers ${postgres.status}: ${postgres.text}`;
  const envelope = sqlite.json<Envelope>();
  const others = postgres.json<Envelope>();
  const between =
    differentRows('PostgreSQL', others.result, 'SQLite', envelope.result) ??
    differentLinks('PostgreSQL', others, 'SQLite', envelope);
  if (between !== null) return between;
  const facts = await stores.facts(request);
  const all = selected(request, await stores.rows(request.view), facts);
  compared.rows += envelope.result.length;
  switch (request.answered.kind) {
    case 'stats':
      return differentStatistics(request, all, envelope.result);
    case 'facets': {
      const expected = facets(all, facts);
      return differentPage(request, envelope, expected, expected.slice(startOf(request)).slice(0, request.limit));
    }
    case 'rows': {
      const difference = differentPage(request, envelope, all, pageOf(request, all));
      if (difference !== null) return difference;
      const bySql = await stores.files.answer(request);
      if (bySql === null) return null;
      compared.byDuckDb++;
      if (bySql.total !== all.length) return `DuckDB finds ${bySql.total} rows, the scan ${all.length}`;
      return differentRows('SQLite', envelope.result.map(withDays(request)), 'DuckDB', bySql.page);
    }
  }
}

function startOf({ page, limit }: Request): number {
  return (page - 1) * limit;
}

/** Times as their days, as DuckDB's rows have them. */
function withDays({ view }: Request): (row: Row) => Row {
  const times = new Set(DATASET[view.dataset].columns.filter(({ kind }) => kind === 'time').map(({ name }) => name));
  return row =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        times.has(name) && typeof cell === 'string' ? cell.slice(0, 10) : cell,
      ]),
    );
}

function differentPage(request: Request, envelope: Envelope, all: readonly Row[], page: readonly Row[]): string | null {
  const rows = differentRows('the service', envelope.result, 'the scan', page);
  if (rows !== null) return rows;
  const { limit, page: number } = request;
  const expected = {
    results_returned: page.length,
    next: number * limit < all.length,
    prev: number > 1 && all.length > 0,
  };
  const { results_returned, next, prev } = envelope;
  const actual = { results_returned, next: next !== null, prev: prev !== null };
  const [said, meant] = [JSON.stringify(actual), JSON.stringify(expected)];
  return said === meant ? null : `the envelope says ${said}, the scan ${meant}`;
}

function differentLinks(name: string, one: Envelope, otherName: string, other: Envelope): string | null {
  const query = (url: string | null) => url && new URL(url).search;
  const links = (envelope: Envelope) => JSON.stringify([query(envelope.next), query(envelope.prev)]);
  return links(one) === links(other) ? null : `${name} links to ${links(one)}, ${otherName} to ${links(other)}`;
}

/** Names in order, and values to the last bit. */
function differentRows(name: string, rows: readonly Row[], otherName: string, others: readonly Row[]): string | null {
  if (rows.length !== others.length) return `${name} has ${rows.length} rows, ${otherName} ${others.length}`;
  for (const [i, row] of rows.entries()) {
    const other = others[i]!; // as many
    const [names, otherNames] = [Object.keys(row).join(), Object.keys(other).join()];
    if (names !== otherNames) return `row ${i}: ${name} has the columns ${names}, ${otherName} ${otherNames}`;
    for (const [column, cell] of Object.entries(row)) {
      if (!sameCell(cell, other[column]!)) {
        return `row ${i}, ${column}: ${name} has ${JSON.stringify(cell)}, ${otherName} ${JSON.stringify(other[column])}`;
      }
    }
  }
  return null;
}

/** 0 and -0 are one number; objects only occur in statistics. */
function sameCell(a: Cell, b: Cell): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

function differentStatistics(request: Request, all: readonly Row[], rows: readonly Row[]): string | null {
  if (request.answered.kind !== 'stats') return null;
  const { columns, bins } = request.answered;
  const expected = statistics(request, all, columns).slice(startOf(request)).slice(0, request.limit);
  if (rows.length !== expected.length) return `stats have ${rows.length} rows, the scan ${expected.length}`;
  for (const [i, row] of rows.entries()) {
    const { column, count, nulls, values } = expected[i]!; // as many
    const exact = { column, count, nulls, min: values[0] ?? null, max: values.at(-1) ?? null };
    for (const [name, value] of Object.entries(exact)) {
      if (!sameCell(row[name]!, value)) return `${name} of ${column}: the service says ${row[name]}, the scan ${value}`;
    }
    const scale = Math.max(0, ...values.map(Math.abs));
    for (const [name, value] of Object.entries(figuresOf(values))) {
      const served = row[name] as number | null; // a figure
      const near =
        served === value ||
        (served !== null && value !== null && Math.abs(served - value) <= 1e-9 * scale + Number.MIN_VALUE);
      // Squares and sums beyond the doubles are null.
      if (!near && scale < 1e150) return `${name} of ${column}: the service says ${served}, the scan ${value}`;
    }
    const wrong = bins === null ? null : wrongHistogram(row['histogram'] as unknown as Histogram | null, values, bins);
    if (wrong !== null) return `histogram of ${column}: ${wrong}`;
  }
  return null;
}

/** Quantiles lie at position share · (n − 1) among the sorted values. */
function figuresOf(values: readonly number[]): Record<string, number | null> {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const quantile = (share: number) => {
    if (n === 0) return null;
    const position = share * (n - 1);
    const [low, high] = [values[Math.floor(position)]!, values[Math.ceil(position)]!];
    return low + (high - low) * (position % 1);
  };
  return {
    mean: n === 0 ? null : mean,
    stdev: n < 2 ? null : Math.sqrt(variance),
    ...{ p5: quantile(0.05), p25: quantile(0.25), p50: quantile(0.5), p75: quantile(0.75), p95: quantile(0.95) },
  };
}

function wrongHistogram(histogram: Histogram | null, values: readonly number[], bins: number): string | null {
  if (values.length === 0) return histogram === null ? null : 'there are no values';
  if (histogram === null) return 'there is none';
  const { edges, counts } = histogram;
  if (counts.length > bins) return `${counts.length} bins instead of ${bins}`;
  if (edges.some((edge, i) => i > 0 && !(edge > edges[i - 1]!)) && edges[0] !== edges.at(-1)) return `edges ${edges}`;
  if (values[0]! < edges[0]! || values.at(-1)! > edges.at(-1)!) return `${edges} do not cover the values`;
  const isLast = (bin: number) => bin === counts.length - 1;
  const expected = counts.map(
    (_, bin) =>
      values.filter(
        value => value >= edges[bin]! && (value < edges[bin + 1]! || (isLast(bin) && value === edges[bin + 1])),
      ).length,
  );
  return expected.join() === counts.join() ? null : `counts ${counts} instead of ${expected}`;
}

/** What must hold between the answers to several requests, whatever the data. Null if it does. */
export async function brokenInvariant(stores: AgreeStores, request: Request): Promise<string | null> {
  if (request.answered.kind !== 'rows') return null;
  const whole = { ...request, limit: ALL, page: 1, excluded: [] };
  const rowsOf = async (each: Request) => {
    const { status, text, json } = await stores.askSqlite(pathOf(each));
    if (status !== 200) throw new Error(`${pathOf(each)}: ${text}`);
    return json<Envelope>().result;
  };
  const key = DATASET[request.view.dataset].tieBreaker;
  const keysOf = (rows: readonly Row[]) => rows.map(row => row[key]);
  const all = await rowsOf(whole);
  if (request.where !== null) {
    const without = keysOf(await rowsOf({ ...whole, where: null }));
    const [held, failed] = [keysOf(all), keysOf(await rowsOf({ ...whole, where: { kind: 'not', of: request.where } }))];
    const both = new Set([...held, ...failed]);
    if (held.length + failed.length !== without.length || both.size !== without.length) {
      return `${held.length} rows where the condition holds and ${failed.length} where it does not are not the ${without.length} rows without it`;
    }
    // A filter more keeps the order of the rows that remain.
    const kept = new Set(held);
    if (without.filter(name => kept.has(name)).join('\n') !== held.join('\n')) return 'the condition changes the order';
  }
  const pages = await pagesOf(stores, { ...whole, limit: Math.max(1, Math.ceil(all.length / 4)) });
  if (keysOf(pages).join('\n') !== keysOf(all).join('\n')) return 'the pages together are not the whole';
  return differentReverse(request, all, await rowsOf({ ...whole, order: reverse(request) }));
}

function reverse({ view, order }: Request): 'asc' | 'desc' {
  return (order ?? DATASET[view.dataset].defaultOrder) === 'asc' ? 'desc' : 'asc';
}

/** The values are in the opposite order; rows that tie, and those without a value at the end, in the same. */
function differentReverse(request: Request, rows: readonly Row[], reversed: readonly Row[]): string | null {
  const { dataset } = request.view;
  const [sort, key] = [sortOf(request), DATASET[dataset].tieBreaker];
  // A sort column may be one that the rows do not show.
  if (rows.some(row => !(sort in row))) return null;
  const groups = (from: readonly Row[]) => [
    ...Map.groupBy(from, row => (Object.is(row[sort], -0) ? 0 : (row[sort] ?? null))),
  ];
  const text = (from: [Cell, Row[]][]) =>
    from.map(([value, group]) => `${value}: ${group.map(row => row[key]).join()}`).join('\n');
  const isNull = ([value]: [Cell, Row[]]) => value === null;
  const expected = groups(rows);
  const turned = [...expected.filter(group => !isNull(group)).reverse(), ...expected.filter(isNull)];
  return text(turned) === text(groups(reversed)) ? null : 'descending is not the reverse of ascending';
}

async function pagesOf(stores: AgreeStores, request: Request): Promise<Row[]> {
  const rows: Row[] = [];
  for (let path: string | null = pathOf(request); path !== null; ) {
    const envelope: Envelope = (await stores.askSqlite(path)).json<Envelope>();
    rows.push(...envelope.result);
    path = envelope.next && new URL(envelope.next).pathname + new URL(envelope.next).search;
  }
  return rows;
}
