// Keeps a server's API keys in step with the store, stores how they are used, and counts the servers that share the limits.
//
// Counts are written every second. A killed server loses at most the last second of them; several servers learn each other's
// counts with the same delay.

import { randomUUID } from 'node:crypto';
import type { RingKey } from '../access/key-ring.ts';
import type { SharedLimits, SlotUse } from '../access/shared-limits.ts';
import { type Day, dayOfMillis } from '../domain/day.ts';
import type { Tiers } from '../domain/tiers.ts';
import { emptied, type KeyUse, type Store, type StoredKey } from '../store/store.ts';
import { type AssignedKey, KeySlots } from './key-slots.ts';

/** A server without a heartbeat for this long no longer counts. */
const SERVER_GONE_MS = 5000;

/** What was written of one API key and day. */
interface Written {
  /** As the limits of this server count it. */
  readonly accepted: number;
  readonly refused: number;
  /** Of all servers, as far as the limits of this one count it. */
  readonly everywhere: number;
}

const NOTHING_WRITTEN: Written = { accepted: 0, refused: 0, everywhere: 0 };

interface CountedUse {
  readonly key: RingKey;
  readonly use: SlotUse;
}

type AskedStore = Pick<Store, 'keysVersion' | 'keys' | 'usage' | 'addUsage' | 'heartbeat' | 'unregister'>;

export interface KeyFeedOptions {
  readonly store: AskedStore;
  readonly limits: SharedLimits;
  readonly tiers: Tiers;
  /** All keys, whenever one was made or revoked. */
  readonly onKeys: (keys: readonly RingKey[]) => void;
  /** The same as the store has them. */
  readonly onStoredKeys?: (keys: readonly StoredKey[]) => void;
  /** For keys whose tier is no longer configured: they have the limits of `free`. */
  readonly onUnknownTier?: (keyId: string, tier: string) => void;
  readonly now?: () => number;
}

export class KeyFeed {
  readonly #store: AskedStore;
  readonly #limits: SharedLimits;
  readonly #tiers: Tiers;
  readonly #onKeys: KeyFeedOptions['onKeys'];
  readonly #onStoredKeys: NonNullable<KeyFeedOptions['onStoredKeys']>;
  readonly #onUnknownTier: NonNullable<KeyFeedOptions['onUnknownTier']>;
  readonly #now: () => number;
  readonly #slots = new KeySlots();
  readonly #server = randomUUID();
  /** By the id of the API key, then by day: the two days that its limits count. */
  readonly #written = new Map<string, ReadonlyMap<number, Written>>();
  /** Those that have limits. */
  #keys: readonly RingKey[] = [];
  #version = -1;
  #servers = 1;
  /** Of the last `flush`. */
  #lastDay: Day | null = null;

  constructor(options: KeyFeedOptions) {
    this.#store = options.store;
    this.#limits = options.limits;
    this.#tiers = options.tiers;
    this.#onKeys = options.onKeys;
    this.#onStoredKeys = options.onStoredKeys ?? (() => {});
    this.#onUnknownTier = options.onUnknownTier ?? (() => {});
    this.#now = options.now ?? Date.now;
  }

  get servers(): number {
    return this.#servers;
  }

  /** Keys that were not revoked. */
  get usable(): number {
    return this.#keys.filter(key => !key.revoked).length;
  }

  /** Keys from elsewhere, as long as the store cannot be asked. What they use meanwhile is written when it can be. */
  adopt(stored: readonly AssignedKey[]): void {
    const keys = this.#slots.assign(stored, this.#tiers);
    this.#keys = keys.filter(key => key.slot >= 0);
    this.#onKeys(keys);
  }

  /** Takes over keys that were made or revoked. */
  async refresh(): Promise<void> {
    const version = await this.#store.keysVersion();
    if (version === this.#version) return;
    if (version === 0 && this.#version > 0) throw emptied();
    const stored = await this.#store.keys();
    const keys = this.#slots.assign(stored, this.#tiers);
    this.#keys = keys.filter(key => key.slot >= 0);
    // Before the first request with it: a new key begins with what it has used today.
    await this.#remember(this.#keys.filter(key => !this.#written.has(key.id)));
    this.#onKeys(keys);
    this.#onStoredKeys(stored);
    for (const { id, tier, revokedAt } of stored) {
      if (revokedAt === null && !this.#tiers.has(tier)) this.#onUnknownTier(id, tier);
    }
    this.#version = version;
  }

  /** A quota goes on after a restart: what the store has counted today is used up. */
  async #remember(keys: readonly RingKey[]): Promise<void> {
    const today = dayOfMillis(this.#now());
    if (today === null || keys.length === 0) return;
    const used = new Map((await this.#store.usage(today, today)).map(use => [use.keyId, use.accepted]));
    for (const key of keys) {
      const everywhere = used.get(key.id) ?? 0;
      this.#limits.addElsewhere(key.slot, today, everywhere);
      this.#written.set(key.id, new Map([[today, { accepted: everywhere, refused: 0, everywhere }]]));
    }
  }

  /** Writes what was counted since the last time, learns what others counted, and says that this server lives. */
  async flush(): Promise<void> {
    this.#servers = Math.max(1, await this.#store.heartbeat(this.#server, SERVER_GONE_MS));
    const today = dayOfMillis(this.#now());
    if (today === null) return;
    for (const [day, counted] of this.#byDay(today)) await this.#flushDay(day, counted, today);
    this.#lastDay = today;
  }

  /** Whether something was counted that the store has not got yet. */
  get hasUnwritten(): boolean {
    return this.#keys.some(({ id, slot }) => {
      const written = this.#written.get(id);
      return this.#limits.uses(slot).some(({ day, accepted, refused }) => {
        const { accepted: before, refused: refusedBefore } = written?.get(day) ?? NOTHING_WRITTEN;
        return accepted !== before || refused !== refusedBefore;
      });
    });
  }

  /** For a server that stops in order: the others share its part at once. */
  async leave(): Promise<void> {
    await this.flush();
    await this.#store.unregister(this.#server);
  }

  /** Every day has what it counts written, also after the clock has moved on to another day, or back. */
  #byDay(today: Day): Map<Day, CountedUse[]> {
    const days = new Map<Day, CountedUse[]>([[today, []]]);
    for (const key of this.#keys) {
      const uses = this.#limits.uses(key.slot);
      if (!uses.some(({ day }) => day === today)) uses.push({ day: today, accepted: 0, refused: 0 });
      for (const use of uses) {
        const day = use.day as Day; // the limits were given a day
        const counted = days.get(day);
        if (counted === undefined) days.set(day, [{ key, use }]);
        else counted.push({ key, use });
      }
      const written = this.#written.get(key.id) ?? new Map<number, Written>();
      this.#written.set(key.id, new Map([...written].filter(([day]) => uses.some(use => use.day === day))));
    }
    return days;
  }

  async #flushDay(day: Day, counted: readonly CountedUse[], today: Day): Promise<void> {
    const uses = counted.map(({ key, use }) => {
      const before = this.#written.get(key.id)?.get(day);
      // A count that is smaller than before was begun anew.
      const known = before === undefined || before.accepted > use.accepted ? NOTHING_WRITTEN : before;
      return { key, known, accepted: use.accepted - known.accepted, refused: Math.max(0, use.refused - known.refused) };
    });
    const changed = uses.filter(use => use.accepted > 0 || use.refused > 0);
    // Of today, other servers may have counted requests as well, and before the clock was set also this one.
    const asked = day === today && (this.#servers > 1 || today !== this.#lastDay) ? uses : changed;
    if (asked.length === 0) return;
    const entries: KeyUse[] = asked.map(({ key, accepted, refused }) => ({ keyId: key.id, accepted, refused }));
    const totals = new Map((await this.#store.addUsage(day, entries)).map(total => [total.keyId, total.accepted]));
    for (const { key, known, accepted, refused } of asked) {
      const everywhere = totals.get(key.id) ?? known.everywhere + accepted;
      const elsewhere = day === today ? Math.max(0, everywhere - known.everywhere - accepted) : 0;
      this.#limits.addElsewhere(key.slot, day, elsewhere);
      const written = {
        accepted: known.accepted + accepted + elsewhere,
        refused: known.refused + refused,
        everywhere: day === today ? everywhere : known.everywhere + accepted,
      };
      this.#written.set(key.id, new Map(this.#written.get(key.id)).set(day, written));
    }
  }
}
