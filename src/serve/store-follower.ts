// Keeps what is served in step with the store: the snapshot, the API keys and their use. While the store is unreachable, the server
// goes on with what it read before (after a start, with what an earlier server kept), and follows the store again when it is back.

import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceState } from '../access/service-state.ts';
import type { SharedLimits } from '../access/shared-limits.ts';
import type { AlertRunner } from '../alerts/alert-runner.ts';
import { dayFromIso } from '../domain/day.ts';
import { futureWarning } from '../domain/future-closes.ts';
import { servedIntervals } from '../domain/served-intervals.ts';
import type { Tiers } from '../domain/tiers.ts';
import type { ServiceEvent } from '../observe/events.ts';
import { statesOf } from '../snapshot/asset-states.ts';
import { NotKept } from '../snapshot/build/kept-snapshot.ts';
import type { SharedSnapshot } from '../snapshot/build/share.ts';
import { hasOptional } from '../snapshot/table.ts';
import { StoreError, type StoreFault } from '../store/store.ts';
import { SnapshotFeed } from './feed.ts';
import { follow } from './follow.ts';
import { guarded } from './guarded.ts';
import type { KeepPlace } from './keep-place.ts';
import { KeyFeed } from './key-feed.ts';
import { LoadWatch } from './load-watch.ts';
import { repeat } from './schedule.ts';
import { findKept, SnapshotKeeper } from './snapshot-keeper.ts';
import { SpareMemory } from './spare-memory.ts';
import type { StoreLink } from './store-link.ts';
import { type StoreUse, StoreWatch } from './store-watch.ts';
import type { Supervisor } from './supervisor.ts';

const USAGE_FLUSH_MS = 1000;
/** While no requests are counted, every second flush is left out: servers that share a database cost it little. */
const IDLE_FLUSH_MS = 1500;
const KEEP_MS = 5000;
const LOADS_LOOK_MS = 15_000;
/** A new alert is evaluated, and a message that is due is sent again, at most this much later. */
const ALERTS_LOOK_MS = 1000;
/** In case the notice of a new alert is missed, and for the lock of a server that has ended. */
const ALERTS_MS = 5000;
/** Besides after each publication. */
const TICKS_LOOK_MS = 5000;
/** Live prices are followed if the newest tick is younger. */
const TICKING_MS = 60_000;
/** For writing the last counts if the store does not answer any more. */
const END_MS = 3000;
/** A store whose primary has just changed is found within this time. */
const LAST_TRIES_MS = 1500;
const TRY_AGAIN_MS = 250;
/** These faults end without a restart. Any other fault at the start is a mistake in the configuration, and ends the server. */
const PASSING: readonly StoreFault[] = ['missing', 'unreachable', 'no_primary', 'busy'];

export interface FollowerOptions {
  readonly link: StoreLink;
  /** Null: nothing is kept. */
  readonly place: KeepPlace | null;
  readonly pollMs: number;
  readonly activeDays: number;
  /** Publish the optional columns, although no client has asked for them. */
  readonly allColumns: boolean;
  readonly state: ServiceState;
  readonly limits: SharedLimits;
  readonly tiers: Tiers;
  readonly supervisor: Pick<
    Supervisor,
    'publish' | 'setKeys' | 'setServers' | 'setLoads' | 'setIntervals' | 'metrics' | 'addOptionalColumns'
  >;
  readonly onEvent: (event: ServiceEvent) => void;
  readonly alerts: Pick<AlertRunner, 'take' | 'run' | 'isUnfinished' | 'stop'>;
}

export class StoreFollower {
  readonly #options: FollowerOptions;
  readonly #feed: SnapshotFeed;
  readonly #keyFeed: KeyFeed;
  readonly #keeper: SnapshotKeeper | null;
  readonly #watch: StoreWatch;
  readonly #loads: LoadWatch;
  readonly #spareMemory = new SpareMemory();
  #failure: unknown = null;
  #rows = 0;
  #inactive = 0;
  #begun = false;
  #following = false;
  #servesKept = false;
  #warnedOf: string | null = null;
  #flushedAt = 0;
  #alertsMayDiffer = false;
  #stops: (() => Promise<void>)[] = [];

  constructor(options: FollowerOptions) {
    const { link, place, activeDays, state, limits, tiers, supervisor, onEvent } = options;
    this.#options = options;
    this.#watch = new StoreWatch(onEvent, supervisor.metrics);
    this.#loads = new LoadWatch(link.store, onEvent);
    const keeper = place && new SnapshotKeeper(place);
    this.#keeper = keeper;
    this.#feed = new SnapshotFeed(
      link.store,
      {
        onSnapshot: (snapshot, buildMs) => this.#publish(snapshot, buildMs),
        onConfirmed: at => {
          state.confirmedAt = at;
          state.storeUnreachable = false;
          keeper?.confirm(at);
          this.#watch.worked('data');
        },
        onFailure: error => {
          this.#failure = error;
          const isAbsent = this.#isAbsent(error);
          state.storeUnreachable = !isAbsent;
          // A start that fails says why by itself.
          if (this.#begun && !isAbsent) this.#watch.failed('data', error);
        },
      },
      Date.now,
      activeDays,
    );
    this.#keyFeed = new KeyFeed({
      store: link.store,
      limits,
      tiers,
      onKeys: keys => supervisor.setKeys(keys),
      onStoredKeys: keys => keeper?.takeKeys(keys),
      onUnknownTier: (key, tier) => onEvent({ event: 'unknown_tier', key, tier }),
    });
  }

  /** Of the listing that is served. */
  get rows(): number {
    return this.#rows;
  }

  /** Assets with prices that the listing leaves out. */
  get inactive(): number {
    return this.#inactive;
  }

  /** That can be used. */
  get keys(): number {
    return this.#keyFeed.usable;
  }

  /** Reads the store, or else what was kept. Fails when there is neither and waiting would not help. */
  async begin(): Promise<void> {
    await this.#feed.refresh();
    this.#begun = true;
    if (this.#failure !== null) return this.#serveKept();
    await this.#lookAtIntervals();
    await this.#refreshKeys();
    // Before the first request: from the start, this server gives out no more than its share.
    await this.#flush();
  }

  /** Goes on from here until `end`. */
  follow(): void {
    const { link, pollMs, onEvent } = this.#options;
    this.#following = true;
    const onChange = (task: string, work: () => Promise<unknown>) =>
      follow(link.store, pollMs, guarded(task, onEvent, work));
    const every = (ms: number, task: string, work: () => Promise<unknown>) => repeat(ms, guarded(task, onEvent, work));
    const flushIfDue = async () => {
      const isIdle = !this.#keyFeed.hasUnwritten && performance.now() < this.#flushedAt + IDLE_FLUSH_MS;
      if (!isIdle) await this.#flush();
    };
    const runAlertsIfDue = async () => {
      if (this.#alertsMayDiffer || this.#options.alerts.isUnfinished) await this.#runAlerts();
    };
    this.#stops = [
      onChange('reading new data', () => this.#feed.refresh()),
      onChange('reading API keys', () => this.#refreshKeys()),
      every(USAGE_FLUSH_MS, 'counting requests', flushIfDue),
      every(KEEP_MS, 'keeping the snapshot', () => this.#save()),
      every(LOADS_LOOK_MS, 'reading the list of loads', () => this.#lookAtLoads()),
      // Notices come with every change: of SQLite, also with each part of a load.
      follow(link.store, ALERTS_MS, async () => {
        this.#alertsMayDiffer = true;
      }),
      every(ALERTS_LOOK_MS, 'running alerts', runAlertsIfDue),
      every(TICKS_LOOK_MS, 'reading the newest ticks', () => this.#lookAtTicks()),
    ];
  }

  /** To be called when all threads have stopped. Takes seconds at most, whatever the store does. */
  async end(): Promise<void> {
    const ending = Promise.all(this.#stops.map(stop => stop())).then(async () => {
      await this.#save();
      await this.#options.alerts.stop();
      await this.#leave();
    });
    await Promise.race([ending, delay(END_MS, undefined, { ref: false })]);
  }

  /** Tries for a while: what is counted and not written is lost. */
  async #leave(): Promise<void> {
    if (this.#options.link.readOnly) return;
    const until = performance.now() + LAST_TRIES_MS;
    for (let left = false; !left; ) {
      await this.#tried('counting requests', async () => {
        await this.#keyFeed.leave();
        left = true;
      });
      if (performance.now() > until) return;
      if (!left) await delay(TRY_AGAIN_MS, undefined, { ref: false });
    }
  }

  #publish(snapshot: SharedSnapshot, ms: number): void {
    const { supervisor, alerts } = this.#options;
    const { version, tables } = snapshot;
    const [rows, assets] = [tables['ta-cur'].rows, tables.assets.rows];
    this.#rows = rows;
    supervisor.publish(snapshot);
    const { inactive, newestDay } = statesOf(tables.assets);
    this.#inactive = inactive;
    this.#warnOfFuture(newestDay);
    if (this.#options.allColumns && !hasOptional(snapshot)) void supervisor.addOptionalColumns();
    this.#keeper?.takeSnapshot(snapshot);
    this.#spareMemory.refreshed();
    supervisor.metrics.add('snapshotsBuilt');
    supervisor.metrics.set('buildSeconds', ms / 1000);
    alerts.take(snapshot);
    // What is there at the start is in the banner.
    if (!this.#following) return;
    void this.#lookAtIntervals();
    void this.#runAlerts();
    void this.#reportSnapshot({ event: 'snapshot', version, rows, assets, ms: Math.round(ms) });
  }

  /** Once per newest day: each batch of live prices has the same. */
  #warnOfFuture(newestDay: string | null): void {
    if (newestDay === null || newestDay === this.#warnedOf) return;
    const day = dayFromIso(newestDay);
    const warning = day === null ? null : futureWarning(day, Date.now());
    this.#warnedOf = warning === null ? null : newestDay;
    if (warning !== null) this.#options.onEvent({ event: 'closes_of_the_future', newestDay, warning });
  }

  /** Unless live prices are followed: a line per batch of them would bury the others. */
  async #reportSnapshot(event: ServiceEvent): Promise<void> {
    await this.#lookAtTicks();
    const { state, onEvent } = this.#options;
    const isTicking = state.newestTick !== null && Date.now() - state.newestTick < TICKING_MS;
    if (!isTicking) onEvent(event);
  }

  async #serveKept(): Promise<void> {
    const { place, onEvent, state, supervisor } = this.#options;
    const found = place && (await findKept(place));
    const usable = found !== null && !(found instanceof NotKept);
    const passes = this.#failure instanceof StoreError && PASSING.includes(this.#failure.code);
    if (!usable && !passes) throw this.#failure;
    if (found === null && this.#isAbsent(this.#failure)) return;
    this.#servesKept = usable;
    state.storeUnreachable = true;
    this.#watch.failed('data', this.#failure);
    if (place !== null && found instanceof NotKept) {
      onEvent({ event: 'kept_snapshot_ignored', path: place.path, reason: found.message });
    }
    if (place === null || found === null || found instanceof NotKept) {
      onEvent({ event: 'nothing_to_serve', keep: place?.path ?? null });
      return;
    }
    this.#rows = found.snapshot.tables['ta-cur'].rows;
    this.#inactive = statesOf(found.snapshot.tables.assets).inactive;
    state.confirmedAt = found.confirmedAt;
    supervisor.publish(found.snapshot);
    this.#keyFeed.adopt(found.keys);
    const confirmed = new Date(found.confirmedAt).toISOString();
    onEvent({
      event: 'serving_kept_snapshot',
      path: place.path,
      version: found.snapshot.version,
      rows: this.#rows,
      confirmed,
    });
  }

  #refreshKeys(): Promise<void> {
    return this.#tried('keys', () => this.#keyFeed.refresh());
  }

  async #flush(): Promise<void> {
    if (this.#options.link.readOnly) return;
    this.#flushedAt = performance.now();
    await this.#tried('counting requests', async () => {
      await this.#keyFeed.flush();
      this.#options.supervisor.setServers(this.#keyFeed.servers);
    });
  }

  #lookAtLoads(): Promise<void> {
    return this.#tried('the list of loads', async () => {
      await this.#loads.look();
      this.#options.supervisor.setLoads(this.#loads.sources);
    });
  }

  #lookAtIntervals(): Promise<void> {
    const { link, supervisor } = this.#options;
    return this.#tried('the intervals', async () => {
      supervisor.setIntervals(servedIntervals(await link.store.intervals()));
    });
  }

  #lookAtTicks(): Promise<void> {
    const { link, state } = this.#options;
    return this.#tried('the newest ticks', async () => {
      const ticks = (await link.store.newestTicks()).map(({ at }) => at);
      state.newestTick = ticks.length === 0 ? null : Math.max(...ticks);
    });
  }

  async #runAlerts(): Promise<void> {
    this.#alertsMayDiffer = false;
    if (!this.#options.link.readOnly) await this.#tried('alerts', () => this.#options.alerts.run());
  }

  async #save(): Promise<void> {
    const { link, onEvent } = this.#options;
    // A store that nobody writes from here is kept by itself.
    if (!link.readOnly) await this.#keeper?.saveOrReport(onEvent);
  }

  /** A store that no load has created yet is as good as an empty one. */
  #isAbsent(error: unknown): boolean {
    const isMissing = error instanceof StoreError && error.code === 'missing';
    return isMissing && this.#feed.current === null && !this.#servesKept;
  }

  async #tried(use: StoreUse, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#watch.worked(use);
    } catch (error) {
      // The log reports once that the store is unreachable, not once per use of it.
      const isKnown = (this.#options.state.storeUnreachable && error instanceof StoreError) || this.#isAbsent(error);
      if (!isKnown) this.#watch.failed(use, error);
    }
  }
}
