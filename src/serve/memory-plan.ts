// How the memory of a server (`--memory`) is shared out among what grows with requests. The rest is for the program, its threads and the
// snapshot, which grows with the assets.

const MB = 1e6;

/** Parts of `--memory`, for all threads together. */
const SHARES = {
  /** Snapshots of past days, and with the inactive assets. */
  pastDays: 1 / 4,
  /** Histories of single assets, with their rendered rows. */
  histories: 1 / 10,
  bars: 1 / 40,
  /** Columns of earlier periods that expressions read. */
  earlier: 1 / 40,
  /** What clients of streams have not read. */
  streams: 1 / 16,
} as const;

/** Of the program with its main thread, and of each serving thread, without data: by `npm run bench -- sizing`, rounded up. */
const PROGRAM_BYTES = 160 * MB;
const THREAD_BYTES = 80 * MB;
/** The snapshot that is served, the next one while it is built, and what the builder keeps beside them. */
const SNAPSHOTS = 3;

export interface MemoryPlan {
  readonly pastBytes: number;
  /** Per thread. */
  readonly historyBytes: number;
  readonly barsBytes: number;
  readonly earlierBytes: number;
  readonly streamBytes: number;
}

export function memoryPlan(memoryBytes: number, threads: number): MemoryPlan {
  return {
    pastBytes: SHARES.pastDays * memoryBytes,
    historyBytes: (SHARES.histories * memoryBytes) / threads,
    barsBytes: (SHARES.bars * memoryBytes) / threads,
    earlierBytes: (SHARES.earlier * memoryBytes) / threads,
    streamBytes: (SHARES.streams * memoryBytes) / threads,
  };
}

/** What `--memory` should be at least, with a snapshot of so many bytes. */
export function leastMemory(snapshotBytes: number, cacheBytes: number, threads: number): number {
  const shares = Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  const fixed = PROGRAM_BYTES + threads * THREAD_BYTES + SNAPSHOTS * snapshotBytes + cacheBytes;
  return fixed / (1 - shares);
}
