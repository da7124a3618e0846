import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coinGeckoAnswer } from './coingecko.ts';
import { parseProfile } from './parse-profile.ts';

/** The form of `/coins/{id}` as CoinGecko documents it, with invented content. */
const COIN = {
  id: 'example-coin',
  symbol: 'exc',
  name: 'Example Coin',
  web_slug: 'example-coin',
  asset_platform_id: null,
  platforms: { '': '' },
  block_time_in_minutes: 10,
  hashing_algorithm: 'SHA-256',
  categories: ['Smart Contract Platform', 'Layer 1 (L1)'],
  public_notice: null,
  localization: { en: 'Example Coin', de: 'Beispielmünze' },
  description: { en: 'A coin.\r\nFor examples.', de: '' },
  links: {
    homepage: ['https://coin.example', '', ''],
    whitepaper: 'https://coin.example/paper.pdf',
    blockchain_site: ['https://explorer.example', ''],
    official_forum_url: ['https://forum.example', '', ''],
    chat_url: ['', '', ''],
    announcement_url: ['', ''],
    twitter_screen_name: 'example',
    facebook_username: '',
    telegram_channel_identifier: 'examplechat',
    subreddit_url: 'https://www.reddit.com/r/Example/',
    repos_url: { github: ['https://github.com/example/coin'], bitbucket: [] },
  },
  image: { thumb: 'https://img.example/t.png' },
  genesis_date: '2014-05-06',
  market_cap_rank: 12,
  market_data: { current_price: { usd: 1.5 } },
  tickers: [{ base: 'EXC', target: 'USD' }],
};

const MARKET = {
  id: 'example-coin',
  symbol: 'exc',
  name: 'Example Coin',
  image: 'https://img.example/t.png',
  current_price: 70187,
  market_cap: 1381651251183,
  market_cap_rank: 1,
};

describe('an answer of CoinGecko', () => {
  it('to /coins/{id} becomes a profile with the id of this service', () => {
    const answer = coinGeckoAnswer(COIN);
    assert.equal(answer?.kind, 'profile');
    const parsed = parseProfile(answer.profile);
    assert.ok('ok' in parsed, JSON.stringify(parsed));
    const { profile, extra } = parsed.ok;
    assert.deepEqual(profile, {
      id: 'exc-example-coin',
      name: 'Example Coin',
      symbol: 'EXC',
      rank: 12,
      is_new: null,
      is_active: null,
      type: 'coin',
      tags: [
        { id: 'smart-contract-platform', name: 'Smart Contract Platform', coin_counter: 0, ico_counter: 0 },
        { id: 'layer-1-l1', name: 'Layer 1 (L1)', coin_counter: 0, ico_counter: 0 },
      ],
      team: [],
      description: 'A coin.\r\nFor examples.',
      message: null,
      open_source: null,
      started_at: '2014-05-06T00:00:00Z',
      development_status: null,
      hardware_wallet: null,
      proof_type: null,
      org_structure: null,
      hash_algorithm: 'SHA-256',
      links: {
        explorer: ['https://explorer.example'],
        facebook: [],
        reddit: ['https://www.reddit.com/r/Example/'],
        source_code: ['https://github.com/example/coin'],
        website: ['https://coin.example'],
        youtube: [],
      },
      links_extended: [
        { url: 'https://explorer.example', type: 'explorer' },
        { url: 'https://www.reddit.com/r/Example/', type: 'reddit' },
        { url: 'https://github.com/example/coin', type: 'source_code' },
        { url: 'https://coin.example', type: 'website' },
        { url: 'https://forum.example', type: 'message_board' },
        { url: 'https://t.me/examplechat', type: 'telegram' },
        { url: 'https://x.com/example', type: 'twitter' },
      ],
      whitepaper: { link: 'https://coin.example/paper.pdf', thumbnail: null },
      first_data_at: null,
    });
    assert.deepEqual(extra, { coingecko: { id: 'example-coin', image: COIN.image, platforms: COIN.platforms } });
  });

  it('to /coins/{id} without most members is a profile too', () => {
    const answer = coinGeckoAnswer({ id: 'x', symbol: 'x', name: 'X', description: {}, links: {} });
    assert.equal(answer?.kind, 'profile');
    const parsed = parseProfile(answer.profile);
    assert.ok('ok' in parsed, JSON.stringify(parsed));
    assert.deepEqual([parsed.ok.profile.id, parsed.ok.profile.type, parsed.ok.profile.tags], ['x-x', null, []]);
  });

  for (const [what, record, list] of [
    ['/coins/markets', MARKET, /list of markets \(\/coins\/markets\)/],
    ['/coins/list', { id: 'example-coin', symbol: 'exc', name: 'Example Coin' }, /list of coins \(\/coins\/list\)/],
  ] as const) {
    it(`to ${what} is refused with the reason`, () => {
      const answer = coinGeckoAnswer(record);
      assert.equal(answer?.kind, 'list');
      assert.match(answer.problem, list);
      assert.match(answer.problem, /exc-example-coin$/);
    });
  }

  for (const record of [
    { id: 'btc-bitcoin', symbol: 'BTC', name: 'Bitcoin', rank: 1, is_active: true, type: 'coin' },
    { id: 'exc-example-coin', symbol: 'exc', name: 'Example Coin' },
    { id: '7-seven-bells', symbol: '7', name: 'Seven Bells' },
    { id: 'miota-iota', symbol: 'IOTA', name: 'IOTA' },
    { symbol: 'exc' },
    {},
  ]) {
    it(`is not ${JSON.stringify(record)}`, () => assert.equal(coinGeckoAnswer(record), null));
  }
});
