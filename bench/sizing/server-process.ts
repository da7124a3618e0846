// A server on a store, as a process of its own, for what is measured of it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Measured, measured } from '../ingest/files.ts';

const launcher = join(import.meta.dirname, '../../scripts/launch.js');
const NODE_ARGS = ['--disable-warning=ExperimentalWarning', launcher];

export function tidemark(...args: readonly string[]): Promise<Measured> {
  return measured(process.execPath, [...NODE_ARGS, ...args]);
}

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly address: string;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  /** Ready when this returns. */
  static async start(store: string, ...args: readonly string[]): Promise<ServerProcess> {
    const all = [...NODE_ARGS, 'serve', '--port', '0', '--json', '--open', '--store', store, ...args];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the server ended')));
    const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => {});
    const { address } = JSON.parse(String(line)) as { address: string }; // what `--json` writes first
    while (!(await fetch(`${address}/readyz`)).ok) await wait(5);
    return new ServerProcess(child, address);
  }

  async version(): Promise<number> {
    const answer = await fetch(`${this.address}/v1/crypto/ta-cur?limit=1`);
    await answer.arrayBuffer();
    return Number(answer.headers.get('x-data-version'));
  }

  get memoryBytes(): number {
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }
}
