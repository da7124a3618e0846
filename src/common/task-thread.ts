// A thread for work that must not hold up the one that starts it: started with the first task, and again after it failed.

import { type ResourceLimits, Worker } from 'node:worker_threads';
import { threadGivesWay } from './give-way.ts';
import { HintedError } from './hinted-error.ts';

/** What the thread posts for each task; an error as its stack, and as its words if a person can act on it. */
export type TaskResult<Result> =
  | { readonly result: Result }
  | { readonly error: string; readonly words?: Pick<HintedError, 'message' | 'hint'> | undefined };

/** An error of a thread that a person can act on. */
class TaskError extends HintedError {}

export class TaskThread<Task, Result> {
  readonly #script: URL;
  readonly #setup: object;
  readonly #onFailure: (stack: string) => void;
  readonly #resourceLimits: ResourceLimits;
  #thread: Worker | null = null;

  constructor(script: URL, setup: object, onFailure: (stack: string) => void, resourceLimits: ResourceLimits = {}) {
    this.#resourceLimits = resourceLimits;
    this.#script = script;
    this.#setup = setup;
    this.#onFailure = onFailure;
  }

  /** To be called again only after the task before is done, or failed. */
  run(task: Task): Promise<Result> {
    const [workerData, resourceLimits] = [this.#setup, this.#resourceLimits];
    const thread = this.#thread ?? new Worker(this.#script, { workerData, resourceLimits });
    this.#thread = thread;
    return new Promise((resolve, reject) => {
      const fail = (stack: string, words?: Pick<HintedError, 'message' | 'hint'>) => {
        this.#onFailure(stack);
        reject(words === undefined ? new Error(`a thread failed: ${stack}`) : new TaskError(words.message, words.hint));
      };
      const onExit = () => {
        if (this.#thread === thread) this.#thread = null;
        fail('the thread ended');
      };
      const onError = (error: Error) => this.#onFailure(error.stack ?? error.message);
      thread.once('exit', onExit);
      thread.once('error', onError);
      thread.once('message', (done: TaskResult<Result>) => {
        thread.off('exit', onExit);
        thread.off('error', onError);
        if ('result' in done) resolve(done.result);
        else fail(done.error, done.words);
      });
      thread.postMessage(task);
    });
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }
}

/** In the thread: does each task that is posted. The threads that serve go first, if the system has priorities of threads. */
export function doTasks<Task, Result>(
  port: { on(event: 'message', listener: (task: Task) => void): unknown; postMessage(message: unknown): void },
  work: (task: Task) => Promise<Result>,
): void {
  threadGivesWay();
  port.on('message', async task => {
    const done: TaskResult<Result> = await work(task).then(
      result => ({ result }),
      error => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        words: error instanceof HintedError ? { message: error.message, hint: error.hint } : undefined,
      }),
    );
    port.postMessage(done);
  });
}
