import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { TaskThread } from './task-thread.ts';

const skip = process.platform !== 'linux' && 'only Linux has priorities of threads';

const failures: string[] = [];

function threadOf(script: string): TaskThread<string, unknown> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  return new TaskThread(url, {}, stack => failures.push(stack));
}

it('a thread for tasks gives way to the threads that serve', { skip }, async () => {
  const before = getPriority();
  const script = `
    import { getPriority } from 'node:os';
    import { parentPort } from 'node:worker_threads';
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async () => getPriority());`;
  const thread = threadOf(script);
  assert.equal(await thread.run('a task'), Math.max(before, 10));
  assert.equal(getPriority(), before);
  await thread.stop();
});

describe('a thread for tasks that fails', () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async task => {
      if (task === 'fail') throw new Error('cannot do it');
      if (task === 'end') process.exit();
      return task;
    });`;

  it('rejects the task, reports why, and does the next one', async () => {
    const thread = threadOf(script);
    await assert.rejects(thread.run('fail'), /cannot do it/);
    await assert.rejects(thread.run('end'), /the thread ended/);
    assert.equal(await thread.run('next'), 'next');
    assert.deepEqual(
      failures.map(stack => stack.split('\n')[0]),
      ['Error: cannot do it', 'Error: the thread ended'],
    );
    await thread.stop();
  });
});

it('a task that is ended by a stop is rejected, and not reported as a failure', async () => {
  const thread = threadOf(`
    import { parentPort } from 'node:worker_threads';
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, task => (task === 'last' ? new Promise(() => {}) : task));`);
  assert.equal(await thread.run('first'), 'first');
  const before = failures.length;
  const last = assert.rejects(thread.run('last'), /the thread ended/);
  await thread.stop();
  await last;
  assert.equal(failures.length, before);
});

it('a thread without tasks ends after a while, and the next task starts another one', async () => {
  const script = `
    import { parentPort, threadId } from 'node:worker_threads';
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async () => threadId);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const thread = new TaskThread<string, number>(url, {}, stack => failures.push(stack), { idleMs: 1 });
  const before = failures.length;
  const first = await thread.run('one');
  let next = first;
  while (next === first) {
    await wait(20);
    next = await thread.run('another');
  }
  assert.equal(failures.length, before);
  await thread.stop();
});

it('what a person can do about an error in the thread is told', async () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { FileError } from ${JSON.stringify(new URL('./file-fault.ts', import.meta.url))};
    import { doTasks } from ${JSON.stringify(new URL('./task-thread.ts', import.meta.url))};
    doTasks(parentPort, async () => { throw new FileError('full', 'no space is left', 'free some'); });`;
  const thread = threadOf(script);
  await assert.rejects(thread.run('a task'), { message: 'no space is left', hint: 'free some' });
  await thread.stop();
});
