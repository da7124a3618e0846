// HAProxy with the configuration that deploy/ recommends, in front of two servers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireProgram } from '../../support/debian-program.ts';
import { freePort } from '../../support/postgres.ts';

const CONFIGURATION = join(import.meta.dirname, '../../../deploy/haproxy.cfg');
const HAPROXY = { title: 'HAProxy', names: ['haproxy'], package: 'haproxy', variable: 'HAPROXY' };
const START_MS = 20_000;

export class Balancer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly #child: ChildProcess;
  #said = '';

  /** Returns when it sends requests to the servers. */
  static async start(ports: readonly [number, number]): Promise<Balancer> {
    const bind = `127.0.0.1:${await freePort()}`;
    const [one, two] = ports.map(port => `127.0.0.1:${port}`);
    const child = spawn(requireProgram(HAPROXY), ['-db', '-f', CONFIGURATION], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BIND: bind, SERVER_1: one, SERVER_2: two },
    });
    const balancer = new Balancer(`http://${bind}`, child);
    const giveUp = performance.now() + START_MS;
    while (
      !(await fetch(`${balancer.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (performance.now() > giveUp || child.exitCode !== null)
        throw new Error(`HAProxy did not start: ${balancer.said}`);
      await wait(20);
    }
    return balancer;
  }

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', text => {
        this.#said += text;
      });
    }
  }

  /** Which servers came and went, and what it thinks of its configuration. */
  get said(): string {
    return this.#said;
  }

  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
  }
}
