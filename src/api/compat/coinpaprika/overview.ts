// `search`, `tags` and `global`.

import { exactly } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import type { Market } from '../market.ts';
import { countParameter, listParameter, textParameter, wordParameter } from '../parameters.ts';
import { COUNT, each, NEVER, NONE, NUMBER, TEXT } from '../schemas.ts';
import { searchAssets } from '../search-assets.ts';
import { totalsOf } from '../totals.ts';
import { COIN, coinEntry } from './coins.ts';
import { coinPaprikaEndpoint } from './endpoint.ts';

const MOST_FOUND = 250;
const DEFAULT_FOUND = 6;
const CATEGORIES = ['currencies', 'icos', 'exchanges', 'people', 'tags'] as const;

const TAG_IN_SEARCH = exactly({ id: TEXT, name: NEVER, coin_counter: COUNT, ico_counter: NEVER });

export const search = coinPaprikaEndpoint({
  id: 'coinpaprikaSearch',
  path: 'search',
  summary: 'Coins and tags by name, ticker or id',
  description:
    'As many coins as `limit` says, and as the tier has rows per page. Lists of what the service does not have are empty.',
  parameters: queryParameters<{ q: string; c: string[]; modifier: 'symbol_search'; limit: number }>(
    {
      q: textParameter('What to search for.', true),
      c: listParameter(`Which lists to answer with: ${CATEGORIES.join(', ')}.`),
      modifier: wordParameter('Search in tickers alone.', ['symbol_search']),
      limit: countParameter('Entries per list, up to 250; 6 without it.', MOST_FOUND),
    },
    'ignored',
  ),
  schema: exactly(
    {
      currencies: { type: 'array', items: COIN },
      tags: { type: 'array', items: TAG_IN_SEARCH },
      ...each(['icos', 'exchanges', 'people'], NONE),
    },
    CATEGORIES,
  ),
  readsOptional: false,
  handle: (context, request, market, { q, c, modifier, limit }) => {
    const { snapshot } = market;
    const [text, most] = [q ?? '', Math.min(limit ?? DEFAULT_FOUND, request.tier.maxRows)];
    const wanted = c === null || c.length === 0 ? CATEGORIES : CATEGORIES.filter(name => c.includes(name));
    return cachedRecord(context, request, snapshot, ['paprika/search', text, wanted, modifier, most], async () => {
      const found =
        modifier === 'symbol_search'
          ? snapshot.assetIndex.bySymbol(text).slice(0, most)
          : await request.run(searchAssets(snapshot, text, most));
      const lists = {
        currencies: found.map(coinEntry),
        ...{ icos: [], exchanges: [], people: [] },
        tags: tagsOf(market)
          .filter(({ id }) => id.includes(text.toLowerCase()))
          .slice(0, most),
      };
      return Object.fromEntries(wanted.map(name => [name, lists[name]]));
    });
  },
});

/** The names of tags are in the profiles alone. */
function tagsOf({ snapshot: { tables } }: Market) {
  const { profiles, rows } = tables.assets;
  if (profiles === null) return [];
  const all = new Int32Array(Math.ceil(rows / 32)).fill(-1);
  return [...profiles.counts('tag', all)].map(([id, count]) => ({
    ...{ id: id.toLowerCase(), name: null, coin_counter: count, ico_counter: null },
  }));
}

export const tags = coinPaprikaEndpoint({
  id: 'coinpaprikaTags',
  path: 'tags',
  summary: 'The tags of the coins',
  description: 'By id, with the number of coins that have it.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: {
    type: 'array',
    items: exactly({ id: TEXT, coin_counter: COUNT, ...each(['name', 'ico_counter', 'description', 'type'], NEVER) }),
  },
  readsOptional: false,
  handle: (context, request, market) =>
    cachedRecord(context, request, market.snapshot, ['tags'], () =>
      tagsOf(market)
        .map(tag => ({ ...tag, description: null, type: null }))
        .sort((one, other) => (one.id < other.id ? -1 : 1)),
    ),
});

const NEVER_KNOWN = [
  'market_cap_ath_value',
  'market_cap_ath_date',
  'volume_24h_ath_value',
  'volume_24h_ath_date',
  'market_cap_change_24h',
  'volume_24h_change_24h',
];

export const global = coinPaprikaEndpoint({
  id: 'coinpaprikaGlobal',
  path: 'global',
  summary: 'Sums over all coins',
  description: 'Of the coins of the listing. A sum leaves out the coins of which the number is unknown.',
  parameters: queryParameters<object>({}, 'ignored'),
  schema: exactly({
    ...each(['market_cap_usd', 'volume_24h_usd', 'bitcoin_dominance_percentage'], NUMBER),
    ...{ cryptocurrencies_number: COUNT, last_updated: COUNT },
    ...each(NEVER_KNOWN, NEVER),
  }),
  handle: (context, request, market) =>
    cachedRecord(context, request, market.snapshot, ['paprika/global'], async () => {
      const { assets, marketCap, turnover, shares, updatedAt } = await request.run(totalsOf(market));
      return {
        market_cap_usd: marketCap,
        volume_24h_usd: turnover,
        bitcoin_dominance_percentage: shares.find(([symbol]) => symbol === 'BTC')?.[1] ?? null,
        cryptocurrencies_number: assets,
        ...Object.fromEntries(NEVER_KNOWN.map(name => [name, null])),
        last_updated: updatedAt === null ? null : Math.floor(updatedAt / 1000),
      };
    }),
});
