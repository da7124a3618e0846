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
import { dayFromIso } from '../domain/day.ts';
import { demoSource } from '../ingest/demo/demo-source.ts';

const TODAY = dayFromIso('2026-08-20')!;
const [ASSETS, CLOSES, SEEDS] = [38, 1000, 3];

/** The last closes of simulated assets that have so many of them. */
async function simulated(): Promise<CleanSeries[]> {
  const closes = new Map<string, { period: number[]; close: number[] }>();
  const source = demoSource({ today: TODAY, assets: 80 });
  for await (const item of source.bars(async () => null, new AbortController().signal)) {
    if (item.kind !== 'bars') continue;
    const { batch } = item;
    for (let i = 0; i < batch.count; i++) {
      const { id } = batch.assets[batch.asset[i]!]!;
      const series = closes.get(id!) ?? { period: [], close: [] };
      closes.set(id!, series);
      series.period.push(batch.day[i]!);
      series.close.push(batch.close[i]!);
    }
  }
  return [...closes]
    .map(([name, { period, close }]) => ({ name, period: period.slice(-CLOSES), close: close.slice(-CLOSES) }))
    .filter(({ close }) => close.length === CLOSES && new Set(close).size > CLOSES / 2)
    .slice(0, ASSETS);
}

describe('in simulated closes', () => {
  let series: readonly CleanSeries[] = [];
  before(async () => {
    series = await simulated();
    assert.equal(series.length, ASSETS);
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
    const decades = (ASSETS * CLOSES) / 3650;
    assert.ok(findings.length <= decades, findings.map(({ asset, detail }) => `${asset}: ${detail}`).join('\n'));
  });
});
