// Texts in a form that both databases can store.

import type { AssetDraft } from '../../domain/asset.ts';

/**
 * PostgreSQL accepts neither NUL nor half a surrogate pair, which the rejects of a load may hold (a line of a broken file, say);
 * U+FFFD, the replacement character, replaces them.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

export function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}

export function storableDraft(draft: AssetDraft): AssetDraft {
  return {
    id: storable(draft.id),
    symbol: storable(draft.symbol),
    name: storable(draft.name),
    rank: draft.rank,
    type: storableOrNull(draft.type),
    supply: draft.supply,
    tags: storable(draft.tags),
    provisional: draft.provisional,
    delisted: draft.delisted,
  };
}
