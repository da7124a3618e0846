// The one table of metrics at `/metrics`. The writer, the docs, and the tests of the dashboard and the alerts read it.
//
// Names and units are those that Prometheus recommends: seconds, bytes, `_total` for what only grows. Ages are given as the
// time of the event, so that they are right at the moment of the query and not at that of the scrape.

export interface MetricFacts {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  readonly help: string;
}

const metric =
  <T extends MetricFacts['type']>(type: T) =>
  <const L extends readonly string[]>(help: string, ...labels: L) => ({ type, labels, help });

const counter = metric('counter');
const gauge = metric('gauge');
const histogram = metric('histogram');
const summary = metric('summary');

/** Each with its help and the names of its labels. */
export const METRICS = {
  tidemark_build_info: gauge('Always 1; the labels are the versions of Tidemark and of Node.js', 'version', 'node'),
  process_start_time_seconds: gauge('When the process started, in seconds since 1970'),
  process_cpu_seconds_total: counter('CPU time of all threads'),
  process_resident_memory_bytes: gauge('Resident memory of the process'),
  process_open_fds: gauge('Open file descriptors, sockets included; absent on platforms that do not report it'),

  tidemark_http_requests_total: counter(
    'Responses sent; the route is the pattern of the path, "none" for unknown paths and OPTIONS',
    'route',
    'method',
    'status',
  ),
  tidemark_http_request_duration_seconds: histogram(
    'Time from the received request to the sent response; for a long response, to its last byte; for a stream, to its first',
    'route',
  ),
  tidemark_http_sent_bytes_total: counter('Bytes of response bodies, after compression', 'route'),
  tidemark_http_problems_total: counter('Error responses, by code (docs/reference/errors.md)', 'code'),
  tidemark_http_requests_in_flight: gauge('Requests in progress, without open streams'),
  tidemark_http_requests_queued: gauge(
    'Requests in progress that wait in the queue; one that waits too long is refused with the code overloaded',
  ),
  tidemark_http_responses_waiting: gauge(
    'Long responses that wait because their client address has reached its limit; one that waits too long is refused with the code overloaded',
  ),
  tidemark_http_responses_delayed: gauge(
    'Error responses that are delayed because their sender keeps sending bad requests (tarpit)',
  ),
  tidemark_http_responses_dropped_total: counter(
    'Requests without a response: the client disconnected first, or was disconnected because it kept sending without reading',
  ),
  tidemark_http_responses_aborted_total: counter(
    'Long responses that ended before their last byte: the client disconnected, did not read, or the response failed. They also count in the requests',
  ),
  tidemark_http_connections: gauge('Open client connections'),
  tidemark_http_connections_total: counter('Accepted client connections'),
  tidemark_http_connections_refused_total: counter(
    'Connections closed on arrival, not counted above: "full" over --max-connections, "address" over the half of it that one address may have',
    'reason',
  ),
  tidemark_streams: gauge('Open streams; each also counts in the requests when it ends'),
  tidemark_stream_updates_total: counter(
    'Updates sent to streams after publications. A client that reads slowly gets one update for several publications',
  ),
  tidemark_tool_calls_total: counter(
    'Calls of the tools for agents (POST /mcp): "ok", or "error" for a result that states a mistake or a failure',
    'tool',
    'outcome',
  ),
  tidemark_cache_lookups_total: counter(
    'Cache look-ups: "plans" are parsed queries, "pages" are rendered pages',
    'cache',
    'result',
  ),
  tidemark_key_requests_today: gauge(
    'Requests of an API key on its last UTC day of use, by outcome; the label is the public id. Beyond 500 API keys, "other" is the sum of the rest of a tier',
    'key',
    'tier',
    'outcome',
  ),

  tidemark_readiness: gauge('1 for the current status of /readyz: ready, loading, stale, broken or stopping', 'status'),
  tidemark_data_confirmed_timestamp_seconds: gauge(
    'When the store last confirmed that the served data is current; for a kept snapshot, when it confirmed it to the server that kept it',
  ),
  tidemark_live_newest_tick_timestamp_seconds: gauge(
    'Time of the newest tick of live prices (`ingest live`), by the clock of the exchange; absent if there never was one',
  ),
  tidemark_snapshot_version: gauge('Version of the publication that is served; absent without data'),
  tidemark_snapshot_built_timestamp_seconds: gauge('When the served snapshot was built'),
  tidemark_snapshot_newest_close_timestamp_seconds: gauge(
    'Start of the UTC day of the newest close in the served snapshot',
  ),
  tidemark_findings_open: gauge(
    'Open findings about the daily bars of the listed assets, of the last 30 days and of the last 365 (`tidemark check` lists them)',
    'days',
  ),
  tidemark_snapshot_rows: gauge('Rows per dataset of the snapshot', 'dataset'),
  tidemark_snapshot_build_seconds: gauge('Time to read and build the last snapshot'),
  tidemark_snapshots_total: counter('Snapshots built since the start'),
  tidemark_store_up: gauge('1 if the last access to the store succeeded, else 0'),
  tidemark_store_failures_total: counter('Failed accesses to the store, by any thread'),

  tidemark_loads_total: counter(
    'Loads that ended since the start, in any process: servers that share a store count the same loads',
    'source',
    'state',
  ),
  tidemark_load_rejected_rows_total: counter('Rows that those loads rejected', 'source'),
  tidemark_last_load_start_timestamp_seconds: gauge('When the last load of a source started', 'source'),
  tidemark_last_load_state: gauge(
    '1 for the state of the last load of a source: running, done, failed, stopped or undone',
    'source',
    'state',
  ),
  tidemark_last_load_rows: gauge(
    'Rows of the last load of a source: read, inserted, replaced, unchanged, rejected',
    'source',
    'outcome',
  ),

  tidemark_alert_messages_total: counter(
    'Messages of alerts by this server: "delivered", or "failed" after 24 hours',
    'outcome',
  ),
  tidemark_alert_failed_attempts_total: counter('Attempts of this server to deliver a message of an alert that failed'),
  tidemark_alert_messages_waiting: gauge(
    'Messages of alerts that wait in the store; 0 on servers that do not deliver them',
  ),

  tidemark_threads: gauge('Serving threads'),
  tidemark_thread_restarts_total: counter('Serving threads that died and were replaced'),
  tidemark_event_loop_delay_seconds: summary(
    'Event-loop delay per thread over the last 10 seconds; quantile 1 is the maximum. "main" follows the store',
    'thread',
    'quantile',
  ),
  tidemark_thread_memory_bytes: gauge(
    'Memory per thread: heap_used, heap_total, external, array_buffers. The snapshot is shared memory and not included',
    'thread',
    'kind',
  ),
  tidemark_log_lines_dropped_total: counter('Log lines lost because the reader of the log was too slow'),
} as const satisfies Readonly<Record<string, MetricFacts>>;

export type MetricName = keyof typeof METRICS;

export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
