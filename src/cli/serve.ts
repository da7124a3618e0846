// `tidemark serve`: the service, put together.

import { setTimeout as delay } from 'node:timers/promises';
import { resolveTiers, type Tiers } from '../domain/tiers.ts';
import { SharedLimits } from '../http/access/shared-limits.ts';
import { Strikes } from '../http/access/strikes.ts';
import { ServiceState } from '../http/service-state.ts';
import { keepPlace } from '../serve/keep-place.ts';
import { parseSchedule, repeat, type ScheduledLoad } from '../serve/schedule.ts';
import { ScheduledLoads } from '../serve/scheduled-loads.ts';
import { StoreFollower } from '../serve/store-follower.ts';
import { StoreLink } from '../serve/store-link.ts';
import { Supervisor } from '../serve/supervisor.ts';
import { banner } from './banner.ts';
import type { Command, Invocation } from './command.ts';
import { prepareDemo } from './demo-store.ts';
import { freePort } from './free-port.ts';
import { DEMO_STORE } from './ingest.ts';
import { stopSignals } from './stop-signals.ts';

/** Adds the new day to the simulated universe soon after it has begun. */
const DEMO_SCHEDULE: ScheduledLoad = { interval: '10m', everyMs: 10 * 60_000, argv: ['demo'] };

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
    'keep',
    'stale-after',
    'drain',
    'grace',
    'max-connections',
    'shed-after',
    'schedule',
    'tiers',
    'open',
    'demo',
  ],
  options: {},
  about: `
Serves what the store holds and shows new data as soon as another process has loaded it. Without data it starts all the
same, answers 503, and says how to load some. Who asks needs a key: see 'tidemark help keys'.

While the store is away it goes on with what it has read, also after a restart (--keep), and says how old that is. SIGTERM or
Ctrl-C stops it in order; a second one stops it at once.

--demo serves a simulated universe from a store of its own (${DEMO_STORE}): invented assets, simulated prices, and two
keys that everybody knows.`,
  async run(invocation) {
    const { config, output } = invocation;
    const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
    const schedule = parseSchedule(config.schedule);
    const tiers = resolveTiers(config.tiers);
    const link = new StoreLink(url, true);
    try {
      if (config.demo) await prepareDemo(await link.opened(), output);
      return await serveStore(link, url, invocation, tiers, config.demo ? [...schedule, DEMO_SCHEDULE] : schedule);
    } finally {
      await link.close();
    }
  },
};

async function serveStore(
  link: StoreLink,
  storeUrl: string,
  { config, output }: Invocation,
  tiers: Tiers,
  schedule: readonly ScheduledLoad[],
): Promise<number> {
  const port = await freePort(config.host, config.port);
  const [limits, state] = [new SharedLimits(), new ServiceState()];
  const shared = { limits: limits.buffer, strikes: new Strikes().buffer, state: state.buffer };
  const supervisor = new Supervisor({
    setup: { ...threadSettings(config), port, storeUrl, ...shared },
    connections: config['max-connections'],
    threads: config.workers,
    onSaid: output.say,
  });
  // Threads load the program while this one reads the store.
  supervisor.start();
  const place = keepPlace(storeUrl, config.keep);
  const say = output.say;
  const data = new StoreFollower({ link, place, pollMs: config.poll, state, limits, tiers, supervisor, say });
  try {
    await data.begin();
  } catch (error) {
    await supervisor.stop(0);
    throw error;
  }
  // Before anybody can know that it runs.
  const { first, second } = stopSignals();
  const address = await supervisor.listen();
  const store = await link.opened().then(
    opened => opened.description,
    () => 'a store that is away',
  );
  const facts = { address, store, rows: data.rows, keys: data.keys, threads: supervisor.threads, config };
  output.print(output.json ? JSON.stringify({ address, store }) : banner(facts));

  const loads = new ScheduledLoads(storeUrl, output.say);
  data.follow();
  const stops = schedule.map(entry => repeat(entry.everyMs, () => loads.run(entry)));
  await first;
  state.stopping = true;
  await Promise.race([delay(config.drain * 1000, undefined, { ref: false }), second]);
  loads.stop();
  await Promise.all([supervisor.stop(config.grace * 1000, second), ...stops.map(stop => stop())]);
  await data.end();
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
    staleAfterSeconds: config['stale-after'],
    shedAfterMs: config['shed-after'],
  };
}
