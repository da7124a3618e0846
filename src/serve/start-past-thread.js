// The first thing that the builder of past days loads; see start-thread.js.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {import('./past-thread.ts').PastThreadSetup} */
const { compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import('./past-thread.ts');
