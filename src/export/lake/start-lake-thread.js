// The first thing that a thread of an export loads: turns on the cache of compiled code, which threads do not inherit. It needs no type
// stripping itself.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {import('./lake-thread.ts').LakeThreadSetup} */
const { compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import('./lake-thread.ts');
