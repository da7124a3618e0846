// The stores that answer random queries: one market in SQLite and in PostgreSQL, each served by the real program, and its exported files.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { load } from '../../src/ingest/pipeline.ts';
import { addOptionalColumns } from '../../src/publish/upgrade-rows.ts';
import { openStore } from '../../src/store/open.ts';
import { freshPostgresUrl } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Answer, ask } from '../support/service.ts';
import { listedAssets } from './listed-assets.ts';
import { type AgreeMarket, agreeMarket, TODAY } from './market.ts';
import type { Known, Request, Row, View } from './requests.ts';
import type { Facts } from './scan.ts';
import { viewQuery } from './spelling.ts';
import { ExportedFiles } from './sql.ts';

export interface Envelope {
  readonly result: readonly Row[];
  readonly results_returned: number;
  readonly next: string | null;
  readonly prev: string | null;
}

/** The rows of an asset by their days since 1970-01-01. */
type History = ReadonlyMap<number, Row>;

/** With more assets their histories would take too much memory. */
const MOST_HISTORIES = 200;
const PATIENCE_MS = 60_000;

export class AgreeStores {
  readonly market: AgreeMarket;
  readonly files: ExportedFiles;
  readonly known: Known;
  readonly #servers: readonly ServerProcess[];
  readonly #folder: string;
  #histories: Promise<ReadonlyMap<string, History>> | null = null;
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
    const { assets, days } = market;
    this.known = {
      ids: assets.map(({ id }) => id),
      days,
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
    const histories = readsEarlier ? await this.#allHistories() : null;
    return {
      earlier(row, days) {
        const asset = assetOf(row);
        const day = dayOf(row);
        // In a history, a day without a bar of its own has no earlier one.
        if (asset === undefined || !asset.days.includes(day)) return null;
        const before = asset.days.findLast(other => other <= day - days);
        return before === undefined ? null : (histories?.get(asset.id)?.get(before) ?? null);
      },
      profile(row) {
        const { tags = [], type = null } = byKey.get(String(row[key])) ?? {};
        return { tags: tags.map(tag => tag.toLowerCase()), types: type === null ? [] : [type.toLowerCase()] };
      },
    };
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

  #allHistories(): Promise<ReadonlyMap<string, History>> {
    this.#histories ??= this.#readHistories();
    return this.#histories;
  }

  /** From SQLite: that PostgreSQL has the same is for the requests to find. */
  async #readHistories(): Promise<ReadonlyMap<string, History>> {
    const histories = new Map<string, History>();
    for (const { id } of this.market.assets) {
      const query = new URLSearchParams({ id, incl_cols: 'all', limit: '100000' });
      const { json } = await askPatiently(this.#servers[0]!.url, `/v1/crypto/ta-hist?${query}`);
      histories.set(id, new Map(json<Envelope>().result.map(row => [dayOf(row), row])));
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
    if (view.dataset === 'ta-cur') assertListed(this.market, view, rows!);
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
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask(url, path);
    if (answer.status !== 503 || performance.now() > until) return answer;
    await wait(1000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

/** The listing has a row for each asset that the contract puts there, with its latest close. */
function assertListed(market: AgreeMarket, view: View, rows: readonly Row[]): void {
  const until = view.asOf === null ? Number.POSITIVE_INFINITY : Date.parse(view.asOf) / 86_400_000;
  const expected = listedAssets(market, view).map(({ symbol, days, closes }) => {
    return `${symbol} ${closes[days.findLastIndex(day => day <= until)]}`;
  });
  assert.deepEqual(
    rows.map(({ symbol, price }) => `${symbol} ${price}`).sort(),
    expected.sort(),
    `the assets in ${JSON.stringify(view)}`,
  );
}

function dayOf(row: Row): number {
  return Date.parse(String(row['datetimeUTC'])) / 86_400_000;
}
