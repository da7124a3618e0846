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
