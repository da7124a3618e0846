// The fifty questions of the benchmark: every kind of filter from most to least selective, every kind of sort, deep pages.
// `page=N%` stands for the page that far into all rows of the table.

import { ticker } from './universe.ts';

export interface Question {
  readonly about: string;
  readonly listing: 'ta-cur' | 'assets';
  readonly query: string;
  readonly expressions?: Expressions;
}

/** In the words that this service and SQL have in common. */
export interface Expressions {
  readonly where?: string;
  /** Of the column `own`. */
  readonly calc?: string;
}

const TA_CUR: readonly (readonly [string, string])[] = [
  ['the first page', 'limit=100'],
  ['sort', 'limit=100&sort=price'],
  ['sort, nulls last', 'limit=100&sort=change365&order=asc'],
  ['sort by text', 'limit=100&sort=symbol&order=asc'],
  ['sort, few rows', 'limit=5&sort=change1'],
  ['sort, many rows', 'limit=1000&sort=vol30'],
  ['sort, middle page', 'limit=100&sort=vol50&page=50%'],
  ['sort, last page', 'limit=100&sort=sma200&order=asc&page=99%'],
  ['sort with many ties, middle page', 'limit=100&page=50%'],
  ['range of the sort column', 'limit=100&price=1:2&sort=price'],
  ['range, 1 in 1,000', 'limit=100&price=1:1.01&sort=change365'],
  ['range, a few percent', 'limit=100&price=10:20&sort=change7'],
  ['range, half', 'limit=100&price=0.03:&sort=vol30'],
  ['range, all', 'limit=100&price=0:&sort=var20'],
  ['range, none', 'limit=100&price=-2:-1&sort=sma5'],
  ['range, half, middle page', 'limit=100&price=0.03:&sort=vol30&page=25%'],
  ['two ranges', 'limit=100&price=1:100&vol30=50:100&sort=change30'],
  ['four ranges', 'limit=100&price=0.01:1000&vol30=20:200&change7=-5:20&change30=0:&sort=sma20'],
  ['equality', 'limit=100&vol5=0&sort=price'],
  ['equality, the sort column', 'limit=100&change1=0&sort=change1'],
  ['comparison', 'limit=100&[sma50]>:[sma200]&sort=change30'],
  ['comparison of equals', 'limit=100&[sma50]=:[sma200]&sort=price'],
  ['comparison, all but a few', 'limit=100&[price]!=:[sma5]&sort=symbol&order=asc'],
  ['comparison, middle page', 'limit=100&[sma50]>:[sma200]&sort=price&page=25%'],
  ['comparison that the sort goes against', 'limit=100&[price]<:[sma5]&sort=change5'],
  ['four comparisons', 'limit=100&[price]>:[sma5]&[sma5]>:[sma20]&[sma20]>:[sma50]&[sma50]>:[sma200]&sort=vol20'],
  [
    'four comparisons, deep page',
    'limit=100&[price]>:[sma5]&[sma5]>:[sma20]&[sma20]>:[sma50]&[sma50]>:[sma200]&page=5%',
  ],
  ['not null', 'limit=100&not_null=change365&sort=change365'],
  ['not null, middle page', 'limit=100&not_null=change365&sort=price&page=40%'],
  ['history', 'limit=100&min_history=1000&sort=change90'],
  ['history, deep page', 'limit=100&min_history=365&sort=vol10&page=30%'],
  ['one ticker', `limit=100&symbol=${tickers(1)}`],
  ['50 tickers', `limit=100&symbol=${tickers(50)}&sort=price`],
  [
    'range, comparison, not null, history',
    'limit=100&price=0.001:10&[sma20]>:[sma50]&not_null=change365&min_history=500&sort=change20',
  ],
];

const ASSETS: readonly (readonly [string, string])[] = [
  ['search, a common word', 'limit=100&q=coin'],
  ['search, a common word, deep page', 'limit=100&q=coin&page=2%'],
  ['search, a rare word', 'limit=100&q=zozeva'],
  ['search, two letters, by name', 'limit=100&q=xq&sort=name&order=asc'],
  ['search, nothing', 'limit=100&q=nosuchthing'],
  ['sort by name, middle page', 'limit=100&sort=name&order=desc&page=50%'],
];

const SUM = ['price', 'sma5', 'sma7', 'sma10', 'sma20', 'sma30', 'sma50', 'sma100'].join(' + ');

const EXPRESSIONS: readonly (readonly [string, string, Expressions])[] = [
  ['either of two ranges', 'limit=100&sort=vol30', { where: 'price > 100 or change7 < -20' }],
  ['a factor between two columns', 'limit=100&sort=change30', { where: 'sma50 > 1.02 * sma200' }],
  ['outside a band', 'limit=100&sort=change1', { where: 'abs(price - sma20) > 2 * sqrt(var20)' }],
  [
    'a condition among filters',
    'limit=100&sort=price',
    { where: '(change7 < -10 or change30 < -25) and price >= 0.01 and sma50 > sma200' },
  ],
  ['the largest of two', 'limit=100&sort=vol30', { where: 'max(sma5, sma20) > 1.1 * sma50' }],
  ['a ratio between two ends', 'limit=100&sort=symbol&order=asc', { where: 'price / sma365 between 0.97 and 1.03' }],
  ['null or large', 'limit=100&sort=price', { where: 'change365 is null or change365 > 100' }],
  ['sort by a computed column', 'limit=100&sort=own', { calc: 'price / sma200' }],
  [
    'a computed column, filtered and sorted by',
    'limit=100&sort=own',
    { calc: '(price - sma20) / sma20 * 100', where: 'own > 5' },
  ],
  ['ten operators', 'limit=100&sort=vol30', { where: `(${SUM}) / 8 > sma200 * 1.05` }],
];

export const QUESTIONS: readonly Question[] = [
  ...TA_CUR.map(([about, query]) => ({ about, listing: 'ta-cur' as const, query })),
  ...ASSETS.map(([about, query]) => ({ about, listing: 'assets' as const, query })),
  ...EXPRESSIONS.map(([about, query, expressions]) => ({ about, listing: 'ta-cur' as const, query, expressions })),
];

/** The query string for a table of so many rows. */
export function queryFor({ query, expressions = {} }: Question, rows: number): string {
  const limit = Number(/limit=(\d+)/.exec(query)?.[1] ?? 100);
  const { where, calc } = expressions;
  const written = [
    query,
    ...(where === undefined ? [] : [`where=${encodeURIComponent(where)}`]),
    ...(calc === undefined ? [] : [`calc=own:${encodeURIComponent(calc)}`]),
  ].join('&');
  return written.replace(
    /page=(\d+)%/,
    (_, percent) => `page=${Math.max(1, Math.floor((rows * percent) / 100 / limit))}`,
  );
}

/** Of assets that every size has. */
function tickers(count: number): string {
  return Array.from({ length: count }, (_, i) => ticker(197 * i)).join();
}
