// Errors planted into simulated closes: nearly all of them are found, and the rules are quiet where there are none. The simulation has
// restless spells and jumps like real prices. It is not real prices: what the rules find in those is in docs/explanation/findings.md.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Chance } from '../../test/contract/query/chance.ts';
import {
  type CleanSeries,
  findingsOfClean,
  PLANTED,
  type PlantedRule,
  plantAndFind,
  recall,
} from '../../test/support/planted-errors.ts';
import { SIMULATED, simulatedCloses } from '../../test/support/simulated-closes.ts';

const SEEDS = 3;

describe('in simulated closes', () => {
  let series: readonly CleanSeries[] = [];
  before(async () => {
    series = await simulatedCloses();
    assert.equal(series.length, SIMULATED.assets);
  });

  for (const rule of Object.keys(PLANTED) as PlantedRule[]) {
    it(`at least 95 % of the planted errors of the rule ${rule} are found`, () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const found = plantAndFind(series, new Chance(seed));
        assert.ok(recall(found, rule) >= 0.95, `seed ${seed}: ${recall(found, rule)}`);
      }
    });
  }

  it('without errors there is at most one spike or shift in ten years of an asset', () => {
    const findings = findingsOfClean(series).filter(({ rule }) => rule === 'spike' || rule === 'shift');
    const decades = (SIMULATED.assets * SIMULATED.closes) / 3650;
    assert.ok(findings.length <= decades, findings.map(({ asset, detail }) => `${asset}: ${detail}`).join('\n'));
  });
});
