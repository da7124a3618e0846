// The stores that answer random queries: one market in SQLite and in PostgreSQL, each served by the real program, and its exported files.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { load } from '../../src/ingest/pipeline.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import { Chance } from '../contract/query/chance.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Answer, ask } from '../support/service.ts';
import { assertExact } from './exact-rows.ts';
import { listedAssets, quoteOf } from './listed-assets.ts';
import { type AgreeMarket, agreeMarket, TODAY } from './market.ts';
import { type Base, type Interval, periodOf } from './periods.ts';
import {
  intervalOf,
  type Known,
  type Request,
  type Row,
  randomQuotedView,
  type View,
  type Viewed,
} from './requests.ts';
import type { Facts } from './scan.ts';
import { viewQuery } from './spelling.ts';
import { ExportedFiles } from './sql.ts';
import { viewBars } from './view-bars.ts';

export interface Envelope {
  readonly result: readonly Row[];
  readonly results_returned: number;
  readonly next: string | null;
  readonly prev: string | null;
}

/** The rows of an asset by their periods. */
type History = ReadonlyMap<number, Row>;

/** Views with an interval or a quote. */
const VIEWS = 100;
/** With more assets their histories would take too much memory. */
const MOST_HISTORIES = 200;
const TIMEOUT_MS = 60_000;

export class AgreeStores {
  readonly market: AgreeMarket;
  readonly files: ExportedFiles;
  readonly known: Known;
  readonly #servers: readonly ServerProcess[];
  readonly #folder: string;
  readonly #histories = new Map<string, Promise<ReadonlyMap<string, History>>>();
  readonly #views = new Map<string, Promise<readonly Row[]>>();

  static async start(seed: number, size: number): Promise<AgreeStores> {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-agree-'));
    const market = agreeMarket(seed, size);
    const urls = [`sqlite:${join(folder, 'store.db')}`, await freshPostgresUrl()] as const;
    // One after the other: SQLite works in this thread, and PostgreSQL would wait for its answers.
    for (const url of urls) await fill(url, market);
    const [files, ...servers] = await Promise.all([
      ExportedFiles.of(urls[0], join(folder, 'export'), market.assets),
      ...urls.map(url => ServerProcess.start('--open', '--workers', '1', '--store', url)),
    ]);
    return new AgreeStores(market, files, servers, folder);
  }

  private constructor(market: AgreeMarket, files: ExportedFiles, servers: readonly ServerProcess[], folder: string) {
    this.market = market;
    this.files = files;
    this.#servers = servers;
    this.#folder = folder;
    const { assets, quotes, days, times } = market;
    const ids = assets.map(({ id }) => id);
    const perBase = <T>(found: (base: Base) => T) => ({ '1m': found('1m'), '1h': found('1h'), '1d': found('1d') });
    const viewed: Viewed = {
      ...{ ids, days, times },
      idsWith: perBase(base => assets.filter(({ bars }) => bars[base].day.length > 0).map(({ id }) => id)),
      quotesWith: perBase(base => quotes.filter(({ bars }) => bars[base].day.length > 0).map(({ names }) => names)),
    };
    const chance = new Chance(ids.length + Date.parse(days[0]!));
    this.known = {
      ...{ ids, days, times },
      views: Array.from({ length: VIEWS }, () => randomQuotedView(viewed, chance)),
      tags: [...new Set(assets.flatMap(({ tags }) => tags))],
      types: [...new Set(assets.flatMap(({ type }) => (type === null ? [] : [type])))],
      hasEarlier: assets.length <= MOST_HISTORIES,
      rows: view => this.rows(view),
    };
  }

  /** All rows of a view with every column, which both servers must agree on. */
  rows(view: View): Promise<readonly Row[]> {
    const key = JSON.stringify(view);
    const rows = this.#views.get(key) ?? this.#read(view);
    this.#views.set(key, rows);
    return rows;
  }

  /** What the rows of a view do not show of their assets. */
  async facts({ view, calcs, where }: Request): Promise<Facts> {
    const assets = view.dataset === 'ta-cur' ? listedAssets(this.market, view) : this.market.assets;
    const key = view.dataset === 'ta-cur' ? 'symbol' : 'id';
    const byId = new Map(this.market.assets.map(asset => [asset.id, asset]));
    const byKey = new Map(assets.map(asset => [asset[key], asset]));
    const assetOf = (row: Row) => (view.id === null ? byKey.get(String(row[key])) : byId.get(view.id));
    const readsEarlier = /"kind":"(?:lag|crosses)"/.test(JSON.stringify([calcs, where]));
    const histories = readsEarlier ? await this.#allHistories(view) : null;
    const interval = view.dataset === 'assets' ? '1d' : intervalOf(view);
    const quote = quoteOf(this.market, view);
    return {
      interval,
      earlier(row, periods) {
        const asset = assetOf(row);
        if (asset === undefined) return null;
        const own = viewBars(asset.bars, quote, interval).day;
        const period = periodIn(interval, row);
        // In a history, a period without a bar of its own has no earlier one.
        if (!own.includes(period)) return null;
        const before = own.findLast(other => other <= period - periods);
        return before === undefined ? null : (histories?.get(asset.id)?.get(before) ?? null);
      },
      profile(row) {
        const { tags = [], type = null } = byKey.get(String(row[key])) ?? {};
        return { tags: tags.map(tag => tag.toLowerCase()), types: type === null ? [] : [type.toLowerCase()] };
      },
    };
  }

  /** The answer of the first server alone. */
  askSqlite(path: string): Promise<Answer> {
    return askPatiently(this.#servers[0]!.url, path);
  }

  /** The answers of both servers. */
  async ask(path: string): Promise<readonly [sqlite: Answer, postgres: Answer]> {
    const [sqlite, postgres] = await Promise.all(this.#servers.map(({ url }) => askPatiently(url, path)));
    return [sqlite!, postgres!]; // there are two
  }

  async close(): Promise<void> {
    this.files.close();
    await Promise.all(this.#servers.map(server => server.stop()));
    rmSync(this.#folder, { recursive: true });
  }

  #allHistories({ interval, quote }: View): Promise<ReadonlyMap<string, History>> {
    const of = { dataset: 'ta-hist', asOf: null, inactive: false, interval, quote } as const;
    const key = JSON.stringify(of);
    const histories = this.#histories.get(key) ?? this.#readHistories(of);
    this.#histories.set(key, histories);
    return histories;
  }

  /** From SQLite: that PostgreSQL has the same is for the requests to find. */
  async #readHistories(of: Omit<View, 'id'>): Promise<ReadonlyMap<string, History>> {
    const histories = new Map<string, History>();
    const [interval, quote] = [intervalOf(of), quoteOf(this.market, of)];
    for (const { id, bars } of this.market.assets) {
      if (viewBars(bars, quote, interval).day.length === 0) continue;
      const query = new URLSearchParams([...viewQuery({ ...of, id }), ['incl_cols', 'all'], ['limit', '100000']]);
      const { json } = await this.askSqlite(`/v1/crypto/ta-hist?${query}`);
      histories.set(id, new Map(json<Envelope>().result.map(row => [periodIn(interval, row), row])));
    }
    return histories;
  }

  async #read(view: View): Promise<readonly Row[]> {
    const columns = view.dataset === 'ta-cur' || view.dataset === 'ta-hist' ? [['incl_cols', 'all']] : [];
    const query = new URLSearchParams([...viewQuery(view), ...columns, ['limit', '100000']]);
    const answers = await this.ask(`/v1/crypto/${view.dataset}?${query}`);
    for (const { status, text } of answers) assert.equal(status, 200, text);
    const [rows, others] = answers.map(answer => answer.json<Envelope>().result);
    assert.deepEqual(others, rows, `all rows of ${JSON.stringify(view)}`);
    assertExact(
      this.market,
      view,
      rows!,
      new Chance(Buffer.from(JSON.stringify(view)).reduce((sum, byte) => sum * 31 + byte, 7)),
    );
    return rows!;
  }
}

async function fill(url: string, { source }: AgreeMarket): Promise<void> {
  const store = await openStore(url);
  try {
    await load({ store, source, today: TODAY, signal: new AbortController().signal });
    await addOptionalColumns(store);
  } finally {
    await store.close();
  }
}

/** On a machine that is busy with much else, a database may be unreachable for seconds: the service says 503, and when to ask again. */
async function askPatiently(url: string, path: string): Promise<Answer> {
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await ask(url, path);
    if (answer.status !== 503 || performance.now() > until) return answer;
    await wait(1000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

function periodIn(interval: Interval, row: Row): number {
  return periodOf(interval, Date.parse(String(row['datetimeUTC'])));
}
