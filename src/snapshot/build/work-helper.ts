// The thread that helps to build the snapshots of large tables, as the thread that builds them sees it. It does one list of work after
// the other, and the builder waits for the end of each.

import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { moduleBeside, startThread } from '../../common/thread.ts';
import type { Work } from './work.ts';
import { type WorkStates, waitForWork } from './work-states.ts';

export interface WorkBatch {
  readonly number: number;
  readonly works: readonly Work[];
  readonly states: WorkStates;
  /** Of the memory that the work uses, roughly. */
  readonly bytes: number;
}

/** Not sent for work without output. */
export interface WorkResult {
  /** Of the batch. */
  readonly number: number;
  readonly i: number;
  readonly output: unknown;
}

export interface WorkThreadSetup {
  readonly port: MessagePort;
}

const THREAD = moduleBeside(import.meta.url, 'work-thread');
/** No piece of work takes this long unless the machine is overloaded or the helper has failed. */
const WAIT_MS = 20_000;

let running: WorkHelper | null = null;

export class WorkHelper {
  readonly #worker: Worker;
  /** Read without the event loop, which does not run while a snapshot is built. */
  readonly #port: MessagePort;
  #batches = 0;
  /** By batch. */
  readonly #results = new Map<number, Map<number, unknown>>();

  /** One per thread that builds. It does not keep the process alive. */
  static running(): WorkHelper {
    running ??= new WorkHelper();
    return running;
  }

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = startThread(THREAD, { port: port2 } satisfies WorkThreadSetup, { transferList: [port2] });
    this.#worker.unref();
    this.#worker.on('error', () => this.#stop());
  }

  /** Returns the number of the batch, which the helper does after those before it. */
  begin(batch: Omit<WorkBatch, 'number'>): number {
    const number = ++this.#batches;
    this.#results.set(number, new Map());
    this.#port.postMessage({ number, ...batch } satisfies WorkBatch);
    return number;
  }

  /** Waits for what the helper has taken of a batch, and returns its output. */
  finish(batch: number, states: WorkStates): Map<number, unknown> {
    if (![...states.keys()].every(i => waitForWork(states, i, WAIT_MS))) this.#stop();
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      const { number, i, output } = next.message as WorkResult; // the helper posts nothing else
      this.#results.get(number)?.set(i, output);
    }
    const output = this.#results.get(batch) ?? new Map<number, unknown>();
    this.#results.delete(batch);
    return output;
  }

  /** The builder does the rest alone, and the next list gets another helper. */
  #stop(): void {
    if (running === this) running = null;
    void this.#worker.terminate();
  }
}
