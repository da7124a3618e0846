// The real `./tidemark`: a server whose log is read and counted, and commands that run to their end.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const tidemark = join(import.meta.dirname, '../../../tidemark');
/** What no line of a log may tell during a soak. */
const FAILURES = /"event":"(?:request_failed|thread_failed|thread_ended|store_failed|keep_failed)"/;
const FAILURES_KEPT = 20;

/** Runs a command and returns what it printed; fails unless it succeeds. */
export async function run(...args: readonly string[]): Promise<string> {
  const child = spawn(tidemark, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', text => {
      said[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`tidemark ${args.join(' ')} ended with ${code}: ${said.stderr}`);
  return said.stdout;
}

export class SoakServer {
  readonly url: string;
  readonly pid: number;
  /** Lines of the log that tell of a failure. */
  readonly failures: string[] = [];
  #logBytes = 0;
  readonly #child: ChildProcess;

  static async start(...args: readonly string[]): Promise<SoakServer> {
    const child = spawn(tidemark, ['serve', '--port', '0', '--json', '--log', 'json', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      return new SoakServer(child, JSON.parse(line).address);
    }
    throw new Error('the server ended before it listened');
  }

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.pid = child.pid!; // it has answered
    createInterface({ input: child.stderr! }).on('line', line => {
      this.#logBytes += line.length + 1;
      if (FAILURES.test(line) && this.failures.length < FAILURES_KEPT) this.failures.push(line);
    });
  }

  get logBytes(): number {
    return this.#logBytes;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns the exit code. */
  async stop(): Promise<number | null> {
    if (this.running) {
      const closed = once(this.#child, 'close');
      this.#child.kill('SIGTERM');
      await closed;
    }
    return this.#child.exitCode;
  }
}
