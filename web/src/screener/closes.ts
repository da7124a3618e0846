// The closes behind the trends of the rows in sight.

import type { Closes as ClosesAnswer } from '../../../client/src/index.ts';
import { tidemark } from '../api.ts';
import { intervalParam } from '../interval.ts';
import { quoteParam, shownQuote } from '../quote.ts';
import { InSight } from './in-sight.ts';
import type { View } from './view.ts';

/** Periods. */
export const TREND_LENGTH = 90;

export type Closes = ClosesAnswer['result'][number];

type ClosesAt = Pick<View, 'asOf' | 'interval'>;

export const trends = new InSight<ClosesAt, Closes>(
  ({ asOf, interval }) => `${interval} ${asOf} ${shownQuote.value}`,
  async (symbols, { asOf, interval }) => {
    const query = {
      symbol: symbols.join(','),
      days: TREND_LENGTH,
      as_of: asOf ?? undefined,
      interval: intervalParam(interval),
      quote: quoteParam(),
    };
    const { result } = await tidemark.closes(query);
    const none = symbols.map((symbol): [string, Closes] => [symbol, { symbol, last_day: '', closes: [] }]);
    return new Map([...none, ...result.map((each): [string, Closes] => [each.symbol, each])]);
  },
);
