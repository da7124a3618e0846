// Keeps a node of a distributed database (Citus) that hangs from taking the connections that reads of other nodes need.
//
// A read of one asset runs on the node that has the asset. A node has one connection of the pool at a time, and so have the reads that
// concern all nodes. A read that takes too long fails, but its connection stays busy: the coordinator goes on waiting for the node, and
// a further connection would wait as well. Until then reads of that node fail at once.

import type { AssetNumber } from '../../domain/asset.ts';
import { StoreError } from '../port/store.ts';
import type { Concern, Sql } from './database.ts';

/** Together less than a server waits for an answer (store-link.ts) before it takes the whole database for unreachable. */
const ONE_ASSET_MILLIS = 3_000;
const TURN_MILLIS = 6_000;
/** A read of all assets hardly ever waits for its turn. */
const ALL_ASSETS_MILLIS = 8_000;
/** Shards may move between nodes. */
const KNOWN_MILLIS = 60_000;
const KNOWN_ASSETS = 100_000;

export class NodeShares {
  readonly #where: string;
  readonly #ask: (asset: AssetNumber) => Promise<string>;
  readonly #shares = new Map<string, Share>();
  readonly #nodes = new Map<AssetNumber, string>();
  #knownSince = 0;

  /** `ask` finds the node that has an asset. */
  constructor(where: string, ask: (asset: AssetNumber) => Promise<string>) {
    this.#where = where;
    this.#ask = ask;
  }

  async run<T>(concern: Concern, work: () => Promise<T>): Promise<T> {
    const isOne = concern !== 'all assets';
    const node = isOne ? await this.#nodeOf(concern) : concern;
    const share = this.#shares.get(node) ?? new Share();
    this.#shares.set(node, share);
    const millis = isOne ? ONE_ASSET_MILLIS : ALL_ASSETS_MILLIS;
    return share.run(millis, work, () => this.#late(isOne ? `its node ${node}` : 'one of its nodes', millis));
  }

  async #nodeOf(asset: AssetNumber): Promise<string> {
    if (this.#nodes.size >= KNOWN_ASSETS || performance.now() > this.#knownSince + KNOWN_MILLIS) {
      this.#nodes.clear();
      this.#knownSince = performance.now();
    }
    const known = this.#nodes.get(asset);
    if (known !== undefined) return known;
    const found = await this.#ask(asset);
    this.#nodes.set(asset, found);
    return found;
  }

  #late(what: string, millis: number): StoreError {
    return new StoreError(
      'node_unreachable',
      `${this.#where} gets no answer from ${what} (for ${millis / 1000} s)`,
      'start that node again; what the other nodes hold is served meanwhile',
    );
  }
}

/** Runs one read at a time. */
export class Share {
  #last: Promise<void> = Promise.resolve();
  /** Refuses each of the reads that wait for their turn. */
  readonly #waiting = new Set<() => void>();
  /** Whether the read that runs has taken too long. */
  #isLate = false;

  /** Fails with what `late` returns if the read, or one before it, runs for longer than `millis`. */
  run<T>(millis: number, work: () => Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const refuse = () => {
        isRefused = true;
        reject(late());
      };
      if (this.#isLate) return refuse();
      const waitsTooLong = setTimeout(refuse, TURN_MILLIS);
      this.#waiting.add(refuse);
      this.#last = this.#last.then(async () => {
        clearTimeout(waitsTooLong);
        this.#waiting.delete(refuse);
        if (isRefused) return;
        const runsTooLong = setTimeout(() => {
          this.#isLate = true;
          for (const refuseOne of [refuse, ...this.#waiting]) refuseOne();
        }, millis);
        await work().then(resolve, reject);
        clearTimeout(runsTooLong);
        this.#isLate = false;
      });
    });
  }
}

/** Whether the tables are distributed over several nodes. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [found] = await sql<{
    citus: boolean;
  }>`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`;
  if (found?.citus !== true) return false;
  const tables = await sql`
    SELECT 1 FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'tidemark.bar_blocks'::regclass AND partmethod = 'h'`;
  return tables.length > 0;
}

export async function nodeOf(sql: Sql, asset: AssetNumber): Promise<string> {
  const [found] = await sql<{ node: string }>`
    SELECT nodename || ':' || nodeport AS node FROM pg_catalog.pg_dist_placement AS placement
    JOIN pg_catalog.pg_dist_node AS node ON node.groupid = placement.groupid AND noderole = 'primary'
    WHERE shardid = get_shard_id_for_distribution_column('tidemark.bar_blocks', ${asset}::int) LIMIT 1`;
  return found?.node ?? '';
}
