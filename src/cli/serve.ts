// `tidemark serve`: the service, put together.

import { resolveTiers, type Tiers } from '../domain/tiers.ts';
import { SharedLimits } from '../http/access/shared-limits.ts';
import { Strikes } from '../http/access/strikes.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { logForm } from '../observe/log-form.ts';
import { ServiceLog } from '../observe/service-log.ts';
import { watchVitals } from '../observe/vitals.ts';
import { SnapshotFeed } from '../serve/feed.ts';
import { KeyFeed } from '../serve/key-feed.ts';
import { LoadWatch } from '../serve/load-watch.ts';
import { parseSchedule, repeat, type ScheduledLoad } from '../serve/schedule.ts';
import { ScheduledLoads } from '../serve/scheduled-loads.ts';
import { StoreWatch } from '../serve/store-watch.ts';
import { claimPort, Supervisor } from '../serve/supervisor.ts';
import type { SharedSnapshot } from '../snapshot/builder.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { banner } from './banner.ts';
import { type Command, CommandError, type Invocation } from './command.ts';
import { prepareDemo } from './demo-store.ts';
import { DEMO_STORE } from './ingest.ts';
import { VERSION } from './version.ts';

/** Adds the new day to the simulated universe soon after it has begun. */
const DEMO_SCHEDULE: ScheduledLoad = { interval: '10m', everyMs: 10 * 60_000, argv: ['demo'] };
const USAGE_FLUSH_MS = 1000;
const LOADS_LOOK_MS = 15_000;
/** For the log, when whoever reads it has stopped to. */
const LAST_WORDS_MS = 1000;
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
    'group',
    'public-url',
    'trust-proxy',
    'max-age',
    'poll',
    'schedule',
    'tiers',
    'open',
    'log',
    'log-requests',
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
  const tell = (event: ServiceEvent) => log.tell(event);
  const onLines = (text: string, count: number) => log.write(text, count);
  const supervisor = new Supervisor({ setup, threads: config.workers, onEvent: tell, onLines });
  const { figures } = supervisor;
  const onDropped = (lines: number) => figures.add('linesDropped', lines);
  const log = new ServiceLog({ form: setup.log.form, stream: standardError(), onDropped });
  watchVitals(figures);
  // Threads load the program while this one reads the store.
  supervisor.start();
  const watch = new StoreWatch(figures, tell);
  let serving = false;
  const onSnapshot = (snapshot: SharedSnapshot, ms: number) => {
    supervisor.publish(snapshot);
    figures.add('snapshotsBuilt');
    figures.set('buildSeconds', ms / 1000);
    const { version, listing, assets } = snapshot;
    // What is there at the start is in the banner.
    if (serving) tell({ event: 'snapshot', version, rows: listing.rows, assets: assets.rows, ms });
  };
  const feed = new SnapshotFeed(store, {
    onSnapshot,
    onLooked: () => watch.worked('data'),
    onFailure: error => watch.failed('data', error),
  });
  const keyFeed = new KeyFeed({
    store,
    limits,
    tiers,
    onKeys: keys => supervisor.setKeys(keys),
    onUnknownTier: (key, tier) => tell({ event: 'unknown_tier', key, tier }),
  });
  const loadWatch = new LoadWatch(store, tell);
  // Before the first request: from the start, this server gives out no more than its share.
  const flush = async () => {
    await keyFeed.flush();
    supervisor.setServers(keyFeed.servers);
  };
  await Promise.all([feed.refresh(), keyFeed.refresh()]);
  await flush();
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

  serving = true;
  tell({ event: 'serving', address, store: store.description, threads: supervisor.threads, version: VERSION });

  const loads = new ScheduledLoads(storeUrl, (name, why) =>
    tell({ event: 'scheduled_load_failed', load: name, reason: why }),
  );
  const look = async () => {
    await loadWatch.look();
    supervisor.setLoads(loadWatch.sources);
  };
  const stops = [
    repeat(config.poll, async () => void (await feed.refresh())),
    repeat(
      config.poll,
      watch.guard('keys', () => keyFeed.refresh()),
    ),
    repeat(USAGE_FLUSH_MS, watch.guard('counting requests', flush)),
    repeat(LOADS_LOOK_MS, watch.guard('the list of loads', look)),
    ...schedule.map(entry => repeat(entry.everyMs, () => loads.run(entry))),
  ];
  await untilStopped();
  tell({ event: 'stopping', graceSeconds: STOP_GRACE_MS / 1000 });
  loads.stop();
  await Promise.all([supervisor.stop(STOP_GRACE_MS), ...stops.map(stop => stop())]);
  await watch.guard('counting requests', () => keyFeed.leave())();
  // Fires only where something keeps the process: a log that nobody reads.
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
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
    log: logForm(config.log, config['log-requests']),
    version: VERSION,
    startedAt: Math.round(performance.timeOrigin),
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

/** When whoever reads the log goes away, the service stays. */
function standardError(): NodeJS.WriteStream {
  return process.stderr.on('error', () => {});
}

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
