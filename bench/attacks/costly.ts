// One API key floods a server with the costliest legal requests of each endpoint: what the others get, and how much memory it takes.

import { setTimeout as wait } from 'node:timers/promises';
import { costlyRequests, floodCostly } from '../../test/resilience/load/costly-requests.ts';
import type { CostlyRequest } from '../../test/resilience/load/costly-shapes.ts';
import {
  ATTACKING_TIERS,
  type CostlyStore,
  costlyStore,
  TIERS_SETTING,
} from '../../test/resilience/load/costly-store.ts';
import { GoodClients, type Seen } from '../../test/resilience/load/good-clients.ts';
import { forgetPeakMemory, peakMemory } from '../../test/resilience/load/route-flood.ts';
import { ServerProcess } from '../../test/support/server-process.ts';
import { type Bench, readSections } from '../report.ts';

const SIZE = {
  assets: Number(process.env['COSTLY_ASSETS'] ?? 100_000),
  bars: { days: 60, hours: 24, minutes: 5 },
  longAssets: 10,
  longBars: { days: 9800, hours: 20_000, minutes: 20_000 },
};
const MEMORY_MB = 2000;
const SECONDS = Number(process.env['COSTLY_SECONDS'] ?? 2);
/** Only the requests whose path or name contains it. */
const ONLY = process.env['COSTLY_ONLY'] ?? '';
/** `2/4` is the second quarter of the requests: the whole takes longer than a machine stays quiet. The page keeps the other rows. */
const [PART = 1, PARTS = 1] = (process.env['COSTLY_PART'] ?? '1/1').split('/').map(Number);
/** Folder of a store that stays for the next part. */
const FOLDER = process.env['COSTLY_STORE'] ?? '';
const WARM_MS = 5000;
/** What the flood before has left behind. */
const LEFT_MS = 1500;
/** Before the floods with each request. */
const QUIET_MS = 2500;
const CONNECTIONS = 250;
const PAUSE_MS = 20;
/** Times the quiet p99: of a tier with a small share of the machine, and of the largest, which may use both cores. */
const TARGETS = { free: 5, basic: 5, pro: 5, unlimited: 10 } as const;

const HEAD = [
  `| request | tier | answered | refused (429, 503) | other | p99 of others, kept connections (ms) | × | new connections (ms) | × | others refused | memory (MB) |`,
  '|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|',
];

const OF_SEVERAL_RUNS =
  'The rows are of several runs and commits, and the date below is that of the last one: compare the two times of a row, not the rows.';

export const costlyBench: Bench = {
  name: 'costly',
  page: 'load',
  title: 'Costly requests',
  async run(log) {
    const store = await costlyStore(SIZE, FOLDER);
    try {
      const rows = await measure(store, log);
      const all = new Map([...rowsOf(readSections().get('costly') ?? ''), ...rows]);
      const ordered = costlyRequests().flatMap(request =>
        ATTACKING_TIERS.flatMap(tier => all.get(keyOf(request, tier)) ?? []),
      );
      const isOneRun = ordered.length <= rows.size;
      return [introduction(isOneRun), '', summary(ordered), '', ...HEAD, ...ordered].join('\n');
    } finally {
      store.remove();
    }
  },
};

async function measure(store: CostlyStore, log: (text: string) => void): Promise<Map<string, string>> {
  const server = await ServerProcess.start(
    ...store.settings,
    ...['--memory', String(MEMORY_MB), '--shed-after', '1000', '--tiers', TIERS_SETTING],
  );
  try {
    const others = () => new GoodClients(server.url, PAUSE_MS, { 'x-api-key': store.keys.others });
    // Not the first seconds, in which the server and these clients are compiled.
    await seenBy(others(), WARM_MS);
    const rows = new Map<string, string>();
    for (const request of chosen()) {
      await wait(LEFT_MS);
      const quiet = await seenBy(others(), QUIET_MS);
      for (const tier of ATTACKING_TIERS) {
        forgetPeakMemory(server);
        const clients = others();
        const { statuses } = await floodCostly({
          port: Number(new URL(server.url).port),
          apiKey: store.keys[tier],
          requests: [request],
          connections: CONNECTIONS,
          millis: SECONDS * 1000,
          assets: SIZE.longAssets,
          ownColumns: store.ownColumns,
          newestDay: store.newestDay,
        });
        const seen = await clients.stop();
        rows.set(keyOf(request, tier), row(request, tier, { quiet, seen, statuses, megabytes: memory(server) }));
        log(rows.get(keyOf(request, tier))!);
        for (const failure of new Set(seen.failures)) log(failure);
      }
    }
    return rows;
  } finally {
    await server.stop();
  }
}

async function seenBy(clients: GoodClients, millis: number): Promise<Seen> {
  await wait(millis);
  return clients.stop();
}

function chosen(): CostlyRequest[] {
  const named = costlyRequests().filter(request => nameOf(request).includes(ONLY));
  const from = (part: number) => Math.round((named.length * part) / PARTS);
  return named.slice(from(PART - 1), from(PART));
}

const memory = (server: ServerProcess) => Math.round(peakMemory(server));
const millis = (value: number) => value.toFixed(1);
const nameOf = ({ path, name }: CostlyRequest) => `${path.replace('/v1/crypto/', '')}, ${name}`;
const keyOf = (request: CostlyRequest, tier: string) => `| ${nameOf(request)} | ${tier} |`;

/** Those of a table that was written before, by request and tier. */
function rowsOf(section: string): [string, string][] {
  return Array.from(section.matchAll(/^(?<key>\| [^|]+ \| (?:free|basic|pro|unlimited) \|).*$/gm), found => [
    found.groups!['key']!,
    found[0],
  ]);
}

interface Measured {
  readonly quiet: Seen;
  readonly seen: Seen;
  readonly statuses: Readonly<Record<string, number>>;
  readonly megabytes: number;
}

function row(
  request: CostlyRequest,
  tier: keyof typeof TARGETS,
  { quiet, seen, statuses, megabytes }: Measured,
): string {
  const times = (attacked: number, calm: number) => {
    const ratio = attacked / calm;
    return ratio <= TARGETS[tier] ? ratio.toFixed(1) : `**${ratio.toFixed(1)}**`;
  };
  const { 200: answered = 0, 429: limited = 0, 503: shed = 0, left, ...odd } = statuses;
  const cells = [
    answered,
    limited + shed,
    Object.entries(odd)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    `${millis(quiet.p99)} → ${millis(seen.p99)}`,
    times(seen.p99, quiet.p99),
    `${millis(quiet.newP99)} → ${millis(seen.newP99)}`,
    times(seen.newP99, quiet.newP99),
    seen.failures.length,
    megabytes <= MEMORY_MB ? megabytes : `**${megabytes}**`,
  ];
  return `${keyOf(request, tier)} ${cells.join(' | ')} |`;
}

/** `isOneRun`: all rows were measured now. */
function introduction(isOneRun: boolean): string {
  return [
    `One API key floods a server of ${SIZE.assets.toLocaleString('en')} assets with the costliest legal requests of an endpoint, over ${CONNECTIONS} connections that send one request at a time; a quarter of them leave before the response.`,
    `Each row takes ${SECONDS} s. Each asset has ${SIZE.bars.days} days, ${SIZE.bars.hours} hours and ${SIZE.bars.minutes} minutes, ${SIZE.longAssets} more have ${SIZE.longBars.days.toLocaleString('en')} days, ${SIZE.longBars.hours.toLocaleString('en')} hours and ${SIZE.longBars.minutes.toLocaleString('en')} minutes, and the settings define four columns.`,
    `Ten other clients with an API key of the least weight request 5 rows, eight over connections that they keep and two over a new one each time; the times are without the flood, just before, and with it. Target: at most ${TARGETS.free} ×, and ${TARGETS.unlimited} × beside the tier \`unlimited\`; at most ${MEMORY_MB.toLocaleString('en')} MB, which is \`--memory\`.`,
    'The server, the flood (with the lowest priority) and the others share the machine.',
    ...(isOneRun ? [] : [OF_SEVERAL_RUNS]),
  ].join(' ');
}

/** How many rows are in bold, which are those that miss a target. */
function summary(rows: readonly string[]): string {
  const missed = rows.filter(text => text.includes('**')).length;
  return `${rows.length} rows, of which ${missed === 0 ? 'none misses' : `${missed} miss`} a target.`;
}
