// The invented people behind a simulated asset.

import { slug } from '../../domain/asset.ts';
import type { TeamMember } from '../../domain/profile.ts';
import { hash, Random } from './random.ts';
import type { DemoAsset } from './universe.ts';
import { FAMILY_BEGINNINGS, FAMILY_ENDS, GIVEN_NAMES } from './words.ts';

/** Nobody is listed for most meme tokens; otherwise one to eight people. */
export function teamOf(asset: DemoAsset): TeamMember[] {
  const random = new Random(hash(asset.seed, 3));
  const casual = asset.sector.id === 'memes';
  const size = casual ? Math.max(0, random.whole(-3, 2)) : random.whole(1, 8);
  const positions = [random.pick(FIRST_POSITIONS), ...random.pickSome(POSITIONS, size - 1)].slice(0, size);
  const given = random.pickSome(GIVEN_NAMES, size);
  return positions.map((position, i) => {
    const name = `${given[i]!} ${random.pick(FAMILY_BEGINNINGS)}${random.pick(FAMILY_ENDS)}`;
    return { id: slug(name), name, position };
  });
}

const FIRST_POSITIONS = ['Founder', 'Founder & CEO', 'Co-founder', 'Author'] as const;

const POSITIONS = [
  'Advisor',
  'Chief Operating Officer',
  'Chief Technology Officer',
  'Co-founder',
  'Community Manager',
  'Cryptographer',
  'Designer',
  'Economist',
  'Front-end Developer',
  'Head of Partnerships',
  'Head of Research',
  'Lead Developer',
  'Legal Counsel',
  'Protocol Engineer',
  'Security Engineer',
  'Technical Writer',
] as const;
