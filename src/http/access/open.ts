// Access without keys (`--open`): everybody has the widest tier.

import { TIERS } from '../../domain/tiers.ts';
import type { Authenticate, Grant } from '../context.ts';

const EVERYTHING: Grant = { tier: TIERS.unlimited, key: null, headers: '' };

export const openToAll: Authenticate = () => EVERYTHING;
