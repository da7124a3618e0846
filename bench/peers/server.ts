// A server of any kind as a process group of its own: how soon it answers, and how much memory it takes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

export class PeerServer {
  readonly url: string;
  /** From the command to the first response. */
  readonly startSeconds: number;
  readonly #pid: number;
  readonly #ended: Promise<unknown>;

  /** `probe` is a path that is answered with 200 once the server has its data. */
  static async start(command: readonly string[], port: number, probe: string): Promise<PeerServer> {
    const [program = '', ...args] = command;
    const began = performance.now();
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    const ended = once(child, 'close');
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(url + probe).then(
        answer => answer.ok,
        () => false,
      );
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      if (performance.now() - began > TIMEOUT_MS) throw new Error(`${program} did not answer ${probe}`);
      await wait(5);
    }
    return new PeerServer(url, (performance.now() - began) / 1000, child.pid!, ended);
  }

  private constructor(url: string, startSeconds: number, pid: number, ended: Promise<unknown>) {
    this.url = url;
    this.startSeconds = startSeconds;
    this.#pid = pid;
    this.#ended = ended;
  }

  /** Of all its processes, in bytes. */
  residentBytes(): number {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .reduce((sum, pid) => sum + residentIn(pid, this.#pid), 0);
  }

  async stop(): Promise<void> {
    process.kill(-this.#pid, 'SIGKILL');
    await this.#ended;
  }
}

/** 0 unless the process belongs to the group. */
function residentIn(pid: string, group: number): number {
  try {
    // After the name of the program, which ends with the last bracket: state, parent, group.
    const [, , own] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(own) === group ? 1024 * Number(kilobytes) : 0;
  } catch {
    return 0; // it has ended meanwhile
  }
}
