// A serving thread as it is, except that the one that is called by its number dies of an uncaught error.

import { BroadcastChannel, threadId } from 'node:worker_threads';
import '../../../src/serve/thread.ts';
import { KILL_CHANNEL } from './kill-channel.ts';

const killChannel = new BroadcastChannel(KILL_CHANNEL);
// It must not keep the thread from ending in order.
killChannel.unref();
killChannel.onmessage = event => {
  if ('data' in event && event.data === threadId) setImmediate(() => Promise.reject(new Error('killed by the test')));
};
