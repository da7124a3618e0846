// The public facts of API keys, as `keys list` shows them: never the API key or its hash.

import { keyState } from '../domain/api-key.ts';
import type { Day } from '../domain/day.ts';
import type { KeyUse, StoredKey } from '../store/store.ts';
import { isoOrNull } from './days.ts';
import { count, table } from './terminal.ts';

export type KeyEntry = ReturnType<typeof entryOf>;

/** `use` is the use on that day. */
export function entryOf(key: StoredKey, day: Day, use: KeyUse | undefined, lastUsed: Day | undefined) {
  return {
    id: key.id,
    name: key.name,
    tier: key.tier,
    state: keyState(key, day),
    createdAt: key.createdAt,
    expires: isoOrNull(key.expires),
    revokedAt: key.revokedAt,
    lastUsed: isoOrNull(lastUsed ?? null),
    acceptedToday: use?.accepted ?? 0,
    refusedToday: use?.refused ?? 0,
  };
}

export function keyTable(entries: readonly KeyEntry[]): string {
  return table(
    ['id', 'name', 'tier', 'created (UTC)', 'expires', 'state', 'last used', '>accepted today', '>refused today'],
    entries.map(entry => [
      entry.id,
      entry.name ?? '',
      entry.tier,
      minute(entry.createdAt),
      entry.expires ?? 'never',
      entry.state,
      entry.lastUsed ?? 'never',
      count(entry.acceptedToday),
      count(entry.refusedToday),
    ]),
  );
}

/** `2025-06-16 09:30`. */
export function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
