// What moves the simulated assets together: one market factor with bull, bear and calm times, crashes and restless
// spells, and one factor for each sector. Levels are logarithms around 0, pulled back weakly so that they stay in bounds
// over decades.

import { type Day, dayFromIso } from '../../domain/day.ts';
import { exp } from './arithmetic.ts';
import { Random } from './random.ts';
import { SECTORS, type SectorId } from './sectors.ts';

/** The first simulated day. Everything is computed forward from it, hence no past day ever changes. */
export const EPOCH: Day = dayFromIso('2022-01-01')!;

export interface Market {
  /** One number a day from the epoch on. */
  readonly level: Float64Array;
  /** How restless the day is; 1 is usual. */
  readonly unrest: Float64Array;
  readonly sectors: Readonly<Record<SectorId, Float64Array>>;
}

interface Regime {
  readonly weight: number;
  /** Of the logarithm, a day. */
  readonly drift: number;
  readonly unrest: number;
  /** Days that it lasts. */
  readonly shortest: number;
  readonly longest: number;
}

const REGIMES: readonly Regime[] = [
  { weight: 4, drift: 0.0032, unrest: 0.8, shortest: 60, longest: 240 },
  { weight: 3, drift: -0.003, unrest: 1.1, shortest: 50, longest: 180 },
  { weight: 3, drift: 0, unrest: 0.6, shortest: 30, longest: 120 },
  { weight: 1.5, drift: -0.022, unrest: 2, shortest: 6, longest: 16 },
];

const SEED = 20_220_101;
const DAILY_DEVIATION = 0.022;
const PULL = 1 / 350;
const SECTOR_DEVIATION = 0.011;
const SECTOR_PULL = 1 / 250;

/** The factors from the epoch to `today`, both included. */
export function simulateMarket(today: Day): Market {
  const days = today - EPOCH + 1;
  const unrest = new Float64Array(days);
  const level = new Float64Array(days);
  const random = new Random(SEED);
  let regime = REGIMES[0]!;
  let left = 0;
  let mood = 0;
  let value = 0;
  for (let i = 0; i < days; i++) {
    if (left === 0) {
      regime = random.weighted(REGIMES);
      left = random.whole(regime.shortest, regime.longest);
    }
    left--;
    mood = 0.95 * mood + 0.12 * random.normal();
    unrest[i] = regime.unrest * exp(mood);
    value += regime.drift - PULL * value + DAILY_DEVIATION * unrest[i]! * random.normal();
    level[i] = value;
  }
  // Of a closed list of names, each once: the record is complete.
  const sectors = Object.fromEntries(
    SECTORS.map((sector, position) => [sector.id, sectorLevel(SEED + 1 + position, unrest)]),
  ) as Record<SectorId, Float64Array>;
  return { level, unrest, sectors };
}

function sectorLevel(seed: number, unrest: Float64Array): Float64Array {
  const random = new Random(seed);
  const level = new Float64Array(unrest.length);
  let value = 0;
  for (let i = 0; i < unrest.length; i++) {
    value += SECTOR_DEVIATION * Math.sqrt(unrest[i]!) * random.normal() - SECTOR_PULL * value;
    level[i] = value;
  }
  return level;
}
