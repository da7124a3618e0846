// The first thing that every thread loads: turns on the cache of compiled code, which threads do not inherit and without which they need
// three times as long to start. Plain JavaScript: types in it would have to be stripped before there is a cache, and to load what
// strips them takes longer than all the rest.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {import('./thread.ts').ThreadStart} */
const { script, compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import(script);
