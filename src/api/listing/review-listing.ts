// Datasets that are read from the store as they are (`findings`, `actions`): one table per publication, made on the first request.

import { setTimeout as wait } from 'node:timers/promises';
import type { Dataset } from '../../domain/datasets.ts';
import type { ReviewRow, ReviewRows } from '../../history/review-rows.ts';
import { forgetRendered } from '../../render/page.ts';
import { sharedCounts, sharedDoubles, sharedIntegers } from '../../snapshot/columns/shared-memory.ts';
import { packTexts } from '../../snapshot/columns/texts.ts';
import { sortColumn } from '../../snapshot/indexes/orders.ts';
import { SymbolIndex, symbolIndexData } from '../../snapshot/indexes/symbol-index.ts';
import type { ColumnData, Table } from '../../snapshot/table.ts';
import { CACHE_SHARES } from '../cache-shares.ts';
import type { ServiceContext } from '../context.ts';
import type { Endpoint, Examples } from '../endpoint.ts';
import { requireSnapshot } from '../served-snapshot.ts';
import { answerListing } from './answer.ts';
import { listingEndpoint } from './endpoint.ts';
import { planParser } from './plan-cache.ts';
import type { Source } from './source.ts';

/** How long new data may take to reach a server. */
const MAX_WAIT_MS = 2000;
const RETRY_MS = 100;
/** Rows of a table; the oldest are left out. */
const MOST_ROWS = 200_000;

export function reviewEndpoint(
  dataset: Dataset,
  read: (context: ServiceContext) => Promise<ReviewRows>,
  examples: Examples,
): Endpoint {
  return listingEndpoint(dataset, {
    parser: planParser(dataset, CACHE_SHARES.oneAssetPlans),
    examples,
    handle: context => {
      const tables = new ReviewTables(dataset, () => read(context));
      return (request, cached) => {
        const { fingerprint, version } = requireSnapshot(context);
        const table = () => request.slot(() => tables.of(context));
        return answerListing(context, request, cached, { fingerprint, version, table, pages: null });
      };
    },
  });
}

class ReviewTables {
  readonly #dataset: Dataset;
  readonly #read: () => Promise<ReviewRows>;
  #kept: { readonly name: string; readonly source: Promise<Source> } | null = null;

  constructor(dataset: Dataset, read: () => Promise<ReviewRows>) {
    this.#dataset = dataset;
    this.#read = read;
  }

  /** Of the current snapshot: clients that page through the rows read one table. */
  of(context: ServiceContext): Promise<Source> {
    const { fingerprint } = requireSnapshot(context);
    if (this.#kept?.name === fingerprint) return this.#kept.source;
    const before = this.#kept;
    const source = this.#made(context);
    this.#kept = { name: fingerprint, source };
    source.catch(() => {
      this.#kept = null;
    });
    before?.source.then(({ table }) => typeof table !== 'function' && forgetRendered(table)).catch(() => {});
    return source;
  }

  /** The store may be ahead of the snapshot: the response then waits until both agree, or has a name of its own. */
  async #made(context: ServiceContext): Promise<Source> {
    for (const waitUntil = performance.now() + MAX_WAIT_MS; ; await wait(RETRY_MS)) {
      const found = await this.#read();
      const { fingerprint, version } = requireSnapshot(context);
      const isSame = found.version === version;
      if (!isSame && performance.now() <= waitUntil) continue;
      const table = reviewTable(this.#dataset, found.rows);
      return {
        table,
        fingerprint: isSame ? fingerprint : `${fingerprint} ${found.version}`,
        version: found.version,
        pages: null,
      };
    }
  }
}

/** Rows in the order of ids: rows that are equal in the sort column stay in it. */
export function reviewTable(dataset: Dataset, all: readonly ReviewRow[]): Table {
  const rows = all.length <= MOST_ROWS ? all : newest(all);
  const columns = dataset.columns.map(({ name, kind, type }): ColumnData => {
    if (kind === 'time') {
      const values = sharedIntegers(rows.length);
      values.set(rows.map(({ minute }) => minute));
      return { kind: 'day', interval: '1m', values };
    }
    if (type === 'string') return packTexts(rows.map(row => row[name]?.toString() ?? null));
    const values = sharedDoubles(rows.length);
    values.set(rows.map(row => Number(row[name])));
    return { kind: 'number', values };
  });
  const symbols = columns[dataset.columns.findIndex(({ name }) => name === 'symbol')];
  if (symbols?.kind !== 'text') throw new Error(`${dataset.name} has no tickers`);
  const orders = new Map<number, Uint32Array<SharedArrayBuffer>>();
  return {
    dataset,
    rows: rows.length,
    columns,
    history: sharedDoubles(0),
    historyOrder: sharedCounts(0),
    symbols: new SymbolIndex(symbols, symbolIndexData(symbols)),
    search: null,
    profiles: null,
    order: column => {
      const known = orders.get(column);
      if (known !== undefined) return known;
      const order = sharedCounts(rows.length);
      sortColumn(columns[column]!, order);
      orders.set(column, order);
      return order;
    },
  };
}

function newest(rows: readonly ReviewRow[]): ReviewRow[] {
  const times = Float64Array.from(rows, ({ minute }) => minute).sort();
  const oldest = times[rows.length - MOST_ROWS]!;
  return rows.filter(({ minute }) => minute >= oldest).slice(0, MOST_ROWS);
}
