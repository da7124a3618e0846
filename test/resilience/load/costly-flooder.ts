// Sends costly requests over ordinary connections for some time, one at a time per connection, and counts the responses. Some of its
// clients leave before the response comes. Reads its options from standard input.

import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { CostlyRequest } from './costly-shapes.ts';

export interface CostlyFloodOptions {
  readonly port: number;
  readonly apiKey: string;
  /** They take turns. */
  readonly requests: readonly CostlyRequest[];
  readonly connections: number;
  /** At least, and until there was a response with status 200: on a busy machine a process of low priority waits for its processor time. */
  readonly millis: number;
  /** Numbers of assets are below this. */
  readonly assets: number;
  /** Columns of the settings are numbered below this. */
  readonly ownColumns: number;
  /** The newest day of the data, ISO. */
  readonly newestDay: string;
}

export interface CostlyFloodResult {
  readonly statuses: Readonly<Record<string, number>>;
}

/** One of so many connections leaves after a tenth of a second, before most responses. */
const LEAVES = 4;
const LEAVES_AFTER_MS = 100;
/** What a response has at most when the flood is over. */
const LAST_MS = 2000;
/** A flood without a response ends after this. */
const MOST_MS = 60_000;
const PAST_DAYS = 50;
/** Hours in which all assets have a bar. */
const PAST_HOURS = 12;
const INTERVALS = ['1m', '5m', '15m', '30m', '1h', '4h', '12h', '1w'];
/** Redirects of one request that are followed. */
const MOST_REDIRECTS = 2;

const options = (await json(process.stdin)) as CostlyFloodOptions; // the test writes just this
const statuses: Record<string, number> = {};
const began = performance.now();
let sent = 0;

/** When the flood ends, as far as is known now. */
function ends(): number {
  return began + (statuses['200'] === undefined ? Math.max(options.millis, MOST_MS) : options.millis);
}

function filled(text: string, n: number): string {
  const day = new Date(Date.parse(options.newestDay) - (n % PAST_DAYS) * 86_400_000).toISOString().slice(0, 10);
  const midnight = Date.parse(options.newestDay);
  const hour = `${new Date(midnight - (1 + (n % PAST_HOURS)) * 3_600_000).toISOString().slice(0, 16)}Z`;
  return text
    .replaceAll('{n}', String(n))
    .replaceAll('{asset}', String(n % options.assets))
    .replaceAll('{interval}', INTERVALS[n % INTERVALS.length]!) // there are some
    .replaceAll('{own}', String(n % options.ownColumns))
    .replaceAll('{hour}', hour)
    .replaceAll('{day}', day);
}

async function once(agent: Agent, leaves: boolean): Promise<string> {
  const n = sent++;
  const asked = options.requests[n % options.requests.length]!; // there is one at least
  const query = asked.query === '' ? '' : `?${filled(asked.query, n).replaceAll(' ', '%20')}`;
  let target: string | undefined = `${filled(asked.path, n)}${query}`;
  let status = '';
  for (let times = 0; target !== undefined && times <= MOST_REDIRECTS; times++) {
    const response = await answerOf(agent, asked, { target, n, leaves });
    status = response.status;
    target = response.location === undefined ? undefined : new URL(response.location, 'http://x').pathname;
  }
  return status;
}

interface Response {
  readonly status: string;
  readonly location?: string | undefined;
}

function answerOf(
  agent: Agent,
  { body, isStream, headers }: CostlyRequest,
  { target, n, leaves }: { readonly target: string; readonly n: number; readonly leaves: boolean },
): Promise<Response> {
  const message = body === undefined ? null : filled(body, n);
  return new Promise(resolve => {
    const call = request({
      host: '127.0.0.1',
      port: options.port,
      agent,
      method: message === null ? 'GET' : 'POST',
      path: target,
      headers: {
        'x-api-key': options.apiKey,
        ...headers,
        ...(message === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(message) }),
      },
    });
    const timer = leaves || isStream ? setTimeout(() => call.destroy(), LEAVES_AFTER_MS) : undefined;
    // A response that hangs must not keep the flood from its end.
    const over = setTimeout(() => call.destroy(), Math.max(0, ends() - performance.now()) + LAST_MS);
    let status = 'left';
    call.on('close', () => {
      clearTimeout(timer);
      clearTimeout(over);
      resolve({ status, location });
    });
    let location: string | undefined;
    call.on('response', response => {
      status = String(response.statusCode);
      location = response.headers.location;
      response.resume().on('error', () => {}); // it left
    });
    call.on('error', () => {}); // 'close' follows
    call.end(message ?? undefined);
  });
}

async function client(number: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < ends()) {
    const status = await once(agent, number % LEAVES === 0);
    statuses[status] = (statuses[status] ?? 0) + 1;
    // As a client does that is refused and tries again at once.
    await wait(status === '200' ? 0 : 5);
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: options.connections }, (_, i) => client(i)));
process.stdout.write(JSON.stringify({ statuses } satisfies CostlyFloodResult));
