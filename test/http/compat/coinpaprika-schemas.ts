// What CoinPaprika's published OpenAPI document says of its answers, as JSON schemas. A field may be null: its clients take a missing number so.

const number = { type: ['number', 'null'] };
const integer = { type: ['integer', 'null'] };
const text = { type: ['string', 'null'] };
const time = { type: ['string', 'null'], format: 'date-time' };
const flag = { type: ['boolean', 'null'] };
const list = (items: object) => ({ type: 'array', items });
const each = (names: readonly string[], schema: object) => Object.fromEntries(names.map(name => [name, schema]));

function object(properties: object, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const coin = { id: text, name: text, symbol: text, rank: integer, is_new: flag, is_active: flag, type: text };
const tag = { id: text, name: text, coin_counter: integer, ico_counter: integer };
const spans = ['15m', '30m', '1h', '6h', '12h', '24h', '7d', '30d', '1y'];
const quote = object({
  ...each(['price', 'volume_24h', 'volume_24h_change_24h', 'market_cap', 'market_cap_change_24h'], number),
  ...each(
    spans.map(span => `percent_change_${span}`),
    number,
  ),
  ...{ ath_price: number, ath_date: time, percent_from_price_ath: number },
});
const ticker = object({
  ...{ id: text, name: text, symbol: text, rank: number, circulating_supply: number, total_supply: number },
  ...{
    max_supply: number,
    beta_value: number,
    first_data_at: time,
    last_updated: time,
    // One member per currency that was asked for.
    quotes: { type: 'object', minProperties: 1, additionalProperties: quote },
  },
});
const urls = { type: ['array', 'null'], items: text };

export const PUBLISHED = {
  coins: list(object(coin)),
  coin: object(
    {
      ...coin,
      ...{ logo: text, tags: list(object(tag)), team: list(object({ id: text, name: text, position: text })) },
      ...{ description: text, message: text, open_source: flag, hardware_wallet: flag, started_at: time },
      ...each(['development_status', 'proof_type', 'org_structure', 'hash_algorithm'], text),
      contracts: list(object({ contract: text, platform: text, type: text })),
      ...{ contract: text, platform: text, parent: object({ id: text, name: text, symbol: text }) },
      links: { type: 'object', additionalProperties: urls },
      links_extended: list(object({ url: text, type: text, stats: { type: 'object' } }, ['stats'])),
      ...{ whitepaper: object({ link: text, thumbnail: text }), first_data_at: time, last_data_at: time },
    },
    ['contract', 'platform', 'parent'],
  ),
  ticker,
  tickers: list(ticker),
  ticks: list(object({ timestamp: time, price: number, volume_24h: number, market_cap: number })),
  candles: list(
    object({
      time_open: time,
      time_close: time,
      ...each(['open', 'high', 'low', 'close', 'volume', 'market_cap'], number),
    }),
  ),
  search: object(
    {
      currencies: list(object(coin)),
      ...each(['icos', 'exchanges', 'people'], { type: 'array' }),
      tags: list(object(tag)),
    },
    ['currencies', 'icos', 'exchanges', 'people', 'tags'],
  ),
  tags: list(object({ ...tag, description: text, type: text })),
  global: object({
    ...each(['market_cap_usd', 'volume_24h_usd', 'bitcoin_dominance_percentage', 'market_cap_ath_value'], number),
    ...each(['volume_24h_ath_value', 'market_cap_change_24h', 'volume_24h_change_24h'], number),
    ...{
      market_cap_ath_date: time,
      volume_24h_ath_date: time,
      cryptocurrencies_number: integer,
      last_updated: integer,
    },
  }),
} as const;
