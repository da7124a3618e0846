// Texts and profiles in a form that both databases can store.

import type { AssetDraft } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';

/**
 * PostgreSQL accepts neither NUL nor half a surrogate pair, which the rejects of a load may hold (a line of a broken file, say);
 * U+FFFD, the replacement character, replaces them.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

export function storableDraft(draft: AssetDraft): AssetDraft {
  return {
    id: storable(draft.id),
    symbol: storable(draft.symbol),
    name: storable(draft.name),
    rank: draft.rank,
    type: draft.type === null ? null : storable(draft.type),
    supply: draft.supply,
    tags: storable(draft.tags),
    provisional: draft.provisional,
    delisted: draft.delisted,
  };
}

/** As JSON, which escapes what `storable` replaces: a profile comes back as it was. */
export function recordOfProfile({ profile, extra }: SourcedProfile): string {
  return JSON.stringify({ profile, extra });
}

export function profileOfRecord(record: string): SourcedProfile {
  // Written by recordOfProfile.
  return JSON.parse(record) as SourcedProfile;
}
