// The twenty questions that every contender answers: as parameters of `ta-cur`, and in SQL on a table of the same rows.

import { COLUMNS } from '../../src/domain/catalogue.ts';
import { ticker } from '../query/universe.ts';

export interface PeerQuestion {
  readonly about: string;
  /** Parameters of `ta-cur`. */
  readonly query: string;
  readonly sql: string;
}

interface Terms {
  readonly about: string;
  /** Parameters beside the page, and the same condition in SQL. */
  readonly filter?: readonly [parameters: string, condition: string];
  readonly sort: string;
  readonly order?: 'asc' | 'desc';
  readonly limit: number;
  readonly page?: number;
  readonly columns?: readonly string[];
}

const ALL = COLUMNS.map(({ name }) => name);
const TICKERS = Array.from({ length: 20 }, (_, i) => ticker(97 * i));
const where = (expression: string) => [`where=${encodeURIComponent(expression)}`, `(${expression})`] as const;

const TERMS: readonly Terms[] = [
  { about: 'the five largest changes of a day', sort: 'change1', limit: 5 },
  { about: '100 rows by volatility', sort: 'vol30', limit: 100 },
  { about: '1,000 rows by price', sort: 'price', limit: 1000 },
  { about: '1,000 rows of two columns by price', sort: 'price', limit: 1000, columns: ['symbol', 'price'] },
  { about: 'page 50 by ticker', sort: 'symbol', order: 'asc', limit: 100, page: 50 },
  { about: 'page 80 by price', sort: 'price', limit: 100, page: 80 },
  { about: 'one asset by its ticker', filter: symbols(TICKERS.slice(0, 1)), sort: 'symbol', order: 'asc', limit: 1 },
  { about: 'twenty assets by their tickers', filter: symbols(TICKERS), sort: 'symbol', order: 'asc', limit: 20 },
  { about: 'a lower bound', filter: ['price=1:', 'price >= 1'], sort: 'vol30', limit: 100 },
  {
    about: 'a range',
    filter: ['price=0.01:100', 'price >= 0.01 AND price <= 100'],
    sort: 'change7',
    limit: 100,
  },
  {
    about: 'a range on the sorted column',
    filter: ['vol30=20:60', 'vol30 >= 20 AND vol30 <= 60'],
    sort: 'vol30',
    limit: 100,
  },
  { about: 'a rare condition', filter: ['change1=20:', 'change1 >= 20'], sort: 'price', limit: 100 },
  {
    about: 'two lower bounds',
    filter: ['change30=0:&price=0.1:', 'change30 >= 0 AND price >= 0.1'],
    sort: 'change30',
    limit: 50,
  },
  {
    about: 'four conditions',
    filter: [
      'price=0.1:&vol30=20:120&change7=0:&change30=0:',
      'price >= 0.1 AND vol30 >= 20 AND vol30 <= 120 AND change7 >= 0 AND change30 >= 0',
    ],
    sort: 'change7',
    limit: 100,
  },
  { about: 'two columns compared', filter: ['[sma50]>:[sma200]', 'sma50 > sma200'], sort: 'change90', limit: 100 },
  {
    about: 'two columns compared, and a range',
    filter: ['[price]>:[sma200]&vol30=5:40', 'price > sma200 AND vol30 >= 5 AND vol30 <= 40'],
    sort: 'vol30',
    order: 'asc',
    limit: 100,
  },
  {
    about: 'the largest losses of a year',
    filter: ['not_null=change365', 'change365 IS NOT NULL'],
    sort: 'change365',
    order: 'asc',
    limit: 100,
  },
  { about: 'a quotient', filter: where('price / sma200 > 1.5'), sort: 'price', limit: 100 },
  {
    about: 'beyond the Bollinger bands',
    filter: where('(price - sma20) * (price - sma20) > 4 * var20'),
    sort: 'vol20',
    limit: 100,
  },
  { about: 'either of two conditions', filter: where('change7 > 30 or change7 < -30'), sort: 'change7', limit: 100 },
];

export const PEER_QUESTIONS: readonly PeerQuestion[] = TERMS.map(questionOf);

function symbols(tickers: readonly string[]): readonly [string, string] {
  return [`symbol=${tickers.join()}`, `symbol IN (${tickers.map(each => `'${each}'`).join()})`];
}

function questionOf({ about, filter, sort, order = 'desc', limit, page = 1, columns = ALL }: Terms): PeerQuestion {
  const excluded = ALL.filter(name => !columns.includes(name));
  const parameters = [
    `limit=${limit}&page=${page}&sort=${sort}&order=${order}`,
    ...(excluded.length > 0 ? [`excl_cols=${excluded.join()}`] : []),
    ...(filter === undefined ? [] : [filter[0]]),
  ];
  // Nulls come last; ascending, the conditions leave none.
  const ordering = order === 'desc' ? `"${sort}" DESC NULLS LAST` : `"${sort}" ASC`;
  const sql = [
    `SELECT ${columns.map(name => `"${name}"`).join(', ')} FROM listing`,
    ...(filter === undefined ? [] : [`WHERE ${filter[1]}`]),
    `ORDER BY ${sort === 'symbol' ? ordering : `${ordering}, symbol`}`,
    `LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
  ];
  return { about, query: parameters.join('&'), sql: sql.join(' ') };
}
