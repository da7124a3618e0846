// More requests than a server can answer, with one and another wait after which it refuses (`--shed-after`).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { runLoad } from '../load/run.ts';
import { PROGRAM } from '../program.ts';

const WAITS = [100, 250, 500, 1000, 2000, 0];
const SECONDS = 6;
const CONNECTIONS = 200;
/** Of what the server can answer. */
const TOO_MANY = 2;

async function serving<T>(store: string, shedAfter: number, work: (port: number) => Promise<T>): Promise<T> {
  const args = ['serve', '--port', '0', '--json', '--open', '--keep', 'off', '--workers', '1', '--store', store];
  const server = spawn(PROGRAM, [...args, '--shed-after', String(shedAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(server, 'close');
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { address } = JSON.parse(line) as { address: string }; // what it prints first
      return await work(Number(new URL(address).port));
    }
    throw new Error('the server ended before it listened');
  } finally {
    server.kill('SIGTERM');
    await closed;
  }
}

const LISTING = '/v1/crypto/ta-cur';

/** What is asked for, and what it is called. */
const QUESTIONS = [
  { path: `${LISTING}?limit=100`, name: 'the same 100 rows' },
  { path: `${LISTING}?limit=100&price=0.00{}:`, name: '100 rows by a filter that is new' },
];

export async function overload(store: string, log: (text: string) => void): Promise<string> {
  const tables: string[] = [];
  for (const question of QUESTIONS) tables.push(await overloadWith(question, store, log));
  return [
    `A server with one thread is sent ${TOO_MANY} times as many requests as it can answer, over ${CONNECTIONS} connections, without waiting for answers. A request that has waited longer than \`--shed-after\` is refused, however little it would take.`,
    ...tables,
  ].join('\n\n');
}

async function overloadWith(
  { path, name }: (typeof QUESTIONS)[number],
  store: string,
  log: (text: string) => void,
): Promise<string> {
  const asking = { path, headers: {}, connections: CONNECTIONS, seconds: SECONDS };
  const capacity = await serving(store, 0, port => runLoad({ ...asking, port, connections: 32, rate: null }));
  const rate = Math.round(TOO_MANY * capacity.perSecond);
  const rows: string[] = [];
  for (const wait of WAITS) {
    const seen = await serving(store, wait, port => runLoad({ ...asking, port, rate }));
    const perSecond = (status: string) => ((seen.byStatus[status] ?? 0) * seen.perSecond) / seen.answers;
    const [good, refused] = [perSecond('200'), perSecond('503')];
    const cells = [
      wait === 0 ? 'never' : `${wait} ms`,
      whole(good),
      whole(refused),
      whole(seen.goodP50),
      whole(seen.goodP99),
    ];
    rows.push(`| ${cells.join(' | ')} |`);
    log(rows.at(-1)!);
  }
  return [
    `${name[0]!.toUpperCase()}${name.slice(1)}, up to ${whole(rate)} times per second where ${whole(capacity.perSecond)} can be answered:`,
    '',
    '| `--shed-after` | answered/s | refused/s | p50 of the answered (ms) | p99 |',
    '|---|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
