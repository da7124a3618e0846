// One attack on one server, with good clients before and during it, in a process of its own; prints what was seen as JSON.
//
//   node test/resilience/load/attack-scene.ts '{"server":["…"],"attack":"silence","connections":1000,"reopen":false,"quietMs":3000,"attackMs":3000,"pauseMs":10}'

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { AttackName, AttackOptions, AttackResult } from './attacker.ts';
import { GOOD_CLIENTS, GoodClients, type Seen } from './good-clients.ts';

const ATTACKER = join(import.meta.dirname, 'attacker.ts');

export interface SceneOptions {
  /** What Node runs: it prints a line of JSON with its `address`. */
  readonly server: readonly string[];
  readonly attack: AttackName;
  readonly connections: number;
  /** Attacks on for as long as the scene lasts; otherwise the scene lasts until the server has closed all its connections. */
  readonly reopen: boolean;
  readonly quietMs: number;
  readonly attackMs: number;
  /** Of each good client, between its requests. */
  readonly pauseMs: number;
  /** How long the server is given to close them. */
  readonly timeoutMs: number;
}

export interface Usage {
  readonly openFiles: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

export interface Scene {
  readonly quiet: Seen;
  readonly attacked: Seen;
  readonly attack: AttackResult;
  /** Of the server: without clients; under attack; when it has closed the attacker's connections; when all clients are gone. */
  readonly usage: { readonly idle: Usage; readonly attacked: Usage; readonly cut: Usage; readonly after: Usage };
  /** At any moment of the attack. */
  readonly mostResidentBytes: number;
}

async function play(options: SceneOptions): Promise<Scene> {
  const server = spawn(process.execPath, [...options.server], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { address } = JSON.parse(await firstLine(server)) as { address: string };
  const use = () => usageOf(server.pid!);
  try {
    await goodClientsFor(address, options.pauseMs, options.quietMs / 3); // to warm up
    await wait(200);
    const idle = use();
    const quiet = await goodClientsFor(address, options.pauseMs, options.quietMs);
    let mostResidentBytes = 0;
    const watching = setInterval(() => {
      mostResidentBytes = Math.max(mostResidentBytes, use().residentBytes);
    }, 100);
    const clients = new GoodClients(address, options.pauseMs);
    const attacker = await Attackers.start({ ...options, port: Number(new URL(address).port) });
    await wait(options.attackMs);
    const attacked = use();
    // The attacker cannot tell: a slow reader is the last to see the end of the connection.
    const openAtMost = async (files: number) => {
      const giveUp = performance.now() + options.timeoutMs;
      while (use().openFiles > files && performance.now() < giveUp) await wait(50);
      return use();
    };
    const cut = options.reopen ? attacked : await openAtMost(idle.openFiles + GOOD_CLIENTS);
    const seen = await clients.stop();
    const attack = await attacker.end();
    clearInterval(watching);
    const usage = { idle, attacked, cut, after: await openAtMost(idle.openFiles) };
    return { quiet, attacked: seen, attack, usage, mostResidentBytes };
  } finally {
    const closed = once(server, 'close');
    server.kill('SIGTERM');
    await closed;
  }
}

async function goodClientsFor(address: string, pauseMs: number, millis: number): Promise<Seen> {
  const clients = new GoodClients(address, pauseMs);
  await wait(millis);
  return clients.stop();
}

class Attackers {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** Returns when all connections were opened. */
  static async start({ port, attack, connections, reopen }: AttackOptions): Promise<Attackers> {
    const options: AttackOptions = { port, attack, connections, reopen };
    const child = spawn(process.execPath, [ATTACKER, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
    const attackers = new Attackers(child);
    await attackers.#lines.next();
    return attackers;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  }

  async #result(): Promise<AttackResult> {
    this.#child.stdin?.write('\n');
    return JSON.parse((await this.#lines.next()).value);
  }

  async end(): Promise<AttackResult> {
    const result = await this.#result();
    this.#child.stdin?.end();
    await once(this.#child, 'close');
    return result;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('the server ended before it listened');
}

function usageOf(pid: number): Usage {
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  // The name of the program, which may have spaces, ends with the last bracket; user and system time are in hundredths of a second.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return {
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    residentBytes: Number(kilobytes) * 1024,
    cpuSeconds: (Number(stat[11]) + Number(stat[12])) / 100,
  };
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? '{}') as SceneOptions; // from the parent process
  process.stdout.write(`${JSON.stringify(await play(options))}\n`);
}
