import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomAsset, uniform } from '../../../test/support/market.ts';
import { gatherFacts, joinFacts, packFacts } from './fact-columns.ts';

const random = uniform(1);
const assets = Array.from({ length: 20 }, (_, i) => randomAsset(i + 1, random));

describe('the facts of assets as columns', () => {
  for (const at of [0, 1, 7, 20]) {
    it(`are the same when the first ${at} are packed apart and joined with the others`, () => {
      const parts = [packFacts(assets.slice(0, at)), packFacts(assets.slice(at))];
      assert.deepEqual(joinFacts(parts), packFacts(assets));
    });
  }

  it('can be gathered in any order, some twice and some not at all', () => {
    const places = Uint32Array.of(19, 3, 3, 0);
    const expected = Array.from(places, place => assets[place]!);
    assert.deepEqual(gatherFacts(packFacts(assets), places), packFacts(expected));
  });

  it('of no asset are empty', () => assert.equal(joinFacts([]).assetNumbers.length, 0));
});
