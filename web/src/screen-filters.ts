// The filters of a screen, as the address of the screener has them, as parameters of the listing.

import type { Query as Params } from '../../client/src/query-string.ts';
import { intervalOf, intervalParam, listedInterval } from './interval.ts';

/** By their name in the address. It is the API's, except that of the list of tickers. */
const FILTERS: Readonly<Record<string, string>> = {
  calc: 'calc',
  where: 'where',
  tag: 'tag',
  type: 'type',
  min_history: 'min_history',
  as_of: 'as_of',
  symbols: 'symbol',
  quote: 'quote',
};

export function screenFilters(search: string): Params {
  const params = new URLSearchParams(search);
  const filters: Record<string, string | string[]> = {};
  for (const [name, parameter] of Object.entries(FILTERS)) {
    const values = params.getAll(name).filter(value => value !== '');
    if (values.length > 0) filters[parameter] = values.length === 1 ? values[0]! : values;
  }
  const interval = intervalParam(listedInterval(intervalOf(params.get('interval'))));
  return interval === undefined ? filters : { ...filters, interval };
}
