// Follows the watched screens while a tab of the explorer is open, and shows a notification of the browser when assets enter or leave.

import { effect, signal } from '@preact/signals';
import type { ListingEvent } from '../../../client/src/index.ts';
import { ApiError } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { columnsOf } from '../catalog.ts';
import { failureIn } from '../failure.ts';
import { key } from '../key.ts';
import { dataVersion } from '../new-data.ts';
import { quoteOf } from '../quote.ts';
import { goTo } from '../routes.ts';
import { screenFilters } from '../screen-filters.ts';
import { addNotice, type Watch, watches } from '../watches.ts';
import { Digest, type News } from './digest.ts';
import { columnsOfWatch, textOf, titleOf, type WatchedRow } from './notice-text.ts';

/** As many as a tier may give per request; the service lowers it. */
const MOST_ROWS = 1000;
/** Of all tabs of this browser, one shows the notifications. */
const LOCK = 'tidemark-watches';

export interface WatchState {
  /** `polled`: the API key has no free stream, so that new data is looked for once per minute. */
  readonly state: 'streamed' | 'polled' | 'failed';
  /** Assets that match now. */
  readonly matching: number;
  /** More match than the tier of the API key gives per request. */
  readonly cutOff: boolean;
  /** What failed. */
  readonly reason?: string;
}

/** By name; without those that another tab follows. */
export const watchStates = signal<ReadonlyMap<string, WatchState>>(new Map());

let started = false;

/** Once; later calls change nothing. */
export function runWatches(): void {
  if (started) return;
  started = true;
  // A page without TLS has no locks: there every tab follows the watches.
  if (navigator.locks === undefined) followAll();
  else void navigator.locks.request(LOCK, () => new Promise<never>(followAll));
}

function followAll(): void {
  const running = new Map<string, AbortController>();
  effect(() => {
    const wanted = new Map(
      watches.value.filter(({ paused }) => !paused).map(watch => [JSON.stringify([watch, key.value]), watch]),
    );
    for (const [id, control] of running) {
      if (wanted.has(id)) continue;
      control.abort();
      running.delete(id);
    }
    for (const [id, watch] of wanted) {
      if (running.has(id)) continue;
      const control = new AbortController();
      running.set(id, control);
      void follow(watch, control.signal);
    }
  });
}

async function follow(watch: Watch, signal: AbortSignal): Promise<void> {
  const { as_of: _, ...filters } = screenFilters(watch.search);
  const digest = new Digest<WatchedRow>(watch.on);
  let members: Set<string> | null = null;
  let timer = 0;
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    setState(watch.name, null);
  });

  try {
    const all = await columnsOf('ta-cur');
    const columns = columnsOfWatch(filters, all);
    const shown = new Set(['symbol', ...columns.map(({ name }) => name)]);
    const query = {
      ...filters,
      ...{ sort: 'symbol', order: 'asc', limit: MOST_ROWS },
      incl_cols: columns.filter(({ group }) => group !== undefined).map(({ name }) => name),
      excl_cols: all.filter(({ name, group }) => group === undefined && !shown.has(name)).map(({ name }) => name),
    };
    const { next } = await tidemark.rows<WatchedRow>('ta-cur', query, { signal }).page();
    const cutOff = next !== null;

    const report = () => {
      const wait = digest.wait(Date.now());
      clearTimeout(timer);
      if (wait === null) return;
      if (wait > 0) timer = setTimeout(report, wait);
      else notify(watch, digest.take(Date.now()), columns);
    };
    const take = (event: ListingEvent<WatchedRow>, state: WatchState['state']) => {
      const news = newsOf(event, members);
      members = membersAfter(event, members);
      setState(watch.name, { state, matching: members.size, cutOff });
      digest.add(news);
      report();
    };
    try {
      // The parameters are known at run time only, as the rows are.
      const events = tidemark.stream(query as object, { signal }) as AsyncIterable<ListingEvent<WatchedRow>>;
      for await (const event of events) take(event, 'streamed');
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) failureIn(error);
      poll(query, signal, result => take({ event: 'rows', version: 0, result }, 'polled'));
    }
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof ApiError ? error.detail : 'the service does not answer';
    setState(watch.name, { state: 'failed', matching: 0, cutOff: false, reason });
    failureIn(error);
  }
}

/** Whenever there is new data. */
function poll(query: object, signal: AbortSignal, onRows: (rows: readonly WatchedRow[]) => void): void {
  const stop = effect(() => {
    void dataVersion.value;
    tidemark
      .rows<WatchedRow>('ta-cur', query, { signal })
      .page()
      .then(({ result }) => onRows(result), failureIn);
  });
  signal.addEventListener('abort', stop);
}

/** Without members before, what matches is only noted. */
function newsOf(event: ListingEvent<WatchedRow>, before: ReadonlySet<string> | null): News<WatchedRow> {
  if (before === null) return { entered: [], left: [] };
  if (event.event === 'changes') return event;
  const now = new Set(event.result.map(({ symbol }) => symbol));
  return {
    entered: event.result.filter(({ symbol }) => !before.has(symbol)),
    left: [...before].filter(symbol => !now.has(symbol)),
  };
}

function membersAfter(event: ListingEvent<WatchedRow>, before: ReadonlySet<string> | null): Set<string> {
  if (event.event === 'rows') return new Set(event.result.map(({ symbol }) => symbol));
  const after = new Set(before);
  for (const symbol of event.left) after.delete(symbol);
  for (const { symbol } of event.entered) after.add(symbol);
  return after;
}

function setState(name: string, state: WatchState | null): void {
  const next = new Map(watchStates.value);
  if (state === null) next.delete(name);
  else next.set(name, state);
  watchStates.value = next;
}

function notify(watch: Watch, news: News<WatchedRow> | null, columns: Parameters<typeof textOf>[1]): void {
  if (news === null) return;
  show(
    watch,
    titleOf(watch.name, news),
    textOf(news, columns, quoteOf(new URLSearchParams(watch.search).get('quote'))),
  );
}

/** The same way as a real one goes. */
export function testNotice(watch: Watch): void {
  show(watch, `${watch.name}: a test`, 'Notifications of this screen look like this.');
}

function show(watch: Watch, title: string, text: string): void {
  const address = `/${watch.search}`;
  addNotice({ at: new Date().toISOString(), watch: watch.name, title, text, address });
  try {
    const notification = new Notification(title, { body: text, tag: watch.name });
    notification.onclick = () => {
      focus();
      goTo(address);
    };
  } catch {
    // A browser without them, as on most phones: the page itself lists what happened.
  }
}
