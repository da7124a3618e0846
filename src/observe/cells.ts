// The single numbers that threads keep in shared memory, each with its metric.

import { METRICS, type MetricName } from './metric-table.ts';

interface Cell {
  readonly metric: MetricName;
  readonly labels?: Readonly<Record<string, string>>;
  /** Shown for each thread by itself, and not as a sum. */
  readonly perThread?: true;
}

const delay = (quantile: string): Cell => ({
  metric: 'tidemark_event_loop_delay_seconds',
  labels: { quantile },
  perThread: true,
});
const memory = (kind: string): Cell => ({ metric: 'tidemark_thread_memory_bytes', labels: { kind }, perThread: true });
const lookup = (cache: string, result: string): Cell => ({
  metric: 'tidemark_cache_lookups_total',
  labels: { cache, result },
});
const refused = (reason: string): Cell => ({
  metric: 'tidemark_http_connections_refused_total',
  labels: { reason },
});

const TABLE = {
  inFlight: { metric: 'tidemark_http_requests_in_flight' },
  queued: { metric: 'tidemark_http_requests_queued' },
  waiting: { metric: 'tidemark_http_responses_waiting' },
  held: { metric: 'tidemark_http_responses_delayed' },
  dropped: { metric: 'tidemark_http_responses_dropped_total' },
  aborted: { metric: 'tidemark_http_responses_aborted_total' },
  streams: { metric: 'tidemark_streams' },
  streamUpdates: { metric: 'tidemark_stream_updates_total' },
  connections: { metric: 'tidemark_http_connections' },
  connectionsTaken: { metric: 'tidemark_http_connections_total' },
  refusedFull: refused('full'),
  refusedAddress: refused('address'),
  planHits: lookup('plans', 'hit'),
  planMisses: lookup('plans', 'miss'),
  pageHits: lookup('pages', 'hit'),
  pageMisses: lookup('pages', 'miss'),
  delayMedian: delay('0.5'),
  delayHigh: delay('0.99'),
  delayMost: delay('1'),
  heapUsed: memory('heap_used'),
  heapTotal: memory('heap_total'),
  external: memory('external'),
  arrayBuffers: memory('array_buffers'),
  storeFailures: { metric: 'tidemark_store_failures_total' },
  // Of the main thread alone.
  snapshotsBuilt: { metric: 'tidemark_snapshots_total' },
  buildSeconds: { metric: 'tidemark_snapshot_build_seconds' },
  storeUp: { metric: 'tidemark_store_up' },
  alertMessagesSent: { metric: 'tidemark_alert_messages_total', labels: { outcome: 'delivered' } },
  alertMessagesFailed: { metric: 'tidemark_alert_messages_total', labels: { outcome: 'failed' } },
  alertAttemptsFailed: { metric: 'tidemark_alert_failed_attempts_total' },
  alertMessagesWaiting: { metric: 'tidemark_alert_messages_waiting' },
  threads: { metric: 'tidemark_threads' },
  restarts: { metric: 'tidemark_thread_restarts_total' },
  linesDropped: { metric: 'tidemark_log_lines_dropped_total' },
} as const satisfies Readonly<Record<string, Cell>>;

export type CellName = keyof typeof TABLE;
export const CELLS: Readonly<Record<CellName, Cell>> = TABLE;
/** Object keys are what the type of the table says. */
export const CELL_NAMES = Object.keys(TABLE) as CellName[];

/** A number that can fall: when its thread ends, it is 0. */
export function isGauge(name: CellName): boolean {
  return METRICS[CELLS[name].metric].type !== 'counter';
}
