import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anyValue, NASTY_TICKERS, pick, uniform } from '../../../test/support/market.ts';
import { rowNumbers, sharedCounts, sharedDoubles } from '../columns/shared-memory.ts';
import { packTexts } from '../columns/texts.ts';
import type { NumberData } from '../table.ts';
import { HELPED_ROWS, WorkList } from './work-list.ts';

const ROWS = 2000;

function randomColumn(seed: number): NumberData {
  const random = uniform(seed);
  const values = sharedDoubles(ROWS);
  for (let row = 0; row < ROWS; row++) values[row] = anyValue(random);
  return { kind: 'number', values };
}

/** What all kinds of work make and write, of a list that is long enough for both threads. */
function doAll(rows: number, seed: number) {
  const random = uniform(seed);
  const texts = packTexts(Array.from({ length: ROWS }, () => pick(random, NASTY_TICKERS)));
  const works = new WorkList(rows);
  const made = [
    works.add('symbols', texts),
    works.add('search', [texts, texts]),
    works.add('fact', { texts, slots: rowNumbers(ROWS), several: true }),
    works.add('fact', { texts, slots: rowNumbers(ROWS), several: false }),
    works.add('tickers', { texts, rows: rowNumbers(ROWS) }),
    works.add('sorted', { texts, rows: rowNumbers(ROWS) }),
    works.add('digests', randomColumn(seed).values),
  ];
  const columns = Array.from({ length: 20 }, (_, i) => randomColumn(seed + i));
  const orders = columns.map(data => {
    const order = sharedCounts(ROWS);
    works.add('order', { data, order, changes: null });
    return order;
  });
  const copies = columns.map(({ values: from }) => {
    const to = sharedDoubles(ROWS);
    works.add('copy', { from, to });
    return to;
  });
  works.do();
  return { made: made.map(each => each()), orders, copies };
}

describe('a list of work', () => {
  it('gives the same with a helper thread as without, list after list', () => {
    for (let seed = 0; seed < 10; seed++) assert.deepEqual(doAll(HELPED_ROWS, seed), doAll(0, seed));
  });

  it('is begun by the helper while this thread does another list', () => {
    const [first, second] = [new WorkList(HELPED_ROWS), new WorkList(HELPED_ROWS)];
    const texts = packTexts(['b', 'a', null, 'A']);
    const made = [first, second].map(works => [
      works.add('sorted', { texts, rows: rowNumbers(4) }),
      works.add('tickers', { texts, rows: rowNumbers(4) }),
    ]);
    first.begin();
    second.do();
    first.do();
    for (const [sorted, tickers] of made) {
      assert.deepEqual(sorted!(), Uint32Array.of(3, 1, 0, 2));
      assert.deepEqual(tickers!(), { numbers: Uint32Array.of(0, 1, 2, 1), tickers: 3 });
    }
  });

  it('fails with the error of its work, also if the helper does it', () => {
    for (let round = 0; round < 5; round++) {
      const works = new WorkList(HELPED_ROWS);
      works.add('search', []);
      for (let i = 0; i < 20; i++)
        works.add('order', { data: randomColumn(i), order: sharedCounts(ROWS), changes: null });
      assert.throws(() => works.do(), /missing/);
    }
    assert.deepEqual(doAll(HELPED_ROWS, 1), doAll(0, 1), 'the next list is done');
  });
});
