// The first thing that a serving thread loads: turns on the cache of compiled code, which threads do not inherit and without
// which they need three times as long to start.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';
import type { ThreadSetup } from './thread-messages.ts';

const { compiled } = workerData as ThreadSetup; // the supervisor passes just this
if (compiled !== null) enableCompileCache(compiled);
await import('./thread.ts');
