// Access without API keys (`--open`): every request has the widest tier, and of its limits only the rows per page.

import { TIERS, type Tier } from '../../domain/tiers.ts';
import type { Authenticate } from './grant.ts';

export function openToAll(tier: Tier = TIERS.unlimited): Authenticate {
  const everything = { tier, key: null, headers: '' };
  return () => everything;
}
