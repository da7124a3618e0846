// How the columns follow that are facts of the asset, or computed from them.

import { type Days, type Derivation, NOTHING, step } from './derivation.ts';
import { fromDouble, multiply, type Real } from './real.ts';

/** Of the asset, as a source gives them; they have no history. */
export interface AssetFigures {
  readonly rank: number | null;
  readonly supply: number | null;
}

type FactDefinition = (days: Days, facts: AssetFigures) => Derivation;

const realOf = (value: number | null): Real | null => (value === null ? null : fromDouble(value));

export const FACT_DEFINITIONS: Readonly<Record<string, FactDefinition>> = {
  rank: (_, { rank }) => ({ inputs: [], steps: [], exact: realOf(rank) }),
  supply: (_, { supply }) => ({ inputs: [], steps: [], exact: realOf(supply) }),
  market_cap: (days, { supply }) => {
    const known = realOf(supply);
    if (known === null) return { inputs: [0], ...NOTHING };
    return { inputs: [0], steps: [step('supply', known)], exact: multiply(days.close(0), known) };
  },
};
