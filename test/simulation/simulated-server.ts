// One server of a simulation with its clients: those of its responses, of a stream, of an alert and of its files. It is killed and starts
// again; its clients and its folder stay.

import assert from 'node:assert/strict';
import { AlertRunner } from '../../src/alerts/alert-runner.ts';
import type { post } from '../../src/alerts/post.ts';
import { UpdatedListing } from '../../src/history/updated-listing.ts';
import { SnapshotFeed } from '../../src/serve/feed.ts';
import { textAt } from '../../src/snapshot/columns/texts.ts';
import { columnOf, type Snapshot } from '../../src/snapshot/table.ts';
import type { Evaluation, Store } from '../../src/store/store.ts';
import { ACTIVE_DAYS, ACTIVE_HOURS, type Expected, type PublishedRow } from './expected.ts';
import { ExportReader } from './export-reader.ts';
import { isSimulated, SimulatedProcess } from './faulty-store.ts';
import { StreamReader } from './stream-reader.ts';

/** What all servers of a simulation share. */
export interface World {
  readonly store: Store;
  readonly expected: Expected;
  readonly random: () => number;
  readonly isFaulty: () => boolean;
  readonly now: () => number;
  /** The receiver of alerts. */
  readonly post: typeof post;
  /** What an alert matches when it is looked at. */
  readonly onEvaluation: (matching: readonly string[]) => void;
  readonly counts: { kills: number; snapshots: number; hours: number; streamed: number; downloads: number };
  /** Of the stream: rows whose price is at least this. */
  readonly limit: number;
}

/** For the closes of a listing of hours: more than it needs. */
const HOURS_BYTES = 1e6;

export class SimulatedServer {
  readonly #world: World;
  readonly #stream: StreamReader;
  readonly #exports: ExportReader;
  #process!: SimulatedProcess; // these four are made by `#start`
  #hours!: UpdatedListing;
  #runner!: AlertRunner;
  feed!: SnapshotFeed;
  /** By symbol, of the snapshot that it shows. */
  #prices: ReadonlyMap<string, number> = new Map();
  /** The newest version that its clients have seen, and that of hours. */
  #seen = 0;
  #seenHours = 0;

  constructor(world: World, folder: string) {
    this.#world = world;
    this.#stream = new StreamReader(world.limit);
    this.#exports = new ExportReader(folder);
    this.#start();
  }

  async stop(): Promise<void> {
    await this.#runner.stop().catch(() => {});
  }

  /** It looks for a publication, and answers some of its clients. */
  async serve(): Promise<void> {
    const { random, counts } = this.#world;
    const wasDead = this.#process.isDead;
    if (!wasDead) {
      await this.feed.refresh();
      await this.#runner.run().catch(error => {
        if (!isSimulated(error)) throw error;
      });
      if (random() < 0.6) this.readStream();
      if (random() < 0.2) await this.download();
      if (random() < 0.4)
        await this.readHours().catch(error => {
          if (!isSimulated(error)) throw error;
        });
    }
    if (!this.#process.isDead) return;
    if (!wasDead) counts.kills++;
    await this.#runner.stop();
    this.#stream.disconnect();
    this.#start();
  }

  readStream(): void {
    if (this.feed.current === null) return;
    this.#world.counts.streamed++;
    this.#stream.read(this.#prices);
  }

  /** The newest listing of hours, which is made of the one before; its version, 0 before the first publication. */
  async readHours(): Promise<number> {
    const snapshot = await this.#hours.next(this.#process.store);
    const { version } = snapshot;
    assert.ok(version >= this.#seenHours, `the version of hours went back from ${this.#seenHours} to ${version}`);
    this.#seenHours = version;
    if (version === 0) return version;
    const published = this.#world.expected.published.get(version);
    assert.ok(published, `the version ${version} was never published`);
    pricesOf(snapshot, published.hours, `version ${version} at 1h`);
    this.#world.counts.hours++;
    return version;
  }

  async download(): Promise<void> {
    const { current } = this.feed;
    if (current === null) return;
    await this.#exports.readListing(current, this.#prices);
    this.#world.counts.downloads++;
    const { listed, tables } = current;
    const symbols = columnOf(tables['ta-cur'], 'symbol', 'text');
    const closesOf = (version: number) => {
      const published = this.#world.expected.published.get(version);
      assert.ok(published, `the version ${version} was never published`);
      const closes = new Map<string, readonly number[]>();
      for (let row = 0; row < tables['ta-cur'].rows; row++) {
        const own = published.days.get(listed.assetNumbers[row]!);
        if (own !== undefined) closes.set(textAt(symbols, row)!, own.closes);
      }
      return closes;
    };
    if (await this.#exports.readHistory(current, closesOf)) this.#world.counts.downloads++;
  }

  #start(): void {
    const { store, random, isFaulty, now, post: send, onEvaluation } = this.#world;
    const process = new SimulatedProcess(store, {
      chance: random,
      isFaulty,
      onDone: (name, [evaluation]) => {
        if (name === 'recordEvaluation') onEvaluation((evaluation as Evaluation).matching.symbols); // what the method takes
      },
    });
    const onFailed = (error: unknown) => {
      if (!isSimulated(error)) throw error;
    };
    const onSnapshot = (snapshot: Snapshot) => {
      this.#check(snapshot);
      this.#stream.show(snapshot);
      this.#runner.take(snapshot);
    };
    this.#process = process;
    this.#hours = new UpdatedListing('1h', ACTIVE_HOURS, HOURS_BYTES);
    this.#prices = new Map();
    this.#exports.start({ store: process.store, now, onFailed });
    this.feed = new SnapshotFeed(process.store, { onSnapshot, onFailure: onFailed }, now, ACTIVE_DAYS);
    this.#runner = new AlertRunner({
      store: process.store,
      baseUrl: () => 'http://example.com',
      group: 'crypto',
      againAfterMs: 0,
      metrics: { add: () => {}, set: () => {} },
      onEvent: () => {},
      wantOptional: () => {},
      listing: async () => null,
      earlier: async () => null,
      allowPrivate: true,
      now,
      random,
      post: send,
      lockEveryMs: 0,
      longRoundMs: Number.POSITIVE_INFINITY,
    });
  }

  /** Safety: no version goes back, and every row is that of its publication. */
  #check(snapshot: Snapshot): void {
    const { expected, counts } = this.#world;
    const { version } = snapshot;
    counts.snapshots++;
    assert.ok(version >= this.#seen, `the version went back from ${this.#seen} to ${version}`);
    const published = expected.published.get(version);
    assert.ok(published, `the version ${version} was never published`);
    this.#prices = pricesOf(snapshot, published.days, `version ${version}`);
    this.#seen = version;
  }
}

/** By symbol, if every row is that of its publication, all of it. */
function pricesOf(
  { tables, listed }: Snapshot,
  rows: ReadonlyMap<number, PublishedRow>,
  where: string,
): ReadonlyMap<string, number> {
  const table = tables['ta-cur'];
  const [price, sma5] = ['price', 'sma5'].map(name => columnOf(table, name, 'number').values) as [
    Float64Array,
    Float64Array,
  ];
  assert.equal(table.rows, rows.size, `the listing of ${where} has other assets`);
  const prices = new Map<string, number>();
  for (let row = 0; row < table.rows; row++) {
    const wanted = rows.get(listed.assetNumbers[row]!)!;
    const symbol = textAt(columnOf(table, 'symbol', 'text'), row);
    assert.equal(price[row], wanted.price, `the price of ${symbol} in ${where}`);
    assert.ok(Math.abs(sma5[row]! / wanted.sma5 - 1) < 1e-12, `sma5 of ${symbol} in ${where} is torn`);
    prices.set(symbol ?? '', wanted.price);
  }
  return prices;
}
