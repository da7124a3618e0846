// The numbers of a coin under CoinGecko's names, from its row in the listing.

import type { Market } from '../market.ts';
import { timeText } from './values.ts';

/** Columns of the listing. What is missing here has none: the service has days, and not each of these spans. */
const CHANGE_COLUMNS: Readonly<Record<string, string | null>> = {
  '1h': null,
  '24h': 'change1',
  '7d': 'change7',
  '14d': null,
  '30d': 'change30',
  '60d': null,
  '200d': null,
  '1y': 'change365',
};

/** The spans that `price_change_percentage` takes. */
export const PRICE_CHANGES: readonly string[] = ['1h', '24h', '7d', '14d', '30d', '200d', '1y'];

/** Without a row, each is null. */
export function marketNumbers(market: Market, row: number | null) {
  const number = (name: string) => market.number(row, name);
  const change = (span: string) => {
    const column = CHANGE_COLUMNS[span] ?? null;
    return column === null ? null : number(column);
  };
  const [price, day, athDay] = [number('price'), market.day(row, 'datetimeUTC'), market.day(row, 'ath_at')];
  const daily = change('24h');
  return {
    price,
    change,
    marketCap: number('market_cap'),
    turnover: number('turnover'),
    high: number('high'),
    low: number('low'),
    supply: number('supply'),
    /** Since the previous close, in dollars. */
    priceChange: price === null || daily === null ? null : price - price / (1 + daily / 100),
    ath: number('ath'),
    athChange: number('from_ath'),
    athDate: athDay === null ? null : timeText(market.timeOf(athDay)),
    updatedAt: day === null ? null : timeText(market.timeOf(day)),
    changesIn: (spans: readonly string[]) =>
      Object.fromEntries(spans.map(span => [`price_change_percentage_${span}_in_currency`, change(span)])),
  };
}
