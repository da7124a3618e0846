// A thread that helps to build the snapshots of large tables: takes one piece of work after the other from the front of a list.

import { constants, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { externalMemory } from './shared-memory.ts';
import { doWork } from './work.ts';
import type { WorkBatch, WorkResult, WorkThreadSetup } from './work-helper.ts';
import { WorkMemory } from './work-memory.ts';
import { finishWork, takeWork } from './work-states.ts';

const { port } = workerData as WorkThreadSetup; // the builder passes just this

try {
  // On Linux, of this thread alone: the threads that answer requests go first.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Where the system does not allow it, the thread runs as it is.
}

port.on('message', ({ number, works, states, bytes }: WorkBatch) => {
  const memory = new WorkMemory();
  for (const [i, work] of works.entries()) {
    if (!takeWork(states, i)) continue;
    try {
      const made = doWork(work, memory);
      if (made !== null) port.postMessage({ number, i, made } satisfies WorkResult);
      finishWork(states, i);
    } catch {
      // The builder does it again, and fails with a stack that leads to it.
      finishWork(states, i, true);
    }
  }
  // When this batch is no longer used: V8 does not count its memory, and would keep it.
  setImmediate(externalMemory, bytes);
});
