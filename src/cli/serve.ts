// `tidemark serve`: the service, put together.

import { DEMO_KEYS, hashOf } from '../domain/api-key.ts';
import { dayOfMillis } from '../domain/day.ts';
import { resolveTiers, type Tiers } from '../domain/tiers.ts';
import { SharedLimits } from '../http/access/shared-limits.ts';
import { Strikes } from '../http/access/strikes.ts';
import { demoSource } from '../ingest/demo/demo-source.ts';
import { load, StoreBusyError } from '../ingest/pipeline.ts';
import { upgradeRows } from '../ingest/upgrade-rows.ts';
import { SnapshotFeed } from '../serve/feed.ts';
import { follow } from '../serve/follow.ts';
import { KeyFeed } from '../serve/key-feed.ts';
import { parseSchedule, repeat, type ScheduledLoad } from '../serve/schedule.ts';
import { ScheduledLoads } from '../serve/scheduled-loads.ts';
import { claimPort, Supervisor } from '../serve/supervisor.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { banner } from './banner.ts';
import { type Command, CommandError, type Invocation, type Output } from './command.ts';
import { DEMO_STORE } from './ingest.ts';
import { ProgressLine } from './progress.ts';

/** Adds the new day to the simulated universe soon after it has begun. */
const DEMO_SCHEDULE: ScheduledLoad = { interval: '10m', everyMs: 10 * 60_000, argv: ['demo'] };
const USAGE_FLUSH_MS = 1000;
/** For requests that have begun when the server is told to stop. */
const STOP_GRACE_MS = 10_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the listing and the profiles over HTTP',
  usage: ['[--host ADDRESS] [--port N] [--store URL] [--workers N]', '--demo'],
  settings: [
    'store',
    'host',
    'port',
    'workers',
    'cache',
    'group',
    'public-url',
    'trust-proxy',
    'max-age',
    'poll',
    'schedule',
    'tiers',
    'open',
    'demo',
  ],
  options: {},
  about: `
Serves what the store holds and shows new data as soon as another process has loaded it. Without data it starts all the
same, answers 503, and says how to load some. Who asks needs a key: see 'tidemark help keys'.

--demo serves a simulated universe from a store of its own (${DEMO_STORE}): invented assets, simulated prices, and two
keys that everybody knows.`,
  async run(invocation) {
    const { config, output } = invocation;
    const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
    const schedule = parseSchedule(config.schedule);
    const tiers = resolveTiers(config.tiers);
    const store = await openStore(url);
    try {
      if (config.demo) await prepareDemo(store, output);
      await bringRowsUpToDate(store, output);
      return await serveStore(store, url, invocation, tiers, config.demo ? [...schedule, DEMO_SCHEDULE] : schedule);
    } finally {
      await store.close();
    }
  },
};

async function serveStore(
  store: Store,
  storeUrl: string,
  { config, output }: Invocation,
  tiers: Tiers,
  schedule: readonly ScheduledLoad[],
): Promise<number> {
  const port = await freePort(config.host, config.port);
  const limits = new SharedLimits();
  const setup = { ...threadSettings(config), port, storeUrl, limits: limits.buffer, strikes: new Strikes().buffer };
  const supervisor = new Supervisor({ setup, threads: config.workers, onSaid: output.say });
  // Threads load the program while this one reads the store.
  supervisor.start();
  const onFailure = (error: unknown) => output.say(`the store cannot be used: ${reason(error)}`);
  const feed = new SnapshotFeed(store, { onSnapshot: snapshot => supervisor.publish(snapshot), onFailure });
  const keyFeed = new KeyFeed({
    store,
    limits,
    tiers,
    onKeys: keys => supervisor.setKeys(keys),
    onUnknownTier: (id, tier) => output.say(`${id} has the tier '${tier}', which is not configured: it counts as free`),
  });
  // Before the first request: from the start, this server gives out no more than its share.
  const flush = async () => {
    await keyFeed.flush();
    supervisor.setServers(keyFeed.servers);
  };
  await Promise.all([feed.refresh(), keyFeed.refresh()]);
  await flush().catch(onFailure);
  const address = await supervisor.listen();
  const facts = {
    address,
    store: store.description,
    rows: feed.current?.listing.rows ?? 0,
    keys: keyFeed.usable,
    threads: supervisor.threads,
    config,
  };
  output.print(output.json ? JSON.stringify({ address, store: store.description }) : banner(facts));

  const loads = new ScheduledLoads(storeUrl, output.say);
  const stops = [
    follow(store, config.poll, async () => void (await feed.refresh())),
    follow(store, config.poll, () => keyFeed.refresh().catch(onFailure)),
    repeat(USAGE_FLUSH_MS, () => flush().catch(onFailure)),
    ...schedule.map(entry => repeat(entry.everyMs, () => loads.run(entry))),
  ];
  await untilStopped();
  loads.stop();
  await Promise.all([supervisor.stop(STOP_GRACE_MS), ...stops.map(stop => stop())]);
  await keyFeed.leave().catch(onFailure);
  return 0;
}

function threadSettings(config: Invocation['config']) {
  return {
    host: config.host,
    group: config.group,
    publicUrl: config['public-url'] === '' ? null : config['public-url'].replace(/\/+$/, ''),
    trustProxy: config['trust-proxy'],
    maxAgeSeconds: config['max-age'],
    simulated: config.demo,
    open: config.open,
    cacheBytes: config.cache * 1e6,
  };
}

async function freePort(host: string, port: number): Promise<number> {
  try {
    return await claimPort(host, port);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new CommandError(`port ${port} is taken`, 'Choose another with --port, or --port 0.');
    }
    if (code === 'EACCES') throw new CommandError(`port ${port} needs more rights`, 'Choose one from 1024 on.');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandError(`${host} is no address of this machine`, 'Try --host 127.0.0.1 or --host 0.0.0.0.');
    }
    throw error;
  }
}

/** Where it cannot be done now (no primary that can be written, say), the next load does it. */
async function bringRowsUpToDate(store: Store, output: Output): Promise<void> {
  try {
    const rows = await upgradeRows(store);
    if (rows > 0) output.say(`this version has other columns: ${rows} rows were computed anew`);
  } catch (error) {
    output.say(`the rows of an earlier version cannot be computed anew now: ${reason(error)}`);
  }
}

/** Brings the simulated universe up to today, and makes the two documented keys. */
async function prepareDemo(store: Store, output: Output): Promise<void> {
  const known = new Set((await store.keys()).map(key => key.id));
  for (const [tier, key] of Object.entries(DEMO_KEYS)) {
    const id = `key_demo_${tier}`;
    if (!known.has(id)) await store.createKey({ id, hash: hashOf(key), tier, name: `demo ${tier}`, expires: null });
  }
  const today = dayOfMillis(Date.now());
  if (today === null || (await store.totals()).lastDay === today) return;
  const progress = new ProgressLine(output);
  try {
    const signal = new AbortController().signal;
    const onProgress = progress.update.bind(progress);
    await load({ store, source: demoSource({ today }), today, signal, onProgress });
  } catch (error) {
    // Another server of the same demo is at it.
    if (!(error instanceof StoreBusyError)) throw error;
  } finally {
    progress.clear();
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
