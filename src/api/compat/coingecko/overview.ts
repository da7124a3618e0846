// `search` and `global`.

import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import { textParameter } from '../parameters.ts';
import { NEVER, NONE, NUMBER, TEXT } from '../schemas.ts';
import { searchAssets } from '../search-assets.ts';
import { totalsOf } from '../totals.ts';
import { coinGeckoEndpoint } from './endpoint.ts';
import { IN_CURRENCIES } from './values.ts';

const MOST_FOUND = 25;

export const search = coinGeckoEndpoint({
  id: 'coingeckoSearch',
  path: 'search',
  summary: 'Coins by name, ticker or id',
  description: `At most ${MOST_FOUND}, and as many as the tier has rows per page. This service has coins only: the other lists are empty.`,
  parameters: queryParameters<{ query: string }>({ query: textParameter('What to search for.') }, 'ignored'),
  schema: exactly({
    coins: {
      type: 'array',
      items: exactly({
        ...{ id: TEXT, name: TEXT, api_symbol: TEXT, symbol: TEXT, market_cap_rank: NUMBER },
        ...{ thumb: NEVER, large: NEVER },
      }),
    },
    ...{ exchanges: NONE, icos: NONE, categories: NONE, nfts: NONE },
  }),
  readsOptional: false,
  handle: (context, request, { market: { snapshot }, ids }, { query }) => {
    const most = Math.min(MOST_FOUND, request.tier.maxRows);
    return cachedRecord(context, request, snapshot, ['search', query, most], async () => {
      const found = await request.run(searchAssets(snapshot, query ?? '', most));
      const coins = found.map(coin => {
        const id = ids.idOf(coin);
        const names = { id, name: coin.name, api_symbol: id, symbol: coin.symbol.toUpperCase() };
        return { ...names, market_cap_rank: coin.rank, thumb: null, large: null };
      });
      return { coins, exchanges: [], icos: [], categories: [], nfts: [] };
    });
  },
});

export const global = coinGeckoEndpoint({
  id: 'coingeckoGlobal',
  path: 'global',
  summary: 'Sums over all coins',
  description: 'Of the coins of the listing. A sum leaves out the coins of which the number is unknown.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: exactly({
    data: exactly({
      active_cryptocurrencies: { type: 'integer' },
      ...{ upcoming_icos: NEVER, ongoing_icos: NEVER, ended_icos: NEVER, markets: NEVER },
      ...{ total_market_cap: IN_CURRENCIES, total_volume: IN_CURRENCIES, market_cap_percentage: IN_CURRENCIES },
      ...{ market_cap_change_percentage_24h_usd: NEVER, updated_at: { type: ['integer', 'null'] } },
    }),
  }),
  handle: (context, request, { market }) =>
    cachedRecord(context, request, market.snapshot, ['global'], async () => {
      const { assets, marketCap, turnover, shares, updatedAt } = await request.run(totalsOf(market));
      return {
        data: {
          active_cryptocurrencies: assets,
          upcoming_icos: null,
          ongoing_icos: null,
          ended_icos: null,
          markets: null,
          total_market_cap: { usd: marketCap },
          total_volume: { usd: turnover },
          market_cap_percentage: Object.fromEntries(shares.map(([symbol, share]) => [symbol.toLowerCase(), share])),
          market_cap_change_percentage_24h_usd: null,
          updated_at: updatedAt === null ? null : Math.floor(updatedAt / 1000),
        },
      };
    }),
});
