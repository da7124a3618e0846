// Starts the thread that builds the snapshots of past days when the first one is requested, and again after it failed.

import { Worker } from 'node:worker_threads';
import type { Day } from '../domain/day.ts';
import type { SnapshotDescriptor } from '../snapshot/share.ts';
import type { BuiltPast, PastThreadSetup } from './past-thread.ts';

const THREAD = new URL('./start-past-thread.js', import.meta.url);

export class PastBuilder {
  readonly #setup: PastThreadSetup;
  readonly #onFailure: (stack: string) => void;
  #thread: Worker | null = null;

  constructor(storeUrl: string, compiled: string | null, onFailure: (stack: string) => void) {
    this.#setup = { storeUrl, compiled };
    this.#onFailure = onFailure;
  }

  /** To be called again only after the day before was built, or failed. */
  build(day: Day): Promise<SnapshotDescriptor> {
    const thread = this.#thread ?? new Worker(THREAD, { workerData: this.#setup });
    this.#thread = thread;
    return new Promise((resolve, reject) => {
      const fail = (stack: string) => {
        this.#onFailure(stack);
        reject(new Error('the snapshot of a past day could not be built'));
      };
      const onExit = () => {
        if (this.#thread === thread) this.#thread = null;
        fail('the thread that builds the snapshots of past days ended');
      };
      const onError = (error: Error) => this.#onFailure(error.stack ?? error.message);
      thread.once('exit', onExit);
      thread.once('error', onError);
      thread.once('message', (built: BuiltPast) => {
        thread.off('exit', onExit);
        thread.off('error', onError);
        if ('snapshot' in built) resolve(built.snapshot);
        else fail(built.error);
      });
      thread.postMessage(day);
    });
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }
}
