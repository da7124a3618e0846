// The real program in processes of its own: a server to ask, and commands that run to their end.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const launcher = join(import.meta.dirname, '../../scripts/launch.js');
const settings = join(import.meta.dirname, '../../scripts/process-settings.sh');

/** The options with which Node runs the command. */
function nodeOptions(args: readonly string[]): string[] {
  const printed = execFileSync('sh', ['-c', '. "$0"; echo $node_options', settings, ...args], { encoding: 'utf8' });
  return printed.trim().split(' ');
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...nodeOptions(args), launcher, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A test that wants a snapshot kept says where; and a machine that runs other tests meanwhile is slow without being asked much.
    env: {
      ...process.env,
      TIDEMARK_KEEP: 'off',
      TIDEMARK_SHED_AFTER: '0',
      TIDEMARK_NO_TICKS: process.env['TIDEMARK_NO_TICKS'] ?? 'true',
    },
  });
}

export class ServerProcess {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #said: { stderr: string };

  /** `tidemark serve` on a free port. */
  static async start(...args: readonly string[]): Promise<ServerProcess> {
    const child = start(['serve', '--port', '0', '--json', ...args]);
    const said = { stderr: '' };
    child.stderr?.setEncoding('utf8').on('data', text => {
      said.stderr += text;
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      return new ServerProcess(JSON.parse(line).address, child, said);
    }
    throw new Error(`the server ended before it listened: ${said.stderr}`);
  }

  private constructor(url: string, child: ChildProcess, said: { stderr: string }) {
    this.url = url;
    this.#child = child;
    this.#said = said;
  }

  get pid(): number {
    return this.#child.pid!; // it listened
  }

  /** What it has said on standard error. */
  get stderr(): string {
    return this.#said.stderr;
  }

  /** Its output is not read from now on. */
  stopReading(): void {
    this.#child.stderr?.removeAllListeners('data').pause();
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** The exit code, once it has ended; null when a signal has ended it. */
  async ended(): Promise<number | null> {
    if (this.running) await once(this.#child, 'close');
    return this.#child.exitCode;
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

/** Runs a command of the program to its end and fails unless it succeeds. */
export async function tidemark(...args: readonly string[]): Promise<void> {
  const child = start(args);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      said += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`tidemark ${args.join(' ')} ended with ${code}: ${said}`);
}
