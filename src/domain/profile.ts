// The asset profile record, field for field in the order in which it is served.

/** The largest profile that is stored, as JSON with its `extra` members; ten times the largest of CoinPaprika. */
export const MAX_PROFILE_BYTES = 256 * 1024;

export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly coin_counter: number;
  readonly ico_counter: number;
}

export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly position: string;
}

export const LINK_KEYS = ['explorer', 'facebook', 'reddit', 'source_code', 'website', 'youtube'] as const;
/** Always the six keys; a source's other ones (`medium`) pass through. */
export type Links = Readonly<Record<(typeof LINK_KEYS)[number], readonly string[]> & Record<string, readonly string[]>>;

/** The links of the six keys, in the order of the record. */
export function linksByKey(urlsOf: (key: string) => readonly string[]): Links {
  return Object.fromEntries(LINK_KEYS.map(key => [key, urlsOf(key)])) as Links; // has each key
}

export const LINK_STATS = ['subscribers', 'contributors', 'stars', 'members', 'followers'] as const;
export type LinkStats = Readonly<Partial<Record<(typeof LINK_STATS)[number], number>>>;

export interface Link {
  readonly url: string;
  readonly type: string;
  readonly stats?: LinkStats;
}

/** What a source does not know is null for a text or a time and [] for a list. `is_new`, `is_active` and `first_data_at` are
 * derived from the prices when a profile is served; here they are what the source said. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly rank: number | null;
  readonly is_new: boolean | null;
  readonly is_active: boolean | null;
  readonly type: string | null;
  readonly tags: readonly Tag[];
  readonly team: readonly TeamMember[];
  readonly description: string | null;
  readonly message: string | null;
  readonly open_source: boolean | null;
  readonly started_at: string | null;
  readonly development_status: string | null;
  readonly hardware_wallet: boolean | null;
  readonly proof_type: string | null;
  readonly org_structure: string | null;
  readonly hash_algorithm: string | null;
  readonly links: Links;
  readonly links_extended: readonly Link[];
  readonly whitepaper: { readonly link: string | null; readonly thumbnail: string | null };
  readonly first_data_at: string | null;
}

/** A profile as a source delivered it: the record, and the members that the record has no place for, kept so that none is lost. */
export interface SourcedProfile {
  readonly profile: Profile;
  readonly extra: Readonly<Record<string, unknown>>;
}
