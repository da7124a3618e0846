import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { TaskThread } from './task-thread.ts';

const skip = process.platform !== 'linux' && 'only Linux has priorities of threads';

it('a thread for tasks gives way to the threads that serve', { skip }, async () => {
  const before = getPriority();
  const script = `
    import { getPriority } from 'node:os';
    import { parentPort } from 'node:worker_threads';
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async () => getPriority());`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const answer = new Promise(resolve => thread.once('message', resolve));
  thread.postMessage('a task');
  assert.deepEqual(await answer, { result: Math.max(before, 10) });
  assert.equal(getPriority(), before);
  await thread.terminate();
});

it('what a person can do about an error in the thread is told', async () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { FileError } from ${JSON.stringify(new URL('./file-fault.ts', import.meta.url))};
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async () => { throw new FileError('full', 'no space is left', 'free some'); });`;
  const thread = new TaskThread(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {}, () => {});
  await assert.rejects(thread.run('a task'), { message: 'no space is left', hint: 'free some' });
  await thread.stop();
});
