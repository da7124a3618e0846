// A thread that writes parts of an export, all from one point in time of the store.

import { parentPort, workerData } from 'node:worker_threads';
import { doTasks } from '../../common/task-thread.ts';
import { baseOf } from '../../domain/interval.ts';
import { intervalBenchmark, publishedQuote, publishedSpans } from '../../history/published-spans.ts';
import { SettledSeries } from '../../history/quoted-series.ts';
import { openStore } from '../../store/open.ts';
import type { StoreView } from '../../store/store.ts';
import { writePairFiles } from './freqtrade-files.ts';
import type { ManifestFile } from './manifest.ts';
import { writePart } from './part-writer.ts';
import { type HistoryRequest, intervalOf, type Part } from './plan.ts';

export interface LakeThreadSetup {
  readonly storeUrl: string;
  readonly request: HistoryRequest;
  readonly folder: string;
  readonly createdBy: string;
  /** Assets and rows that are done, of all threads together. */
  readonly progress: SharedArrayBuffer;
}

/** The version that the thread sees, or a part to write. */
export type LakeTask = { readonly kind: 'version' } | { readonly kind: 'part'; readonly part: Part };
export type LakeResult = { readonly version: number } | { readonly files: readonly ManifestFile[] };

if (parentPort === null) throw new Error('a thread of an export is started by the export');
const { storeUrl, progress, ...context } = workerData as LakeThreadSetup; // the export passes just this
const done = new BigInt64Array(progress);

const view = new Promise<StoreView>((resolve, reject) => {
  openStore(storeUrl, { create: false })
    .then(store =>
      store.readConsistently(found => {
        resolve(found);
        // Until the thread ends.
        return new Promise<never>(() => {});
      }),
    )
    .catch(reject);
});
// The first task reports it.
view.catch(() => {});
const version = view.then(found => found.version());
version.catch(() => {});
const { quote } = context.request;
/** What the rows are computed with besides the bars. */
const inputs =
  context.request.inclCols !== '' || quote !== undefined
    ? view.then(async found => {
        const interval = intervalOf(context.request);
        const current = await found.currentSince(0);
        const spans = await publishedSpans(found, interval, current.rows);
        const quoteCloses =
          quote === undefined ? null : await publishedQuote(found, interval, spans, quote.assetNumber);
        const stored = found.series(baseOf(interval));
        const series = quoteCloses === null ? stored : new SettledSeries(stored, quoteCloses);
        return { quoteCloses, benchmark: await intervalBenchmark(found, current, interval, spans, series) };
      })
    : Promise.resolve({ quoteCloses: null, benchmark: null });
inputs.catch(() => {});

doTasks(parentPort, async (task: LakeTask): Promise<LakeResult> => {
  if (task.kind === 'version') return { version: await version };
  const onProgress = (rows: number) => {
    Atomics.add(done, 0, 1n);
    Atomics.add(done, 1, BigInt(rows));
  };
  const { freqtrade } = context.request;
  const partContext = { ...context, version: await version, ...(await inputs), onProgress };
  const files =
    freqtrade === undefined
      ? await writePart(await view, task.part, partContext)
      : await writePairFiles(await view, task.part, partContext, freqtrade);
  return { files };
});
