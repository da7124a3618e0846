import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Publications } from '../../test/support/publications.ts';
import { TA_CUR } from '../domain/datasets.ts';
import type { Snapshot } from '../snapshot/table.ts';
import { rowChanges } from './row-changes.ts';

const SYMBOL = TA_CUR.columns.findIndex(({ name }) => name === 'symbol');
const PRICE = TA_CUR.columns.findIndex(({ name }) => name === 'price');

/** The rows of these tickers, in this order. */
function page(snapshot: Snapshot, symbols: readonly string[]) {
  const rows = symbols.map(symbol => snapshot.tables['ta-cur'].symbols.rowsOf([symbol])[0] ?? assert.fail(symbol));
  return { snapshot, rows: Uint32Array.from(rows) };
}

describe('the difference between two pages', () => {
  it('is which rows entered, left, or have another cell', () => {
    const market = new Publications({ A: 1, B: 2, C: 3, D: 4 });
    const before = page(market.current, ['A', 'B', 'C']);
    const after = page(market.next({ B: 20, C: 3, D: 40 }), ['B', 'C', 'D']);
    const { entered, left, changed } = rowChanges(before, after, [SYMBOL, PRICE]);
    assert.deepEqual([...entered], [after.rows[2]]);
    assert.deepEqual([...left], [before.rows[0]]);
    assert.deepEqual([...changed], [after.rows[0]]);
  });

  it('leaves out a row that is published again with the same cells', () => {
    const market = new Publications({ A: 1, B: 2 });
    const before = page(market.current, ['A', 'B']);
    const after = page(market.next({ A: 1, B: 3 }), ['A', 'B']);
    assert.deepEqual([...rowChanges(before, after, [PRICE]).changed], [after.rows[1]]);
    assert.deepEqual([...rowChanges(before, after, [SYMBOL]).changed], []);
  });

  it('has every row that is published again if the page shows computed columns', () => {
    const market = new Publications({ A: 1, B: 2, C: 3 });
    const before = page(market.current, ['A', 'B', 'C']);
    const after = page(market.next({ A: 1, B: 3 }), ['A', 'B', 'C']);
    assert.deepEqual([...rowChanges(before, after, null).changed], [after.rows[0], after.rows[1]]);
  });

  it('is of assets, not of places: a row that moves has not changed', () => {
    const market = new Publications({ B: 2, C: 3 });
    const before = page(market.current, ['B', 'C']);
    const after = page(market.next({ A: 1 }), ['C', 'B']);
    const { entered, left, changed } = rowChanges(before, after, [SYMBOL, PRICE]);
    assert.deepEqual([entered.length, left.length, changed.length], [0, 0, 0]);
  });
});
