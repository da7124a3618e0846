// The first thing that a serving thread loads: turns on the cache of compiled code, which threads do not inherit and without
// which they need three times as long to start. Plain JavaScript: types in it would have to be stripped before there is a cache,
// and to load what strips them takes longer than all the rest.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {Pick<import('./thread-messages.ts').ThreadSetup, 'compiled'>} */
const { compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import('./thread.ts');
