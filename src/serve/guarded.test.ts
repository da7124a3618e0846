import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ServiceEvent } from '../observe/events.ts';
import { guarded } from './guarded.ts';

it('logs a failure once until the work succeeds again, and never fails itself', async () => {
  const events: ServiceEvent[] = [];
  let fault: unknown = null;
  const run = guarded(
    'moving prices',
    event => events.push(event),
    () => {
      if (fault !== null) throw fault;
    },
  );
  fault = new Error('ENOENT');
  await run();
  await run();
  fault = null;
  await run();
  fault = 'not an error';
  await run();
  const stacks = events.map(event => (event.event === 'task_failed' ? [event.task, event.stack.split('\n')[0]] : []));
  assert.deepEqual(stacks, [
    ['moving prices', 'Error: ENOENT'],
    ['moving prices', 'not an error'],
  ]);
});
