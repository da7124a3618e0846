// Access without keys (`--open`): everybody has the widest tier, and none of its limits but the rows a page.

import { TIERS, type Tier } from '../../domain/tiers.ts';
import type { Authenticate } from '../context.ts';

export function openToAll(tier: Tier = TIERS.unlimited): Authenticate {
  const everything = { tier, key: null, headers: '' };
  return () => everything;
}
