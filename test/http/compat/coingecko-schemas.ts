// What CoinGecko's published documentation says of its answers, as JSON schemas. A field may be null: the documentation's own examples
// have nulls in fields that it describes as numbers.

const number = { type: ['number', 'null'] };
const text = { type: ['string', 'null'] };
const time = { type: ['string', 'null'], format: 'date-time' };

function object(properties: object, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const list = (items: object) => ({ type: 'array', items });
const points = list({ type: 'array', prefixItems: [{ type: 'number' }, number], minItems: 2, maxItems: 2 });

export const PUBLISHED = {
  ping: object({ gecko_says: { type: 'string' } }),
  simplePrice: { type: 'object', additionalProperties: { type: 'object', additionalProperties: number } },
  currencies: list({ type: 'string' }),
  coinsList: list(object({ id: text, symbol: text, name: text, platforms: { type: 'object' } }, ['platforms'])),
  markets: list(
    object(
      {
        ...{ id: text, symbol: text, name: text, image: text, current_price: number, market_cap: number },
        ...{ market_cap_rank: number, fully_diluted_valuation: number, total_volume: number, high_24h: number },
        ...{ low_24h: number, price_change_24h: number, price_change_percentage_24h: number },
        ...{ market_cap_change_24h: number, market_cap_change_percentage_24h: number, circulating_supply: number },
        ...{ total_supply: number, max_supply: number, ath: number, ath_change_percentage: number, ath_date: time },
        ...{ atl: number, atl_change_percentage: number, atl_date: time, roi: { type: ['object', 'null'] } },
        last_updated: time,
        sparkline_in_7d: object({ price: list({ type: 'number' }) }),
        ...Object.fromEntries(
          ['1h', '24h', '7d', '14d', '30d', '200d', '1y'].map(span => [
            `price_change_percentage_${span}_in_currency`,
            number,
          ]),
        ),
      },
      [
        'sparkline_in_7d',
        ...['1h', '24h', '7d', '14d', '30d', '200d', '1y'].map(span => `price_change_percentage_${span}_in_currency`),
      ],
    ),
  ),
  marketChart: object({ prices: points, market_caps: points, total_volumes: points }),
  ohlc: list({
    type: 'array',
    prefixItems: [{ type: 'number' }, number, number, number, number],
    minItems: 5,
    maxItems: 5,
  }),
} as const;

const inCurrencies = { type: 'object', additionalProperties: number };
const links = {
  ...{ homepage: list(text), whitepaper: text, blockchain_site: list(text), official_forum_url: list(text) },
  ...{ chat_url: list(text), announcement_url: list(text), snapshot_url: text, twitter_screen_name: text },
  ...{ facebook_username: text, bitcointalk_thread_identifier: text, telegram_channel_identifier: text },
  ...{ subreddit_url: text, repos_url: object({ github: list(text), bitbucket: list(text) }) },
};
const SPANS = ['24h', '7d', '14d', '30d', '60d', '200d', '1y'];
const each = (names: readonly string[], schema: object) => Object.fromEntries(names.map(name => [name, schema]));
const marketData = {
  ...each(['current_price', 'ath', 'ath_change_percentage', 'atl', 'atl_change_percentage'], inCurrencies),
  ...each(['market_cap', 'fully_diluted_valuation', 'total_volume', 'high_24h', 'low_24h'], inCurrencies),
  ...each(['ath_date', 'atl_date'], { type: 'object', additionalProperties: time }),
  ...each(['total_value_locked', 'mcap_to_tvl_ratio', 'fdv_to_tvl_ratio', 'market_cap_rank'], number),
  ...each(['market_cap_fdv_ratio', 'price_change_24h', 'market_cap_change_24h'], number),
  ...each(['market_cap_change_percentage_24h', 'total_supply', 'max_supply', 'circulating_supply'], number),
  ...each(
    SPANS.map(span => `price_change_percentage_${span}`),
    number,
  ),
  ...each(
    ['1h', ...SPANS].map(span => `price_change_percentage_${span}_in_currency`),
    inCurrencies,
  ),
  price_change_24h_in_currency: inCurrencies,
  ...each(['market_cap_change_24h_in_currency', 'market_cap_change_percentage_24h_in_currency'], inCurrencies),
  ...{ roi: { type: ['object', 'null'] }, last_updated: time },
};

/** Of one coin, of a search, and of the sums. */
export const PUBLISHED_RECORDS = {
  coin: object({
    ...{ id: text, symbol: text, name: text, web_slug: text, asset_platform_id: text },
    ...{ platforms: { type: 'object' }, detail_platforms: { type: 'object' }, block_time_in_minutes: number },
    ...{ hashing_algorithm: text, categories: list(text), preview_listing: { type: 'boolean' }, public_notice: text },
    ...{ additional_notices: list(text), localization: { type: 'object' }, description: { type: 'object' } },
    ...{ links: object(links), image: object({ thumb: text, small: text, large: text }), country_origin: text },
    ...{ genesis_date: text, sentiment_votes_up_percentage: number, sentiment_votes_down_percentage: number },
    ...{ watchlist_portfolio_users: number, market_cap_rank: number, market_data: object(marketData) },
    community_data: object(
      each(
        [
          ...['facebook_likes', 'twitter_followers', 'reddit_average_posts_48h', 'reddit_average_comments_48h'],
          ...['reddit_subscribers', 'reddit_accounts_active_48h', 'telegram_channel_user_count'],
        ],
        number,
      ),
    ),
    developer_data: object({
      ...each(['forks', 'stars', 'subscribers', 'total_issues', 'closed_issues', 'pull_requests_merged'], number),
      ...each(['pull_request_contributors', 'commit_count_4_weeks'], number),
      code_additions_deletions_4_weeks: object({ additions: number, deletions: number }),
      last_4_weeks_commit_activity_series: list(number),
    }),
    ...{ status_updates: list({ type: 'object' }), last_updated: time, tickers: list({ type: 'object' }) },
  }),
  search: object({
    coins: list(
      object({ ...each(['id', 'name', 'api_symbol', 'symbol', 'thumb', 'large'], text), market_cap_rank: number }),
    ),
    ...each(['exchanges', 'icos', 'categories', 'nfts'], { type: 'array' }),
  }),
  global: object({
    data: object({
      ...each(['active_cryptocurrencies', 'upcoming_icos', 'ongoing_icos', 'ended_icos', 'markets'], number),
      ...each(['total_market_cap', 'total_volume', 'market_cap_percentage'], inCurrencies),
      ...each(['market_cap_change_percentage_24h_usd', 'updated_at'], number),
    }),
  }),
} as const;
