// `tickers` and `tickers/{id}`: the prices of all coins, and of one.

import type { Steps } from '../../../common/steps.ts';
import { TA_CUR } from '../../../domain/datasets.ts';
import { profileTimeFromDay } from '../../../domain/day.ts';
import type { QuoteAsset } from '../../../domain/quote.ts';
import type { ApiRequest } from '../../../http/wire/answer.ts';
import { headerLines } from '../../../http/wire/head.ts';
import { executeInSteps } from '../../../query/execute/execute.ts';
import { parsePlan } from '../../../query/parse/parse-plan.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { answerLists, cachedRecord, listPieces } from '../answers.ts';
import type { Market } from '../market.ts';
import { listParameter, requireFew } from '../parameters.ts';
import { MOST_CURRENCIES, marketIn, namedQuote } from '../quotes.ts';
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
  ...{
    first_data_at: TEXT_OR_NULL,
    last_updated: TEXT_OR_NULL,
    quotes: { type: 'object', additionalProperties: QUOTE },
  },
});

const PARAMETERS = queryParameters<{ quotes: string[] }>(
  {
    quotes: listParameter(
      `Currencies, separated by commas: \`USD\`, and tickers of fiat currencies and assets of the store, at most ${MOST_CURRENCIES}.`,
    ),
  },
  'ignored',
);

type Named = readonly [currency: string, Market];

/** By the names that the response has for them. */
async function marketsIn(
  context: ServiceContext,
  request: ApiRequest,
  market: Market,
  quotes: readonly string[] | null,
): Promise<Named[]> {
  const markets: Named[] = [];
  for (const [name, quote] of quotesOf(market, quotes)) {
    markets.push([name, await marketIn(context, market, quote, request.requester)]);
  }
  return markets;
}

function quotesOf(market: Market, quotes: readonly string[] | null): (readonly [string, QuoteAsset | null])[] {
  const names = [...new Set((quotes ?? []).map(quote => quote.toUpperCase()))];
  requireFew('quotes', names.length, MOST_CURRENCIES);
  return (names.length === 0 ? ['USD'] : names).map(name => [name, namedQuote(market, 'quotes', name)]);
}

/** Part of the name of an answer, unless it is in dollars alone. */
function keyOf(market: Market, quotes: readonly string[] | null): string[] {
  const names = quotesOf(market, quotes).map(([name]) => name);
  return names.join() === 'USD' ? [] : names;
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
    const most = request.tier.maxRows;
    const key = keyOf(market, quotes);
    const make = async () => {
      const rows = await request.run(rankedRows(market, most));
      const markets = await marketsIn(context, request, market, quotes);
      const textAt = (i: number) => JSON.stringify(ticker(market, market.assetAt(rows[i]!), rows[i]!, markets));
      return { entries: rows.length, pieces: () => listPieces(0, rows.length, textAt) };
    };
    const applied = headerLines('x-limit-applied', most);
    return answerLists(context, request, market.snapshot, ['tickers', most, ...key], make, applied);
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
    const found = coinOf(market, request.rest);
    const key = ['ticker', found.id, ...keyOf(market, quotes)];
    return cachedRecord(context, request, market.snapshot, key, async () =>
      ticker(market, found, market.rowOf(found), await marketsIn(context, request, market, quotes)),
    );
  },
});

/** Without milliseconds, as CoinPaprika writes times. */
export function secondsText(millis: number): string {
  return new Date(millis).toISOString().replace(/\.\d+Z$/, 'Z');
}

function ticker(market: Market, asset: IndexedAsset, row: number | null, markets: readonly Named[]) {
  const { id, name, symbol, rank, isActive, firstDay } = asset;
  const day = market.day(row, 'datetimeUTC');
  return {
    id,
    name,
    symbol,
    rank: isActive ? rank : 0,
    circulating_supply: market.number(row, 'supply'),
    total_supply: null,
    max_supply: null,
    beta_value: null,
    first_data_at: firstDay === null ? null : profileTimeFromDay(firstDay),
    last_updated: day === null ? null : secondsText(market.timeOf(day)),
    quotes: Object.fromEntries(markets.map(([currency, each]) => [currency, quoteOf(each, each.rowOf(asset))])),
  };
}

function quoteOf(market: Market, row: number | null) {
  const number = (column: string) => market.number(row, column);
  const athDay = market.day(row, 'ath_at');
  return {
    price: number('price'),
    volume_24h: number('turnover'),
    volume_24h_change_24h: null,
    market_cap: number('market_cap'),
    market_cap_change_24h: null,
    ...Object.fromEntries(CHANGES.map(([change, column]) => [change, column === null ? null : number(column)])),
    ath_price: number('ath'),
    ath_date: athDay === null ? null : secondsText(market.timeOf(athDay)),
    percent_from_price_ath: number('from_ath'),
  };
}
