// Parameters of CoinGecko, and schemas of values that several of its answers have.

import type { JsonObject } from '../../json-schema.ts';
import type { ParameterFacts } from '../../parameters.ts';
import { wordParameter } from '../parameters.ts';

/** The store has prices in US dollars. */
export const CURRENCY: ParameterFacts<'usd'> = wordParameter('Currency of the numbers.', ['usd'], true);

const DECIMALS = Array.from({ length: 19 }, (_, i) => String(i));

export const PRECISION: ParameterFacts<string> = wordParameter('Decimals of prices; without it, all of them.', [
  'full',
  ...DECIMALS,
]);

export const NUMBER: JsonObject = { type: ['number', 'null'] };
export const TEXT: JsonObject = { type: 'string' };
export const TEXT_OR_NULL: JsonObject = { type: ['string', 'null'] };
export const TIME: JsonObject = { type: ['string', 'null'], format: 'date-time' };
/** What the service never has. */
export const NEVER: JsonObject = { type: 'null' };
/** A number in each currency. */
export const IN_CURRENCIES: JsonObject = { type: 'object', additionalProperties: NUMBER };

export function timeText(millis: number): string {
  return new Date(millis).toISOString();
}
