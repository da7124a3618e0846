// The requests of the HTTP benchmark: every one is a question that a screener asks.

import { COLUMNS } from '../../src/domain/catalogue.ts';

/** The question that is asked over and over. */
export const REPEATED = 'sort=vol30&price=1:';

const FILTERS = [
  'price=1:',
  'price=0.01:100',
  'change30=0:',
  'change365=not_null',
  'vol30=20:120',
  'change7=5:&price=0.1:',
  '[sma50]>:[sma200]',
  '[price]>:[sma200]',
];

/** As many different ones as asked for: each with a sort, an order, a filter and one of the first pages. */
export function rotation(count: number): string[] {
  const sorts = COLUMNS.filter(column => column.type === 'number').map(column => column.name);
  return Array.from({ length: count }, (_, i) => {
    const page = 1 + Math.floor(i / (2 * sorts.length * FILTERS.length));
    const sort = sorts[i % sorts.length]!;
    const order = Math.floor(i / sorts.length) % 2 === 0 ? 'desc' : 'asc';
    const filter = FILTERS[Math.floor(i / (2 * sorts.length)) % FILTERS.length]!;
    return `sort=${sort}&order=${order}&${filter}&page=${page}`;
  });
}
