// Access without keys (`--open`): everybody has the widest tier.

import { TIERS } from '../../domain/tiers.ts';
import type { Authenticate } from '../context.ts';

export const openToAll: Authenticate = () => ({ tier: TIERS.unlimited });
