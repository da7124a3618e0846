// A thread that helps to build the snapshots of large tables: takes one piece of work after the other from the front of a list.

import { workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../common/lower-priority.ts';
import { externalMemory } from '../columns/shared-memory.ts';
import { WorkMemory } from '../columns/work-memory.ts';
import { doWork } from './work.ts';
import type { WorkBatch, WorkResult, WorkThreadSetup } from './work-helper.ts';
import { finishWork, takeWork } from './work-states.ts';

const { port } = workerData as WorkThreadSetup; // the builder passes just this

lowerThreadPriority();

port.on('message', ({ number, works, states, bytes }: WorkBatch) => {
  const memory = new WorkMemory();
  for (const [i, work] of works.entries()) {
    if (!takeWork(states, i)) continue;
    try {
      const output = doWork(work, memory);
      if (output !== null) port.postMessage({ number, i, output } satisfies WorkResult);
      finishWork(states, i);
    } catch {
      // The builder does it again, and fails with a stack that leads to it.
      finishWork(states, i, true);
    }
  }
  // V8 does not count shared memory, so it is made to collect this batch, in a turn in which nothing refers to it.
  setImmediate(externalMemory, bytes);
});
