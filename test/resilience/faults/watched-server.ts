// A real server under a client that never stops asking: whatever happens to the store, each answer must be one that was right
// at some moment.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isoFromDay } from '../../../src/domain/day.ts';
import type { Store } from '../../../src/store/store.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { ask } from '../../support/service.ts';
import { run } from './loading.ts';

const ASK_EVERY_MS = 10;
/** Generous: what is promised is 2 s, and this machine may be busy with other tests. */
const TIMEOUT_MS = 20_000;

interface Row {
  readonly symbol: string;
  readonly datetimeUTC: string;
  readonly price: number;
}

/** `SYMBOL DAY PRICE` of every row. */
export type Listing = readonly string[];

/** What a server must show of a store whose assets are all active. */
export async function listingOf(store: Store): Promise<Listing> {
  const symbols = new Map((await store.assets()).map(asset => [asset.assetNumber, asset.symbol]));
  const { rows } = await store.currentSince(0);
  return rows.map(row => `${symbols.get(row.assetNumber)} ${isoFromDay(row.day)} ${row.price}`).sort();
}

export class WatchedServer {
  readonly #server: ServerProcess;
  readonly #key: string;
  readonly #seen = new Map<string, Listing>();
  readonly #failures: string[] = [];
  #asked = 0;
  #stopped = false;
  #watching: Promise<void> = Promise.resolve();

  static async start(t: TestContext, store: string, ...args: readonly string[]): Promise<WatchedServer> {
    const { stdout, stderr } = await run('keys', 'create', '--tier', 'unlimited', '--json', '--store', store);
    assert.notEqual(stdout, '', stderr);
    return WatchedServer.startWith(t, JSON.parse(stdout).key, store, ...args);
  }

  /** With a key that is there already. */
  static async startWith(
    t: TestContext,
    key: string,
    store: string,
    ...args: readonly string[]
  ): Promise<WatchedServer> {
    const watched = new WatchedServer(await ServerProcess.start('--store', store, ...args), key);
    t.after(() => watched.#end());
    watched.#watching = watched.#watch();
    return watched;
  }

  private constructor(server: ServerProcess, key: string) {
    this.#server = server;
    this.#key = key;
  }

  get key(): string {
    return this.#key;
  }

  get url(): string {
    return this.#server.url;
  }

  get stderr(): string {
    return this.#server.stderr;
  }

  get asked(): number {
    return this.#asked;
  }

  /** Waits for as many more answers. */
  async answers(count: number): Promise<void> {
    const goal = this.#asked + count;
    while (this.#asked < goal && this.#failures.length === 0) await wait(ASK_EVERY_MS);
  }

  async get(path: string): Promise<Response> {
    return fetch(`${this.#server.url}${path}`, { headers: { 'X-API-Key': this.#key } });
  }

  async listing(): Promise<Listing> {
    const headers = { 'X-API-Key': this.#key };
    const answer = await ask(this.url, '/v1/crypto/ta-cur?limit=1000&sort=symbol&order=asc', { headers });
    if (answer.status === 503) return [];
    assert.equal(answer.status, 200, answer.text);
    const { result } = answer.json<{ result: Row[] }>();
    return result.map(row => `${row.symbol} ${row.datetimeUTC.slice(0, 10)} ${row.price}`).sort();
  }

  /** Waits until the listing is this one. */
  async shows(expected: Listing): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    for (;;) {
      const listing = await this.listing();
      if (listing.join() === expected.join()) return;
      if (performance.now() > giveUp) assert.deepEqual(listing, expected, this.stderr);
      await wait(ASK_EVERY_MS);
    }
  }

  /** Ends it, and checks that it gave no answers but these, and was never silent. */
  async stop(...allowed: readonly Listing[]): Promise<void> {
    const running = await this.#end();
    assert.deepEqual(this.#failures, []);
    assert.ok(running, `the server ended by itself: ${this.stderr}`);
    const known = new Set(allowed.map(listing => listing.join()));
    for (const [text, listing] of this.#seen) if (!known.has(text)) assert.deepEqual(listing, allowed.at(-1));
  }

  /** Returns whether it was still running. */
  async #end(): Promise<boolean> {
    this.#stopped = true;
    await this.#watching;
    const { running } = this.#server;
    await this.#server.stop();
    return running;
  }

  async #watch(): Promise<void> {
    while (!this.#stopped && this.#failures.length < 3) {
      try {
        const listing = await this.listing();
        this.#seen.set(listing.join(), listing);
        this.#asked++;
      } catch (error) {
        if (!this.#stopped) this.#failures.push(error instanceof Error ? error.message : String(error));
      }
      await wait(ASK_EVERY_MS);
    }
  }
}
