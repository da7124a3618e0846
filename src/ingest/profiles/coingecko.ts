// CoinGecko's answers, recognised by their members: `/coins/{id}` is mapped to the profile record, lists are refused.
//
// CoinGecko's ids (`bitcoin`) are not the ids of this service (`btc-bitcoin`), and its tickers are in lower case. A list taken as it
// is would create a second asset for each that is known, and a lookup by ticker would become ambiguous.

import { assetId } from '../../domain/asset.ts';
import { isObject, type Json } from '../field-reader.ts';

export type CoinGeckoAnswer =
  | { readonly kind: 'profile'; readonly profile: Json }
  | { readonly kind: 'list'; readonly problem: string };

/** Null when the record is not CoinGecko's. */
export function coinGeckoAnswer(value: Json): CoinGeckoAnswer | null {
  const { id, symbol, name } = value as { id?: unknown; symbol?: unknown; name?: unknown };
  if (!isText(id) || !isText(symbol) || !isText(name)) return null;
  if (isObject(value['description']) && isObject(value['links'])) {
    return { kind: 'profile', profile: profileOf(value, id, symbol, name) };
  }
  const isMarket = 'current_price' in value && 'market_cap' in value;
  const isListed = symbol === symbol.toLowerCase() && !id.startsWith(`${assetId(symbol, '')}-`);
  if (!isMarket && !isListed) return null;
  const list = isMarket ? 'a list of markets (/coins/markets)' : 'a list of coins (/coins/list)';
  return {
    kind: 'list',
    problem: `${id}: this is ${list} of CoinGecko, not a profile; load the answers of /coins/{id}, or write the id as ${assetId(symbol, name)}`,
  };
}

/** Prices, tickers and translations are left out: they are not part of a profile, and most of the answer's size. */
function profileOf(value: Json, id: string, symbol: string, name: string): Json {
  const links = member(value, 'links');
  const repositories = member(links, 'repos_url');
  const account = (site: string, key: string): string[] => texts(links[key]).map(one => `https://${site}/${one}`);
  const urls = {
    explorer: texts(links['blockchain_site']),
    facebook: account('www.facebook.com', 'facebook_username'),
    reddit: texts(links['subreddit_url']),
    source_code: [...texts(repositories['github']), ...texts(repositories['bitbucket'])],
    website: texts(links['homepage']),
    youtube: [],
    announcement: texts(links['announcement_url']),
    chat: texts(links['chat_url']),
    message_board: texts(links['official_forum_url']),
    telegram: account('t.me', 'telegram_channel_identifier'),
    twitter: account('x.com', 'twitter_screen_name'),
  };
  const platform = value['asset_platform_id'];
  return {
    id: assetId(symbol, name),
    name,
    symbol: symbol.toUpperCase(),
    rank: value['market_cap_rank'] ?? null,
    is_new: null,
    is_active: null,
    type: isText(platform) ? 'token' : platform === null ? 'coin' : null,
    tags: texts(value['categories']).map(tag => ({ id: assetId(tag, ''), name: tag, coin_counter: 0, ico_counter: 0 })),
    team: [],
    description: text(member(value, 'description')['en']),
    message: text(value['public_notice']),
    started_at: value['genesis_date'] ?? null,
    hash_algorithm: text(value['hashing_algorithm']),
    links: {
      explorer: urls.explorer,
      facebook: urls.facebook,
      reddit: urls.reddit,
      source_code: urls.source_code,
      website: urls.website,
      youtube: urls.youtube,
    },
    links_extended: Object.entries(urls).flatMap(([type, all]) => all.map(url => ({ url, type }))),
    whitepaper: { link: texts(links['whitepaper'])[0] ?? null, thumbnail: null },
    coingecko: { id, image: value['image'] ?? null, platforms: value['platforms'] ?? null },
  };
}

function member(value: Json, name: string): Json {
  const found = value[name];
  return isObject(found) ? found : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function text(value: unknown): string | null {
  return isText(value) ? value : null;
}

/** CoinGecko fills its lists up with empty texts. */
function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(isText);
}
