// The thread that helps to build the snapshots of large tables, as the thread that builds them sees it. Lists of work are done one at a
// time, and the builder waits for the end of each.

import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Work } from './work.ts';
import { type WorkStates, waitForWork } from './work-states.ts';

export interface WorkBatch {
  readonly number: number;
  readonly works: readonly Work[];
  readonly states: WorkStates;
  /** Of the memory that the work uses, roughly. */
  readonly bytes: number;
}

/** Not sent for work that makes nothing besides what it writes. */
export interface WorkResult {
  /** Of the batch. */
  readonly number: number;
  readonly i: number;
  readonly made: unknown;
}

export interface WorkThreadSetup {
  readonly port: MessagePort;
  /** Where compiled code is kept; null if it is not. */
  readonly compiled: string | null;
}

const THREAD = new URL('./start-work-thread.js', import.meta.url);
/** No piece of work takes this long unless the machine is overloaded or the helper has failed. */
const WAIT_MS = 5000;

let running: WorkHelper | null = null;

export class WorkHelper {
  readonly #worker: Worker;
  /** Read without the event loop, which does not run while a snapshot is built. */
  readonly #port: MessagePort;
  #batches = 0;

  /** One per thread that builds. It does not keep the process alive. */
  static running(): WorkHelper {
    running ??= new WorkHelper();
    return running;
  }

  constructor() {
    const { port1, port2 } = new MessageChannel();
    // Each version of Node keeps its code in a folder of its own below the one that was named.
    const compiled = getCompileCacheDir();
    const workerData: WorkThreadSetup = { port: port2, compiled: compiled === undefined ? null : dirname(compiled) };
    this.#port = port1;
    this.#worker = new Worker(THREAD, { workerData, transferList: [port2] });
    this.#worker.unref();
    this.#worker.on('error', () => this.#stop());
  }

  begin(batch: Omit<WorkBatch, 'number'>): void {
    this.#port.postMessage({ number: ++this.#batches, ...batch } satisfies WorkBatch);
  }

  /** Waits for what the helper has taken, and returns what it made. */
  finish(states: WorkStates): Map<number, unknown> {
    if (![...states.keys()].every(i => waitForWork(states, i, WAIT_MS))) this.#stop();
    const made = new Map<number, unknown>();
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      const { number, i, made: result } = next.message as WorkResult; // the helper posts nothing else
      if (number === this.#batches) made.set(i, result);
    }
    return made;
  }

  /** The builder does the rest alone, and the next list gets another helper. */
  #stop(): void {
    if (running === this) running = null;
    void this.#worker.terminate();
  }
}
