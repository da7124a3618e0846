import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyEvent, covers, sliceFor, sortRows, startOf } from './live-slice.ts';

const row = (symbol: string, price: number | null) => ({ symbol, price });

describe('the page of the query that a stream follows', () => {
  it('has the rows in sight, whatever they are, if a page of the allowed length can', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 60 }), (from, rows) => {
        const slice = sliceFor(from, from + rows, 1000);
        assert.ok(covers(slice, from, from + rows), JSON.stringify(slice));
        assert.ok(slice.limit <= 1000);
      }),
    );
  });

  it('is never longer than the tier allows, and then has the first row in sight', () => {
    for (const from of [0, 3, 97, 998]) {
      const slice = sliceFor(from, from + 40, 5);
      assert.equal(slice.limit, 5);
      assert.ok(covers(slice, from, from + 1));
    }
    assert.equal(startOf({ limit: 5, page: 3 }), 10);
  });
});

describe('the order of live rows', () => {
  const rows = [row('B', 2), row('A', 2), row('C', null), row('D', 10), row('E', -1)];
  for (const [order, wanted] of [
    ['asc', 'EABDC'],
    ['desc', 'DABEC'],
  ] as const) {
    it(`is that of the service, ${order}`, () => {
      assert.equal(
        sortRows(rows, { sort: 'price', order })
          .map(each => each.symbol)
          .join(''),
        wanted,
      );
    });
  }
});

describe('an event', () => {
  const before = new Map([row('A', 1), row('B', 2)].map(each => [each.symbol, each]));
  const fail = () => assert.fail('no row was replaced');

  it('with rows replaces them all', () => {
    const after = applyEvent(before, { event: 'rows', version: 2, result: [row('C', 3)] }, fail);
    assert.deepEqual([...after.values()], [row('C', 3)]);
  });

  it('with changes removes, adds and replaces', () => {
    const replaced: unknown[] = [];
    const changes = {
      event: 'changes',
      version: 2,
      entered: [row('C', 3)],
      left: ['B'],
      changed: [row('A', 5)],
    } as const;
    const after = applyEvent(before, changes, (now, old) => replaced.push([now['price'], old['price']]));
    assert.deepEqual([...after.values()], [row('A', 5), row('C', 3)]);
    assert.deepEqual(replaced, [[5, 1]]);
    assert.equal(before.size, 2);
  });
});
