// The types of rows. The compiler checks them (`npm run check`): a wrong type, or an error that is missing, does not compile.

import { it } from 'node:test';
import { type Selected, type TaCurQuery, type TaCurRow, type Tidemark, where } from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type RowOf<T extends AsyncIterable<unknown>> = T extends AsyncIterable<infer Row> ? Row : never;

function isTrue<_T extends true>(): void {}

/** Never called: only its types matter. */
export function compiles(client: Tidemark, query: TaCurQuery): void {
  const all = client.listing();
  isTrue<Equal<RowOf<typeof all>['price'], number>>();
  isTrue<Equal<RowOf<typeof all>['change365'], number | null>>();

  const fewer = client.listing({ excl_cols: ['var5', 'var7'], limit: 5 });
  isTrue<Equal<Extract<keyof RowOf<typeof fewer>, 'var5' | 'var7' | 'var10'>, 'var10'>>();
  const byText = client.history({ symbol: 'BTC', excl_cols: 'price,sma5' });
  isTrue<Equal<Extract<keyof RowOf<typeof byText>, 'price' | 'sma5' | 'symbol'>, 'symbol'>>();

  const computed = client.listing({ calc: { trend: 'sma50 / sma200', gap: where`price - ${1}` }, trend: '1:' });
  isTrue<Equal<RowOf<typeof computed>['trend'], number | null>>();

  // Names that are known at run time only: each column may be missing.
  const some = client.listing({ excl_cols: [] as string[] });
  isTrue<Equal<RowOf<typeof some>['price'], number | undefined>>();
  const wide = client.listing(query);
  isTrue<Equal<RowOf<typeof wide>['price'], number | undefined>>();

  client.listing({ inactive: true, meta: false });
  client.listing({ calc: { gap: 'price - sma50' }, sort: 'gap' });
  client.listing({ calc: ['gap:price - sma50'], sort: 'gap' });
  client.listing({ calc: [] as string[], sort: 'gap' });
  client.listing({ sort: 'rsi14', incl_cols: 'rsi14,trend' });
  client.listing({ sort: 'x' as string, incl_cols: 'x' as string });
  client.history({ symbol: 'BTC', sort: 'ema50', incl_cols: ['all'] });

  type Groups = { readonly trend: 'sma5' | 'sma7'; readonly range: 'var5' };
  type Row = Pick<TaCurRow, 'symbol' | 'sma5' | 'sma7' | 'var5'>;
  isTrue<Equal<keyof Selected<Row, Groups, object>, 'symbol'>>();
  isTrue<Equal<keyof Selected<Row, Groups, { incl_cols: 'trend' }>, 'symbol' | 'sma5' | 'sma7'>>();
  isTrue<Equal<keyof Selected<Row, Groups, { incl_cols: ['sma7', 'range'] }>, 'symbol' | 'sma7' | 'var5'>>();
  isTrue<Equal<keyof Selected<Row, Groups, { incl_cols: 'all'; excl_cols: 'sma5' }>, 'symbol' | 'sma7' | 'var5'>>();
  isTrue<Equal<Selected<Row, Groups, { incl_cols: string }>['sma5'], number | undefined>>();
  isTrue<Equal<Selected<Row, Groups, { incl_cols: string }>['symbol'], string>>();

  // @ts-expect-error: a misspelt parameter
  client.listing({ limt: 5, sort: 'price' });
  // @ts-expect-error: a wrong value
  client.listing({ order: 'down' });
  // @ts-expect-error: a misspelt column
  client.listing({ sort: 'vol_30' });
  // @ts-expect-error: a misspelt column beside a computed one
  client.listing({ sort: 'gab', calc: { gap: 'price - sma50' } });
  // @ts-expect-error: the same in a list
  client.listing({ sort: 'gab', calc: ['gap:price - sma50'] });
  // @ts-expect-error: a computed column with the name of a column
  client.listing({ calc: { price: 'sma50 * 2' } });
  // @ts-expect-error: a computed column with the name of a parameter
  client.listing({ calc: ['limit:sma50 * 2'] });
  // @ts-expect-error: a misspelt optional column
  client.listing({ incl_cols: ['rsi14', 'rsi_21'] });
  // @ts-expect-error: the same in a text
  client.stream({ incl_cols: 'rsi14,rsi_21' });
  // @ts-expect-error: which asset?
  client.history({ limit: 5 });
  // @ts-expect-error: not a parameter of bars
  client.bars({ id: 'btc-bitcoin', min_history: 5 });
  // @ts-expect-error: `boolean` is not a value of an expression
  where`is_active = ${true}`;
}

it('rows are typed by the columns that a query selects', () => void compiles);
