// `ping`, `simple/price` and `simple/supported_vs_currencies`.

import { mapInSteps } from '../../../common/steps.ts';
import type { IndexedAsset } from '../../../snapshot/asset-index.ts';
import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import type { Market } from '../market.ts';
import { flagParameter, listParameter, requireFew } from '../parameters.ts';
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
    cachedRecord(context, request, snapshot, ['currencies'], () => ['usd']),
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

type Given = { readonly [Name in keyof Wanted]: Wanted[Name] | null };

export const simplePrice = coinGeckoEndpoint({
  id: 'coingeckoSimplePrice',
  path: 'simple/price',
  summary: 'The prices of several coins',
  description:
    'An id that no coin has is left out, and so is a currency other than `usd`, as CoinGecko does. At most as many ids as the tier of the ' +
    'API key has rows per page.',
  parameters: queryParameters<Wanted>(
    {
      ids: listParameter('Ids of coins, separated by commas.', true),
      vs_currencies: listParameter('Currencies, separated by commas: `usd`.', true),
      include_market_cap: flagParameter('With the market capitalisation.'),
      include_24hr_vol: flagParameter('With the volume of the UTC day in dollars.'),
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
    // Under the id that was asked for: that is where the program looks.
    const entryOf = (id: string): [string, object][] => {
      const coin = ids.find(id);
      return coin === null ? [] : [[id.toLowerCase(), priceOf(market, coin, wanted)]];
    };
    return cachedRecord(context, request, market.snapshot, ['simple/price', wanted], async () => {
      const entries = await request.run(mapInSteps(asked, entryOf, COINS_PER_STEP));
      return Object.fromEntries(entries.flat());
    });
  },
});

const COINS_PER_STEP = 50;

function priceOf(market: Market, coin: IndexedAsset, wanted: Given): Readonly<Record<string, number | null>> {
  const row = market.rowOf(coin);
  const day = market.day(row, 'datetimeUTC');
  const inDollars = {
    usd: rounding(wanted.precision)(market.number(row, 'price')),
    ...(wanted.include_market_cap ? { usd_market_cap: market.number(row, 'market_cap') } : {}),
    ...(wanted.include_24hr_vol ? { usd_24h_vol: market.number(row, 'turnover') } : {}),
    ...(wanted.include_24hr_change ? { usd_24h_change: market.number(row, 'change1') } : {}),
  };
  const isInDollars = wanted.vs_currencies?.some(currency => currency.toLowerCase() === 'usd') ?? false;
  return {
    ...(isInDollars ? inDollars : {}),
    ...(wanted.include_last_updated_at ? { last_updated_at: day && Math.floor(market.timeOf(day) / 1000) } : {}),
  };
}
