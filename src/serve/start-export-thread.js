// The first thing that the writer of exports loads; see start-thread.js.

import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** @type {import('./export-thread.ts').ExportThreadSetup} */
const { compiled } = workerData;
if (compiled !== null) enableCompileCache(compiled);
await import('./export-thread.ts');
