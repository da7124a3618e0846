// The days of a soak: loads and changes of keys, each by a process of its own, and the wait until the server shows them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SoakClient } from './client.ts';
import { type MarketState, SoakMarket } from './market.ts';
import { run } from './program.ts';
import type { KnownKey, World } from './world.ts';

const SEED = 20;
/** Until all servers show new data. 2 s are promised; machines that test have other work. */
const TIMEOUT_MS = 30_000;
/** After every thread has been seen with it: the others that were asked before have their answers then. */
const SETTLE_MS = 1500;
/** Further back than days are ever lived: a close of the future would be refused. */
const DAYS_BACK = 5000;
const DAY_MS = 86_400_000;
/** So many lines in a row lead to every thread, as good as surely. */
const LINES_IN_ROW = 12;

export const SLOW_TIER = 'slow: rate=2 burst=3 quota=100000000';

export class SoakDays {
  readonly #folder: string;
  /** The flag that names the store. */
  readonly #store: readonly string[];
  readonly #market: SoakMarket;
  readonly #delays: number[] = [];
  #loads = 0;

  constructor(folder: string, store: readonly string[], assets: number, historyDays: number) {
    this.#folder = folder;
    this.#store = store;
    this.#market = new SoakMarket(SEED, assets, historyDays, Math.floor(Date.now() / DAY_MS) - DAYS_BACK);
  }

  get loads(): number {
    return this.#loads;
  }

  /** From the end of each load until every thread was seen with it, in milliseconds. */
  get delays(): readonly number[] {
    return this.#delays;
  }

  /** All that was before the first day; returns what a server must show of it. */
  async loadHistory(): Promise<MarketState> {
    await this.#ingest('csv', this.#market.history());
    await this.#ingest('profiles', this.#market.profile());
    return this.#market.state;
  }

  async createKey(tier: string): Promise<KnownKey> {
    return JSON.parse(await run('keys', 'create', '--json', '--tier', tier, '--tiers', SLOW_TIER, ...this.#store));
  }

  /** A load, and what else happens until the next. */
  async live(client: SoakClient, world: World): Promise<void> {
    const { csv, profile, state } = this.#market.nextLoad();
    world.begin(state);
    await this.#ingest('csv', csv);
    const loaded = performance.now();
    await this.#untilSeen(client, world, state);
    this.#delays.push(performance.now() - loaded);
    if (profile !== null) await this.#ingest('profiles', profile);
    await wait(SETTLE_MS);
    world.settle(state);
    this.#loads++;
    await this.#changeKeys(world);
  }

  async #ingest(source: 'csv' | 'profiles', text: string): Promise<void> {
    const file = join(this.#folder, source);
    writeFileSync(file, text);
    await run('ingest', source, file, ...this.#store);
  }

  /** Until so many lines in a row show it that no thread can be behind. */
  async #untilSeen(client: SoakClient, { key }: World, state: MarketState): Promise<void> {
    const giveUp = performance.now() + TIMEOUT_MS;
    for (let inRow = 0; inRow < LINES_IN_ROW; ) {
      const path = '/v1/crypto/ta-cur?symbol=S0';
      const { status, body } = await client.ask(path, { headers: { 'x-api-key': key }, fresh: true });
      const [row] = status === 200 ? JSON.parse(body.toString()).result : [];
      const fault = row === undefined ? `${status} ${body}` : state.fault(row);
      inRow = fault === null ? inRow + 1 : 0;
      assert.ok(fault === null || performance.now() < giveUp, `load ${state.number} is not shown: ${fault}`);
    }
  }

  /** A key is made, and some loads later revoked. */
  async #changeKeys(world: World): Promise<void> {
    if (this.#loads % 6 === 2) {
      const made = await this.createKey('pro');
      await wait(SETTLE_MS);
      world.goodKeys.push(made);
    }
    if (this.#loads % 6 === 5) {
      const made = world.goodKeys.pop();
      if (made === undefined) return;
      await run('keys', 'revoke', made.id, ...this.#store);
      await wait(SETTLE_MS);
      world.revokedKeys.push(made);
    }
  }
}
