// Keeps what is served in step with the store: the snapshot, the keys and their use. While the store is away it goes on with what
// was read before, on a start with what an earlier server has kept, and takes up the store again when it is back.

import { setTimeout as delay } from 'node:timers/promises';
import type { Tiers } from '../domain/tiers.ts';
import type { SharedLimits } from '../http/access/shared-limits.ts';
import type { ServiceState } from '../http/service-state.ts';
import { type Kept, NotKept } from '../snapshot/kept-snapshot.ts';
import { StoreError, type StoreFault } from '../store/store.ts';
import { Complaints } from './complaints.ts';
import { SnapshotFeed } from './feed.ts';
import { follow } from './follow.ts';
import type { KeepPlace } from './keep-place.ts';
import { KeyFeed } from './key-feed.ts';
import { repeat } from './schedule.ts';
import { findKept, SnapshotKeeper } from './snapshot-keeper.ts';
import type { StoreLink } from './store-link.ts';
import type { Supervisor } from './supervisor.ts';

const USAGE_FLUSH_MS = 1000;
const KEEP_MS = 5000;
/** For the last counts, when the store does not answer any more. */
const LAST_WORDS_MS = 3000;
/** These pass by themselves; a store that cannot be used for another reason is somebody's mistake, and told as one. */
const PASSING: readonly StoreFault[] = ['unreachable', 'busy'];

export interface FollowerOptions {
  readonly link: StoreLink;
  /** Null: nothing is kept. */
  readonly place: KeepPlace | null;
  readonly pollMs: number;
  readonly state: ServiceState;
  readonly limits: SharedLimits;
  readonly tiers: Tiers;
  readonly supervisor: Pick<Supervisor, 'publish' | 'setKeys' | 'setServers'>;
  readonly say: (text: string) => void;
}

export class StoreFollower {
  readonly #options: FollowerOptions;
  readonly #feed: SnapshotFeed;
  readonly #keyFeed: KeyFeed;
  readonly #keeper: SnapshotKeeper | null;
  readonly #complaints: Complaints;
  #failure: unknown = null;
  #rows = 0;
  #stops: (() => Promise<void>)[] = [];

  constructor(options: FollowerOptions) {
    const { link, place, state, limits, tiers, supervisor, say } = options;
    this.#options = options;
    this.#complaints = new Complaints(say);
    const keeper = place && new SnapshotKeeper(place);
    this.#keeper = keeper;
    this.#feed = new SnapshotFeed(link.store, {
      onSnapshot: snapshot => {
        this.#rows = snapshot.listing.rows;
        supervisor.publish(snapshot);
        keeper?.takeSnapshot(snapshot);
      },
      onConfirmed: at => {
        state.confirmedAt = at;
        state.storeAway = false;
        keeper?.confirm(at);
        this.#complaints.worked('the store cannot be used', 'the store is back');
      },
      onFailure: error => {
        this.#failure = error;
        state.storeAway = true;
        this.#complaints.failed('the store cannot be used', error);
      },
    });
    this.#keyFeed = new KeyFeed({
      store: link.store,
      limits,
      tiers,
      onKeys: keys => supervisor.setKeys(keys),
      onStoredKeys: keys => keeper?.takeKeys(keys),
      onUnknownTier: (id, tier) => say(`${id} has the tier '${tier}', which is not configured: it counts as free`),
    });
  }

  /** Of the listing that is served. */
  get rows(): number {
    return this.#rows;
  }

  /** That can be used. */
  get keys(): number {
    return this.#keyFeed.usable;
  }

  /** Reads the store, or else what was kept. Fails when there is neither and waiting would not help. */
  async begin(): Promise<void> {
    await this.#feed.refresh();
    if (this.#options.state.storeAway) return this.#serveKept();
    await this.#refreshKeys();
    // Before the first request: from the start, this server gives out no more than its share.
    await this.#flush();
  }

  /** Goes on from here until `end`. */
  follow(): void {
    const { link, pollMs } = this.#options;
    this.#stops = [
      follow(link.store, pollMs, () => this.#feed.refresh()),
      follow(link.store, pollMs, () => this.#refreshKeys()),
      repeat(USAGE_FLUSH_MS, () => this.#flush()),
      repeat(KEEP_MS, () => this.#save()),
    ];
  }

  /** To be called when nobody is served any more. Takes seconds at most, whatever the store does. */
  async end(): Promise<void> {
    const ending = Promise.all(this.#stops.map(stop => stop())).then(async () => {
      await this.#save();
      await this.#tried('the last use of keys cannot be written', () => this.#keyFeed.leave());
    });
    await Promise.race([ending, delay(LAST_WORDS_MS, undefined, { ref: false })]);
  }

  async #serveKept(): Promise<void> {
    const { place, say, state, supervisor } = this.#options;
    const found = place && (await findKept(place));
    if (found instanceof NotKept) say(`${place?.path} ${found.message} and is ignored`);
    if (found === null || found instanceof NotKept) {
      const passes = this.#failure instanceof StoreError && PASSING.includes(this.#failure.code);
      if (!passes) throw this.#failure;
      say('there is nothing to serve until the store is back');
      return;
    }
    this.#rows = found.snapshot.listing.rows;
    state.confirmedAt = found.confirmedAt;
    supervisor.publish(found.snapshot);
    this.#keyFeed.adopt(found.keys.map(key => ({ ...key, hash: Buffer.from(key.hash, 'hex') })));
    say(`serving what was kept in ${place?.path}, current ${agoText(found)}, until the store is back`);
  }

  #refreshKeys(): Promise<void> {
    return this.#tried('keys cannot be read', () => this.#keyFeed.refresh());
  }

  #flush(): Promise<void> {
    return this.#tried('the use of keys cannot be written', async () => {
      await this.#keyFeed.flush();
      this.#options.supervisor.setServers(this.#keyFeed.servers);
    });
  }

  #save(): Promise<void> {
    return this.#tried('the snapshot cannot be kept', async () => this.#keeper?.save());
  }

  async #tried(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#complaints.worked(what, `it works again, after: ${what}`);
    } catch (error) {
      // That the store is away is said once, not once for each thing that needs it.
      if (!(this.#options.state.storeAway && error instanceof StoreError)) this.#complaints.failed(what, error);
    }
  }
}

function agoText({ confirmedAt }: Kept): string {
  const seconds = Math.max(0, Math.round((Date.now() - confirmedAt) / 1000));
  const [size, unit] = seconds < 120 ? [1, 's'] : seconds < 7200 ? [60, 'min'] : [3600, 'h'];
  return `${Math.floor(seconds / size)} ${unit} ago (${new Date(confirmedAt).toISOString()})`;
}
