// `tidemark serve`: starts the threads, follows the store, runs scheduled loads, and stops in order.

import { setTimeout as delay } from 'node:timers/promises';
import { Penalties } from '../access/penalties.ts';
import { ServiceState } from '../access/service-state.ts';
import { SharedLimits } from '../access/shared-limits.ts';
import { AlertRunner } from '../alerts/alert-runner.ts';
import { SETTINGS } from '../config.ts';
import { activePeriods, parseActivePeriods } from '../domain/active-periods.ts';
import { tickerKey } from '../domain/asset-state.ts';
import { parseKeptListings } from '../domain/kept-listings.ts';
import { resolveTiers, type Tiers } from '../domain/tiers.ts';
import { parseTrustedProxy } from '../http/wire/trusted-proxy.ts';
import { dropWhenFree, retentionOf } from '../ingest/retention.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { logForm } from '../observe/log-form.ts';
import { recordRuntimeMetrics } from '../observe/runtime-metrics.ts';
import { ServiceLog } from '../observe/service-log.ts';
import { setChecks } from '../publish/checks.ts';
import { benchmarkIn, hasOtherOwn } from '../publish/columns.ts';
import { priceRulesOf } from '../publish/price-settings.ts';
import { applyPriceRules, upgradeRows } from '../publish/upgrade-rows.ts';
import { useLargeSlabs } from '../serve/buffer-slabs.ts';
import { guarded } from '../serve/guarded.ts';
import { exportsFolder, type KeepPlace, keepPlace, storeName } from '../serve/keep-place.ts';
import { keepRunning } from '../serve/keep-running.ts';
import { probePort } from '../serve/port-claim.ts';
import { parseSchedule, repeat, type ScheduledLoad } from '../serve/schedule.ts';
import { ScheduledLoads } from '../serve/scheduled-loads.ts';
import { StoreFollower } from '../serve/store-follower.ts';
import { StoreLink } from '../serve/store-link.ts';
import { Supervisor } from '../serve/supervisor.ts';
import { type Store, StoreError } from '../store/store.ts';
import { banner, keyCommand } from './banner.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { DEMO_STORE } from './demo-url.ts';
import { endAnyway } from './end-anyway.ts';
import { checksOf } from './findings-text.ts';
import { listenPort } from './listen-port.ts';
import { asTyped } from './program.ts';
import { type StopSignals, stopSignals } from './stop-signals.ts';
import { VERSION } from './version.ts';

/** Adds each new day to the simulated market soon after it begins. */
const DEMO_SCHEDULE: ScheduledLoad = { interval: '10m', everyMs: 10 * 60_000, argv: ['demo'] };
const LOOPBACK = /^(127\..*|localhost|::1)$/;
const TICK_MS = 1000;
const RETENTION_MS = 3_600_000;
/** How long the end of the process waits for a log that is not read. */
const LOG_FLUSH_MS = 1000;

type LogEvent = (event: ServiceEvent) => void;

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the datasets over HTTP',
  usage: ['[--host ADDRESS] [--port N] [--store URL] [--workers N]', '--demo'],
  maxArgs: 0,
  // All but those of `tidemark mcp`.
  settings: Object.keys(SETTINGS).filter(name => name !== 'url' && name !== 'key'),
  options: {},
  about: `
Serves the data in the store, and shows new data as soon as a load publishes it. Without a store, or with an empty one,
the server starts, responds with 503 and explains how to load data. Every request needs an API key: see 'tidemark help keys'.

While the store is unreachable, the server continues with the data that it has, also after a restart (--keep), and
states how old it is. SIGTERM or Ctrl-C stops the server gracefully; a second signal stops it at once.

--demo serves a simulated market from its own store (${DEMO_STORE}): invented assets, simulated prices, of which five
move every second (unless --no-ticks is given), and two public demo keys.`,
  async run(invocation) {
    const { config, output } = invocation;
    const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
    const tiers = resolveTiers(config.tiers);
    // Fails for rules that cannot be read.
    priceRulesOf(config);
    const schedule = await checkedSchedule(invocation);
    useLargeSlabs();
    const place = keepPlace(url, config.keep);
    // Only loads create a store: a mistyped URL must not.
    const link = new StoreLink(url, config.demo);
    try {
      if (config.demo) {
        const { prepareDemo } = await import('./demo-store.ts');
        // With a JSON log, standard error carries nothing else.
        const store = await link.opened();
        if (!store.readOnly) await prepareDemo(store, config.log === 'json' ? null : output);
      }
      const loads = config.demo ? [...schedule, DEMO_SCHEDULE] : schedule;
      return await serveStore({ link, url, place }, invocation, tiers, loads);
    } finally {
      await link.close();
    }
  },
};

/** A load that could never begin is refused now, and not once per interval. */
async function checkedSchedule(invocation: Invocation): Promise<ScheduledLoad[]> {
  const schedule = parseSchedule(invocation.config.schedule);
  // The code of the loads is read only where there are any.
  const { checkLoad } = schedule.length === 0 ? { checkLoad: () => {} } : await import('./ingest.ts');
  for (const { interval, argv } of schedule) {
    try {
      checkLoad(argv, invocation);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`--schedule: '${[interval ?? [], ...argv].flat().join(' ')}': ${reason}`, { cause: error });
    }
  }
  return schedule;
}

interface ServedFrom {
  readonly link: StoreLink;
  readonly url: string;
  /** Null: no snapshot is kept. */
  readonly place: KeepPlace | null;
}

async function serveStore(
  { link, url: storeUrl, place }: ServedFrom,
  { config, output }: Invocation,
  tiers: Tiers,
  schedule: readonly ScheduledLoad[],
): Promise<number> {
  // Before anything is read: the most common mistake is a second server.
  await listenPort(config, () => probePort(config.host, config.port));
  const admin = { host: config.host, port: config['admin-port'] };
  if (admin.port !== 0) await listenPort(admin, () => probePort(admin.host, admin.port));
  const [limits, state] = [new SharedLimits(), new ServiceState()];
  const shared = { limits: limits.buffer, penalties: new Penalties().buffer, state: state.buffer };
  const settings = threadSettings(config, storeUrl);
  const logEvent: LogEvent = event => log.event(event);
  const supervisor = new Supervisor({
    setup: { ...settings, openTier: config.open ? tiers.get('unlimited')! : null, storeUrl, ...shared },
    connections: config['max-connections'],
    memoryBytes: config.memory * 1e6,
    listings: config.listings === '' ? null : parseKeptListings(config.listings),
    threads: config.workers,
    exports: { folder: exportsFolder(storeUrl, config.exports), maxBytes: config['exports-size'] * 1e6 },
    onEvent: logEvent,
    onLines: (text, count) => log.write(text, count),
  });
  const { metrics } = supervisor;
  const onDropped = (lines: number) => metrics.add('linesDropped', lines);
  const log = new ServiceLog({ form: settings.log.form, stream: standardError(), onDropped });
  recordRuntimeMetrics(metrics);
  // The threads start while this one reads the store.
  supervisor.start();
  let address = '';
  const wantOptional = () => void supervisor.addOptionalColumns();
  const alerts = new AlertRunner({
    store: link.store,
    baseUrl: () => settings.publicUrl ?? address,
    group: settings.group,
    againAfterMs: config['alert-again-after'] * 1000,
    allowPrivate: config['allow-private-webhooks'],
    metrics,
    wantOptional,
    listing: plan => supervisor.listing(plan),
    earlier: (plan, snapshot) => supervisor.earlier(plan, snapshot),
    onEvent: logEvent,
  });
  const data = new StoreFollower({
    link,
    place,
    pollMs: config.poll,
    activeDays: config['active-days'],
    allColumns: config['all-columns'],
    state,
    limits,
    tiers,
    supervisor,
    alerts,
    onEvent: logEvent,
  });
  let stopped: StopSignals;
  try {
    const isPartly = await bringRowsUpToDate(link, logEvent, config);
    await data.begin();
    // While they are computed, the server has the columns of every row.
    if (isPartly) void supervisor.addOptionalColumns();
    // Before the banner says how to stop it.
    stopped = stopSignals();
    address = await listenPort(config, () => supervisor.listen(config.port));
  } catch (error) {
    await supervisor.stop(0);
    throw error;
  }
  const { store, missing } = await link.opened().then(
    opened => ({ store: opened.description, missing: false }),
    error => ({ store: storeName(storeUrl), missing: error instanceof StoreError && error.code === 'missing' }),
  );
  const { rows, inactive, keys } = data;
  const { threads } = supervisor;
  const { readOnly } = link;
  const facts = {
    address,
    store,
    away: state.storeUnreachable,
    missing,
    readOnly,
    rows,
    inactive,
    keys,
    threads,
    config,
  };
  output.print(output.json ? JSON.stringify({ address, store }) : banner(facts));

  logEvent({ event: 'serving', address, store, threads, version: VERSION });
  if (readOnly) logEvent({ event: 'store_read_only', store });

  const loads = new ScheduledLoads(
    storeUrl,
    {
      onFailed: (load, reason) => logEvent({ event: 'scheduled_load_failed', load, reason }),
      onNote: (load, text) => logEvent({ event: 'scheduled_load_note', load, text }),
    },
    { 'retention-1m': config['retention-1m'], 'retention-1h': config['retention-1h'] },
  );
  data.follow();
  const stops = schedule.map(entry => {
    const run = () => loads.run(entry);
    return entry.everyMs === null ? keepRunning(run) : repeat(entry.everyMs, run);
  });
  if (!readOnly)
    stops.push(
      repeat(
        RETENTION_MS,
        guarded('dropping old bars', logEvent, () => dropBars(link, logEvent, config)),
      ),
    );
  if (config.demo && !config['no-ticks'] && !readOnly) stops.push(await movePrices(link, logEvent));
  await stopped.first;
  const [drainMs, graceMs] = [config.drain * 1000, config.grace * 1000];
  const onLate = (reason: string) => logEvent({ event: 'stop_failed', reason });
  endAnyway(drainMs + graceMs, stopped.second, onLate);
  state.stopping = true;
  try {
    logEvent({ event: 'stopping', drainSeconds: config.drain, graceSeconds: config.grace });
    await Promise.race([delay(drainMs, undefined, { ref: false }), stopped.second]);
    loads.stop(graceMs);
    await Promise.all([supervisor.stop(graceMs, stopped.second), ...stops.map(stop => stop())]);
    await data.end();
  } finally {
    // Fires only if something keeps the process alive: a log that is not read, or threads after a failure.
    setTimeout(() => process.exit(), LOG_FLUSH_MS).unref();
  }
  return 0;
}

/** The next time will do if another process writes, or the store is unreachable. */
async function dropBars(link: StoreLink, logEvent: LogEvent, config: Invocation['config']): Promise<void> {
  try {
    for (const dropped of await dropWhenFree(await link.opened(), retentionOf(config)))
      logEvent({ event: 'bars_dropped', ...dropped });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Moves the simulated prices. Returns how to stop. */
async function movePrices(link: StoreLink, logEvent: LogEvent): Promise<() => Promise<void>> {
  const { demoTicks } = await import('../ingest/demo/ticks.ts');
  let tick: (() => Promise<void>) | null = null;
  const move = async () => {
    try {
      tick ??= demoTicks(await link.opened());
      await tick();
    } catch (error) {
      // The follower of the store reports that it is unreachable; the next tick tries again, with the store that is there then.
      tick = null;
      if (!(error instanceof StoreError)) throw error;
    }
  };
  return repeat(TICK_MS, guarded('moving the simulated prices', logEvent, move));
}

function threadSettings(config: Invocation['config'], store: string) {
  return {
    host: config.host,
    adminPort: config['admin-port'] === 0 ? null : config['admin-port'],
    group: config.group,
    publicUrl: config['public-url'] === '' ? null : config['public-url'].replace(/\/+$/, ''),
    trustProxy: parseTrustedProxy(config['trust-proxy']),
    maxAgeSeconds: config['max-age'],
    simulated: config.demo,
    activePeriods: activePeriods(config['active-days'], parseActivePeriods(config['active-periods'])),
    keyCommand: isForThisMachine(config) && store.startsWith('sqlite:') ? asTyped(keyCommand({ store })) : null,
    noData: isForThisMachine(config) ? asTyped(NO_DATA) : NO_DATA,
    cacheBytes: config.cache * 1e6,
    staleAfterSeconds: config['stale-after'],
    shedAfterMs: config['shed-after'],
    log: logForm(config.log, config['log-requests']),
    version: VERSION,
    startedAt: Math.round(performance.timeOrigin),
  };
}

const NO_DATA = "The store holds no prices yet. Load some: 'tidemark ingest csv FILE', or 'tidemark help ingest'.";

/** Clients on other machines must not learn where the program and the store are. */
function isForThisMachine(config: Invocation['config']): boolean {
  return LOOPBACK.test(config.host) && config['public-url'] === '' && config['trust-proxy'] === '';
}

/** Undefined: the store keeps its own. */
function benchmarkOf({ benchmark }: Invocation['config']): string | undefined {
  return benchmark === '' ? undefined : tickerKey(benchmark);
}

/**
 * If the store is unreachable or read-only now, the next load or start does it. True if the columns of the settings file have changed: these
 * are computed while the server runs.
 */
async function bringRowsUpToDate(link: StoreLink, logEvent: LogEvent, config: Invocation['config']): Promise<boolean> {
  try {
    const store = await link.opened();
    const [published, benchmark] = [await store.columns(), benchmarkOf(config)];
    const mayPublish = (await refusal(store.setActiveDays(config['active-days']))) === null;
    const report = (what: string, refused: StoreError | null) => {
      if (refused === null) return;
      logEvent({ event: 'rows_not_recomputed', reason: `${what} cannot be stored: ${refused.message}` });
    };
    if (!store.readOnly) report('the settings of the checks', await refusal(setChecks(store, checksOf(config))));
    if (mayPublish) {
      if (hasOtherOwn(published) && (benchmark ?? benchmarkIn(published)) === benchmarkIn(published)) return true;
      const rows = await upgradeRows(store, 'default', benchmark);
      if (rows > 0) logEvent({ event: 'rows_recomputed', rows });
    }
    report('the price rule', await refusal(bringPricesUpToDate(store, logEvent, config)));
  } catch (error) {
    // The next read of the store reports that it is unreachable or damaged.
    if (error instanceof StoreError) return false;
    logEvent({ event: 'rows_not_recomputed', reason: error instanceof Error ? error.message : String(error) });
  }
  return false;
}

async function bringPricesUpToDate(store: Store, logEvent: LogEvent, config: Invocation['config']): Promise<void> {
  const rules = priceRulesOf(config);
  const merged = rules && (await applyPriceRules(store, rules));
  if (merged !== null) logEvent({ event: 'rows_recomputed', rows: merged.rows });
}

/** Null if the store did what it was asked; what it said if its role or the database does not allow it. */
async function refusal(work: Promise<unknown>): Promise<StoreError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'forbidden' || error.code === 'read_only')) return error;
    throw error;
  }
}

/** The service continues when the reader of its log goes away. */
function standardError(): NodeJS.WriteStream {
  return process.stderr.on('error', () => {});
}
