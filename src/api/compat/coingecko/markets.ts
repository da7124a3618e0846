// `coins/markets`: a page of coins with their prices.

import { mapInSteps } from '../../../common/steps.ts';
import type { QuoteAsset } from '../../../domain/quote.ts';
import type { ApiRequest } from '../../../http/wire/answer.ts';
import { headerLines } from '../../../http/wire/head.ts';
import type { ServiceContext } from '../../context.ts';
import { exactly } from '../../json-schema.ts';
import { closesInQuote } from '../../listing/closes-in-quote.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import type { Market } from '../market.ts';
import { countParameter, flagParameter, listParameter, unsupportedParameter, wordParameter } from '../parameters.ts';
import { marketIn, namedQuote } from '../quotes.ts';
import { NEVER, NUMBER, TEXT, TIME } from '../schemas.ts';
import { type Coins, coinGeckoEndpoint, rounding } from './endpoint.ts';
import { marketNumbers, PRICE_CHANGES } from './market-numbers.ts';
import { ORDERS, type Order, rowsOfPage } from './market-rows.ts';
import { CURRENCY, PRECISION } from './values.ts';

const MOST_PER_PAGE = 250;
const DEFAULT_PER_PAGE = 100;
const LAST_PAGE = 1_000_000;
const SPARKLINE_DAYS = 7;
const COINS_PER_STEP = 25;

interface Wanted {
  readonly vs_currency: string;
  readonly ids: string[];
  readonly names: never;
  readonly symbols: never;
  readonly category: never;
  readonly order: Order;
  readonly per_page: number;
  readonly page: number;
  readonly sparkline: boolean;
  readonly price_change_percentage: string[];
  readonly precision: string;
}

export const coinsMarkets = coinGeckoEndpoint({
  id: 'coingeckoCoinsMarkets',
  path: 'coins/markets',
  summary: 'A page of coins with their prices',
  description:
    'The coins of the listing. `per_page` above 250, or above the rows per page of the tier, is lowered; `X-Limit-Applied` states it.',
  parameters: queryParameters<Wanted>(
    {
      vs_currency: CURRENCY,
      ids: listParameter('Only these coins: ids separated by commas.'),
      names: unsupportedParameter('names', 'name the coins by their ids.'),
      symbols: unsupportedParameter('symbols', 'name the coins by their ids.'),
      category: unsupportedParameter('category', 'this service does not have the categories of CoinGecko.'),
      order: wordParameter('The order; without it, the largest market capitalisation first.', ORDERS),
      per_page: countParameter('Coins per page; 100 without it.', MOST_PER_PAGE),
      page: countParameter('The page, from 1.', LAST_PAGE),
      sparkline: flagParameter('With the closes of the last 7 days.'),
      price_change_percentage: listParameter(`Further changes in percent: ${PRICE_CHANGES.join(', ')}.`),
      precision: PRECISION,
    },
    'ignored',
  ),
  schema: { type: 'array', items: coinSchema() },
  handle: async (context, request, coins, wanted) => {
    const { snapshot } = coins.market;
    const perPage = Math.min(wanted.per_page ?? DEFAULT_PER_PAGE, MOST_PER_PAGE, request.tier.maxRows);
    const name = ['coins/markets', wanted, perPage];
    const quote = namedQuote(coins.market, 'vs_currency', wanted.vs_currency);
    const answer = await cachedRecord(context, request, snapshot, name, async () => {
      const market = await marketIn(context, coins.market, quote, request.requester);
      return page(context, request, { ...coins, market }, wanted, perPage, quote);
    });
    return { ...answer, headers: answer.headers + headerLines('x-limit-applied', perPage) };
  },
});

type WantedOrNull = { readonly [Name in keyof Wanted]: Wanted[Name] | null };

async function page(
  context: ServiceContext,
  request: ApiRequest,
  coins: Coins,
  wanted: WantedOrNull,
  perPage: number,
  quote: QuoteAsset | null,
) {
  const { market } = coins;
  const named = wanted.ids !== null && wanted.ids.length > 0 ? wanted.ids : null;
  const place = { order: wanted.order ?? 'market_cap_desc', perPage, page: wanted.page ?? 1 };
  const rows = await request.run(rowsOfPage(coins, named, place));
  const changes = (wanted.price_change_percentage ?? []).filter(each => PRICE_CHANGES.includes(each));
  const sparklines = wanted.sparkline ? await sparklinesOf(context, request, market, rows, quote) : null;
  const coinWith = (row: number, i: number) => ({
    ...coinAt(coins, row, rounding(wanted.precision)),
    ...(sparklines === null ? {} : { sparkline_in_7d: { price: sparklines[i] } }),
    ...marketNumbers(market, row).changesIn(changes),
  });
  return request.run(mapInSteps(rows, coinWith, COINS_PER_STEP));
}

function coinAt({ market, ids }: Coins, row: number, rounded: (value: number | null) => number | null) {
  const coin = market.assetAt(row);
  const numbers = marketNumbers(market, row);
  return {
    id: ids.idOf(coin),
    symbol: coin.symbol.toLowerCase(),
    name: coin.name,
    image: null,
    current_price: rounded(numbers.price),
    market_cap: numbers.marketCap,
    market_cap_rank: coin.rank,
    fully_diluted_valuation: null,
    total_volume: numbers.turnover,
    high_24h: rounded(numbers.high),
    low_24h: rounded(numbers.low),
    price_change_24h: rounded(numbers.priceChange),
    price_change_percentage_24h: numbers.change('24h'),
    market_cap_change_24h: null,
    market_cap_change_percentage_24h: null,
    circulating_supply: numbers.supply,
    total_supply: null,
    max_supply: null,
    ath: rounded(numbers.ath),
    ath_change_percentage: numbers.athChange,
    ath_date: numbers.athDate,
    atl: null,
    atl_change_percentage: null,
    atl_date: null,
    roi: null,
    last_updated: numbers.updatedAt,
  };
}

/** The closes of the last days of each row, oldest first. */
async function sparklinesOf(
  context: ServiceContext,
  request: ApiRequest,
  { snapshot: { listed } }: Market,
  rows: readonly number[],
  quote: QuoteAsset | null,
): Promise<number[][]> {
  if (rows.length === 0) return [];
  const assets = rows.map(row => listed.assetNumbers[row]!);
  const series = quote === null ? context.series('1d') : await closesInQuote(context, quote, '1d');
  const { starts, close } = await request.slot(atTurn => atTurn(() => series.closes(assets, SPARKLINE_DAYS - 1)));
  return rows.map((_, i) => [...close.subarray(starts[i], starts[i + 1])]);
}

function coinSchema() {
  const fields = ['current_price', 'market_cap', 'market_cap_rank', 'total_volume', 'high_24h', 'low_24h'];
  const more = [
    'price_change_24h',
    'price_change_percentage_24h',
    'circulating_supply',
    'ath',
    'ath_change_percentage',
  ];
  const never = ['image', 'fully_diluted_valuation', 'market_cap_change_24h', 'market_cap_change_percentage_24h'];
  const neverEither = ['total_supply', 'max_supply', 'atl', 'atl_change_percentage', 'atl_date', 'roi'];
  const optional = {
    sparkline_in_7d: exactly({ price: { type: 'array', items: { type: 'number' } } }),
    ...Object.fromEntries(PRICE_CHANGES.map(each => [`price_change_percentage_${each}_in_currency`, NUMBER])),
  };
  return exactly(
    {
      ...{ id: TEXT, symbol: TEXT, name: TEXT },
      ...Object.fromEntries([...fields, ...more].map(each => [each, NUMBER])),
      ...Object.fromEntries([...never, ...neverEither].map(each => [each, NEVER])),
      ...{ ath_date: TIME, last_updated: TIME },
      ...optional,
    },
    Object.keys(optional),
  );
}
