// The profile record of one asset as JSON, field for field in the order of the contract.
//
// Prices take precedence over a source: `is_new`, `is_active` and `first_data_at` are derived from prices once there are any. Before
// that they are what the source says; without a source, an asset is neither new nor active.

import type { Asset } from '../domain/asset.ts';
import type { AssetState } from '../domain/asset-state.ts';
import { profileTimeFromDay } from '../domain/day.ts';
import { type Link, type Links, linksByKey, MAX_PROFILE_BYTES, type Profile } from '../domain/profile.ts';

export type ProfiledAsset = Pick<Asset, 'id' | 'name' | 'symbol' | 'rank' | 'type'> & AssetState;

/** Loads refuse larger profiles; a store that another program filled must not make a response of any size. */
const MAX_BODY_BYTES = 2 * MAX_PROFILE_BYTES;

/** Without a profile, or with one that is too large: what is known of the asset, the rest null and empty. */
export function renderProfile(profile: Profile | null, asset: ProfiledAsset): Buffer {
  const body = Buffer.from(JSON.stringify(servedProfile(profile, asset)));
  return body.length <= MAX_BODY_BYTES ? body : renderProfile(null, asset);
}

function servedProfile(profile: Profile | null, asset: ProfiledAsset): Profile {
  const hasPrices = asset.firstDay !== null;
  return {
    id: asset.id,
    name: profile?.name ?? asset.name,
    symbol: profile?.symbol ?? asset.symbol,
    rank: asset.rank ?? profile?.rank ?? null,
    is_new: hasPrices ? asset.isNew : (profile?.is_new ?? false),
    is_active: hasPrices ? asset.isActive : (profile?.is_active ?? false),
    type: profile?.type ?? asset.type,
    tags: (profile?.tags ?? []).map(({ id, name, coin_counter, ico_counter }) => ({
      id,
      name,
      coin_counter,
      ico_counter,
    })),
    team: (profile?.team ?? []).map(({ id, name, position }) => ({ id, name, position })),
    description: profile?.description ?? null,
    message: profile?.message ?? null,
    open_source: profile?.open_source ?? null,
    started_at: profile?.started_at ?? null,
    development_status: profile?.development_status ?? null,
    hardware_wallet: profile?.hardware_wallet ?? null,
    proof_type: profile?.proof_type ?? null,
    org_structure: profile?.org_structure ?? null,
    hash_algorithm: profile?.hash_algorithm ?? null,
    links: servedLinks(profile?.links),
    links_extended: (profile?.links_extended ?? []).map(servedLink),
    whitepaper: {
      link: profile?.whitepaper.link ?? null,
      thumbnail: profile?.whitepaper.thumbnail ?? null,
    },
    first_data_at: asset.firstDay === null ? (profile?.first_data_at ?? null) : profileTimeFromDay(asset.firstDay),
  };
}

/** All six keys, in the order of the contract, then the source's other ones. */
function servedLinks(links: Links | undefined): Links {
  return { ...linksByKey(() => []), ...links };
}

function servedLink({ url, type, stats }: Link): Link {
  return stats === undefined ? { url, type } : { url, type, stats };
}
