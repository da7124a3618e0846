import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACTIVE_DAYS, isActive, isNew, outranks, tickerKey } from './asset-state.ts';
import { type Day, dayFromIso } from './day.ts';

const day = (iso: string): Day => dayFromIso(iso)!;
const [newest, today] = [day('2024-03-09'), day('2024-03-10')];

describe('an asset is new on the day of its first close and the five days after it', () => {
  for (const [firstDay, expected] of [
    ['2024-03-11', true], // a source's clock may be ahead of ours
    ['2024-03-10', true],
    ['2024-03-05', true],
    ['2024-03-04', false],
    ['2020-01-01', false],
  ] as const) {
    it(`first close on ${firstDay}, today 2024-03-10: ${expected}`, () => {
      assert.equal(isNew(day(firstDay), today), expected);
    });
  }
});

describe('an asset is active until its last close is more than seven days older than the newest', () => {
  for (const [lastDay, delisted, expected] of [
    ['2024-03-09', false, true],
    ['2024-03-02', false, true],
    ['2024-03-01', false, false],
    ['2024-03-09', true, false],
    ['2024-03-01', true, false],
  ] as const) {
    it(`last close on ${lastDay}, newest 2024-03-09${delisted ? ', delisted' : ''}: ${expected}`, () => {
      assert.equal(isActive(day(lastDay), newest, delisted, ACTIVE_DAYS), expected);
    });
  }
});

describe('of assets that share a ticker', () => {
  for (const [winner, loser, why] of [
    [{ rank: 1, id: 'z' }, { rank: 2, id: 'a' }, 'the better-ranked one has the row'],
    [{ rank: 999, id: 'z' }, { rank: null, id: 'a' }, 'a ranked one has it before an unranked one'],
    [{ rank: 5, id: 'a' }, { rank: 5, id: 'b' }, 'the lower id decides between equal ranks'],
    [{ rank: null, id: 'a' }, { rank: null, id: 'b' }, 'and between unranked ones'],
    [{ rank: null, id: '\uffee' }, { rank: null, id: '𝔞' }, 'by code point'],
  ] as const) {
    it(why, () => {
      assert.equal(outranks(winner, loser), true);
      assert.equal(outranks(loser, winner), false);
    });
  }

  it('case makes no difference, width and script do', () => {
    assert.equal(tickerKey('stEth'), tickerKey('STETH'));
    assert.equal(tickerKey('бит'), tickerKey('БИТ'));
    assert.notEqual(tickerKey('A'), tickerKey('Ａ'));
    assert.notEqual(tickerKey('BTC'), tickerKey('ВТС'));
  });
});
