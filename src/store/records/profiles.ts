// Profiles of assets.

import type { AssetNumber } from '../../domain/asset.ts';
import type { SourcedProfile } from '../../domain/profile.ts';
import type { CorrectionStore, ProfileStore } from '../port/store.ts';
import { type Records, run } from './steps.ts';
import { PROFILES } from './tables.ts';

/** Profiles are read in parts of this many, so that no read stays open while a caller works on one. */
const PROFILES_AT_ONCE = 200;

export function profileStore(db: Records): ProfileStore & Pick<CorrectionStore, 'removeProfile'> {
  return {
    putProfiles: profiles =>
      db.write(function* () {
        const assets = profiles.map(entry => entry.assetNumber);
        yield* run(on => on.requireAssets(assets));
        const stored = yield* PROFILES.rowsOf('asset', [...new Set(assets)]);
        const texts = new Map(stored.map(profile => [profile.assetNumber, textOf(profile)]));
        const changes = { inserted: 0, replaced: 0, unchanged: 0 };
        const written = new Map<AssetNumber, SourcedProfile>();
        for (const { assetNumber, sourced } of profiles) {
          const [before, text] = [texts.get(assetNumber), textOf(sourced)];
          changes[before === undefined ? 'inserted' : before === text ? 'unchanged' : 'replaced']++;
          if (before !== text) written.set(assetNumber, sourced);
          texts.set(assetNumber, text);
        }
        yield* PROFILES.put([...written].map(([assetNumber, { profile, extra }]) => ({ assetNumber, profile, extra })));
        yield* run(on => on.markPending([...written.keys()]));
        return changes;
      }),

    profile: async asset => {
      const [found] = await db.query(() => PROFILES.rows('WHERE asset = $1', asset), asset);
      return found === undefined ? null : { profile: found.profile, extra: found.extra };
    },

    profiles: async function* () {
      for (let after = -1; ; ) {
        const part = await db.query(() =>
          PROFILES.rows('WHERE asset > $1 ORDER BY asset LIMIT $2', after, PROFILES_AT_ONCE),
        );
        for (const { assetNumber, profile, extra } of part) yield { assetNumber, sourced: { profile, extra } };
        const last = part.at(-1);
        if (!last) return;
        after = last.assetNumber;
      }
    },

    removeProfile: asset =>
      db.write(function* () {
        yield* run(on => on.requireAssets([asset]));
        const isRemoved = (yield* PROFILES.remove('WHERE asset = $1', asset)) > 0;
        if (isRemoved) yield* run(on => on.markPending([asset]));
        return isRemoved;
      }),
  };
}

function textOf({ profile, extra }: SourcedProfile): string {
  return JSON.stringify([profile, extra]);
}
