// The tags of the simulated assets, and how many assets carry each.

import { slug } from '../../domain/asset.ts';
import type { Tag } from '../../domain/profile.ts';
import type { Facts } from './facts.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';

/** Where capitals at the start of each word are not right. */
const SPELLINGS: Readonly<Record<string, string>> = {
  defi: 'DeFi',
  'play-to-earn': 'Play to Earn',
  'proof-of-stake': 'Proof of Stake',
  'proof-of-work': 'Proof of Work',
  'store-of-value': 'Store of Value',
};

/** Ids: the main tag of its sector, up to two others of it, and how it is secured. */
export function tagIdsOf(asset: DemoAsset, { security }: Facts): string[] {
  const random = new Random(hash(asset.seed, 6));
  const [main, ...others] = asset.sector.tags;
  return [main!, ...random.pickSome(others, random.whole(0, 2)), securityTag(security)];
}

function securityTag(security: Facts['security']): string {
  switch (security.kind) {
    case 'work':
      return 'proof-of-work';
    case 'stake':
      return 'proof-of-stake';
    case 'token':
      return `${slug(security.network.name)}-token`;
  }
}

export interface Tagged {
  readonly tagIds: readonly string[];
  readonly facts: Facts;
}

/** Every tag in use, by id. `ico_counter` counts the assets that began with a public sale. */
export function countTags(all: readonly Tagged[]): ReadonlyMap<string, Tag> {
  const tags = new Map<string, Tag>();
  for (const { tagIds, facts } of all) {
    for (const id of tagIds) {
      const before = tags.get(id) ?? { coin_counter: 0, ico_counter: 0 };
      tags.set(id, {
        id,
        name: tagName(id),
        coin_counter: before.coin_counter + 1,
        ico_counter: before.ico_counter + (facts.publicSale ? 1 : 0),
      });
    }
  }
  return tags;
}

function tagName(id: string): string {
  return (
    SPELLINGS[id] ?? id.replace(/(^|-)([a-z])/g, (_, hyphen, letter) => (hyphen ? ' ' : '') + letter.toUpperCase())
  );
}
