// Uses of keys, summed up for one write.

import { storable } from './records.ts';
import type { KeyUse } from './store.ts';

/** One for each key, in the order in which the keys come first. */
export function sumsByKey(uses: readonly KeyUse[]): KeyUse[] {
  const sums = new Map<string, KeyUse>();
  for (const use of uses) {
    const keyId = storable(use.keyId);
    const { accepted, refused } = sums.get(keyId) ?? { accepted: 0, refused: 0 };
    sums.set(keyId, { keyId, accepted: accepted + use.accepted, refused: refused + use.refused });
  }
  return [...sums.values()];
}
