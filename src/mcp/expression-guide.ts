// The language of `where` for a model, in 30 lines at most. The grammar is in docs/reference/expressions.md.

import { FUNCTIONS, OPERATIONS, PERIOD_FUNCTIONS } from '../query/expression/operations.ts';

const FUNCTION_NAMES = [...FUNCTIONS].map(
  ([name, operation]) => `${name}(${OPERATIONS[operation].operands === 2 ? 'x, y' : 'x'})`,
);

const PERIODS = Object.values(PERIOD_FUNCTIONS).map(({ form }) => form);

export const EXPRESSION_GUIDE = `## expressions: the language of where
A condition over the columns of one row; rows for which it holds are kept.
Compare: price > 1   sma50 >= 1.02 * sma200   change7 != 0   = is equality (one sign)
Combine: and, or, not, ( ). From loosest to tightest: or, and, not, comparisons, + -, * /, unary -
Range: change30 between -5 and 5 (both included). Comparisons do not chain: write 1 < price and price < 2
Arithmetic: + - * /, on columns and numbers such as 0.5, 1e6
Functions: ${FUNCTION_NAMES.join(', ')}
Earlier days: ${PERIODS.join(', ')}   n from 1 to 400, at most 4 different n; null before the first close
Texts, in single quotes: symbol = 'BTC'   symbol in ('BTC','ETH')   symbol not in ('USDT')   any case
Tags of the profile: tag('defi')   not tag('stablecoin')
Days: datetimeUTC >= '2026-01-31'
Null: change365 is null   change365 is not null
- A comparison with null is false, != included; arithmetic with null is null; so is division by 0.
- not change365 > 0 keeps rows without a change365.
Percent columns hold 5 for 5 %. Volatility is in percent per year. Names of columns are case-sensitive; words are not.
At most 2,000 characters and 200 operators. No subqueries, no group by, no text search (search_assets has that).
Examples:
- price > sma50 and sma50 > sma200                      above both averages, in an uptrend
- change7 > 10 and vol30 < 60                           up more than 10 % in a week, at a moderate volatility
- abs(price / sma200 - 1) < 0.02                        within 2 % of the 200-day average
- price > bb20_upper                                    above the upper Bollinger band
- crosses_above(sma50, sma200)                          golden cross on the latest day
- rsi14 > 30 and lag(rsi14, 1) <= 30                    back above 30 since the day before
- market_cap > 1e9 and rsi14 < 30 and price > sma200    large, oversold, above the 200-day average
- change1 < 0 and change7 > 0 and change30 > 0          a pullback in an uptrend
- not tag('stablecoin') and change365 is not null       at least a year of history, without stablecoins`;
