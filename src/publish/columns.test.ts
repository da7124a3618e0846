import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INDICATORS } from '../domain/catalogue.ts';
import type { IndicatorColumn } from '../domain/columns.ts';
import { columnSetOf, fingerprintOf, hasOtherOwn, lacksOwn, STORED_COLUMNS } from './columns.ts';

describe('the fingerprint of the columns', () => {
  const changed = (change: Partial<IndicatorColumn>) => fingerprintOf([{ ...INDICATORS[0]!, ...change }]);

  it('is the same for the same definitions', () => {
    assert.equal(fingerprintOf(structuredClone(INDICATORS)), STORED_COLUMNS.default.fingerprint);
    assert.equal(changed({ description: 'in other words' }), changed({}));
  });

  for (const [what, change] of [
    ['name', { name: 'other' }],
    ['kind', { kind: 'sma' }],
    ['window', { window: 2 }],
    ['formula', { formula: 'C₀ − C₁' }],
  ] as const) {
    it(`is another one for another ${what}`, () => assert.notEqual(changed(change), changed({})));
  }

  it('is another one for another order', () => {
    assert.notEqual(fingerprintOf(INDICATORS.toReversed()), STORED_COLUMNS.default.fingerprint);
  });

  it('begins with the names, as they are in the database of every version', () => {
    const [first, second] = INDICATORS;
    assert.match(fingerprintOf([first!, second!], 2), /^change1,change5,state_1,state_2#/);
  });

  it('says whether the optional columns are published, whatever their definitions', () => {
    assert.equal(columnSetOf(null), 'default');
    assert.equal(columnSetOf(STORED_COLUMNS.default.fingerprint), 'default');
    assert.equal(columnSetOf(STORED_COLUMNS.all.fingerprint.replace(/#.*/, '#other')), 'all');
  });

  const ours = STORED_COLUMNS.all.fingerprint;
  for (const [name, published, other, lacks] of [
    ['no publication', null, false, false],
    ['the same columns', ours, false, false],
    ['columns of a settings file besides them', `${ours}+0123456789abcdef`, true, true],
    ['other built-in columns', ours.replace(/#\w+/, '#0123456789abcdef'), false, false],
    ['both', ours.replace(/#\w+/, '#0123456789abcdef+0123456789abcdef'), false, true],
    ['default columns only', STORED_COLUMNS.default.fingerprint, false, false],
  ] as const) {
    it(`says whether only columns of a settings file differ: ${name}`, () => {
      assert.deepEqual([hasOtherOwn(published), lacksOwn(published)], [other, lacks]);
    });
  }
});
