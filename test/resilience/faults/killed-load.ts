// Kills loads at random moments, repeats them, and compares the store with that of undisturbed loads.
//
// Most of a short load is the start of the program, where a kill proves little. Hence most moments are chosen after the store
// shows the first transaction, and whether a kill came before the last one is read from the store after it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { hashOf } from '../../../src/domain/api-key.ts';
import { LAST_DAY } from '../../../src/domain/day.ts';
import { csvSource } from '../../../src/ingest/csv/csv-source.ts';
import { StoreBusyError } from '../../../src/ingest/only-writer.ts';
import { load } from '../../../src/ingest/pipeline.ts';
import { profilesSource } from '../../../src/ingest/profiles/profiles-source.ts';
import type { Source } from '../../../src/ingest/source.ts';
import type { NewKey, Store, Totals } from '../../../src/store/store.ts';
import { writeBars, writeProfiles } from './load-files.ts';
import { assertWhole, contents, ended, rounds, startIngest, withStore } from './loading.ts';

export const KILLS = rounds(5);
/** By what is killed: bars at any moment from the start of the program on, profiles under way, bars under way. */
const ANY_MOMENT = Math.ceil(KILLS / 10);
const PROFILES = Math.ceil(KILLS / 5);
const BARS = KILLS - ANY_MOMENT - PROFILES;
/** Of fewer kills all may come too early or too late by chance. */
const ENOUGH = 20;
const POLL_MILLIS = 2;
/** A database server takes a moment to find out that a client is gone, and frees its lock only then. */
const LOCK_MILLIS = 20_000;

/** Of a client that has nothing to do with the loads. */
const KEY: NewKey = { id: 'key_other', hash: hashOf('other'), tier: 'pro', name: 'Other', expires: null };

export const KILLED_LOADS = `at ${KILLS} random moments and then repeated leaves what an undisturbed one does`;

/** One of the two loads, which follow each other: bars, then profiles. */
interface Stage {
  readonly ingest: 'csv' | 'profiles';
  readonly path: string;
  readonly source: () => Source;
  /** How much of it is stored. */
  readonly stored: (totals: Totals) => number;
}

/** What undisturbed loads leave. */
interface Undisturbed {
  readonly totals: Totals;
  readonly contents: Record<string, unknown>;
  /** What is published before it and after it. */
  readonly published: readonly Record<string, unknown>[];
  /** From the start of the program, and from its first transaction that stores something, to its end. */
  readonly millis: number;
  readonly millisUnderWay: number;
}

/** `freshUrl` gives a new, empty store for each round; it gets a folder to put files in. Returns a note on the kills. */
export async function killLoads(freshUrl: (folder: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kill-'));
  try {
    const [barFiles, profileFile] = [writeBars(folder), writeProfiles(folder)];
    const bars: Stage = {
      ingest: 'csv',
      path: barFiles,
      source: () => csvSource([barFiles]),
      stored: totals => totals.bars,
    };
    const profiles: Stage = {
      ingest: 'profiles',
      path: profileFile,
      source: () => profilesSource([profileFile]),
      stored: totals => totals.profiles,
    };
    const url = await freshUrl(folder);
    const afterBars = await undisturbed(bars, url);
    const afterProfiles = await undisturbed(profiles, url);

    const underWay =
      (await killUnderWay(bars, afterBars, BARS, () => freshUrl(folder))) +
      (await killUnderWay(profiles, afterProfiles, PROFILES, async () => {
        const loaded = await freshUrl(folder);
        await withStore(loaded, store => repeat(bars, store));
        return loaded;
      }));
    await killAtAnyMoment(bars, afterBars, () => freshUrl(folder));
    assert.ok(
      underWay > KILLS / 2 || KILLS < ENOUGH,
      `only ${underWay} of ${KILLS} kills came between the first transaction and the last`,
    );
    return `${underWay} of them between the first transaction and the last`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function undisturbed(stage: Stage, url: string): Promise<Undisturbed> {
  return withStore(url, async store => {
    const before = await published(store);
    const began = performance.now();
    const child = startIngest(stage.ingest, stage.path, url);
    const end = ended(child);
    await untilStored(stage, store, end);
    const underWay = performance.now();
    const { code, stderr } = await end;
    assert.equal(code, 0, stderr);
    const now = performance.now();
    const [totals, all] = [await store.totals(), await contents(store)];
    const states = [before, await published(store)];
    return { totals, contents: all, published: states, millis: now - began, millisUnderWay: now - underWay };
  });
}

/** Returns how many kills came after the first transaction of the load and before its last. */
async function killUnderWay(
  stage: Stage,
  expected: Undisturbed,
  count: number,
  prepare: () => Promise<string>,
): Promise<number> {
  let underWay = 0;
  let longest = expected.millisUnderWay;
  await twoAtATime(count, async () => {
    const url = await prepare();
    await withStore(url, async store => {
      await store.createKey(KEY);
      const keys = await store.keys();
      const child = startIngest(stage.ingest, stage.path, url);
      const end = ended(child);
      await untilStored(stage, store, end);
      const stored = performance.now();
      await Promise.race([wait(Math.random() * longest), end]);
      // What is seen is committed, hence acknowledged.
      const acknowledged = await store.totals();
      child.kill('SIGKILL');
      const moment = performance.now() - stored;
      await end;
      const left = await store.totals();
      assert.ok(left.bars >= acknowledged.bars && left.profiles >= acknowledged.profiles, 'something is lost');
      await assertOldOrNew(store, expected.published);
      assert.deepEqual(await store.keys(), keys);
      const hit = isUnderWay(stage, left, expected.totals);
      if (hit) underWay++;
      // Loads become faster when the machine has less to do; moments after the end prove nothing.
      else longest *= 0.85;
      await repeatAndCompare(stage, store, expected, `killed ${moment.toFixed(0)} ms after its first transaction`);
    });
  });
  return underWay;
}

/** The store does not exist before: also its creation is disturbed. */
async function killAtAnyMoment(stage: Stage, expected: Undisturbed, prepare: () => Promise<string>): Promise<void> {
  await twoAtATime(ANY_MOMENT, async round => {
    const url = await prepare();
    const child = startIngest(stage.ingest, stage.path, url);
    const end = ended(child);
    const moment = ((round + Math.random()) / ANY_MOMENT) * expected.millis;
    await Promise.race([wait(moment), end]);
    child.kill('SIGKILL');
    await end;
    await withStore(url, store => repeatAndCompare(stage, store, expected, `killed after ${moment.toFixed(0)} ms`));
  });
}

async function twoAtATime(count: number, work: (round: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all([lane(), lane()]);
}

/** Waits until something of the load is stored, or until it has ended. */
async function untilStored(stage: Stage, store: Store, end: Promise<unknown>): Promise<void> {
  let running = true;
  void end.then(() => {
    running = false;
  });
  while (running && stage.stored(await store.totals()) === 0) await wait(POLL_MILLIS);
}

function isUnderWay(stage: Stage, found: Totals, complete: Totals): boolean {
  return stage.stored(found) > 0 && (stage.stored(found) < stage.stored(complete) || found.pending > 0);
}

async function repeatAndCompare(stage: Stage, store: Store, expected: Undisturbed, what: string): Promise<void> {
  await repeat(stage, store);
  await assertWhole(store);
  assert.deepEqual(await contents(store), expected.contents, what);
}

/** The rows that servers show, by ticker. */
async function published(store: Store): Promise<Record<string, unknown>> {
  const symbols = new Map((await store.assets()).map(({ assetNumber, symbol }) => [assetNumber, symbol]));
  const { rows } = await store.currentSince(0);
  return Object.fromEntries(rows.map(({ assetNumber, ...row }) => [symbols.get(assetNumber), row]));
}

async function assertOldOrNew(store: Store, states: readonly Record<string, unknown>[]): Promise<void> {
  const found = await published(store);
  if (!states.some(state => isDeepStrictEqual(found, state))) assert.deepEqual(found, states.at(-1));
}

/** In this process, which saves the start of the program. */
async function repeat(stage: Stage, store: Store): Promise<void> {
  const signal = new AbortController().signal;
  const giveUp = performance.now() + LOCK_MILLIS;
  for (;;) {
    try {
      const summary = await load({ store, source: stage.source(), today: LAST_DAY, signal });
      assert.deepEqual([summary.state, summary.rejected], ['done', 0]);
      return;
    } catch (error) {
      if (!(error instanceof StoreBusyError) || performance.now() > giveUp) throw error;
      await wait(POLL_MILLIS);
    }
  }
}
