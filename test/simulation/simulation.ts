// One seed decides everything: the clock, what sources deliver, which calls of the store fail, who is killed, and who acts between two
// calls of a load. Safety is checked with every snapshot; once the faults have stopped, everybody must reach the newest publication.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { post } from '../../src/alerts/post.ts';
import { hashOf } from '../../src/domain/api-key.ts';
import { dayOfMillis } from '../../src/domain/day.ts';
import { BASE_INTERVALS, LAST_PERIOD, type Period } from '../../src/domain/interval.ts';
import { load } from '../../src/ingest/pipeline.ts';
import type { Source, SourceItem } from '../../src/ingest/source.ts';
import { textAt } from '../../src/snapshot/columns/texts.ts';
import { columnOf } from '../../src/snapshot/table.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { uniform } from '../support/oracle/series.ts';
import { Expected } from './expected.ts';
import { isSimulated, SimulatedProcess } from './faulty-store.ts';
import { SimulatedServer } from './simulated-server.ts';
import { barsItem, profileItem, sourceOf } from './simulated-source.ts';

const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];
const SERVERS = 3;
const HOUR = 3_600_000;
const DAY_MS = 24 * HOUR;
const MINUTE = 60_000;
/** Periods that a row is late at the most. */
const LATE = { '1d': 12, '1m': 3 * 1440 } as const;
/** A leap day, a year's end and a plain day come soon. */
const STARTS = ['2028-02-27T20:00Z', '2027-12-30T22:30Z', '2026-06-15T12:00Z'];
const ALERT = 'alert_simulated';
const LIMIT = 50;

export interface SimulationOptions {
  readonly seed: number;
  readonly steps: number;
  readonly faults: boolean;
  /** Of an empty PostgreSQL database; null: a SQLite file. */
  readonly url: string | null;
}

export interface SimulationReport {
  readonly days: number;
  readonly loads: number;
  readonly failedLoads: number;
  readonly kills: number;
  readonly publications: number;
  readonly snapshots: number;
  /** Listings of hours that were read. */
  readonly hours: number;
  /** How often the client of a stream has read. */
  readonly streamed: number;
  /** Files that were read. */
  readonly downloads: number;
  readonly deliveries: number;
}

export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-simulation-'));
  const url = options.url ?? `sqlite:${join(folder, 'store.db')}`;
  const store = await openStore(url);
  // A load has connections of its own: a server writes while it publishes.
  const loaders = await openStore(url);
  const simulation = new Simulation(store, loaders, options, folder);
  try {
    return await simulation.run();
  } finally {
    await simulation.stop();
    await loaders.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

class Simulation {
  readonly #store: Store;
  readonly #loaders: Store;
  readonly #random: () => number;
  readonly #options: SimulationOptions;
  readonly #expected = new Expected();
  readonly #servers: readonly SimulatedServer[];
  readonly #received = new Map<string, { times: number; readonly change: ReportedChange }>();
  #noted: ReadonlySet<string> | null = null;
  #isFaulty: boolean;
  #isActing = false;
  #now: number;
  readonly #began: number;
  readonly #counts = { loads: 0, failedLoads: 0, kills: 0, snapshots: 0, hours: 0, streamed: 0, downloads: 0 };

  constructor(store: Store, loaders: Store, options: SimulationOptions, folder: string) {
    this.#store = store;
    this.#loaders = loaders;
    this.#options = options;
    this.#random = uniform(options.seed);
    this.#isFaulty = options.faults;
    this.#now = Date.parse(STARTS[options.seed % STARTS.length]!);
    this.#began = this.#now;
    const world = {
      ...{ store, expected: this.#expected, random: this.#random, counts: this.#counts, limit: LIMIT },
      isFaulty: () => this.#isFaulty,
      now: () => this.#now,
      post: this.#receive,
      // What matched first is noted without a message.
      onEvaluation: (matching: readonly string[]) => {
        this.#noted ??= new Set(matching);
      },
    };
    this.#servers = Array.from({ length: SERVERS }, (_, i) => new SimulatedServer(world, join(folder, `exports-${i}`)));
  }

  async run(): Promise<SimulationReport> {
    const target = { url: 'http://receiver.example.com/', secret: 'whsec_AAAA' };
    await this.#store.createAlert({
      id: ALERT,
      name: 'a',
      query: `price=${LIMIT}:`,
      on: 'both',
      format: 'json',
      target,
    });
    for (let step = 0; step < this.#options.steps; step++) await this.#step();
    await this.#converge();
    const days = Math.round((this.#now - this.#began) / DAY_MS);
    const publications = this.#expected.published.size;
    return { ...this.#counts, days, publications, deliveries: this.#received.size };
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  async #step(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.35) this.#moveClock();
    else if (chance < 0.65) await this.#load(this.#source());
    else if (chance < 0.9) await this.#pick(this.#servers).serve();
    else await this.#changeKey();
  }

  #moveClock(): void {
    const chance = this.#random();
    const midnight = Math.ceil(this.#now / DAY_MS) * DAY_MS;
    if (chance < 0.2) this.#now = midnight - 1;
    else if (chance < 0.4) this.#now = midnight + 1;
    else if (chance < 0.5) this.#now -= this.#random() * 2 * HOUR;
    else if (chance < 0.95) this.#now += this.#random() * 9 * HOUR;
    else this.#now += this.#random() * 12 * DAY_MS;
    this.#now = Math.floor(this.#now);
  }

  /** Late, doubled and contradictory rows of days and minutes, of some assets. */
  #source(): Source {
    const items: SourceItem[] = [];
    for (let batch = 0; batch < 1 + this.#random() * 2; batch++) {
      const [interval, length] = this.#random() < 0.5 ? (['1d', DAY_MS] as const) : (['1m', MINUTE] as const);
      const [newest, late] = [Math.floor(this.#now / length), LATE[interval]];
      const rows = Array.from({ length: 1 + Math.floor(this.#random() * 8) }, () => ({
        symbol: this.#pick(SYMBOLS),
        period: newest - Math.floor(this.#random() ** 3 * late),
        close: Math.round(1 + this.#random() * 10_000) / 100,
      }));
      if (this.#random() < 0.4) rows.push(...rows.map(row => ({ ...row, close: row.close + 1 })));
      items.push(barsItem(interval, rows));
    }
    const profiles = this.#random() < 0.4 ? [profileItem(this.#pick(SYMBOLS), 1 + Math.floor(this.#random() * 9))] : [];
    return sourceOf(profiles, items);
  }

  /** A process of its own, between whose calls the servers act. */
  async #load(source: Source): Promise<void> {
    this.#counts.loads++;
    const loader = new SimulatedProcess(this.#loaders, {
      chance: this.#random,
      isFaulty: () => this.#isFaulty,
      meanwhile: isPublishing => this.#meanwhile(isPublishing),
      onDone: (...done) => this.#expected.onDone(...done),
    });
    try {
      const today = dayOfMillis(this.#now)!;
      await load({ store: loader.store, source, today, now: () => this.#now, signal: new AbortController().signal });
    } catch (error) {
      if (!isSimulated(error) || !this.#options.faults) throw error;
      this.#counts.failedLoads++;
    }
    if (loader.isDead) this.#counts.kills++;
    await loader.kill();
  }

  async #meanwhile(isPublishing: boolean): Promise<void> {
    // In PostgreSQL a publication is one transaction, for which others that write wait.
    if (isPublishing && this.#options.url !== null) return;
    if (this.#isActing || this.#random() > 0.1) return;
    this.#isActing = true;
    try {
      await this.#pick(this.#servers).serve();
    } finally {
      this.#isActing = false;
    }
  }

  /** The receiver of alerts: it may be down, and its response may be lost. */
  #receive: typeof post = async (_, headers, body) => {
    const chance = this.#isFaulty ? this.#random() : 1;
    if (chance < 0.1) return { ok: false, status: 503, error: 'down' };
    const id = headers['webhook-id']!;
    const known = this.#received.get(id);
    if (known) known.times++;
    else this.#received.set(id, { times: 1, change: changeOf(body) });
    return chance < 0.2 ? { ok: false, status: null, error: 'no response' } : { ok: true, status: 204, error: null };
  };

  async #changeKey(): Promise<void> {
    const { keys } = this.#expected;
    const cli = new SimulatedProcess(this.#store, { chance: this.#random, isFaulty: () => this.#isFaulty });
    const valid = [...keys].filter(([, state]) => state === 'valid').map(([id]) => id);
    const isRevoked = valid.length > 0 && this.#random() < 0.4;
    const id = isRevoked ? this.#pick(valid) : `key_${keys.size}`;
    try {
      if (isRevoked) await cli.store.revokeKey(id);
      else await cli.store.createKey({ id, hash: hashOf(id), tier: 'free', name: null, expires: null });
      keys.set(id, isRevoked ? 'revoked' : 'valid');
    } catch (error) {
      if (!isSimulated(error)) throw error;
      keys.set(id, 'unsure');
    }
  }

  /** Liveness: without faults, everybody reaches the newest publication, and every alert its receiver. */
  async #converge(): Promise<void> {
    this.#isFaulty = false;
    const newest = (length: number) =>
      SYMBOLS.map(symbol => ({
        symbol,
        period: Math.floor(this.#now / length),
        close: Math.round(1 + this.#random() * 10_000) / 100,
      }));
    await this.#load(sourceOf([], [barsItem('1d', newest(DAY_MS)), barsItem('1m', newest(MINUTE))]));
    for (const server of this.#servers) for (let i = 0; i < 2; i++) await server.serve();
    const version = await this.#store.version();
    for (const [i, server] of this.#servers.entries()) {
      assert.equal(server.feed.current?.version, version, `server ${i} did not reach the newest publication`);
      assert.equal(await server.readHours(), version, `the hours of server ${i} did not reach the newest publication`);
      server.readStream();
      await server.download();
    }
    for (let round = 0; (await this.#waiting()) > 0; round++) {
      assert.ok(round < 100, 'a message of an alert is never delivered');
      this.#now += HOUR;
      for (const server of this.#servers) await server.serve();
      await new Promise(setImmediate);
    }
    await this.#checkStore();
    await this.#checkAlerts();
  }

  async #waiting(): Promise<number> {
    return (await this.#store.alerts()).reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** What was acknowledged is there. */
  async #checkStore(): Promise<void> {
    for (const { assetNumber, symbol, rank } of await this.#store.assets()) {
      for (const interval of BASE_INTERVALS) {
        const { day, close } = await this.#store.series(interval).bars(assetNumber, 0 as Period, LAST_PERIOD as Period);
        assert.deepEqual(
          Array.from(day, (each, i) => [each, close[i]]),
          [...this.#expected.closes(assetNumber, interval)].sort(([a], [b]) => a - b),
          `the bars of ${symbol} at ${interval}`,
        );
      }
      const recorded = (await this.#store.factsOf(assetNumber)).findLast(record => record.rank !== undefined)?.rank;
      assert.equal(recorded ?? null, rank, `the recorded rank of ${symbol}`);
    }
    const stored = new Map((await this.#store.keys()).map(key => [key.id, key]));
    for (const [id, state] of this.#expected.keys) {
      if (state === 'unsure') continue;
      assert.equal(
        stored.has(id) && (stored.get(id)!.revokedAt === null ? 'valid' : 'revoked'),
        state,
        `the API key ${id}`,
      );
    }
  }

  /**
   * What the receiver was told makes up what matches now; without faults, each message once. A message that is tried again can arrive
   * after a later one, and after a day it is recorded as failed.
   */
  async #checkAlerts(): Promise<void> {
    const failed = (await this.#store.deliveries(Number.MAX_SAFE_INTEGER)).filter(({ state }) => state === 'failed');
    const changes = [...this.#received.values()].map(({ change }) => change);
    for (const { id, body } of failed) if (!this.#received.has(id)) changes.push(changeOf(body));
    const told = new Set(this.#noted);
    for (const { entered, left } of changes.sort((a, b) => a.version - b.version)) {
      for (const symbol of entered) told.add(symbol);
      for (const symbol of left) told.delete(symbol);
    }
    for (const [id, { times }] of this.#received)
      if (!this.#options.faults) assert.equal(times, 1, `the message ${id} was delivered ${times} times`);
    const newest = Math.max(...this.#expected.published.keys());
    const { current } = this.#servers[0]!.feed;
    const table = current!.tables['ta-cur'];
    assert.equal(current!.version, newest);
    const matching: string[] = [];
    for (let row = 0; row < table.rows; row++) {
      const symbol = textAt(columnOf(table, 'symbol', 'text'), row)!;
      if (columnOf(table, 'price', 'number').values[row]! >= LIMIT) matching.push(symbol);
    }
    assert.deepEqual([...told].sort(), matching.sort(), 'what the receiver of the alert knows');
  }
}

interface ReportedChange {
  readonly version: number;
  readonly entered: readonly string[];
  readonly left: readonly string[];
}

/** Of the body of a message. */
function changeOf(body: string): ReportedChange {
  const { data } = JSON.parse(body);
  const symbolsOf = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => symbol);
  return { version: data.version, entered: symbolsOf(data.entered.rows), left: symbolsOf(data.left.rows) };
}
