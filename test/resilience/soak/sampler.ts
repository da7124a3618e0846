// Measures a server from outside: what the system says of its process, and what it says of itself at /metrics.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { type Sample as MetricSample, parseMetrics } from '../../support/metric-parser.ts';
import type { SoakClient } from './client.ts';
import type { Point } from './trend.ts';

export interface Sample {
  readonly seconds: number;
  /** Megabytes, as all sizes here. */
  readonly rss: number;
  /** In the heaps of all threads. */
  readonly heap: number;
  /** Outside the heaps, shared memory not included. */
  readonly external: number;
  readonly openFiles: number;
  readonly threads: number;
  /** The worst of all threads and of the last ten seconds, in milliseconds. */
  readonly loopDelay: number;
  readonly storeFile: number;
  readonly writeAheadLog: number;
  /** Seconds since the snapshot was built. */
  readonly snapshotAge: number;
  /** Answers since the sample before. */
  readonly answersPerSecond: number;
}

export type Measure = Exclude<keyof Sample, 'seconds'>;

const MEGABYTE = 1e6;

export class Sampler {
  readonly samples: Sample[] = [];
  readonly #began = performance.now();
  #before = { seconds: 0, answers: 0 };
  readonly #client: SoakClient;
  readonly #pid: number;
  readonly #storePath: string;

  constructor(client: SoakClient, pid: number, storePath: string) {
    this.#client = client;
    this.#pid = pid;
    this.#storePath = storePath;
  }

  async sample(): Promise<Sample> {
    const { status, body } = await this.#client.ask('/metrics', { fresh: true });
    if (status !== 200) throw new Error(`/metrics is answered with ${status}`);
    const metrics = parseMetrics(body.toString());
    const all = (name: string): MetricSample[] => metrics.get(name)?.samples ?? [];
    const sum = (name: string, kind?: string) =>
      all(name).reduce(
        (total, { labels, value }) => total + (kind === undefined || labels['kind'] === kind ? value : 0),
        0,
      );
    const seconds = (performance.now() - this.#began) / 1000;
    const answers = sum('tidemark_http_requests_total');
    const sample: Sample = {
      seconds,
      rss: this.#rss(),
      heap: sum('tidemark_thread_memory_bytes', 'heap_used') / MEGABYTE,
      external: sum('tidemark_thread_memory_bytes', 'external') / MEGABYTE,
      openFiles: this.openFiles(),
      threads: readdirSync(`/proc/${this.#pid}/task`).length,
      loopDelay: 1000 * Math.max(...all('tidemark_event_loop_delay_seconds').map(({ value }) => value)),
      storeFile: bytesOf(this.#storePath) / MEGABYTE,
      writeAheadLog: bytesOf(`${this.#storePath}-wal`) / MEGABYTE,
      snapshotAge: Date.now() / 1000 - sum('tidemark_snapshot_built_timestamp_seconds'),
      answersPerSecond: (answers - this.#before.answers) / Math.max(1e-3, seconds - this.#before.seconds),
    };
    this.#before = { seconds, answers };
    this.samples.push(sample);
    return sample;
  }

  openFiles(): number {
    return readdirSync(`/proc/${this.#pid}/fd`).length;
  }

  #rss(): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / MEGABYTE;
  }
}

export function pointsOf(samples: readonly Sample[], measure: Measure): Point[] {
  return samples.map(sample => ({ seconds: sample.seconds, value: sample[measure] }));
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
