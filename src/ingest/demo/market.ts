// What moves the simulated assets together: one market factor with bull, bear and calm times, crashes and restless spells, and
// one factor per sector. Levels are around 0 and weakly pulled back to it, so that they stay in bounds over decades.

import { type Day, dayFromIso } from '../../domain/day.ts';
import { growth, Random } from './random.ts';
import { SECTORS } from './sectors.ts';

/** The first simulated day. Everything is computed forward from it, so that no past day ever changes. */
export const EPOCH: Day = dayFromIso('2020-07-01')!;

export interface Market {
  /** One number per day since the epoch. */
  readonly level: Float64Array;
  /** How restless the day is; 1 is usual. */
  readonly unrest: Float64Array;
  readonly sectors: ReadonlyMap<string, Float64Array>;
}

/** `drift` is per day, `unrest` multiplies the deviation, `days` are the shortest and the longest spell. */
const bull = { drift: 0.0032, unrest: 0.8, days: [60, 240] };
const bear = { drift: -0.003, unrest: 1.1, days: [50, 180] };
const calm = { drift: 0, unrest: 0.6, days: [30, 120] };
const crash = { drift: -0.022, unrest: 2, days: [6, 16] };
const REGIMES = [bull, bull, bull, bear, bear, calm, calm, crash];

const SEED = 20_220_101;

/** The factors from the epoch to `today`, both included. */
export function simulateMarket(today: Day): Market {
  const days = today - EPOCH + 1;
  const [unrest, level] = [new Float64Array(days), new Float64Array(days)];
  const random = new Random(SEED);
  let regime = random.pick(REGIMES);
  let [left, mood, value] = [60, 0, 0];
  for (let i = 0; i < days; i++) {
    if (left-- === 0) {
      regime = random.pick(REGIMES);
      left = random.whole(regime.days[0]!, regime.days[1]!) - 1;
    }
    mood = 0.95 * mood + 0.12 * random.normal();
    unrest[i] = regime.unrest * growth(mood);
    value += regime.drift - value / 350 + 0.022 * unrest[i]! * random.normal();
    level[i] = value;
  }
  return { level, unrest, sectors: new Map(SECTORS.map(({ id }, i) => [id, sectorLevel(SEED + 1 + i, unrest)])) };
}

function sectorLevel(seed: number, unrest: Float64Array): Float64Array {
  const random = new Random(seed);
  let value = 0;
  return unrest.map(each => (value += 0.011 * Math.sqrt(each) * random.normal() - value / 250));
}
