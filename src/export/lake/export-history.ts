// Exports the days of all assets into a folder, by one thread per core, and resumes an export that was killed.

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { TaskThread } from '../../common/task-thread.ts';
import { moduleBeside } from '../../common/thread.ts';
import type { Store } from '../../store/store.ts';
import type { LakeResult, LakeTask, LakeThreadSetup } from './lake-thread.ts';
import { type Manifest, type ManifestFile, OWN_FOLDER, readManifest, writeManifest } from './manifest.ts';
import { publishFiles } from './part-writer.ts';
import { type HistoryRequest, type Plan, planOf } from './plan.ts';

const THREAD = moduleBeside(import.meta.url, 'lake-thread');
/** A publication may come between the first thread and the last. */
const ATTEMPTS = 5;
const PROGRESS_MS = 200;
/** Small, because each of its few objects may hold the numbers of an asset, which V8 frees with it. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

export interface ExportJob {
  readonly store: Store;
  readonly storeUrl: string;
  readonly folder: string;
  readonly request: HistoryRequest;
  readonly createdBy: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

export interface ExportProgress {
  readonly assets: number;
  readonly totalAssets: number;
  readonly rows: number;
}

/** The folder cannot take this export. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

export async function exportHistory(job: ExportJob): Promise<Manifest> {
  const { folder } = job;
  await mkdir(folder, { recursive: true });
  const { plan, threads, progress } = await startThreads(job);
  try {
    const manifest = new PendingManifest(folder, await resumed(job, plan));
    await manifest.write(plan);
    await removePartials(folder);
    const left = plan.parts.filter(({ number }) => !manifest.has(number));
    const totalAssets = plan.parts.reduce((sum, { assets }) => sum + assets.length, 0);
    const before = totalAssets - left.reduce((sum, { assets }) => sum + assets.length, 0);
    const report = () => {
      const [assets, rows] = [Number(Atomics.load(progress, 0)), Number(Atomics.load(progress, 1))];
      job.onProgress({ assets: before + assets, totalAssets, rows });
    };
    const publish = async (part: number, files: readonly ManifestFile[]) => {
      await publishFiles(folder, files);
      await manifest.add(plan, part, files);
    };
    const published: Promise<void>[] = [];
    const timer = setInterval(report, PROGRESS_MS);
    try {
      await Promise.all(
        threads.map(async thread => {
          for (let part = left.shift(); part !== undefined; part = left.shift()) {
            job.signal.throwIfAborted();
            const result = await thread.run({ kind: 'part', part });
            if ('files' in result) published.push(publish(part.number, result.files));
            // A failure is reported at the end.
            published.at(-1)?.catch(() => {});
          }
        }),
      );
      await Promise.all(published);
    } finally {
      clearInterval(timer);
      // Also after a failure: nothing writes to the folder once this has ended.
      await Promise.allSettled(published);
    }
    job.signal.throwIfAborted();
    report();
    return manifest.current;
  } finally {
    await Promise.all(threads.map(thread => thread.stop()));
  }
}

interface Started {
  readonly plan: Plan;
  readonly threads: readonly TaskThread<LakeTask, LakeResult>[];
  readonly progress: BigInt64Array;
}

/** Threads that all see the version of the plan. */
async function startThreads(job: ExportJob): Promise<Started> {
  const { store, storeUrl, folder, request, createdBy, signal } = job;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const progress = new SharedArrayBuffer(16);
    const setup: LakeThreadSetup = { storeUrl, folder, request, createdBy, progress };
    // A task that fails rejects, which ends the export.
    const startThread = () => new TaskThread<LakeTask, LakeResult>(THREAD, setup, () => {}, { resourceLimits: LIMITS });
    const threads = Array.from({ length: availableParallelism() }, startThread);
    signal.addEventListener('abort', () => void Promise.all(threads.map(thread => thread.stop())), { once: true });
    const plan = await store.readConsistently(view => planOf(view, request));
    const found = await Promise.all(threads.map(thread => thread.run({ kind: 'version' })));
    if (found.every(result => 'version' in result && result.version === plan.version)) {
      return { plan, threads, progress: new BigInt64Array(progress) };
    }
    await Promise.all(threads.map(thread => thread.stop()));
  }
  throw new Error('the store was published to all the time; run the export again');
}

/** The manifest of the same export, or a new one. */
async function resumed({ folder, request }: ExportJob, { version, whole, leftOut }: Plan): Promise<Manifest> {
  const { dataset, ...options } = request;
  const fresh: Manifest = {
    format_version: 1,
    dataset,
    version,
    options,
    whole,
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    complete: false,
    rows: 0,
    parts_done: [],
    files: [],
  };
  const found = await readManifest(folder).catch((error: Error) => {
    throw new FolderError(`the manifest in ${join(folder, OWN_FOLDER)} cannot be used: ${error.message}`);
  });
  if (found === null) {
    const others = (await readdir(folder)).filter(name => name !== OWN_FOLDER);
    if (others.length > 0) throw new FolderError(`${folder} has other files, such as ${others[0]}`);
    return fresh;
  }
  const same = (key: keyof Manifest) => JSON.stringify(found[key]) === JSON.stringify(fresh[key]);
  if (!same('dataset') || !same('options')) throw new FolderError(`${folder} has another export, of ${found.dataset}`);
  if (!same('version'))
    throw new FolderError(`${folder} has the export of version ${found.version}, and the store has ${version} now`);
  const missing = new Set<number>();
  for (const { path, bytes, part } of found.files) {
    const size = await stat(join(folder, path)).then(
      facts => facts.size,
      () => -1,
    );
    if (size !== bytes) missing.add(part);
  }
  const files = found.files.filter(({ part }) => !missing.has(part));
  return { ...found, complete: false, files, parts_done: found.parts_done.filter(part => !missing.has(part)) };
}

/** What a killed export has left. */
async function removePartials(folder: string): Promise<void> {
  const own = join(folder, OWN_FOLDER);
  for (const name of await readdir(own)) {
    if (name.endsWith('.partial')) await rm(join(own, name), { force: true });
  }
}

class PendingManifest {
  current: Manifest;
  readonly #folder: string;
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.current = manifest;
  }

  has(part: number): boolean {
    return this.current.parts_done.includes(part);
  }

  async add(plan: Plan, part: number, files: readonly ManifestFile[]): Promise<void> {
    const all = [...this.current.files, ...files].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.current = {
      ...this.current,
      files: all,
      parts_done: [...this.current.parts_done, part].sort((a, b) => a - b),
    };
    await this.write(plan);
  }

  /** One after the other. */
  async write({ parts }: Plan): Promise<void> {
    const { files, parts_done } = this.current;
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const manifest = { ...this.current, rows, complete: parts_done.length === parts.length };
    this.current = manifest;
    this.#last = this.#last.then(() => writeManifest(this.#folder, manifest));
    await this.#last;
  }
}
