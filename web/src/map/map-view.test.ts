import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { absentColumns } from '../market-columns.ts';
import { scaleEnd, step } from './colour-scale.ts';
import { areasToTry, mapAddress, parseMapView, screenerOf } from './map-view.ts';

const COLOURS = new Set(['change1', 'change7']);

describe('the view of the map in the address', () => {
  it('is market cap and the change of one day by default', () => {
    const expected = { area: 'market_cap', colour: 'change1', tag: null, table: false, filters: {} };
    assert.deepEqual(parseMapView('', COLOURS), expected);
    assert.deepEqual(parseMapView('?area=size&colour=price&view=list&utm=1', COLOURS), expected);
  });

  it('has the filters of the screener as parameters of the listing', () => {
    const search =
      '?where=rsi14%20%3C%2030&tag=defi&type=token&symbols=BTC,ETH&calc=a:price&cols=price&page=2&colour=change7';
    assert.deepEqual(parseMapView(search, COLOURS), {
      area: 'market_cap',
      colour: 'change7',
      tag: 'defi',
      table: false,
      filters: { calc: 'a:price', where: 'rsi14 < 30', type: 'token', symbol: 'BTC,ETH' },
    });
  });

  it('of a past day is sized by what that day has', () => {
    const tried = (search: string) => areasToTry(parseMapView(search, COLOURS));
    assert.deepEqual(tried('?as_of=2026-01-31'), ['market_cap', 'turnover30', 'turnover', 'vol30']);
    assert.deepEqual(tried('?as_of=2026-01-31&area=turnover'), ['turnover', 'turnover30', 'vol30']);
    assert.deepEqual(tried('?as_of=2026-01-31&area=equal'), ['equal']);
    assert.deepEqual(tried(''), ['market_cap']);
  });

  describe('of a store without market caps', () => {
    afterEach(() => {
      absentColumns.value = new Set();
    });

    for (const [absent, search, area] of [
      [['market_cap'], '', 'turnover'],
      [['market_cap'], '?area=market_cap', 'turnover'],
      [['market_cap'], '?as_of=2026-01-31', 'turnover30'],
      [['market_cap', 'turnover'], '', 'vol30'],
      [['market_cap', 'turnover'], '?area=turnover', 'vol30'],
      [['market_cap', 'turnover'], '?area=equal', 'equal'],
      [['turnover'], '?area=turnover', 'market_cap'],
    ] as const) {
      it(`is sized by ${area} without ${absent.join(' and ')} for ${search || 'no area'}`, () => {
        absentColumns.value = new Set(absent);
        assert.equal(parseMapView(search, COLOURS).area, area);
      });
    }
  });

  it('keeps what it does not change, and leads back to the screener', () => {
    const search = '?where=price%20%3E%201&area=equal';
    assert.equal(mapAddress(search, { tag: 'defi' }), '/map?where=price%20%3E%201&area=equal&tag=defi');
    assert.equal(mapAddress('?tag=defi', { tag: null }), '/map');
    assert.equal(screenerOf(search), '/?where=price%20%3E%201');
  });
});

describe('the colours of the map', () => {
  it('end at a round number that three of four values do not exceed', () => {
    assert.equal(scaleEnd([...Array<number>(9).fill(-4), 80, 90, null]), 5);
    assert.equal(scaleEnd([]), 0.5);
  });

  for (const [value, expected] of [
    [null, 0],
    [0.3, 0],
    [-0.7, -1],
    [2.5, 2],
    [5, 4],
    [-99, -4],
  ] as const) {
    it(`have ${value} of 5 at step ${expected}`, () => assert.equal(step(value, 5), expected));
  }
});
