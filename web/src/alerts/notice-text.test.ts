import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COLUMNS } from '../../../src/domain/catalogue.ts';
import type { ColumnFacts } from '../catalog.ts';
import { rememberLabels } from '../column-label.ts';
import { columnsOfWatch, textOf, titleOf } from './notice-text.ts';

const column = (name: string, unit: string | null, type: ColumnFacts['type'] = 'number'): ColumnFacts => ({
  ...{ name, unit, type },
  nullable: false,
  description: '',
});
const ALL = [
  column('symbol', null, 'string'),
  column('price', 'USD'),
  column('sma50', 'USD'),
  column('change7', 'percent'),
  column('vol30', 'percent per year'),
];

rememberLabels(COLUMNS);

describe('a notification', () => {
  it('has the price and the numbers that the filter names', () => {
    const columns = columnsOfWatch({ where: "change7 < -20 and symbol != 'vol30'" }, ALL);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['price', 'change7'],
    );
    const news = { entered: [{ symbol: 'AAA', price: 1234.5, change7: -21.5 }], left: ['BBB'] };
    assert.equal(titleOf('Falling', news), 'Falling: 1 asset entered, 1 left');
    assert.equal(textOf(news, columns, 'USD'), 'AAA 1,234.50 USD, Change 7d −21.50%\nLeft: BBB');
  });

  it('names the quote of the watched screen', () => {
    const columns = columnsOfWatch({ where: 'sma50 > 1 and change7 > 0' }, ALL);
    const news = { entered: [{ symbol: 'AAA', price: 1234.5, sma50: 2, change7: 1 }], left: [] };
    assert.equal(textOf(news, columns, 'EUR'), 'AAA 1,234.50 EUR, SMA 50 2.0000 EUR, Change 7d +1.00%');
  });

  it('names a few of many', () => {
    const symbols = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const news = { entered: symbols.map(symbol => ({ symbol, price: 1 })), left: [] };
    assert.equal(titleOf('All', news), 'All: 7 assets entered');
    assert.match(textOf(news, [ALL[1]!], 'USD'), /^A 1\.0000 USD\n.*and 2 more$/s);
    assert.equal(titleOf('All', { entered: [], left: symbols }), 'All: 7 assets left');
    assert.equal(textOf({ entered: [], left: symbols }, [], 'USD'), 'Left: A, B, C, D, E and 2 more');
  });
});
