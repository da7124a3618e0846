// What can happen to the service, apart from requests: one table of typed events. The log tells of them, in words or as JSON;
// whoever causes them knows neither.

export type Level = 'info' | 'warn' | 'error';

interface ServiceEvents {
  serving: { readonly address: string; readonly store: string; readonly threads: number; readonly version: string };
  snapshot: { readonly version: number; readonly rows: number; readonly assets: number; readonly ms: number };
  store_lost: { readonly doing: string; readonly reason: string };
  store_back: { readonly doing: string; readonly seconds: number };
  serving_kept: { readonly path: string; readonly version: number; readonly rows: number; readonly confirmed: string };
  nothing_to_serve: { readonly keep: string | null };
  kept_ignored: { readonly path: string; readonly reason: string };
  keep_failed: { readonly path: string; readonly reason: string };
  keep_back: { readonly path: string };
  rows_renewed: { readonly rows: number };
  rows_not_renewed: { readonly reason: string };
  thread_failed: { readonly thread: number; readonly stack: string };
  thread_ended: { readonly thread: number; readonly replacedInMs: number };
  request_failed: { readonly id: string; readonly thread: number; readonly stack: string };
  unknown_tier: { readonly key: string; readonly tier: string };
  load_began: { readonly load: number; readonly source: string };
  load_ended: {
    readonly load: number;
    readonly source: string;
    readonly state: string;
    readonly read: number;
    readonly inserted: number;
    readonly replaced: number;
    readonly unchanged: number;
    readonly rejected: number;
    readonly error: string | null;
  };
  scheduled_load_failed: { readonly load: string; readonly reason: string };
  stopping: { readonly drainSeconds: number; readonly graceSeconds: number };
}

export type EventName = keyof ServiceEvents;
export type ServiceEvent = { [N in EventName]: { readonly event: N } & ServiceEvents[N] }[EventName];

interface EventFacts<N extends EventName> {
  readonly level: Level | ((event: ServiceEvents[N]) => Level);
  readonly doc: string;
  /** For people; null where they are told in another way. */
  readonly words: ((event: ServiceEvents[N]) => string) | null;
}

export const EVENTS: { readonly [N in EventName]: EventFacts<N> } = {
  serving: {
    level: 'info',
    doc: 'Every thread listens: `address`, `store`, `threads`, `version` of the program',
    words: null, // the banner says it
  },
  snapshot: {
    level: 'info',
    doc: 'New data is served: its `version`, `rows` of the listing, known `assets`, and the `ms` that it took',
    words: ({ version, rows, ms }) => `now serving version ${version}: ${rows} assets, built in ${Math.round(ms)} ms`,
  },
  store_lost: {
    level: 'error',
    doc: 'The store failed at `doing` for `reason`; what is in memory is served on. Told once, until it is back',
    words: ({ doing, reason }) => `the store cannot be used for ${doing}: ${reason}`,
  },
  store_back: {
    level: 'info',
    doc: 'The same works again, after `seconds`',
    words: ({ doing, seconds }) => `the store can be used for ${doing} again, after ${seconds.toFixed(1)} s`,
  },
  serving_kept: {
    level: 'warn',
    doc: 'The store is away at the start, and what an earlier server kept at `path` is served: its `version`, its `rows`, and when the store `confirmed` it last',
    words: ({ path, confirmed }) =>
      `serving what was kept in ${path}, current ${agoText(Date.parse(confirmed))}, until the store is back`,
  },
  nothing_to_serve: {
    level: 'error',
    doc: 'The store is away at the start, and nothing that can be used was kept at the place `keep`',
    words: () => 'there is nothing to serve until the store is back',
  },
  kept_ignored: {
    level: 'warn',
    doc: 'What lies at `path` is no snapshot that can be served, for `reason`',
    words: ({ path, reason }) => `${path} ${reason} and is ignored`,
  },
  keep_failed: {
    level: 'error',
    doc: 'The snapshot cannot be kept at `path`, for `reason`. Told once, until it can',
    words: ({ path, reason }) => `the snapshot cannot be kept in ${path}: ${reason}`,
  },
  keep_back: {
    level: 'info',
    doc: 'It can be kept at `path` again',
    words: ({ path }) => `the snapshot can be kept in ${path} again`,
  },
  rows_renewed: {
    level: 'info',
    doc: 'This version has other columns than the one that wrote the store: so many `rows` were computed anew',
    words: ({ rows }) => `this version has other columns: ${rows} rows were computed anew`,
  },
  rows_not_renewed: {
    level: 'warn',
    doc: 'They could not be, for `reason`; the next load does it',
    words: ({ reason }) => `the rows of an earlier version cannot be computed anew now: ${reason}`,
  },
  thread_failed: {
    level: 'error',
    doc: 'A serving `thread` met an error that nobody caught: `stack`',
    words: ({ stack }) => `a serving thread failed: ${stack}`,
  },
  thread_ended: {
    level: 'error',
    doc: 'It ended; another takes its place in `replacedInMs`',
    words: ({ replacedInMs }) => `a serving thread ended; another takes its place in ${replacedInMs} ms`,
  },
  request_failed: {
    level: 'error',
    doc: 'A request was answered with 500. `id` is what the client was told as `request_id`; `stack` says where',
    words: ({ id, stack }) => `request ${id} failed: ${stack}`,
  },
  unknown_tier: {
    level: 'warn',
    doc: 'A `key` has a `tier` that is not configured, and the limits of `free`',
    words: ({ key, tier }) => `${key} has the tier '${tier}', which is not configured: it counts as free`,
  },
  load_began: {
    level: 'info',
    doc: 'A load into the store was seen, by whichever process: its number as `load`, its `source`',
    words: ({ load, source }) => `load ${load} of ${source} began`,
  },
  load_ended: {
    level: ({ state }) => (state === 'failed' ? 'error' : 'info'),
    doc: 'It ended as `state` (`done`, `failed`, `stopped`), with counts of rows: `read`, `inserted`, `replaced`, `unchanged`, `rejected`; `error` says why it failed',
    words: ({ load, source, state, inserted, replaced, rejected, error }) =>
      `load ${load} of ${source} ${state === 'done' ? 'is done' : state}: ${inserted} new, ${replaced} replaced, ` +
      `${rejected} refused${error === null ? '' : `; ${error}`}`,
  },
  scheduled_load_failed: {
    level: 'error',
    doc: 'The process of a scheduled `load` failed; `reason` is the end of what it said, or the signal that ended it',
    words: ({ load, reason }) => `scheduled ${load} failed: ${reason}`,
  },
  stopping: {
    level: 'info',
    doc: 'Told to stop: requests are answered for `drainSeconds` more, and those that have begun by then are given `graceSeconds`',
    words: null, // whoever pressed Ctrl-C knows
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
