// Assets and profiles in the form that both databases can keep, and back.

import type { AssetDraft } from '../domain/asset.ts';
import type { SourcedProfile } from '../domain/profile.ts';

/**
 * PostgreSQL takes neither NUL nor half a surrogate pair, and what is refused at a load (a broken file's line, say) may hold
 * either; U+FFFD, the sign for what cannot be shown, stands in for them.
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
  // Written by recordOfProfile, hence of this shape.
  return JSON.parse(record) as SourcedProfile;
}
