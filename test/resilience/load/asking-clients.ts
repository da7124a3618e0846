// Clients that never stop asking, each in a way of its own, and check every answer: it must be whole, and all of it of one version
// of the data.

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo } from './whole-answer.ts';

/** What the market is made of; `price` of an asset on its last day tells the version of the data. */
export interface Market {
  readonly assets: number;
  /** Days of each asset. */
  readonly days: number;
  price(asset: number, version: number): number;
}

export interface Versions {
  /** Those that may be served, at this moment. */
  readonly oldest: number;
  readonly newest: number;
}

interface Row {
  readonly symbol: string;
  readonly price: number;
}

interface Way {
  readonly name: string;
  readonly clients: number;
  readonly path: (times: number) => string;
  readonly keepAlive: boolean;
  readonly rows: (market: Market) => number;
  readonly read: (text: string) => readonly Row[];
  /** Waits between two pieces of the answer. */
  readonly pauseMs?: number;
}

const LISTING = '/v1/crypto/ta-cur';
const PAGE = 50;

const fromJson = (text: string) => (JSON.parse(text) as { result: Row[] }).result; // the rows are checked one by one
/** No cell of this market is quoted, and a parser for all that CSV can be would leave no time for asking. */
const fromCsv = (text: string) => {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const [symbol, price] = ['symbol', 'price'].map(name => head.split(',').indexOf(name));
  return lines.map(line => line.split(',')).map(cells => ({ symbol: cells[symbol!]!, price: Number(cells[price!]) }));
};
const page = (times: number) => `${LISTING}?sort=symbol&order=asc&limit=${PAGE}&page=${1 + (times % 7)}`;
const everything = `${LISTING}?limit=100000`;

const WAYS: readonly Way[] = [
  { name: 'pages', clients: 4, path: page, keepAlive: true, rows: () => PAGE, read: fromJson },
  { name: 'pages over new connections', clients: 4, path: page, keepAlive: false, rows: () => PAGE, read: fromJson },
  {
    name: 'pages of CSV',
    clients: 2,
    path: times => `${page(times)}&format=csv`,
    keepAlive: true,
    rows: () => PAGE,
    read: fromCsv,
  },
  {
    name: 'everything',
    clients: 1,
    path: () => everything,
    keepAlive: true,
    rows: ({ assets }) => assets,
    read: fromJson,
  },
  {
    name: 'everything as CSV, over new connections',
    clients: 1,
    path: () => `${everything}&format=csv`,
    keepAlive: false,
    rows: ({ assets }) => assets,
    read: fromCsv,
  },
  {
    name: 'everything, read slowly',
    clients: 2,
    path: () => everything,
    keepAlive: false,
    rows: ({ assets }) => assets,
    read: fromJson,
    pauseMs: 10,
  },
  {
    name: 'histories',
    clients: 2,
    path: times => `/v1/crypto/ta-hist?symbol=S${times % 100}&sort=datetimeUTC&order=desc&limit=100`,
    keepAlive: true,
    rows: ({ days }) => days,
    // Only the last day tells the version.
    read: text => fromJson(text).map((row, day, all) => (day === 0 ? row : all[0]!)),
  },
];

export class AskingClients {
  readonly failures: string[] = [];
  /** Answers of each way. */
  readonly asked = new Map<string, number>();
  readonly #options: { url: string; headers: Record<string, string>; market: Market; versions: () => Versions };
  readonly #ends: Promise<unknown>;
  #stopped = false;

  constructor(options: { url: string; headers: Record<string, string>; market: Market; versions: () => Versions }) {
    this.#options = options;
    this.#ends = Promise.all(WAYS.flatMap(way => Array.from({ length: way.clients }, () => this.#ask(way))));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ends;
  }

  async #ask(way: Way): Promise<void> {
    const agent = new Agent({ keepAlive: way.keepAlive });
    for (let times = 0; !this.#stopped && this.failures.length < 5; times++) {
      try {
        await this.#once(way, way.path(times), agent);
        this.asked.set(way.name, (this.asked.get(way.name) ?? 0) + 1);
      } catch (error) {
        this.failures.push(`${way.name}: ${error instanceof Error ? error.message : error}`);
      }
      // Leaves the processor to the servers now and then.
      await wait(15);
    }
    agent.destroy();
  }

  async #once({ rows, read, pauseMs = 0 }: Way, path: string, agent: Agent): Promise<void> {
    const { url, headers, market, versions } = this.#options;
    const { oldest } = versions();
    const { status, text } = await answerTo(`${url}${path}`, headers, agent, pauseMs);
    const { newest } = versions();
    assert.equal(status, 200, text);
    const got = read(text);
    assert.equal(got.length, rows(market), 'rows');
    const assetOf = ({ symbol }: Row) => Number(symbol.slice(1));
    const fits = (version: number) => got.every(row => row.price === market.price(assetOf(row), version));
    const possible = Array.from({ length: newest - oldest + 1 }, (_, i) => oldest + i);
    assert.ok(possible.some(fits), `no version of ${possible} has these rows: ${text.slice(0, 200)}`);
  }
}
