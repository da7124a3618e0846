// `coins/{id}`: everything about one coin. Prices come from its row in the listing, the rest from its profile.

import type { Link, Profile } from '../../../domain/profile.ts';
import type { IndexedAsset } from '../../../snapshot/table.ts';
import { exactly, type JsonObject } from '../../json-schema.ts';
import { queryParameters } from '../../parameters.ts';
import { cachedRecord } from '../answers.ts';
import { flagParameter } from '../parameters.ts';
import { NEVER, NUMBER, TEXT, TEXT_OR_NULL, TIME } from '../schemas.ts';
import { coinGeckoEndpoint, coinOf } from './endpoint.ts';
import { MARKET_DATA, marketData } from './market-data.ts';
import { marketNumbers } from './market-numbers.ts';

/** A profile may change without a publication. */
const KEEP_MS = 1000;

interface Wanted {
  readonly localization: boolean;
  readonly tickers: boolean;
  readonly market_data: boolean;
  readonly community_data: boolean;
  readonly developer_data: boolean;
}

export const coin = coinGeckoEndpoint({
  id: 'coingeckoCoin',
  path: 'coins/{id}',
  summary: 'Everything about one coin',
  parameters: queryParameters<Wanted>(
    {
      localization: flagParameter('`false` leaves `localization` out.'),
      tickers: flagParameter('`false` leaves `tickers` out, which are always empty.'),
      market_data: flagParameter('`false` leaves `market_data` out.'),
      community_data: flagParameter('`false` leaves `community_data` out.'),
      developer_data: flagParameter('`false` leaves `developer_data` out.'),
    },
    'ignored',
  ),
  schema: coinSchema(),
  handle: (context, request, coins, wanted) => {
    const { market, ids } = coins;
    const found = coinOf(coins, request.rest);
    const name = ['coin', found.id, wanted, Math.floor(context.now() / KEEP_MS)];
    return cachedRecord(context, request, market.snapshot, name, async () => {
      const profile = (await context.profile(found.assetNumber))?.profile ?? null;
      const numbers = marketNumbers(market, market.rowOf(found));
      return {
        ...described(ids.idOf(found), found, profile),
        ...(wanted.localization === false ? {} : { localization: { en: found.name } }),
        ...(wanted.market_data === false ? {} : { market_data: marketData(numbers, found.rank) }),
        ...(wanted.community_data === false ? {} : { community_data: communityData(profile) }),
        ...(wanted.developer_data === false ? {} : { developer_data: developerData(profile) }),
        ...(wanted.tickers === false ? {} : { tickers: [] }),
        status_updates: [],
        last_updated: numbers.updatedAt,
      };
    });
  },
});

function described(id: string, { symbol, name, rank }: IndexedAsset, profile: Profile | null) {
  return {
    id,
    symbol: symbol.toLowerCase(),
    name,
    web_slug: id,
    asset_platform_id: null,
    platforms: {},
    detail_platforms: {},
    block_time_in_minutes: null,
    hashing_algorithm: profile?.hash_algorithm ?? null,
    categories: (profile?.tags ?? []).map(tag => tag.name),
    preview_listing: false,
    public_notice: profile?.message || null,
    additional_notices: [],
    description: { en: profile?.description ?? null },
    links: linksOf(profile),
    image: { thumb: null, small: null, large: null },
    country_origin: null,
    genesis_date: profile?.started_at?.slice(0, 10) ?? null,
    sentiment_votes_up_percentage: null,
    sentiment_votes_down_percentage: null,
    watchlist_portfolio_users: null,
    market_cap_rank: rank,
  };
}

function linksOf(profile: Profile | null) {
  const links = profile?.links;
  const sources = links?.source_code ?? [];
  const at = (host: string) => sources.filter(url => url.includes(host));
  return {
    homepage: links?.website ?? [],
    whitepaper: profile?.whitepaper.link ?? null,
    blockchain_site: links?.explorer ?? [],
    official_forum_url: [],
    chat_url: [],
    announcement_url: [],
    snapshot_url: null,
    twitter_screen_name: null,
    facebook_username: null,
    bitcointalk_thread_identifier: null,
    telegram_channel_identifier: null,
    subreddit_url: links?.reddit[0] ?? null,
    repos_url: { github: at('github.com'), bitbucket: at('bitbucket.org') },
  };
}

/** A count that the source gave with a link of this type. */
function statOf(profile: Profile | null, type: string, stat: keyof NonNullable<Link['stats']>): number | null {
  return profile?.links_extended.find(link => link.type === type)?.stats?.[stat] ?? null;
}

function communityData(profile: Profile | null) {
  return {
    facebook_likes: null,
    twitter_followers: statOf(profile, 'twitter', 'followers'),
    reddit_average_posts_48h: null,
    reddit_average_comments_48h: null,
    reddit_subscribers: statOf(profile, 'reddit', 'subscribers'),
    reddit_accounts_active_48h: null,
    telegram_channel_user_count: statOf(profile, 'telegram', 'members'),
  };
}

function developerData(profile: Profile | null) {
  return {
    forks: null,
    stars: statOf(profile, 'source_code', 'stars'),
    subscribers: null,
    total_issues: null,
    closed_issues: null,
    pull_requests_merged: null,
    pull_request_contributors: statOf(profile, 'source_code', 'contributors'),
    code_additions_deletions_4_weeks: { additions: null, deletions: null },
    commit_count_4_weeks: null,
    last_4_weeks_commit_activity_series: [],
  };
}

function coinSchema(): JsonObject {
  const list = { type: 'array' };
  const nulls = (...names: string[]) => Object.fromEntries(names.map(name => [name, NEVER]));
  const numbers = (...names: string[]) => Object.fromEntries(names.map(name => [name, NUMBER]));
  const sections = {
    localization: { type: 'object' },
    market_data: MARKET_DATA,
    community_data: exactly(numbers(...Object.keys(communityData(null)))),
    developer_data: { type: 'object', properties: numbers('stars', 'pull_request_contributors') },
    tickers: { type: 'array', maxItems: 0 },
  };
  return exactly(
    {
      ...{ id: TEXT, symbol: TEXT, name: TEXT, web_slug: TEXT, hashing_algorithm: TEXT_OR_NULL },
      ...{ platforms: { type: 'object' }, detail_platforms: { type: 'object' }, categories: list },
      ...nulls('asset_platform_id', 'block_time_in_minutes', 'country_origin', 'watchlist_portfolio_users'),
      ...nulls('sentiment_votes_up_percentage', 'sentiment_votes_down_percentage'),
      ...{ preview_listing: { type: 'boolean' }, public_notice: TEXT_OR_NULL, additional_notices: list },
      ...{ description: exactly({ en: TEXT_OR_NULL }), links: { type: 'object' } },
      ...{ image: exactly(nulls('thumb', 'small', 'large')), genesis_date: TEXT_OR_NULL, market_cap_rank: NUMBER },
      ...sections,
      ...{ status_updates: list, last_updated: TIME },
    },
    Object.keys(sections),
  );
}
