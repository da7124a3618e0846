// Keeps a server's keys in step with the store, writes down how they are used, and counts the servers that share the limits.
//
// Counts are written every second. A killed server forgets at most the last second of them; several servers learn of each
// other's with the same delay.

import { randomUUID } from 'node:crypto';
import { type Day, dayOfMillis } from '../domain/day.ts';
import type { Tiers } from '../domain/tiers.ts';
import type { KeyRing, RingKey } from '../http/access/key-ring.ts';
import type { SharedLimits } from '../http/access/shared-limits.ts';
import type { KeyUse, Store } from '../store/store.ts';

/** A server that was silent for this long counts no more. */
const SERVER_GONE_MS = 5000;

interface Written {
  day: number;
  /** Of this server. */
  accepted: number;
  refused: number;
  /** Of all servers, as the store said last. */
  everywhere: number;
}

export class KeyFeed {
  readonly #store: Store;
  readonly #ring: KeyRing;
  readonly #limits: SharedLimits;
  readonly #tiers: Tiers;
  readonly #now: () => number;
  readonly #server = randomUUID();
  readonly #written = new Map<string, Written>();
  #version = -1;
  #servers = 1;

  constructor(options: { store: Store; ring: KeyRing; limits: SharedLimits; tiers: Tiers; now?: () => number }) {
    this.#store = options.store;
    this.#ring = options.ring;
    this.#limits = options.limits;
    this.#tiers = options.tiers;
    this.#now = options.now ?? Date.now;
  }

  get servers(): number {
    return this.#servers;
  }

  /** Takes over keys that were made or revoked. */
  async refresh(): Promise<void> {
    const version = await this.#store.keysVersion();
    if (version === this.#version) return;
    this.#ring.replace(await this.#store.keys(), this.#tiers);
    await this.#remember(this.#ring.all().filter(key => !this.#written.has(key.id)));
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
      this.#written.set(key.id, { day: today, accepted: everywhere, refused: 0, everywhere });
    }
  }

  /** Writes what was counted since the last time, learns what others counted, and says that this server lives. */
  async flush(): Promise<void> {
    this.#servers = Math.max(1, await this.#store.beat(this.#server, SERVER_GONE_MS));
    const today = dayOfMillis(this.#now());
    if (today === null) return;
    for (const [day, keys] of this.#byDay(today)) await this.#flushDay(day, keys, today);
  }

  /** The last word of a server that ends in order: the others share its part at once. */
  async leave(): Promise<void> {
    await this.flush();
    await this.#store.depart(this.#server);
  }

  #byDay(today: Day): Map<Day, RingKey[]> {
    const days = new Map<Day, RingKey[]>([[today, []]]);
    for (const key of this.#ring.all()) {
      const used = this.#limits.use(key.slot);
      // A key that was not used since yesterday may still have counts of yesterday to write.
      const day = used.day === 0 ? today : (used.day as Day); // the limits were given a day
      days.set(day, [...(days.get(day) ?? []), key]);
    }
    return days;
  }

  async #flushDay(day: Day, keys: readonly RingKey[], today: Day): Promise<void> {
    const uses = keys.map(key => {
      const used = this.#limits.use(key.slot);
      const before = this.#written.get(key.id);
      const known = before?.day === day ? before : { day, accepted: 0, refused: 0, everywhere: 0 };
      return { key, known, accepted: used.accepted - known.accepted, refused: used.refused - known.refused };
    });
    const changed = uses.filter(use => use.accepted > 0 || use.refused > 0);
    const asked = this.#servers > 1 ? uses : changed;
    if (asked.length === 0) return;
    const entries: KeyUse[] = asked.map(({ key, accepted, refused }) => ({ keyId: key.id, accepted, refused }));
    const totals = new Map((await this.#store.addUsage(day, entries)).map(total => [total.keyId, total.accepted]));
    for (const { key, known, accepted, refused } of asked) {
      const everywhere = totals.get(key.id) ?? known.everywhere + accepted;
      const elsewhere = Math.max(0, everywhere - known.everywhere - accepted);
      if (day === today) this.#limits.addElsewhere(key.slot, day, elsewhere);
      this.#written.set(key.id, {
        day,
        accepted: known.accepted + accepted + elsewhere,
        refused: known.refused + refused,
        everywhere,
      });
    }
  }
}
