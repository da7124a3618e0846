// What can happen to the service, apart from requests: one table of typed events. The log writes them as text or as JSON; the code
// that causes them knows neither.

export type Level = 'info' | 'warn' | 'error';

interface ServiceEvents {
  serving: { address: string; store: string; threads: number; version: string };
  snapshot: { version: number; rows: number; assets: number; ms: number };
  store_unreachable: { doing: string; reason: string };
  store_reachable: { doing: string; seconds: number };
  store_read_only: { store: string };
  serving_kept_snapshot: { path: string; version: number; rows: number; confirmed: string };
  nothing_to_serve: { keep: string | null };
  kept_snapshot_ignored: { path: string; reason: string };
  keep_failed: { path: string; reason: string };
  keep_restored: { path: string };
  rows_recomputed: { rows: number };
  rows_not_recomputed: { reason: string };
  bars_dropped: { interval: string; bars: number };
  memory_too_small: { memoryMb: number; neededMb: number };
  thread_failed: { thread: number; stack: string };
  thread_ended: { thread: number; replacedInMs: number };
  past_day_failed: { stack: string };
  optional_columns_failed: { stack: string };
  export_failed: { stack: string };
  request_failed: { id: string; thread: number; stack: string };
  unknown_tier: { key: string; tier: string };
  load_started: { load: number; source: string };
  load_ended: {
    load: number;
    source: string;
    state: string;
    read: number;
    inserted: number;
    replaced: number;
    unchanged: number;
    rejected: number;
    error: string | null;
  };
  alert_fired: { alert: string; version: number; entered: number; left: number };
  alert_invalid: { alert: string; reason: string };
  alert_undeliverable: { alert: string; reason: string };
  alert_deliverable: { alert: string };
  alert_delivery_failed: { alert: string; delivery: string; reason: string };
  scheduled_load_failed: { load: string; reason: string };
  scheduled_load_note: { load: string; text: string };
  closes_of_the_future: { newestDay: string; warning: string };
  task_failed: { task: string; stack: string };
  stopping: { drainSeconds: number; graceSeconds: number };
  stop_failed: { reason: string };
}

export type EventName = keyof ServiceEvents;
export type ServiceEvent = { [N in EventName]: Readonly<{ event: N } & ServiceEvents[N]> }[EventName];

interface EventFacts<N extends EventName> {
  readonly level: Level | ((event: ServiceEvents[N]) => Level);
  readonly doc: string;
  /** For people; null where they are told in another way. */
  readonly words: ((event: ServiceEvents[N]) => string) | null;
}

export const EVENTS: { readonly [N in EventName]: EventFacts<N> } = {
  serving: {
    level: 'info',
    doc: 'All threads accept connections: the `address`, the `store`, the number of `threads` and the `version` of Tidemark',
    words: null, // the banner says it
  },
  snapshot: {
    level: 'info',
    doc: 'The server has switched to a new snapshot: its `version`, the `rows` in the listing, the number of `assets`, and the `ms` it took to build',
    words: ({ version, rows, ms }) => `now serving version ${version}: ${rows} assets, built in ${Math.round(ms)} ms`,
  },
  store_unreachable: {
    level: 'error',
    doc: 'The store failed for `doing`, because of `reason`. The server continues with the data in memory. Logged once per outage',
    words: ({ doing, reason }) => `the store is unreachable for ${doing}: ${reason}`,
  },
  store_reachable: {
    level: 'info',
    doc: 'The store works again for `doing`, after `seconds`',
    words: ({ doing, seconds }) => `the store is reachable for ${doing} again, after ${seconds.toFixed(1)} s`,
  },
  store_read_only: {
    level: 'warn',
    doc: 'The `store` can only be read: the server counts requests in memory alone, and runs no alerts',
    words: null, // the banner says it
  },
  serving_kept_snapshot: {
    level: 'warn',
    doc: 'The store is unreachable at the start, and the server uses the snapshot kept in `path`: its `version`, its `rows`, and when the store last `confirmed` it',
    words: ({ path, confirmed }) =>
      `serving the snapshot kept in ${path}, confirmed ${agoText(Date.parse(confirmed))}, until the store is reachable`,
  },
  nothing_to_serve: {
    level: 'error',
    doc: 'The store is unreachable at the start, and there is no usable snapshot in `keep`',
    words: () => 'there is no data to serve until the store is reachable',
  },
  kept_snapshot_ignored: {
    level: 'warn',
    doc: 'The file in `path` cannot be used as a snapshot, because of `reason`',
    words: ({ path, reason }) => `${path} ${reason} and is ignored`,
  },
  keep_failed: {
    level: 'error',
    doc: 'The snapshot cannot be written to `path`, because of `reason`. Logged once per outage',
    words: ({ path, reason }) => `cannot write the snapshot to ${path}: ${reason}`,
  },
  keep_restored: {
    level: 'info',
    doc: 'The snapshot can be written to `path` again',
    words: ({ path }) => `the snapshot can be written to ${path} again`,
  },
  rows_recomputed: {
    level: 'info',
    doc: 'This version of Tidemark has other columns than the one that wrote the store; it recomputed that many `rows`',
    words: ({ rows }) => `this version has other columns: recomputed ${rows} rows`,
  },
  rows_not_recomputed: {
    level: 'warn',
    doc: 'The rows could not be recomputed, because of `reason`. The next load does it',
    words: ({ reason }) => `the rows of an earlier version cannot be recomputed now: ${reason}`,
  },
  bars_dropped: {
    level: 'info',
    doc: 'That many `bars` of an `interval` were older than `--retention-1m` or `--retention-1h` says, and were dropped; what was made of them stays',
    words: ({ interval, bars }) => `dropped ${bars} bars of ${interval} that are older than --retention-${interval}`,
  },
  memory_too_small: {
    level: 'warn',
    doc: 'The snapshot is so large that the server may use more than `--memory` (`memoryMb`); it should be `neededMb` at least',
    words: ({ memoryMb, neededMb }) =>
      `--memory ${memoryMb} is too small for the assets of this store: set it to ${neededMb} or more`,
  },
  thread_failed: {
    level: 'error',
    doc: 'A serving `thread` had an uncaught error: `stack`',
    words: ({ stack }) => `a serving thread failed: ${stack}`,
  },
  thread_ended: {
    level: 'error',
    doc: 'The thread ended; a new one starts in `replacedInMs`',
    words: ({ replacedInMs }) => `a serving thread ended; a new one starts in ${replacedInMs} ms`,
  },
  past_day_failed: {
    level: 'error',
    doc: 'The snapshot of a past day (`as_of`) could not be built, and the requests for it were refused: `stack`',
    words: ({ stack }) => `the snapshot of a past day could not be built: ${stack}`,
  },
  optional_columns_failed: {
    level: 'error',
    doc: 'The optional columns could not be computed; the next request for one tries again: `stack`',
    words: ({ stack }) => `the optional columns could not be computed: ${stack}`,
  },
  export_failed: {
    level: 'error',
    doc: 'A Parquet file could not be written, and the requests for it were refused: `stack`',
    words: ({ stack }) => `a Parquet file could not be written: ${stack}`,
  },
  request_failed: {
    level: 'error',
    doc: 'A request failed with status 500. `id` is the `request_id` in the response; `stack` is the stack trace',
    words: ({ id, stack }) => `request ${id} failed: ${stack}`,
  },
  unknown_tier: {
    level: 'warn',
    doc: 'The API key `key` has a `tier` that is not configured; the limits of `free` apply',
    words: ({ key, tier }) => `${key} has the tier '${tier}', which is not configured: the limits of free apply`,
  },
  load_started: {
    level: 'info',
    doc: 'A load into the store has started, in any process: its number as `load`, its `source`',
    words: ({ load, source }) => `load ${load} from ${source} started`,
  },
  load_ended: {
    level: ({ state }) => (state === 'failed' ? 'error' : 'info'),
    doc: 'The load ended in `state` (`done`, `failed`, `stopped`), with the number of rows `read`, `inserted`, `replaced`, `unchanged` and `rejected`; `error` is the reason for a failure',
    words: ({ load, source, state, inserted, replaced, rejected, error }) =>
      `load ${load} from ${source} ${state === 'done' ? 'is done' : state}: ${inserted} new, ${replaced} replaced, ` +
      `${rejected} refused${error === null ? '' : `; ${error}`}`,
  },
  alert_fired: {
    level: 'info',
    doc: 'With the publication `version`, that many assets `entered` and `left` the query of an alert, and a message is queued; `alert` is its id',
    words: ({ alert, entered, left }) => `${alert}: ${entered} entered, ${left} left`,
  },
  alert_invalid: {
    level: 'error',
    doc: 'The query of the `alert` cannot be evaluated, because of `reason`. Logged once per start',
    words: ({ alert, reason }) => `the query of ${alert} cannot be evaluated: ${reason}`,
  },
  alert_undeliverable: {
    level: 'warn',
    doc: 'A message of the `alert` could not be delivered, because of `reason`; the server retries for 24 hours. Logged once per outage',
    words: ({ alert, reason }) => `a message of ${alert} could not be delivered: ${reason}`,
  },
  alert_deliverable: {
    level: 'info',
    doc: 'The receiver of the `alert` accepts messages again',
    words: ({ alert }) => `the receiver of ${alert} accepts messages again`,
  },
  alert_delivery_failed: {
    level: 'error',
    doc: 'The message `delivery` of the `alert` was given up after 24 hours; `reason` is that of the last attempt',
    words: ({ alert, delivery, reason }) => `message ${delivery} of ${alert} was given up after 24 hours: ${reason}`,
  },
  scheduled_load_failed: {
    level: 'error',
    doc: 'The process of a scheduled `load` failed; `reason` is the end of its output, or the signal that ended it',
    words: ({ load, reason }) => `scheduled load ${load} failed: ${reason}`,
  },
  scheduled_load_note: {
    level: 'warn',
    doc: 'A process that follows live prices (`load`) reports a broken connection, a delay or its end; `text` says which',
    words: ({ load, text }) => `${load}: ${text}`,
  },
  closes_of_the_future: {
    level: 'warn',
    doc: 'The store has closes of days that have not begun by the clock of this machine, up to `newestDay`; `warning` says so. Logged once per newest day',
    words: ({ warning }) => warning,
  },
  task_failed: {
    level: 'error',
    doc: 'Something that the server does at intervals or after a change (`task`) failed in a way that is not expected: `stack`. The server goes on and tries again. Logged once until it works again',
    words: ({ task, stack }) => `${task} failed: ${stack}`,
  },
  stopping: {
    level: 'info',
    doc: 'The server is stopping: it accepts requests for `drainSeconds`, then waits up to `graceSeconds` for those in progress',
    words: null, // the person who pressed Ctrl-C knows
  },
  stop_failed: {
    level: 'error',
    doc: 'The server could not stop in order, because of `reason`, and ends its process at once',
    words: ({ reason }) => `the server cannot stop in order and ends now: ${reason}`,
  },
};

function agoText(time: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - time) / 1000));
  const [size, unit] = seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : [3600, 'h'];
  return `${Math.floor(seconds / size)} ${unit} ago (${new Date(time).toISOString()})`;
}

/** What the log needs to know of an event. */
export function described(event: ServiceEvent): { level: Level; words: string | null } {
  // The entry is that of the event's own name, which the compiler does not follow through a union.
  const { level, words } = EVENTS[event.event] as EventFacts<EventName>;
  const facts = event as never;
  return { level: typeof level === 'function' ? level(facts) : level, words: words === null ? null : words(facts) };
}
