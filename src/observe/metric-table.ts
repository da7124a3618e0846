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
    help: 'Always 1; the labels are the versions of Tidemark and of Node.js',
  },
  process_start_time_seconds: { type: 'gauge', labels: [], help: 'When the process started, in seconds since 1970' },
  process_cpu_seconds_total: { type: 'counter', labels: [], help: 'CPU time of all threads' },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Resident memory of the process',
  },
  process_open_fds: {
    type: 'gauge',
    labels: [],
    help: 'Open file descriptors, sockets included; absent on platforms that do not report it',
  },

  tidemark_http_requests_total: {
    type: 'counter',
    labels: ['route', 'method', 'status'],
    help: 'Responses sent; the route is the pattern of the path, "none" for unknown paths and OPTIONS',
  },
  tidemark_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['route'],
    help: 'Time from the received request to the sent response; for a long response, to its last byte; for a stream, to its first',
  },
  tidemark_http_sent_bytes_total: {
    type: 'counter',
    labels: ['route'],
    help: 'Bytes of response bodies, after compression',
  },
  tidemark_http_problems_total: {
    type: 'counter',
    labels: ['code'],
    help: 'Error responses, by code (docs/reference/errors.md)',
  },
  tidemark_http_requests_in_flight: { type: 'gauge', labels: [], help: 'Requests in progress, without open streams' },
  tidemark_http_requests_queued: {
    type: 'gauge',
    labels: [],
    help: 'Requests in progress that wait in the queue; one that waits too long is refused with the code overloaded',
  },
  tidemark_http_responses_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Long responses that wait because their client address has reached its limit; one that waits too long is refused with the code overloaded',
  },
  tidemark_http_responses_delayed: {
    type: 'gauge',
    labels: [],
    help: 'Error responses that are delayed because their sender keeps sending bad requests (tarpit)',
  },
  tidemark_http_responses_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Requests without a response: the client disconnected first, or was disconnected because it kept sending without reading',
  },
  tidemark_http_responses_aborted_total: {
    type: 'counter',
    labels: [],
    help: 'Long responses that ended before their last byte: the client disconnected, did not read, or the response failed. They also count in the requests',
  },
  tidemark_http_connections: { type: 'gauge', labels: [], help: 'Open client connections' },
  tidemark_http_connections_total: { type: 'counter', labels: [], help: 'Accepted client connections' },
  tidemark_http_connections_refused_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Connections closed on arrival, not counted above: "full" over --max-connections, "address" over the half of it that one address may have',
  },
  tidemark_streams: { type: 'gauge', labels: [], help: 'Open streams; each also counts in the requests when it ends' },
  tidemark_stream_updates_total: {
    type: 'counter',
    labels: [],
    help: 'Updates sent to streams after publications. A client that reads slowly gets one update for several publications',
  },
  tidemark_tool_calls_total: {
    type: 'counter',
    labels: ['tool', 'outcome'],
    help: 'Calls of the tools for agents (POST /mcp): "ok", or "error" for a result that states a mistake or a failure',
  },
  tidemark_cache_lookups_total: {
    type: 'counter',
    labels: ['cache', 'result'],
    help: 'Cache look-ups: "plans" are parsed queries, "pages" are rendered pages',
  },
  tidemark_key_requests_today: {
    type: 'gauge',
    labels: ['key', 'tier', 'outcome'],
    help: 'Requests of an API key on its last UTC day of use, by outcome; the label is the public id. Beyond 500 API keys, "other" is the sum of the rest of a tier',
  },

  tidemark_readiness: {
    type: 'gauge',
    labels: ['status'],
    help: '1 for the current status of /readyz: ready, loading, stale, broken or stopping',
  },
  tidemark_data_confirmed_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the store last confirmed that the served data is current; for a kept snapshot, when it confirmed it to the server that kept it',
  },
  tidemark_live_newest_tick_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Time of the newest tick of live prices (`ingest live`), by the clock of the exchange; absent if there never was one',
  },
  tidemark_snapshot_version: {
    type: 'gauge',
    labels: [],
    help: 'Version of the publication that is served; absent without data',
  },
  tidemark_snapshot_built_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'When the served snapshot was built',
  },
  tidemark_snapshot_newest_close_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Start of the UTC day of the newest close in the served snapshot',
  },
  tidemark_snapshot_rows: { type: 'gauge', labels: ['dataset'], help: 'Rows per dataset of the snapshot' },
  tidemark_snapshot_build_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Time to read and build the last snapshot',
  },
  tidemark_snapshots_total: { type: 'counter', labels: [], help: 'Snapshots built since the start' },
  tidemark_store_up: {
    type: 'gauge',
    labels: [],
    help: '1 if the last access to the store succeeded, else 0',
  },
  tidemark_store_failures_total: {
    type: 'counter',
    labels: [],
    help: 'Failed accesses to the store, by any thread',
  },

  tidemark_loads_total: {
    type: 'counter',
    labels: ['source', 'state'],
    help: 'Loads that ended since the start, in any process: servers that share a store count the same loads',
  },
  tidemark_load_rejected_rows_total: {
    type: 'counter',
    labels: ['source'],
    help: 'Rows that those loads rejected',
  },
  tidemark_last_load_start_timestamp_seconds: {
    type: 'gauge',
    labels: ['source'],
    help: 'When the last load of a source started',
  },
  tidemark_last_load_state: {
    type: 'gauge',
    labels: ['source', 'state'],
    help: '1 for the state of the last load of a source: running, done, failed or stopped',
  },
  tidemark_last_load_rows: {
    type: 'gauge',
    labels: ['source', 'outcome'],
    help: 'Rows of the last load of a source: read, inserted, replaced, unchanged, rejected',
  },

  tidemark_alert_messages_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Messages of alerts by this server: "delivered", or "failed" after 24 hours',
  },
  tidemark_alert_failed_attempts_total: {
    type: 'counter',
    labels: [],
    help: 'Attempts of this server to deliver a message of an alert that failed',
  },
  tidemark_alert_messages_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Messages of alerts that wait in the store; 0 on servers that do not deliver them',
  },

  tidemark_threads: { type: 'gauge', labels: [], help: 'Serving threads' },
  tidemark_thread_restarts_total: { type: 'counter', labels: [], help: 'Serving threads that died and were replaced' },
  tidemark_event_loop_delay_seconds: {
    type: 'summary',
    labels: ['thread', 'quantile'],
    help: 'Event-loop delay per thread over the last 10 seconds; quantile 1 is the maximum. "main" follows the store',
  },
  tidemark_thread_memory_bytes: {
    type: 'gauge',
    labels: ['thread', 'kind'],
    help: 'Memory per thread: heap_used, heap_total, external, array_buffers. The snapshot is shared memory and not included',
  },
  tidemark_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Log lines lost because the reader of the log was too slow',
  },
} as const satisfies Readonly<Record<string, MetricFacts>>;

export type MetricName = keyof typeof METRICS;

export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
