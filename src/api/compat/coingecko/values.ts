// Parameters of CoinGecko, and values of its answers.

import type { JsonObject } from '../../json-schema.ts';
import type { ParameterFacts } from '../../parameters.ts';
import { wordParameter } from '../parameters.ts';
import { currencyParameter } from '../quotes.ts';
import { NUMBER } from '../schemas.ts';

export const CURRENCY: ParameterFacts<string> = currencyParameter('Currency of the numbers.', true);

const DECIMALS = Array.from({ length: 19 }, (_, i) => String(i));

export const PRECISION: ParameterFacts<string> = wordParameter('Decimals of prices; without it, all of them.', [
  'full',
  ...DECIMALS,
]);

/** A number in each currency. */
export const IN_CURRENCIES: JsonObject = { type: 'object', additionalProperties: NUMBER };

export function timeText(millis: number): string {
  return new Date(millis).toISOString();
}
