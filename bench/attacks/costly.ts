// One API key floods a server with the costliest legal requests of each endpoint: what the others get, and how much memory it takes.

import { setTimeout as wait } from 'node:timers/promises';
import { costlyRequests, floodCostly } from '../../test/resilience/load/costly-requests.ts';
import { ATTACKING_TIERS, costlyStore, OTHERS_TIER } from '../../test/resilience/load/costly-store.ts';
import { GoodClients, type Seen } from '../../test/resilience/load/good-clients.ts';
import { forgetPeakMemory, peakMemory } from '../../test/resilience/load/route-flood.ts';
import { ServerProcess } from '../../test/support/server-process.ts';

const SIZE = { assets: 100_000, days: 60, longAssets: 10, longDays: 9800 };
const MEMORY_MB = 2000;
const SECONDS = Number(process.env['COSTLY_SECONDS'] ?? 20);
/** Only the requests whose name contains it. */
const ONLY = process.env['COSTLY_ONLY'] ?? '';
const QUIET_MS = 10_000;
const CONNECTIONS = 250;
const PAUSE_MS = 20;
/** Times the quiet p99. */
const TARGET = 5;

const millis = (value: number) => value.toFixed(1);

export async function costly(log: (text: string) => void): Promise<string> {
  const store = await costlyStore(SIZE);
  try {
    const server = await ServerProcess.start(
      ...['--store', store.url, '--memory', String(MEMORY_MB), '--shed-after', '1000', '--tiers', OTHERS_TIER],
    );
    try {
      const others = () => new GoodClients(server.url, PAUSE_MS, { 'x-api-key': store.keys.others });
      // Not the first seconds, in which the server and these clients are compiled.
      const first = others();
      await wait(QUIET_MS / 2);
      await first.stop();
      const calm = others();
      await wait(QUIET_MS);
      const quiet = await calm.stop();
      log(`quiet: ${millis(quiet.p99)} ms, new connections ${millis(quiet.newP99)} ms`);
      const rows: string[] = [];
      for (const request of costlyRequests().filter(({ name }) => name.includes(ONLY))) {
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
            newestDay: store.newestDay,
          });
          const seen = await clients.stop();
          const name = `${request.path.replace('/v1/crypto/', '')}, ${request.name}`;
          rows.push(row(name, tier, { quiet, seen, statuses, megabytes: peakMemory(server) }));
          log(rows.at(-1)!);
          for (const failure of new Set(seen.failures)) log(failure);
        }
      }
      return [
        `One API key floods a server of ${SIZE.assets.toLocaleString('en')} assets with the costliest legal requests of an endpoint, over ${CONNECTIONS} connections that send one request at a time; a quarter of them leave before the response. Each row takes ${SECONDS} s. Ten other clients with an API key of the least weight request 5 rows, eight over connections that they keep and two over a new one each time. Quiet, their 99th percentile is ${millis(quiet.p99)} and ${millis(quiet.newP99)} ms. The server may use ${MEMORY_MB} MB; it, the flood (with the lowest priority) and the others share the machine.`,
        '',
        `| request | tier | answered | refused (429, 503) | others' p99, kept connections (ms) | × (target: at most ${TARGET}) | new connections (ms) | × | others refused | memory (MB) |`,
        '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
        ...rows,
      ].join('\n');
    } finally {
      await server.stop();
    }
  } finally {
    store.remove();
  }
}

interface Measured {
  readonly quiet: Seen;
  readonly seen: Seen;
  readonly statuses: Readonly<Record<string, number>>;
  readonly megabytes: number;
}

function row(name: string, tier: string, { quiet, seen, statuses, megabytes }: Measured): string {
  const times = (attacked: number, calm: number) => {
    const ratio = attacked / calm;
    return ratio <= TARGET ? ratio.toFixed(1) : `**${ratio.toFixed(1)}**`;
  };
  const cells = [
    name,
    tier,
    statuses['200'] ?? 0,
    (statuses['429'] ?? 0) + (statuses['503'] ?? 0),
    millis(seen.p99),
    times(seen.p99, quiet.p99),
    millis(seen.newP99),
    times(seen.newP99, quiet.newP99),
    seen.failures.length,
    megabytes.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}
