// The first thing that the helper of the builder loads; see ../serve/start-thread.js.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {import('./work-helper.ts').WorkThreadSetup} */
const { compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import('./work-thread.ts');
