// A soak: a real server under clients that ask without a pause and check each answer, while days pass, each some seconds
// long, with loads and changes of keys by other processes. Whatever the server keeps too long shows as growth.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { uniform } from '../../support/market.ts';
import { Shed } from './answers.ts';
import { SoakClient } from './client.ts';
import { SLOW_TIER, SoakDays } from './days.ts';
import { PROFILE_ID } from './market.ts';
import { run, SoakServer } from './program.ts';
import { QUESTIONS } from './questions.ts';
import { type Sample, Sampler } from './sampler.ts';
import { World } from './world.ts';

const SEED = 20;
const LANES = 8;
/** Small enough to be full before it counts. */
const CACHE_MB = '32';
const THREADS = 2;
/** Between two questions of a lane: the machine is not to be full, or nothing but the wait would be measured. */
const PAUSE_MS = 60;
const VIOLATIONS_KEPT = 20;
/** For connections to be closed, and a file that is being written. */
const IDLE_MS = 5000;
const PROFILE_PATH = `/v1/crypto/assets/${PROFILE_ID}`;
const TOTAL_WEIGHT = QUESTIONS.reduce((sum, { weight }) => sum + weight, 0);

export interface SoakOptions {
  readonly assets: number;
  /** Before the first day that is lived. */
  readonly historyDays: number;
  readonly seconds: number;
  /** From one load to the next, at least. */
  readonly loadMs: number;
  /** From one measurement to the next, in the middle. */
  readonly sampleMs: number;
  readonly onSample?: (sample: Sample) => void;
}

export interface SoakResult {
  readonly seconds: number;
  readonly loads: number;
  readonly samples: readonly Sample[];
  readonly asked: ReadonlyMap<string, number>;
  readonly shed: number;
  readonly violations: readonly string[];
  /** Of the server's log. */
  readonly failures: readonly string[];
  readonly logBytes: number;
  /** Open files of the server without clients, before and after. */
  readonly openFiles: { readonly before: number; readonly after: number };
  /** From the end of a load until every thread was seen with it, in milliseconds. */
  readonly delays: readonly number[];
  readonly exitCode: number | null;
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-soak-'));
  try {
    return await new Soak(folder, options).complete();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #storePath: string;
  readonly #store: readonly string[];
  readonly #days: SoakDays;
  readonly #random = uniform(SEED);
  readonly #asked = new Map(QUESTIONS.map(({ name }) => [name, 0]));
  readonly #violations: string[] = [];
  #shed = 0;
  #over = false;

  constructor(folder: string, options: SoakOptions) {
    this.#options = options;
    this.#storePath = join(folder, 'store.db');
    this.#store = ['--store', `sqlite:${this.#storePath}`];
    this.#days = new SoakDays(folder, this.#store, options.assets, options.historyDays);
  }

  async complete(): Promise<SoakResult> {
    const state = await this.#days.loadHistory();
    const { key } = await this.#days.createKey('unlimited');
    const keys = { key, slowKey: (await this.#days.createKey('slow')).key };
    const world = new World(this.#random, keys, state);
    const flags = [...this.#store, '--workers', String(THREADS), '--tiers', SLOW_TIER, '--cache', CACHE_MB];
    const server = await SoakServer.start(...flags);
    const client = new SoakClient(server.url);
    try {
      const sampler = new Sampler(client, server.pid, this.#storePath);
      await this.#openStores(client, world);
      // From then on SQLite keeps one more file open for the next view of the store, because closing it would free locks.
      await this.#days.live(client, world);
      const before = await this.#idleFiles(sampler);
      const began = performance.now();
      const lanes = Array.from({ length: LANES }, () => this.#ask(client, world));
      const running = [this.#live(client, world), this.#watch(sampler), ...lanes];
      while (!this.#over && performance.now() - began < this.#options.seconds * 1000) await wait(100);
      this.#over = true;
      await Promise.all(running);
      const seconds = (performance.now() - began) / 1000;
      client.close();
      const after = await this.#idleFiles(sampler, before);
      if (!server.running) this.#violations.push('the server ended by itself');
      await run('verify', ...this.#store);
      client.close();
      return {
        ...{ seconds, loads: this.#days.loads, samples: sampler.samples, asked: this.#asked, shed: this.#shed },
        ...{ violations: this.#violations, failures: server.failures, logBytes: server.logBytes },
        ...{ openFiles: { before, after }, delays: this.#days.delays },
        exitCode: await server.stop(),
      };
    } finally {
      this.#over = true;
      client.close();
      await server.stop();
    }
  }

  /** A thread opens the store at the first request for a profile. */
  async #openStores(client: SoakClient, { key }: World): Promise<void> {
    const headers = { 'x-api-key': key };
    for (let i = 0; i < 20 * THREADS; i++) await client.ask(PROFILE_PATH, { headers, fresh: true });
  }

  /** The files that it has open without connections. */
  async #idleFiles(sampler: Sampler, wanted = 0): Promise<number> {
    let fewest = Number.POSITIVE_INFINITY;
    const ends = performance.now() + IDLE_MS;
    while (fewest > wanted && performance.now() < ends) {
      fewest = Math.min(fewest, sampler.openFiles());
      await wait(50);
    }
    return fewest;
  }

  async #ask(client: SoakClient, world: World): Promise<void> {
    while (!this.#over) {
      const { name, ask } = this.#question();
      try {
        await ask(client, world);
        this.#asked.set(name, this.#asked.get(name)! + 1);
      } catch (error) {
        if (error instanceof Shed) this.#shed++;
        else this.#violate(name, error);
      }
      await wait(2 * PAUSE_MS * this.#random());
    }
  }

  #question(): (typeof QUESTIONS)[number] {
    let left = this.#random() * TOTAL_WEIGHT;
    for (const question of QUESTIONS) {
      left -= question.weight;
      if (left < 0) return question;
    }
    return QUESTIONS[0]!;
  }

  async #watch(sampler: Sampler): Promise<void> {
    while (!this.#over) {
      try {
        const sample = await sampler.sample();
        this.#options.onSample?.(sample);
      } catch (error) {
        this.#violate('sample', error);
      }
      // Never in step with the loads: memory rises and falls with each, and one and the same moment of that would be seen for minutes.
      await this.#pause(this.#options.sampleMs * (0.5 + this.#random()));
    }
  }

  async #live(client: SoakClient, world: World): Promise<void> {
    while (!this.#over) {
      const began = performance.now();
      try {
        await this.#days.live(client, world);
      } catch (error) {
        this.#violate(`load ${this.#days.loads}`, error);
      }
      await this.#pause(this.#options.loadMs - (performance.now() - began));
    }
  }

  #violate(what: string, error: unknown): void {
    this.#violations.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    if (this.#violations.length >= VIOLATIONS_KEPT) this.#over = true;
  }

  /** Shorter at the end. */
  async #pause(millis: number): Promise<void> {
    const ends = performance.now() + millis;
    while (!this.#over && performance.now() < ends) await wait(50);
  }
}
