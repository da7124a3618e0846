// `tidemark serve`: the service.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dayOfMillis } from '../domain/day.ts';
import type { SourcedProfile } from '../domain/profile.ts';
import { openToAll } from '../http/auth.ts';
import type { ServiceContext } from '../http/context.ts';
import { createServer } from '../http/server.ts';
import { demoSource } from '../ingest/demo/demo-source.ts';
import { load, StoreBusyError } from '../ingest/pipeline.ts';
import { SnapshotFeed } from '../serve/feed.ts';
import { parseSchedule, repeat, type ScheduledLoad } from '../serve/schedule.ts';
import { SnapshotHolder } from '../snapshot/holder.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { type Command, CommandError, type Invocation, type Output } from './command.ts';
import { DEMO_STORE } from './ingest.ts';
import { ProgressLine } from './progress.ts';
import { count, styled } from './terminal.ts';

/** Adds the new day to the simulated universe soon after it has begun. */
const DEMO_SCHEDULE: ScheduledLoad = { interval: '10m', everyMs: 10 * 60_000, argv: ['demo'] };

export const serve: Command = {
  name: 'serve',
  summary: 'Serve the listing and the profiles over HTTP',
  usage: ['[--host ADDRESS] [--port N] [--store URL]', '--demo'],
  settings: ['store', 'host', 'port', 'group', 'public-url', 'trust-proxy', 'max-age', 'poll', 'schedule', 'demo'],
  options: {},
  about: `
Serves what the store holds and shows new data as soon as another process has loaded it. Without data it starts all the
same, answers 503, and says how to load some.

--demo serves a simulated universe from a store of its own (${DEMO_STORE}): invented assets, simulated prices.`,
  async run(invocation) {
    const { config, output } = invocation;
    const url = config.demo && !config.given.has('store') ? DEMO_STORE : config.store;
    const schedule = parseSchedule(config.schedule);
    const store = await openStore(url);
    try {
      if (config.demo) await loadDemo(store, output);
      return await serveStore(store, url, invocation, config.demo ? [...schedule, DEMO_SCHEDULE] : schedule);
    } finally {
      await store.close();
    }
  },
};

async function serveStore(
  store: Store,
  storeUrl: string,
  { config, output }: Invocation,
  schedule: readonly ScheduledLoad[],
): Promise<number> {
  const holder = new SnapshotHolder();
  const feed = new SnapshotFeed(store, holder, {
    onFailure: error => output.say(`the store cannot be read: ${error instanceof Error ? error.message : error}`),
  });
  await feed.refresh();
  const server = createServer(contextFor(store, holder, config, output));
  const address = await listen(server, config.host, config.port);
  output.print(
    output.json ? JSON.stringify({ address, store: store.description }) : banner(address, store, holder, config),
  );
  const stops = [
    repeat(config.poll, async () => void (await feed.refresh())),
    ...schedule.map(entry => repeat(entry.everyMs, () => runScheduled(storeUrl, entry, output))),
  ];
  await untilStopped();
  for (const child of children) child.kill('SIGTERM');
  await Promise.all([server.close(), ...stops.map(stop => stop())]);
  return 0;
}

function contextFor(
  store: Store,
  holder: SnapshotHolder,
  config: Invocation['config'],
  output: Output,
): ServiceContext {
  return {
    group: config.group,
    publicUrl: config['public-url'] === '' ? null : config['public-url'].replace(/\/+$/, ''),
    trustProxy: config['trust-proxy'],
    maxAgeSeconds: config['max-age'],
    simulated: config.demo,
    snapshot: () => holder.current,
    whyNotReady: () =>
      "The store holds no prices yet. Load some: 'tidemark ingest csv FILE', or 'tidemark help ingest'.",
    profile: (key): Promise<SourcedProfile | null> => store.profile(key),
    now: Date.now,
    authenticate: openToAll,
    onInternalError: (error, requestId) =>
      output.say(`request ${requestId} failed: ${error instanceof Error ? error.stack : error}`),
  };
}

async function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${port} is taken`, 'Choose another with --port, or --port 0.');
    if (code === 'EACCES') throw new CommandError(`port ${port} needs more rights`, 'Choose one from 1024 on.');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new CommandError(`${host} is no address of this machine`, 'Try --host 127.0.0.1 or --host 0.0.0.0.');
    }
    throw error;
  }
}

function banner(address: string, store: Store, holder: SnapshotHolder, { group, demo }: Invocation['config']): string {
  const rows = holder.current?.listing.rows ?? 0;
  const state =
    rows > 0
      ? `${count(rows)} assets from ${store.description}`
      : `${store.description} is empty: 'tidemark help ingest'`;
  const lines = [
    `${styled('bold', 'Tidemark')} serves ${state}`,
    ...(demo ? [styled('yellow', 'DEMO: the assets are invented and the prices are simulated.')] : []),
    '',
    `  listing    ${address}/v1/${group}/ta-cur`,
    `  assets     ${address}/v1/${group}/assets`,
    `  reference  ${address}/docs`,
    '',
    'Try:',
    `  curl '${address}/v1/${group}/ta-cur?limit=5&sort=vol30&price=1:'`,
    '',
    'Ctrl-C stops it.',
  ];
  return lines.join('\n');
}

/** Brings the simulated universe up to today. */
async function loadDemo(store: Store, output: Output): Promise<void> {
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

/** In a process of its own, so that neither its work nor its end touches the server. */
function runScheduled(storeUrl: string, { argv, interval }: ScheduledLoad, output: Output): Promise<void> {
  const launcher = fileURLToPath(new URL('../../scripts/launch.js', import.meta.url));
  const args = [launcher, 'ingest', ...argv, '--if-due', interval, '--store', storeUrl];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const label = `scheduled ${argv.join(' ')}`;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000);
    });
  }
  children.add(child);
  return new Promise(resolve => {
    child.on('error', error => output.say(`${label}: ${error.message}`));
    child.on('close', code => {
      children.delete(child);
      if (code !== 0) output.say(`${label} failed: ${said.trim()}`);
      resolve();
    });
  });
}

const children = new Set<ChildProcess>();

function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
