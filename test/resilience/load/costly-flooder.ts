// Sends costly requests over ordinary connections for some time, one at a time per connection, and counts the responses. Some of its
// clients leave before the response comes. Reads its options from standard input.

import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { CostlyRequest } from './costly-requests.ts';

export interface CostlyFloodOptions {
  readonly port: number;
  readonly apiKey: string;
  /** They take turns. */
  readonly requests: readonly CostlyRequest[];
  readonly connections: number;
  readonly millis: number;
  /** Numbers of assets are below this. */
  readonly assets: number;
  /** The newest day of the data, ISO. */
  readonly newestDay: string;
}

export interface CostlyFloodResult {
  readonly statuses: Readonly<Record<string, number>>;
}

/** One of so many connections leaves after a tenth of a second, before most responses. */
const LEAVES = 4;
const LEAVES_AFTER_MS = 100;
const PAST_DAYS = 50;

const options = (await json(process.stdin)) as CostlyFloodOptions; // the test writes just this
const statuses: Record<string, number> = {};
const ends = performance.now() + options.millis;
let sent = 0;

function filled(text: string, n: number): string {
  const day = new Date(Date.parse(options.newestDay) - (n % PAST_DAYS) * 86_400_000).toISOString().slice(0, 10);
  return text
    .replaceAll('{n}', String(n))
    .replaceAll('{asset}', String(n % options.assets))
    .replaceAll('{day}', day);
}

function once(agent: Agent, leaves: boolean): Promise<string> {
  const n = sent++;
  const { path, query, body, isStream } = options.requests[n % options.requests.length]!; // there is one at least
  const message = body === undefined ? null : filled(body, n);
  return new Promise(resolve => {
    const call = request({
      host: '127.0.0.1',
      port: options.port,
      agent,
      method: message === null ? 'GET' : 'POST',
      path: `${filled(path, n)}${query === '' ? '' : `?${filled(query, n).replaceAll(' ', '%20')}`}`,
      headers: {
        'x-api-key': options.apiKey,
        ...(message === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(message) }),
      },
    });
    const timer = leaves || isStream ? setTimeout(() => call.destroy(), LEAVES_AFTER_MS) : undefined;
    call.on('response', response => {
      response.resume();
      response.on('close', () => {
        clearTimeout(timer);
        resolve(String(response.statusCode));
      });
    });
    call.on('error', () => resolve('left'));
    call.end(message ?? undefined);
  });
}

async function client(number: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < ends) {
    const status = await once(agent, number % LEAVES === 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    // As a client does that is refused and tries again at once.
    await wait(status === '200' ? 0 : 5);
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: options.connections }, (_, i) => client(i)));
process.stdout.write(JSON.stringify({ statuses } satisfies CostlyFloodResult));
