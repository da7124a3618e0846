// A thread for work that must not hold up the one that starts it: started with the first task, and again after it failed.

import type { ResourceLimits, Worker } from 'node:worker_threads';
import { Channel } from './channel.ts';
import { HintedError } from './hinted-error.ts';
import { lowerThreadPriority } from './lower-priority.ts';
import { startThread } from './thread.ts';

interface Tasks<Task, Result> {
  run(task: Task): Result;
}

interface Running<Task, Result> {
  readonly worker: Worker;
  readonly channel: Channel<object, Tasks<Task, Result>>;
}

export class TaskThread<Task, Result> {
  readonly #script: URL;
  readonly #setup: object;
  readonly #onFailure: (stack: string) => void;
  readonly #resourceLimits: ResourceLimits;
  #thread: Running<Task, Result> | null = null;
  #isStopped = false;
  readonly #idleMs: number;
  #tasks = 0;
  #idle: NodeJS.Timeout | undefined;

  /** `idleMs`: a thread without tasks for so long ends, because it would keep the memory of the last one. */
  constructor(
    script: URL,
    setup: object,
    onFailure: (stack: string) => void,
    {
      resourceLimits = {},
      idleMs = Number.POSITIVE_INFINITY,
    }: { resourceLimits?: ResourceLimits; idleMs?: number } = {},
  ) {
    this.#resourceLimits = resourceLimits;
    this.#idleMs = idleMs;
    this.#script = script;
    this.#setup = setup;
    this.#onFailure = onFailure;
  }

  /** Several tasks at once share the thread. */
  async run(task: Task): Promise<Result> {
    this.#thread ??= this.#start();
    this.#tasks++;
    clearTimeout(this.#idle);
    try {
      return await this.#thread.channel.request('run', task);
    } catch (error) {
      const stack = stackOf(error);
      // What a stop has ended did not fail.
      if (!this.#isStopped) this.#onFailure(stack);
      throw error instanceof HintedError ? error : new Error(`a thread failed: ${stack}`);
    } finally {
      if (--this.#tasks === 0 && Number.isFinite(this.#idleMs)) {
        this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.worker.terminate();
  }

  #start(): Running<Task, Result> {
    const worker = startThread(this.#script, this.#setup, { resourceLimits: this.#resourceLimits });
    const channel = new Channel<object, Tasks<Task, Result>>(worker, {});
    worker.on('error', error => this.#onFailure(stackOf(error)));
    worker.on('exit', () => {
      if (this.#thread?.worker === worker) this.#thread = null;
      channel.close(new Error('the thread ended'));
    });
    return { worker, channel };
  }
}

/** What is meant for people, such as a store that is away, has no stack. */
function stackOf(error: unknown): string {
  if (error instanceof HintedError) return `${error.message}; ${error.hint}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** In the thread: does each task. The threads that serve go first, if the system has priorities of threads. */
export function doTasks<Task, Result>(
  port: ConstructorParameters<typeof Channel<Tasks<Task, Result>, object>>[0],
  work: (task: Task) => Promise<Result>,
): void {
  lowerThreadPriority();
  new Channel<Tasks<Task, Result>, object>(port, { run: work });
}
