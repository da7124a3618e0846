// How often API keys were used. Nothing here waits for the writer of bars.

import type { Day } from '../../domain/day.ts';
import type { DailyUse, KeyUse, UsageStore } from '../port/store.ts';
import type { Records } from './steps.ts';
import { storable } from './storable.ts';
import { USAGE } from './tables.ts';

export function usageStore(db: Records): UsageStore {
  return {
    addUsage: (day, uses) => {
      const sums = sumsByKey(day, uses);
      const isUsed = ({ accepted, refused }: KeyUse) => accepted > 0 || refused > 0;
      // By id: two servers that lock the same rows in different orders would wait for each other.
      const used = sums.filter(isUsed).sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
      const unused = sums.filter(use => !isUsed(use)).map(use => use.keyId);
      return db[used.length > 0 ? 'change' : 'query'](function* () {
        // Reads first: what fails after something was added would be added once more at the next attempt.
        const read = yield* USAGE.rowsOf('api_key', unused, 'AND day = $2', day);
        const totals = new Map([...read, ...(yield* USAGE.increase(used))].map(use => [use.keyId, use]));
        return sums.map(({ keyId }) => {
          const { accepted, refused } = totals.get(keyId) ?? { accepted: 0, refused: 0 };
          return { keyId, accepted, refused };
        });
      });
    },

    usage: async (from, to) => [
      ...(await db.query(() => USAGE.rows('WHERE day BETWEEN $1 AND $2 ORDER BY day, api_key', from, to))),
    ],

    // One look into the index per API key, however many days it was used on.
    lastUses: async () => {
      const last = await db.query(() =>
        USAGE.rows(
          'WHERE (api_key, day) IN (SELECT id, (SELECT max(day) FROM usage WHERE api_key = id) FROM api_keys)',
        ),
      );
      return new Map(last.map(({ keyId, day }) => [keyId, day]));
    },
  };
}

/** One per API key, in the order of their first use. */
function sumsByKey(day: Day, uses: readonly KeyUse[]): DailyUse[] {
  const sums = new Map<string, DailyUse>();
  for (const use of uses) {
    const keyId = storable(use.keyId);
    const { accepted, refused } = sums.get(keyId) ?? { accepted: 0, refused: 0 };
    sums.set(keyId, { day, keyId, accepted: accepted + use.accepted, refused: refused + use.refused });
  }
  return [...sums.values()];
}
