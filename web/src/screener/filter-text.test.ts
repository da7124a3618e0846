import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COLUMNS, OPTIONAL_COLUMNS } from '../../../src/domain/catalogue.ts';
import { rememberLabels } from '../column-label.ts';
import type { Filter } from './conditions.ts';
import { filterText } from './filter-text.ts';

rememberLabels([...COLUMNS, ...OPTIONAL_COLUMNS]);

describe('a filter as a sentence', () => {
  const cases: readonly [filter: Filter, text: string][] = [
    [{ kind: 'range', column: 'price', low: 0.001, high: 100 }, 'Price from 0.001 to 100'],
    [{ kind: 'range', column: 'market_cap', low: 1e9, high: null }, 'Market cap at least 1 B'],
    [{ kind: 'range', column: 'market_cap', low: 1.5e9, high: 2e12 }, 'Market cap from 1.5 B to 2 T'],
    [{ kind: 'range', column: 'turnover', low: null, high: 250e6 }, 'Turnover at most 250 M'],
    [{ kind: 'comparison', left: 'price', operator: 'gt', right: 10_000 }, 'Price is above 10,000'],
    [{ kind: 'comparison', left: 'change1', operator: 'lt', right: -2.5 }, 'Change 1d is below -2.5'],
    [{ kind: 'range', column: 'turnover', low: 1_234_567, high: null }, 'Turnover at least 1,234,567'],
    [{ kind: 'comparison', left: 'market_cap', operator: 'gt', right: 1e9 }, 'Market cap is above 1 B'],
    [{ kind: 'comparison', left: 'sma50', operator: 'le', right: 'sma200' }, 'SMA 50 is at or below SMA 200'],
    [{ kind: 'not_null', column: 'change365' }, 'Change 365d has a value'],
  ];
  for (const [filter, text] of cases) it(`is “${text}”`, () => assert.equal(filterText(filter), text));
});
