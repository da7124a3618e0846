// A serving thread as it is, except that the one that is called by its number dies of an error that nobody catches.

import { BroadcastChannel, threadId } from 'node:worker_threads';
import '../../../src/serve/thread.ts';
import { DOOM } from './doom.ts';

const doom = new BroadcastChannel(DOOM);
// It must not keep the thread from ending in order.
doom.unref();
doom.onmessage = event => {
  if ('data' in event && event.data === threadId) setImmediate(() => Promise.reject(new Error('doomed')));
};
