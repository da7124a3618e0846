// A server's connection to its store, which may be unreachable: opened when it is needed, given up when it fails, and opened again with
// back-off. Calls fail at once in between.

import type { ServiceContext } from '../api/context.ts';
import type { SeriesOf } from '../history/published-series.ts';
import { type Store, StoreError, type StoreFault } from '../store/store.ts';

/** Back-off between attempts to open it. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;
/** To look for a file that is not there costs nothing, and a store that a load creates is served within two seconds. */
const MISSING_RETRY_MS = 500;
/** A short query that takes longer has failed: a broken network often reports nothing. */
const ANSWER_MS = 10_000;

/** After these a fresh connection may work where the old one did not. */
const LOST: readonly StoreFault[] = ['missing', 'unreachable', 'corrupt', 'not_a_store'];

/** What a server needs of a store. */
export type ServedStore = Pick<
  Store,
  | 'version'
  | 'readConsistently'
  | 'watch'
  | 'loads'
  | 'profile'
  | 'loadsOf'
  | 'factsOf'
  | 'keysVersion'
  | 'keys'
  | 'usage'
  | 'addUsage'
  | 'heartbeat'
  | 'unregister'
  | 'lock'
  | 'alerts'
  | 'recordEvaluation'
  | 'dueAlerts'
  | 'dueDelivery'
  | 'recordAttempt'
  | 'newestTicks'
  | 'intervals'
> & {
  readonly series: SeriesOf;
  readonly sourced: ServiceContext['sourced'];
};

export class StoreLink {
  readonly #open: (create: boolean) => Promise<Store>;
  /** Whether a missing store is created: at the start only. A store that existed and is missing is unreachable. */
  #create: boolean;
  #store: Promise<Store> | null = null;
  #failure: unknown = null;
  #retryMs = FIRST_RETRY_MS;
  #retryAt = 0;
  readonly #listeners = new Set<() => void>();
  #unsubscribeFromStore: (() => Promise<void>) | null = null;
  #readOnly = false;

  constructor(
    url: string,
    create: boolean,
    open: (create: boolean) => Promise<Store> = orCreate => loadAndOpen(url, orCreate),
  ) {
    this.#open = open;
    this.#create = create;
  }

  /** Whether the store that was opened last can only be read. */
  get readOnly(): boolean {
    return this.#readOnly;
  }

  /** The store; fails at once with the last failure when that was a moment ago. */
  opened(): Promise<Store> {
    if (this.#store === null && performance.now() < this.#retryAt) return Promise.reject(this.#failure);
    this.#store ??= this.#open(this.#create).then(
      store => {
        this.#create = false;
        this.#readOnly = store.readOnly;
        this.#retryMs = FIRST_RETRY_MS;
        if (this.#listeners.size > 0) this.#subscribe(store);
        return store;
      },
      error => {
        this.#giveUp(error);
        throw error;
      },
    );
    return this.#store;
  }

  /** The store, opened again as needed. */
  readonly store: ServedStore = {
    version: () => this.#ask(store => store.version(), ANSWER_MS),
    readConsistently: work => this.#ask(store => store.readConsistently(work)),
    watch: onChange => this.#watch(onChange),
    profile: assetNumber => this.#ask(store => store.profile(assetNumber), ANSWER_MS),
    series: base => ({
      publishedCloses: (...wanted) => this.#ask(store => store.series(base).publishedCloses(...wanted), ANSWER_MS),
      closes: (...wanted) => this.#ask(store => store.series(base).closes(...wanted), ANSWER_MS),
      bars: (...wanted) => this.#ask(store => store.series(base).bars(...wanted), ANSWER_MS),
      publishedBars: (...wanted) => this.#ask(store => store.series(base).publishedBars(...wanted), ANSWER_MS),
      publishedOrigins: (...wanted) => this.#ask(store => store.series(base).publishedOrigins(...wanted), ANSWER_MS),
      publishedSpans: assets => this.#ask(store => store.series(base).publishedSpans(assets), ANSWER_MS),
    }),
    sourced: read => this.#ask(store => read(store), ANSWER_MS),
    intervals: () => this.#ask(store => store.intervals(), ANSWER_MS),
    loadsOf: numbers => this.#ask(store => store.loadsOf(numbers), ANSWER_MS),
    factsOf: asset => this.#ask(store => store.factsOf(asset), ANSWER_MS),
    loads: limit => this.#ask(store => store.loads(limit), ANSWER_MS),
    keysVersion: () => this.#ask(store => store.keysVersion(), ANSWER_MS),
    keys: () => this.#ask(store => store.keys()),
    usage: (from, to) => this.#ask(store => store.usage(from, to)),
    addUsage: (day, uses) => this.#ask(store => store.addUsage(day, uses)),
    heartbeat: (server, withinMs) => this.#ask(store => store.heartbeat(server, withinMs)),
    unregister: server => this.#ask(store => store.unregister(server)),
    lock: purpose => this.#ask(store => store.lock(purpose)),
    alerts: () => this.#ask(store => store.alerts(), ANSWER_MS),
    recordEvaluation: evaluation => this.#ask(store => store.recordEvaluation(evaluation)),
    dueAlerts: at => this.#ask(store => store.dueAlerts(at), ANSWER_MS),
    dueDelivery: (alert, at) => this.#ask(store => store.dueDelivery(alert, at), ANSWER_MS),
    newestTicks: () => this.#ask(store => store.newestTicks(), ANSWER_MS),
    recordAttempt: (id, attempt) => this.#ask(store => store.recordAttempt(id, attempt)),
  };

  /** Subscribes to the store that is open, and to any that is opened later. */
  #watch(onChange: () => void): () => Promise<void> {
    this.#listeners.add(onChange);
    if (this.#unsubscribeFromStore === null) void this.#store?.then(store => this.#subscribe(store)).catch(() => {});
    return async () => {
      this.#listeners.delete(onChange);
      if (this.#listeners.size === 0) await this.#unsubscribe();
    };
  }

  #subscribe(store: Store): void {
    this.#unsubscribeFromStore ??= store.watch(() => {
      for (const onChange of this.#listeners) onChange();
    });
  }

  async #unsubscribe(): Promise<void> {
    const unsubscribe = this.#unsubscribeFromStore;
    this.#unsubscribeFromStore = null;
    await unsubscribe?.();
  }

  async close(): Promise<void> {
    await this.#unsubscribe();
    await this.#store?.then(store => store.close()).catch(() => {});
  }

  async #ask<T>(work: (store: Store) => Promise<T>, limitMs?: number, again: boolean = true): Promise<T> {
    const opening = this.opened();
    let store: Store | null = null;
    try {
      store = await opening;
      return await (limitMs === undefined ? work(store) : answered(work(store), limitMs));
    } catch (error) {
      if (!(error instanceof StoreError && LOST.includes(error.code))) throw error;
      // Another question may have given up the same store, and a third one opened it again.
      if (this.#store === opening) this.#giveUp(error);
      // A file that is not there any more was not even asked, and another one may have taken its place long ago.
      if (error.code !== 'missing' || store === null || !again) throw error;
      this.#retryAt = 0;
      return this.#ask(work, limitMs, false);
    }
  }

  #giveUp(error: unknown): void {
    const store = this.#store;
    this.#store = null;
    this.#failure = error;
    const isMissing = error instanceof StoreError && error.code === 'missing';
    this.#retryAt = performance.now() + (isMissing ? Math.min(this.#retryMs, MISSING_RETRY_MS) : this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
    // Queries that still run end with it.
    const unsubscribed = this.#unsubscribe().catch(() => {});
    store?.then(lost => unsubscribed.then(() => lost.close())).catch(() => {});
  }
}

/** Opened when it is needed: most serving threads run for long before the first request for a profile. */
async function loadAndOpen(url: string, create: boolean): Promise<Store> {
  const { openStore } = await import('../store/open.ts');
  return openStore(url, { create, sparing: true });
}

function answered<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(new StoreError('unreachable', 'the store does not answer', 'check that it runs and can be reached'));
    const timer = setTimeout(giveUp, limitMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
