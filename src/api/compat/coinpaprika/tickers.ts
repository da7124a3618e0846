// `tickers` and `tickers/{id}`: the prices of all coins, and of one.

import type { Steps } from '../../../common/steps.ts';
import { TA_CUR } from '../../../domain/datasets.ts';
import { profileTimeFromDay } from '../../../domain/day.ts';
import { headerLines } from '../../../http/wire/head.ts';
import { executeInSteps } from '../../../query/execute/execute.ts';
import { parsePlan } from '../../../query/parse/parse-plan.ts';
import type { IndexedAsset } from '../../../snapshot/asset-index.ts';
import { exactly } from '../../json-schema.ts';
import { invalidValue, queryParameters } from '../../parameters.ts';
import { answerLists, cachedRecord, listPieces } from '../answers.ts';
import type { Market } from '../market.ts';
import { listParameter } from '../parameters.ts';
import { COUNT, each, NEVER, NUMBER, TEXT, TEXT_OR_NULL } from '../schemas.ts';
import { coinOf, coinPaprikaEndpoint } from './endpoint.ts';

/** In CoinPaprika's order. Those of less than a day are unknown: the store has days. */
const CHANGES: readonly (readonly [name: string, column: string | null])[] = [
  ['percent_change_15m', null],
  ['percent_change_30m', null],
  ['percent_change_1h', null],
  ['percent_change_6h', null],
  ['percent_change_12h', null],
  ['percent_change_24h', 'change1'],
  ['percent_change_7d', 'change7'],
  ['percent_change_30d', 'change30'],
  ['percent_change_1y', 'change365'],
];

const QUOTE = exactly({
  ...each(['price', 'volume_24h', 'market_cap', ...CHANGES.map(([name]) => name)], NUMBER),
  ...each(['volume_24h_change_24h', 'market_cap_change_24h'], NEVER),
  ...{ ath_price: NUMBER, ath_date: TEXT_OR_NULL, percent_from_price_ath: NUMBER },
});

const TICKER = exactly({
  ...{ id: TEXT, name: TEXT, symbol: TEXT, rank: COUNT, circulating_supply: NUMBER },
  ...each(['total_supply', 'max_supply', 'beta_value'], NEVER),
  ...{ first_data_at: TEXT_OR_NULL, last_updated: TEXT_OR_NULL, quotes: exactly({ USD: QUOTE }) },
});

const PARAMETERS = queryParameters<{ quotes: string[] }>(
  { quotes: listParameter('Currencies, separated by commas: `USD`.') },
  'ignored',
);

function requireDollars(quotes: readonly string[] | null): void {
  const other = quotes?.find(quote => quote.toUpperCase() !== 'USD');
  if (other !== undefined) throw invalidValue('quotes', other, 'USD');
}

export const tickers = coinPaprikaEndpoint({
  id: 'coinpaprikaTickers',
  path: 'tickers',
  summary: 'The prices of all active coins',
  description:
    'Best rank first. As many as the tier has rows per page, as the plans of CoinPaprika have a number of coins; `X-Limit-Applied` states it.',
  parameters: PARAMETERS,
  schema: { type: 'array', items: TICKER },
  handle: (context, request, market, { quotes }) => {
    requireDollars(quotes);
    const most = request.tier.maxRows;
    const make = async () => {
      const rows = await request.run(rankedRows(market, most));
      const textAt = (i: number) => JSON.stringify(ticker(market, market.assetAt(rows[i]!), rows[i]!));
      return { entries: rows.length, pieces: () => listPieces(0, rows.length, textAt) };
    };
    const applied = headerLines('x-limit-applied', most);
    return answerLists(context, request, market.snapshot, ['tickers', most], make, applied);
  },
});

function* rankedRows({ snapshot }: Market, limit: number): Steps<Uint32Array> {
  const page = yield* executeInSteps(parsePlan(TA_CUR, 'sort=rank&order=asc'), snapshot.tables['ta-cur'], limit);
  return page.rows.slice();
}

export const tickerOfCoin = coinPaprikaEndpoint({
  id: 'coinpaprikaTicker',
  path: 'tickers/{id}',
  summary: 'The price of one coin',
  parameters: PARAMETERS,
  schema: TICKER,
  handle: (context, request, market, { quotes }) => {
    requireDollars(quotes);
    const found = coinOf(market, request.rest);
    return cachedRecord(context, request, market.snapshot, ['ticker', found.id], () =>
      ticker(market, found, market.rowOf(found)),
    );
  },
});

/** Without milliseconds, as CoinPaprika writes times. */
export function secondsText(millis: number): string {
  return new Date(millis).toISOString().replace(/\.\d+Z$/, 'Z');
}

function ticker(market: Market, { id, name, symbol, rank, isActive, firstDay }: IndexedAsset, row: number | null) {
  const number = (column: string) => market.number(row, column);
  const [day, athDay] = [market.day(row, 'datetimeUTC'), market.day(row, 'ath_at')];
  return {
    id,
    name,
    symbol,
    rank: isActive ? rank : 0,
    circulating_supply: number('supply'),
    total_supply: null,
    max_supply: null,
    beta_value: null,
    first_data_at: firstDay === null ? null : profileTimeFromDay(firstDay),
    last_updated: day === null ? null : secondsText(market.timeOf(day)),
    quotes: {
      USD: {
        price: number('price'),
        volume_24h: number('turnover'),
        volume_24h_change_24h: null,
        market_cap: number('market_cap'),
        market_cap_change_24h: null,
        ...Object.fromEntries(CHANGES.map(([change, column]) => [change, column === null ? null : number(column)])),
        ath_price: number('ath'),
        ath_date: athDay === null ? null : secondsText(market.timeOf(athDay)),
        percent_from_price_ath: number('from_ath'),
      },
    },
  };
}
