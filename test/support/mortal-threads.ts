// Threads that die when the process gets SIGUSR2, for `node --import`: one of them, by chance, in one of the ways in which a
// thread can die alone. From outside only a whole process can be killed; and a thread that runs out of memory takes the
// whole process with it, more often than not, which is a server killed.

import { BroadcastChannel, isMainThread, threadId, type Worker } from 'node:worker_threads';

/** `terminated` comes closest to SIGKILL: at once, wherever the thread is. */
const DEATHS = ['terminated', 'error', 'exit'] as const;

interface Doom {
  readonly thread: number;
  readonly death: (typeof DEATHS)[number];
}

const channel = new BroadcastChannel('tidemark-test-mortality');
// It must not keep a thread from ending in order.
channel.unref();

if (isMainThread) {
  const living = new Set<Worker>();
  process.on('worker', thread => {
    living.add(thread);
    thread.on('exit', () => living.delete(thread));
  });
  process.on('SIGUSR2', () => {
    const thread = [...living][Math.floor(Math.random() * living.size)];
    const death = DEATHS[Math.floor(Math.random() * DEATHS.length)]!;
    if (death === 'terminated') void thread?.terminate();
    else if (thread) channel.postMessage({ thread: thread.threadId, death } satisfies Doom);
  });
} else {
  channel.onmessage = event => {
    if (!('data' in event)) return;
    const { thread, death } = event.data as Doom; // only this file writes to the channel
    if (thread === threadId) setImmediate(() => die(death));
  };
}

function die(death: Doom['death']): void {
  if (death === 'exit') process.exit(1);
  throw new Error('doomed');
}
