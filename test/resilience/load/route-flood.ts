// Floods every route of the service, and watches what that does to the server and to its other clients.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceContext } from '../../../src/api/context.ts';
import { serviceRoutes } from '../../../src/api/service.ts';
import type { Route } from '../../../src/http/routes.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { QuietSeconds } from '../../support/stolen-time.ts';
import { UNOBSERVED } from '../../support/unobserved.ts';
import type { FloodOptions, FloodResult } from './flooder.ts';
import { answerTo } from './whole-answer.ts';

const FLOODER = join(import.meta.dirname, 'flooder.ts');

/** Every path that the service has, from its own table, so that a new route is flooded without being named here. */
export function allPaths(): string[] {
  return allRoutes().map(({ path }) => path);
}

/** The paths that need an API key, as the table of routes has them, without the group. */
export function dataPaths(): string[] {
  return tableOfRoutes()
    .filter(({ kind }) => kind === 'data' || kind === 'stream' || kind === 'tools')
    .map(({ path, segments = 1 }) => path.replace('*', Array<string>(segments).fill('*').join('/')))
    .map(path => path.replace('/v1/crypto/', ''))
    .map(path => (path === 'explain/*/*' ? 'explain/*' : path));
}

function tableOfRoutes(): Route[] {
  const context = { group: 'crypto', cacheBytes: 0, observer: UNOBSERVED, publicUrl: null, simulated: false };
  // The table is made of these; the rest of the context is used by requests.
  return serviceRoutes(context as unknown as ServiceContext);
}

function allRoutes(): { readonly path: string; readonly kind: Route['kind'] }[] {
  return tableOfRoutes().map(({ path, kind, segments = 1 }) => ({
    path: path.replace('*', SEGMENTS.slice(0, segments).join('/')),
    kind,
  }));
}

/** What `*` of a route stands for: an asset, and a column of it. */
const SEGMENTS = ['aldm-aldermoor', 'vol30'];

/** A path in all the ways that could make the server work: methods, codings, and conditions that are right, wrong or broken. */
export function requestsFor(path: string, apiKey: string | null): string[] {
  const credentials = apiKey === null ? '' : `X-API-Key: ${apiKey}\r\n`;
  const headers = [
    '',
    ...['br', 'zstd', 'gzip', '*', 'br;q=0.1, identity;q=0'].map(coding => `Accept-Encoding: ${coding}\r\n`),
    ...['*', 'W/"other"', '"'.repeat(100), ','.repeat(1000)].map(tags => `If-None-Match: ${tags}\r\n`),
    'Accept: text/csv\r\nAccept-Encoding: br\r\n',
  ];
  // One asset, so that a history is found; and a query that a profile refuses.
  const targets = [path, `${path}?symbol=ALDM`];
  // What follows a stream on its connection would never be answered. With an API key it is one; without one it is refused.
  const isStream = apiKey !== null && allRoutes().some(route => route.path === path && route.kind === 'stream');
  const reads = (isStream ? ['HEAD'] : ['GET', 'HEAD']).flatMap(method =>
    targets.flatMap(target =>
      headers.map(each => `${method} ${target} HTTP/1.1\r\nHost: x\r\n${credentials}${each}\r\n`),
    ),
  );
  return [...reads, ...MESSAGES.map(message => posted(path, message, credentials))];
}

/** Bodies: most routes refuse them, and one answers. */
const MESSAGES = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"screen_assets","arguments":{"where":"vol30 > 5","limit":100}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_history","arguments":{"asset":"aldm-aldermoor","limit":400}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"screen_assets","arguments":{"where":"vol > &&","colums":[1]}}}',
  `[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(100)}0]`,
  '{'.repeat(20_000),
];

function posted(path: string, body: string, credentials: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
    `${credentials}\r\n${body}`
  );
}

/**
 * Gives the server a core of its own; this process and those that it starts later have another one. Otherwise the clients that are
 * measured would compete with the server for its core. False if the machine has one core, or no `taskset`.
 */
export function separateCores({ pid }: ServerProcess): boolean {
  const pin = (core: number, process: number) =>
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${core}`, `${process}`]).status === 0;
  return availableParallelism() > 1 && pin(0, pid) && pin(1, process.pid);
}

/** The flooding process has the lowest priority, so that it does not delay the clients that are measured. */
export async function flood(options: FloodOptions): Promise<FloodResult> {
  const args = ['--disable-warning=ExperimentalWarning', FLOODER];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  child.stdin.end(JSON.stringify(options));
  return JSON.parse(await text(child.stdout));
}

/** Other clients, each with a connection of its own: they ask for a page and for the health of the server in turn. */
export class OtherClients {
  /** A virtual machine that its host stops for a moment answers late, whatever its server does. */
  readonly #times = new QuietSeconds(0.02);
  readonly #failures: string[] = [];
  readonly #ends: Promise<unknown>;
  #stopped = false;
  answers = 0;

  constructor({ url }: ServerProcess, apiKey: string, count = 4) {
    const ask = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const path of rotation(['/healthz', '/v1/crypto/ta-cur?limit=5'])) {
        if (this.#stopped) break;
        const began = performance.now();
        const answer = await answerTo(`${url}${path}`, { 'x-api-key': apiKey }, agent).catch(error => error as Error);
        this.#times.add(began, performance.now());
        this.answers++;
        if (answer instanceof Error) this.#failures.push(`${path}: ${answer.message}`);
        else if (answer.status !== 200) this.#failures.push(`${path}: ${answer.status}`);
        await wait(10);
      }
      agent.destroy();
    };
    this.#ends = Promise.all(Array.from({ length: count }, ask));
  }

  /** Seconds so far in which the host left this machine its cores. */
  get quietSeconds(): number {
    return this.#times.count;
  }

  /** `p99` is that of the quiet seconds, if there are any. */
  async stop(): Promise<{ readonly answers: number; readonly failures: readonly string[]; readonly p99: number }> {
    this.#stopped = true;
    await this.#ends;
    const { millis } = this.#times.end();
    const p99 = millis[Math.floor(millis.length * 0.99)] ?? Number.NaN;
    return { answers: this.answers, failures: this.#failures, p99 };
  }
}

function* rotation<T>(items: readonly T[]): Generator<T> {
  for (;;) yield* items;
}

/** The most memory that the process had since it was last forgotten, in megabytes. */
export function peakMemory({ pid }: ServerProcess): number {
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

export function forgetPeakMemory({ pid }: ServerProcess): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
