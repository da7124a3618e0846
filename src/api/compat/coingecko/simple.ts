// `ping`, `simple/price` and `simple/supported_vs_currencies`.

import { mapInSteps } from '../../../common/steps.ts';
import { findQuote } from '../../../query/execute/find-named.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { catalogQuotes } from '../../catalog-quotes.ts';
import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import type { Market } from '../market.ts';
import { flagParameter, listParameter, requireFew } from '../parameters.ts';
import { MOST_CURRENCIES, marketIn } from '../quotes.ts';
import { NUMBER, TEXT } from '../schemas.ts';
import { coinGeckoEndpoint, rounding } from './endpoint.ts';
import { PRECISION } from './values.ts';

export const ping = coinGeckoEndpoint({
  id: 'coingeckoPing',
  path: 'ping',
  summary: 'Whether the service answers',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: exactly({ gecko_says: TEXT }),
  readsOptional: false,
  handle: (context, request, { market: { snapshot } }) =>
    cachedRecord(context, request, snapshot, ['ping'], () => ({ gecko_says: '(V3) To the Moon!' })),
});

export const supportedCurrencies = coinGeckoEndpoint({
  id: 'coingeckoCurrencies',
  path: 'simple/supported_vs_currencies',
  summary: 'The currencies of the numbers',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: { type: 'array', items: TEXT },
  readsOptional: false,
  handle: (context, request, { market: { snapshot } }) =>
    cachedRecord(context, request, snapshot, ['currencies'], () =>
      catalogQuotes(snapshot).map(({ quote }) => quote.toLowerCase()),
    ),
});

interface Wanted {
  readonly ids: string[];
  readonly vs_currencies: string[];
  readonly include_market_cap: boolean;
  readonly include_24hr_vol: boolean;
  readonly include_24hr_change: boolean;
  readonly include_last_updated_at: boolean;
  readonly precision: string;
}

type WantedOrNull = { readonly [Name in keyof Wanted]: Wanted[Name] | null };

export const simplePrice = coinGeckoEndpoint({
  id: 'coingeckoSimplePrice',
  path: 'simple/price',
  summary: 'The prices of several coins',
  description:
    'An id that no coin has is left out, and so is a currency that the store does not have, as CoinGecko does. At most as many ids as the ' +
    `tier of the API key has rows per page, and at most ${MOST_CURRENCIES} currencies.`,
  parameters: queryParameters<Wanted>(
    {
      ids: listParameter('Ids of coins, separated by commas.', true),
      vs_currencies: listParameter(
        'Currencies, separated by commas: `usd`, and tickers of fiat currencies and assets of the store.',
        true,
      ),
      include_market_cap: flagParameter('With the market capitalisation.'),
      include_24hr_vol: flagParameter('With the volume of the UTC day in each currency.'),
      include_24hr_change: flagParameter('With the change since the previous close, in percent.'),
      include_last_updated_at: flagParameter('With the time of the price.'),
      precision: PRECISION,
    },
    'ignored',
  ),
  schema: { type: 'object', additionalProperties: { type: 'object', additionalProperties: NUMBER } },
  handle: (context, request, { market, ids }, wanted) => {
    const asked = wanted.ids ?? [];
    requireFew('ids', asked.length, request.tier.maxRows);
    const currencies = [...new Set((wanted.vs_currencies ?? []).map(each => each.toLowerCase()))];
    requireFew('vs_currencies', currencies.length, MOST_CURRENCIES);
    return cachedRecord(context, request, market.snapshot, ['simple/price', wanted], async () => {
      const markets: [string, Market][] = [];
      for (const currency of currencies) {
        const quote = currency === 'usd' ? null : findQuote(market.snapshot, currency);
        const isKnown = currency === 'usd' || (quote !== null && quote.lastDay !== null);
        if (isKnown) markets.push([currency, await marketIn(context, market, quote, request.requester)]);
      }
      // Under the id that was asked for: that is where the program looks.
      const entryOf = (id: string): [string, object][] => {
        const coin = ids.find(id);
        return coin === null ? [] : [[id.toLowerCase(), priceOf(market, markets, coin, wanted)]];
      };
      const entries = await request.run(mapInSteps(asked, entryOf, COINS_PER_STEP));
      return Object.fromEntries(entries.flat());
    });
  },
});

const COINS_PER_STEP = 50;

function priceOf(
  current: Market,
  markets: readonly (readonly [currency: string, Market])[],
  coin: IndexedAsset,
  wanted: WantedOrNull,
): Readonly<Record<string, number | null>> {
  const day = current.day(current.rowOf(coin), 'datetimeUTC');
  const inCurrency = (currency: string, market: Market) => {
    const row = market.rowOf(coin);
    return {
      [currency]: rounding(wanted.precision)(market.number(row, 'price')),
      ...(wanted.include_market_cap ? { [`${currency}_market_cap`]: market.number(row, 'market_cap') } : {}),
      ...(wanted.include_24hr_vol ? { [`${currency}_24h_vol`]: market.number(row, 'turnover') } : {}),
      ...(wanted.include_24hr_change ? { [`${currency}_24h_change`]: market.number(row, 'change1') } : {}),
    };
  };
  return {
    ...Object.assign({}, ...markets.map(each => inCurrency(...each))),
    ...(wanted.include_last_updated_at ? { last_updated_at: day && Math.floor(current.timeOf(day) / 1000) } : {}),
  };
}
