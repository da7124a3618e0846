// A fixed handful of seeds; `npm run simulate` tries others, for as long as one likes.

import { describe, it } from 'node:test';
import { freshPostgresUrl } from '../support/postgres.ts';
import { simulate } from './simulation.ts';

describe('a simulated service', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`is safe with faults, and converges after them (npm run simulate -- --seed ${seed} --steps 60)`, async () => {
      await simulate({ seed, steps: 60, faults: true, url: null });
    });
  }

  for (const faults of [true, false]) {
    it(`does so on PostgreSQL too, ${faults ? 'with' : 'without'} faults`, async () => {
      await simulate({ seed: 1, steps: 60, faults, url: await freshPostgresUrl() });
    });
  }

  for (const seed of [1, 2]) {
    it(`delivers every alert once without faults (npm run simulate -- --seed ${seed} --steps 60 --quiet)`, async () => {
      await simulate({ seed, steps: 60, faults: false, url: null });
    });
  }
});
