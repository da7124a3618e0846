// Threads that die when the process gets SIGUSR2, for `node --import`: one of them, by chance, in one of the ways in which a
// thread can die. From outside only a whole process can be killed.

import { syncBuiltinESMExports } from 'node:module';
import threads, { BroadcastChannel, isMainThread, threadId, Worker, type WorkerOptions } from 'node:worker_threads';

/** `terminated` comes closest to SIGKILL: at once, wherever the thread is. */
const DEATHS = ['terminated', 'error', 'exit', 'memory'] as const;
/** Enough to serve with, little enough to be used up soon. */
const HEAP_MB = 96;

interface Doom {
  readonly thread: number;
  readonly death: (typeof DEATHS)[number];
}

const channel = new BroadcastChannel('tidemark-test-mortality');
// It must not keep a thread from ending in order.
channel.unref();

if (isMainThread) {
  const living = new Set<Worker>();
  class MortalWorker extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
      living.add(this);
      this.on('exit', () => living.delete(this));
    }
  }
  Object.assign(threads, { Worker: MortalWorker });
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    const thread = [...living][Math.floor(Math.random() * living.size)];
    const death = DEATHS[Math.floor(Math.random() * DEATHS.length)]!;
    if (death === 'terminated') void thread?.terminate();
    else if (thread) channel.postMessage({ thread: thread.threadId, death } satisfies Doom);
  });
} else {
  channel.onmessage = event => {
    if (!('data' in event)) return;
    const { thread, death } = event.data as Doom; // nobody else writes to this channel
    if (thread === threadId) setImmediate(() => die(death));
  };
}

function die(death: Doom['death']): void {
  if (death === 'exit') process.exit(1);
  if (death === 'error') throw new Error('doomed');
  // In small pieces: a large one that does not fit ends the whole process, whatever Node does.
  let chain: unknown = null;
  for (;;) chain = { chain, load: new Array<number>(100).fill(0.5) };
}
