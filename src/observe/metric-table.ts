// The one table of metrics at `/metrics`. The writer, the docs, and the tests of the dashboard and the alerts read it.
//
// Names and units are those that Prometheus recommends: seconds, bytes, `_total` for what only grows. Ages are given as the
// time of the event, so that they are right at the moment of the query and not at that of the scrape.

export interface MetricFacts {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  readonly help: string;
}

export const METRICS = {
  tidemark_build_info: {
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1; the labels say which version runs, and on which Node.js',
  },
  process_start_time_seconds: { type: 'gauge', labels: [], help: 'When the process started, in seconds since 1970' },
  process_cpu_seconds_total: { type: 'counter', labels: [], help: 'Processor time of all threads together' },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Memory of the whole process, as the system sees it',
  },
  process_open_fds: {
    type: 'gauge',
    labels: [],
    help: 'Open file descriptors, sockets included; absent where unknown',
  },

  tidemark_http_requests_total: {
    type: 'counter',
    labels: ['route', 'method', 'status'],
    help: 'Requests that were answered; the route is the pattern of the path, "none" where there is no such path or none is needed (OPTIONS)',
  },
  tidemark_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['route'],
    help: 'From the request in hand to the answer handed over; a long answer counts until its last byte',
  },
  tidemark_http_sent_bytes_total: {
    type: 'counter',
    labels: ['route'],
    help: 'Bytes of the bodies that were sent, as they went over the line',
  },
  tidemark_http_problems_total: {
    type: 'counter',
    labels: ['code'],
    help: 'Requests that were answered with an error, by its code (the reference lists them)',
  },
  tidemark_http_requests_in_flight: { type: 'gauge', labels: [], help: 'Requests that are being answered' },
  tidemark_http_requests_queued: {
    type: 'gauge',
    labels: [],
    help: 'Those of them that wait for their turn; who waits for too long is refused with the code overloaded',
  },
  tidemark_http_answers_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Requests whose long answer waits, because their address has as many under way as it may; who waits for too long is refused with the code overloaded',
  },
  tidemark_http_answers_held: {
    type: 'gauge',
    labels: [],
    help: 'Refusals that wait before they are sent, because their sender goes on asking',
  },
  tidemark_http_answers_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Requests without an answer: the client was gone before its turn came or while its refusal was held back, or sent without waiting for answers and was cut off',
  },
  tidemark_http_answers_aborted_total: {
    type: 'counter',
    labels: [],
    help: 'Long answers that ended before their last byte: the client went away, was cut off because it did not read, or making the answer failed; they are counted with their status as well',
  },
  tidemark_http_connections: { type: 'gauge', labels: [], help: 'Open connections of clients' },
  tidemark_http_connections_total: { type: 'counter', labels: [], help: 'Connections that clients have opened' },
  tidemark_http_connections_refused_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Connections that were closed unheard and are in none of the metrics above: "full" above --max-connections, "address" above the half of them that one address may have',
  },
  tidemark_cache_lookups_total: {
    type: 'counter',
    labels: ['cache', 'result'],
    help: 'Look-ups of what was prepared before: "plans" are query strings that were read, "pages" are rows that were rendered',
  },
  tidemark_key_requests_today: {
    type: 'gauge',
    labels: ['key', 'tier', 'outcome'],
    help: 'Requests of a key on its last UTC day of use, by outcome; the API key is named by its public id. Beyond 500 API keys, "other" is the sum of the rest of a tier',
  },

  tidemark_readiness: {
    type: 'gauge',
    labels: ['status'],
    help: '1 for what /readyz says: ready, loading, stale, broken or stopping',
  },
  tidemark_data_confirmed_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the store last said that what is served is what it holds; for a kept snapshot, when it said so to the server that kept it',
  },
  tidemark_snapshot_version: {
    type: 'gauge',
    labels: [],
    help: "Version of the store's data that is served; absent without data",
  },
  tidemark_snapshot_built_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the snapshot that is served was built',
  },
  tidemark_snapshot_newest_close_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Start of the UTC day of the newest close that is served',
  },
  tidemark_snapshot_rows: { type: 'gauge', labels: ['dataset'], help: 'Rows of each listing of the snapshot' },
  tidemark_snapshot_build_seconds: {
    type: 'gauge',
    labels: [],
    help: 'How long the last snapshot took to read and build',
  },
  tidemark_snapshots_total: { type: 'counter', labels: [], help: 'Snapshots that were built since the start' },
  tidemark_store_up: {
    type: 'gauge',
    labels: [],
    help: '1 when the store answered the last time it was asked, else 0',
  },
  tidemark_store_failures_total: {
    type: 'counter',
    labels: [],
    help: 'Times that the store could not be used, by any thread',
  },

  tidemark_ingest_runs_total: {
    type: 'counter',
    labels: ['source', 'state'],
    help: 'Loads into the store that ended since the start, by any process: several servers of one store count the same loads',
  },
  tidemark_ingest_rejected_rows_total: {
    type: 'counter',
    labels: ['source'],
    help: 'Rows that those loads refused',
  },
  tidemark_ingest_last_run_start_timestamp_seconds: {
    type: 'gauge',
    labels: ['source'],
    help: 'When the last load of a source began',
  },
  tidemark_ingest_last_run_state: {
    type: 'gauge',
    labels: ['source', 'state'],
    help: '1 for the state that the last load of a source is in: running, done, failed or stopped',
  },
  tidemark_ingest_last_run_rows: {
    type: 'gauge',
    labels: ['source', 'outcome'],
    help: 'Rows of the last load of a source: read, inserted, replaced, unchanged, rejected',
  },

  tidemark_threads: { type: 'gauge', labels: [], help: 'Threads that serve' },
  tidemark_thread_restarts_total: { type: 'counter', labels: [], help: 'Serving threads that died and were replaced' },
  tidemark_event_loop_delay_seconds: {
    type: 'summary',
    labels: ['thread', 'quantile'],
    help: 'How late each thread got round to its work in the last 10 seconds; quantile 1 is the worst. "main" feeds the others',
  },
  tidemark_thread_memory_bytes: {
    type: 'gauge',
    labels: ['thread', 'kind'],
    help: 'Memory of each thread: heap_used, heap_total, external, array_buffers. The snapshot is shared and in none of them',
  },
  tidemark_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Lines of the log that were lost because whoever reads it was too slow',
  },
} as const satisfies Readonly<Record<string, MetricFacts>>;

export type MetricName = keyof typeof METRICS;

export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
