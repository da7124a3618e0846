// Uses of API keys, summed up for one write.

import type { KeyUse } from '../port/store.ts';
import { storable } from './storable.ts';

/** One per API key, in the order of their first use. */
export function sumsByKey(uses: readonly KeyUse[]): KeyUse[] {
  const sums = new Map<string, KeyUse>();
  for (const use of uses) {
    const keyId = storable(use.keyId);
    const { accepted, refused } = sums.get(keyId) ?? { accepted: 0, refused: 0 };
    sums.set(keyId, { keyId, accepted: accepted + use.accepted, refused: refused + use.refused });
  }
  return [...sums.values()];
}
